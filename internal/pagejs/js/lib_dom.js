// lib_dom(lib): part of the page library.
(lib) => {
}
