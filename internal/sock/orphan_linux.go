package sock

import (
	"os"

	"golang.org/x/sys/unix"
)

// watch calls ended when the process of a pid has ended. A descriptor of the
// process is used, so a pid that is given out again is not taken for it.
func watch(pid int, ended func()) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return
	}
	if os.Getppid() != pid {
		ended()
		return
	}
	go func() {
		defer unix.Close(fd)
		fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}
		for {
			n, err := unix.Poll(fds, -1)
			if err == unix.EINTR {
				continue
			}
			if err == nil && n > 0 {
				ended()
			}
			return
		}
	}()
}
