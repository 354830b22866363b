// lib_states(lib): part of the page library.
(lib) => {
}
