//go:build !linux

package launch

// smallShm is a matter of Linux.
func smallShm() bool { return false }

func freeMemory(string) uint64 { return 0 }

func sizeOn(string) uint64 { return 0 }

func onTmpfs(string) bool { return false }
