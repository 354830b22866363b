// Package snapshot renders a page as text for a model: refs, lines, differences.
// It is pure: no I/O, no clock, no protocol.
package snapshot
