// lib_names(lib): part of the page library.
(lib) => {
}
