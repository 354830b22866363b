//go:build unix

package sock

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"duet/internal/fault"
)

// readyFD is the descriptor on which a started daemon says that it listens.
const readyFD = 3

// maxLog is the size from which a new daemon starts its log anew.
const maxLog = 1 << 20

// ReadyFlag is the argument that tells a daemon that its starter waits for
// Ready.
const ReadyFlag = "--ready-fd"

// Connect dials the daemon of the place, and starts one where there is none:
// this program again, with argv, in a session of its own, its output going to
// the log. Of several clients that find none, one starts it and the others
// meet it. The reported bool says whether this call started it.
func Connect(ctx context.Context, p Place, argv []string) (*net.UnixConn, bool, error) {
	c, err := Dial(ctx, p)
	if !errors.Is(err, ErrNone) {
		return c, false, err
	}
	lock, err := lockContext(ctx, p.startLock())
	if err != nil {
		return nil, false, fault.New(fault.Timeout, "another duet is starting the daemon and did not finish: %v", err).Because(err)
	}
	defer lock.Close()
	c, err = Dial(ctx, p)
	if !errors.Is(err, ErrNone) {
		return c, false, err
	}
	if err := spawn(ctx, p, argv); err != nil {
		return nil, false, err
	}
	c, err = Dial(ctx, p)
	return c, true, err
}

// unusable is the fault of a log that cannot be written, as one is that something
// else stands in the place of.
func unusable(log string, err error) error {
	why := "it cannot be written"
	if info, statErr := os.Lstat(log); statErr == nil && !info.Mode().IsRegular() {
		why = "something else than a file is in its place"
		if info.Mode()&os.ModeSymlink != 0 {
			why = "a symbolic link is in its place, and none is followed"
		}
	}
	return fault.New(fault.StateInvalid, "the daemon's log %s: %s", log, why).
		WithHint("remove it, or name another directory by DUET_RUNTIME_DIR").Because(err)
}

// spawn starts the daemon and returns when it listens.
func spawn(ctx context.Context, p Place, argv []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	logFile, err := os.OpenFile(p.Log, os.O_CREATE|os.O_WRONLY|os.O_APPEND|unix.O_NOFOLLOW, 0o600)
	if err != nil {
		return unusable(p.Log, err)
	}
	defer logFile.Close()
	if info, err := logFile.Stat(); err == nil && info.Size() > maxLog {
		_ = logFile.Truncate(0) // an old daemon's words; a log that stays long costs nothing but space
	}
	fromDaemon, ready, err := os.Pipe()
	if err != nil {
		return err
	}
	defer fromDaemon.Close()

	cmd := exec.Command(self, append(argv, ReadyFlag)...)
	cmd.Dir = p.Root
	cmd.Stdout, cmd.Stderr = logFile, logFile
	cmd.ExtraFiles = []*os.File{ready}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	ready.Close()
	if err != nil {
		return fault.New(fault.Internal, "the daemon could not be started: %v", err).Because(err)
	}

	said := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(fromDaemon).ReadString('\n')
		said <- line
	}()
	select {
	case line := <-said:
		if strings.TrimSpace(line) == "ready" {
			return cmd.Process.Release()
		}
		err := cmd.Wait()
		return fault.New(fault.Internal, "the daemon ended before it listened: %v", err).
			WithHint("its log is %s", p.Log).Because(err)
	case <-ctx.Done():
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return fault.New(fault.Timeout, "the daemon did not listen in time").
			WithHint("its log is %s", p.Log).Because(context.Cause(ctx))
	}
}

// Ready tells the starter that this daemon listens. Only a process that was
// given ReadyFlag may call it, once.
func Ready() error {
	f := os.NewFile(readyFD, "ready")
	if f == nil {
		return errors.New("no starter waits")
	}
	_, err := fmt.Fprintln(f, "ready")
	return errors.Join(err, f.Close())
}

// Orphaned returns a channel that is closed when the process that started this
// one ends. Where that cannot be watched the channel never closes.
func Orphaned() <-chan struct{} {
	gone := make(chan struct{})
	parent := os.Getppid()
	if parent <= 1 {
		return gone
	}
	watch(parent, func() { close(gone) })
	return gone
}

// Terminal names the terminal session that this process belongs to, so that
// calls typed in one terminal are told from those of another.
func Terminal() string {
	sid, err := unix.Getsid(0)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("terminal-%d", sid)
}
