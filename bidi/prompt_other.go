//go:build !linux

package bidi

// acknowledge does nothing: this system has no such switch.
func acknowledge(uintptr) {}
