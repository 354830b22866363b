//go:build unix

package sock

import (
	"context"
	"errors"
	"io/fs"
	"net"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"duet/internal/fault"
)

// ErrNone is the error of Dial where no daemon serves the place.
var ErrNone = errors.New("no daemon serves this project")

// ErrTaken is the error of Listen where another daemon serves the place.
var ErrTaken = errors.New("another daemon serves this project")

func owner() string { return strconv.Itoa(os.Geteuid()) }

// private makes dir, or checks that it is a directory of this user that nobody
// else may enter.
func private(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fault.New(fault.StateInvalid, "the runtime directory cannot be made: %v", err).Because(err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fault.New(fault.StateInvalid, "the runtime directory cannot be read: %v", err).Because(err)
	}
	why, hint := "", "remove it, or set DUET_RUNTIME_DIR to a directory of your own"
	switch st, ok := info.Sys().(*syscall.Stat_t); {
	case info.Mode()&fs.ModeSymlink != 0:
		why = "is a symbolic link"
	case !info.IsDir():
		why = "is not a directory"
	case !ok || int(st.Uid) != os.Geteuid():
		why = "belongs to another user"
	case info.Mode().Perm()&0o077 != 0:
		why = "is open to other users (mode " + info.Mode().Perm().String() + ")"
		hint = "close it to them: chmod 700 " + dir
	default:
		return nil
	}
	return fault.New(fault.StateInvalid, "the runtime directory %s %s", dir, why).
		WithHint("%s", hint)
}

// Listener accepts connections of this user alone. It holds the place until
// Close, whatever becomes of the socket's file.
type Listener struct {
	net  *net.UnixListener
	lock *os.File
	path string
	once sync.Once
}

// Listen takes the place for this process, waiting up to the end of ctx for a
// daemon that is on its way out. A socket that a dead daemon left is replaced;
// that is safe because the lock, which the kernel gives back when its holder
// dies, is held. It returns ErrTaken where a daemon stays.
func Listen(ctx context.Context, p Place) (*Listener, error) {
	lock, err := lockContext(ctx, p.lifeLock())
	if err != nil && ctx.Err() != nil {
		return nil, ErrTaken
	}
	if err != nil {
		return nil, err
	}
	l := &Listener{lock: lock, path: p.Socket}
	if err := os.Remove(p.Socket); err != nil && !errors.Is(err, fs.ErrNotExist) {
		lock.Close()
		return nil, err
	}
	err = short(p.Socket, func(path string) error {
		// The mask makes the file 0600 at bind, before anybody can connect.
		old := syscall.Umask(0o177)
		defer syscall.Umask(old)
		l.net, err = net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
		return err
	})
	if err != nil {
		lock.Close()
		return nil, err
	}
	l.net.SetUnlinkOnClose(false)
	if info, err := os.Lstat(p.Socket); err != nil || info.Mode().Perm()&0o077 != 0 {
		l.Close()
		return nil, fault.New(fault.StateInvalid, "the socket %s could not be made private", p.Socket)
	}
	return l, nil
}

// Accept returns the next connection of this user. Others are closed unheard;
// root is no exception.
func (l *Listener) Accept() (*net.UnixConn, error) {
	for {
		c, err := l.net.AcceptUnix()
		if err != nil {
			return nil, err
		}
		if uid, err := peer(c); err == nil && uid == os.Geteuid() {
			return c, nil
		}
		c.Close()
	}
}

// Stop stops accepting and removes the socket's file. The place stays held, so
// that a successor waits until this daemon has put everything away.
func (l *Listener) Stop() error {
	var err error
	l.once.Do(func() {
		err = l.net.Close()
		os.Remove(l.path)
	})
	return err
}

// Close stops accepting and gives the place back.
func (l *Listener) Close() error {
	return errors.Join(l.Stop(), l.lock.Close())
}

// Dial connects to the daemon of the place. It returns ErrNone where none
// listens, and refuses a socket that another user serves.
func Dial(ctx context.Context, p Place) (*net.UnixConn, error) {
	var c net.Conn
	err := short(p.Socket, func(path string) error {
		var d net.Dialer
		var err error
		c, err = d.DialContext(ctx, "unix", path)
		return err
	})
	switch {
	case errors.Is(err, syscall.ENOENT), errors.Is(err, syscall.ECONNREFUSED):
		return nil, ErrNone
	case err != nil:
		return nil, err
	}
	conn := c.(*net.UnixConn)
	if uid, err := peer(conn); err != nil || uid != os.Geteuid() {
		conn.Close()
		return nil, fault.New(fault.StateInvalid, "the socket %s is served by another user", p.Socket)
	}
	return conn, nil
}

// Held reports whether a daemon holds the place.
func Held(p Place) bool {
	f, err := lockFile(p.lifeLock(), false)
	if err == nil {
		f.Close()
	}
	return errors.Is(err, syscall.EWOULDBLOCK)
}

// Released waits until no daemon holds the place.
func Released(ctx context.Context, p Place) error {
	f, err := lockContext(ctx, p.lifeLock())
	if err == nil {
		f.Close()
	}
	return err
}

func lockFile(path string, wait bool) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return nil, err
	}
	how := syscall.LOCK_EX
	if !wait {
		how |= syscall.LOCK_NB
	}
	for {
		err = syscall.Flock(int(f.Fd()), how)
		if err != syscall.EINTR {
			break
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// lockContext takes a lock, however long its holder keeps it, up to the end of
// ctx. flock itself cannot be cancelled, so it is asked again and again.
func lockContext(ctx context.Context, path string) (*os.File, error) {
	pause := 2 * time.Millisecond
	for {
		f, err := lockFile(path, false)
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return f, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(pause):
			pause = min(2*pause, 50*time.Millisecond)
		}
	}
}
