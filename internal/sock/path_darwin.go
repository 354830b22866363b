package sock

import (
	"net"

	"golang.org/x/sys/unix"

	"duet/internal/fault"
)

const maxPath = 103

// short calls use with the path, or says that it is too long for a socket.
func short(path string, use func(string) error) error {
	if len(path) > maxPath {
		return fault.New(fault.StateInvalid, "the socket's path %s is longer than the %d bytes that the system allows", path, maxPath).
			WithHint("set DUET_RUNTIME_DIR to a shorter directory")
	}
	return use(path)
}

// peer returns the user of the other end.
func peer(c *net.UnixConn) (int, error) {
	raw, err := c.SyscallConn()
	if err != nil {
		return 0, err
	}
	var cred *unix.Xucred
	var credErr error
	err = raw.Control(func(fd uintptr) {
		cred, credErr = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	})
	if err == nil {
		err = credErr
	}
	if err != nil {
		return 0, err
	}
	return int(cred.Uid), nil
}
