// lib_roles(lib): part of the page library.
(lib) => {
}
