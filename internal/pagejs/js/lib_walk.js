// lib_walk(lib): part of the page library.
(lib) => {
}
