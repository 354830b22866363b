// lib_watch(lib): part of the page library.
(lib) => {
}
