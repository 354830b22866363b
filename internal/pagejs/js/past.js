// past(lib, {}) -> number: entries in the tab's history; reads.
(lib) => lib.window.history.length
