// closing(lib, {}) -> bool: the page has closed its own tab, which is about to go; reads.
(lib) => lib.window.closed
