package launch

import "golang.org/x/sys/unix"

const shmNeeded = 256 << 20 // bytes that a few tabs share

// smallShm reports whether /dev/shm is too small for Chrome, as it is in
// containers that were not told otherwise.
func smallShm() bool { return freeOn("/dev/shm") < shmNeeded }

// freeOn is what a file system lets an ordinary user write yet, 0 where it does not say.
func freeOn(dir string) uint64 {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0
	}
	return st.Bavail * uint64(st.Bsize)
}

// sizeOn is how much a file system holds, full or not.
func sizeOn(dir string) uint64 {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0
	}
	return st.Blocks * uint64(st.Bsize)
}

// freeMemory is what can be written to a directory in memory yet.
func freeMemory(dir string) uint64 { return min(freeOn(dir), headroom(readFile)) }

// onTmpfs reports whether a directory stands in memory.
func onTmpfs(dir string) bool {
	var st unix.Statfs_t
	return unix.Statfs(dir, &st) == nil && st.Type == unix.TMPFS_MAGIC
}
