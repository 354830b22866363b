//go:build unix && !linux && !darwin

package sock

import (
	"net"

	"duet/internal/fault"
)

func short(path string, use func(string) error) error { return use(path) }

// peer fails: who is at the other end cannot be told here, so nobody is let in.
func peer(*net.UnixConn) (int, error) {
	return 0, fault.New(fault.Unsupported, "the daemon is not available on this system; use duet mcp")
}
