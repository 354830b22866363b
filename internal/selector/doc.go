// Package selector is the grammar of targets: it parses what a caller typed
// into a chain of steps and prints a chain back. It does no I/O.
package selector
