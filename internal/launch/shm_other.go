//go:build !linux

package launch

// smallShm is a matter of Linux.
func smallShm() bool { return false }
