package launch

import "golang.org/x/sys/unix"

const shmNeeded = 256 << 20 // bytes that a few tabs share

// smallShm reports whether /dev/shm is too small for Chrome, as it is in
// containers that were not told otherwise.
func smallShm() bool {
	var st unix.Statfs_t
	if err := unix.Statfs("/dev/shm", &st); err != nil {
		return true
	}
	return st.Bavail*uint64(st.Bsize) < shmNeeded
}
