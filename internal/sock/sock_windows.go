package sock

import (
	"context"
	"errors"
	"net"
	"os"

	"duet/internal/fault"
)

// ErrNone is the error of Dial where no daemon serves the place.
var ErrNone = errors.New("no daemon serves this project")

// ErrTaken is the error of Listen where another daemon serves the place.
var ErrTaken = errors.New("another daemon serves this project")

// ReadyFlag is the argument of a daemon whose starter waits for Ready.
const ReadyFlag = "--ready-fd"

var errNoDaemon = fault.New(fault.Unsupported, "the session daemon is not available on Windows").
	WithHint("use duet mcp, or --ephemeral")

func owner() string { return "user" }

func private(dir string) error { return os.MkdirAll(dir, 0o700) }

// Listener accepts nothing on this system.
type Listener struct{}

// Listen is not available on this system.
func Listen(context.Context, Place) (*Listener, error) { return nil, errNoDaemon }

// Accept is not available on this system.
func (*Listener) Accept() (*net.UnixConn, error) { return nil, errNoDaemon }

// Stop does nothing.
func (*Listener) Stop() error { return nil }

// Close does nothing.
func (*Listener) Close() error { return nil }

// Dial is not available on this system.
func Dial(context.Context, Place) (*net.UnixConn, error) { return nil, errNoDaemon }

// Connect is not available on this system.
func Connect(context.Context, Place, []string) (*net.UnixConn, bool, error) {
	return nil, false, errNoDaemon
}

// Held reports false: no daemon is ever there.
func Held(Place) bool { return false }

// Released returns at once.
func Released(context.Context, Place) error { return nil }

// Ready is not available on this system.
func Ready() error { return errNoDaemon }

// Orphaned never closes on this system.
func Orphaned() <-chan struct{} { return nil }

// Terminal returns "": terminals are not told apart on this system.
func Terminal() string { return "" }
