//go:build unix

package launch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// tree is a guard and what it started, seen from its parent.
type tree struct {
	cmd    *exec.Cmd
	orders *os.File // the pipe whose closing is the tree's end
	marks  []string // the session's directories: what is left of the tree is known by them
	pid    int      // of the child, which is the driver or the browser itself
	done   chan struct{}

	// Written before done is closed.
	how string // how the child ended; "" where nobody saw it
}

// startTree starts a guard that starts s, and returns when the child runs. Its
// output goes to out, line by line, until nothing of the tree is left. The locks
// are handed to the guard; the caller keeps its own copies.
func startTree(s spec, locks []*os.File, out *tail) (*tree, error) {
	self := "/proc/self/exe" // os.Executable names a file that an upgrade may have replaced
	if runtime.GOOS != "linux" {
		var err error
		if self, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	orderR, orderW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	statusR, statusW, err := os.Pipe()
	if err != nil {
		orderR.Close()
		orderW.Close()
		return nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		orderR.Close()
		orderW.Close()
		statusR.Close()
		statusW.Close()
		return nil, err
	}
	cmd := &exec.Cmd{
		Path: self, Args: []string{"duet", GuardArg},
		Env:   []string{"GOTRACEBACK=none", "GOGC=20"},
		Dir:   "/",
		Stdin: orderR, Stdout: outW, Stderr: outW,
		ExtraFiles:  append([]*os.File{statusW}, locks...),
		SysProcAttr: &syscall.SysProcAttr{Setsid: true}, // no terminal reaches it
	}
	err = cmd.Start()
	orderR.Close()
	statusW.Close()
	outW.Close()
	if err != nil {
		orderW.Close()
		statusR.Close()
		outR.Close()
		return nil, err
	}
	t := &tree{cmd: cmd, orders: orderW, marks: s.Marks, done: make(chan struct{})}
	go out.read(outR)
	status := bufio.NewReader(statusR)
	err = s.write(orderW)
	var first string
	if err == nil {
		first, err = status.ReadString('\n')
	}
	word, arg, _ := strings.Cut(strings.TrimSpace(first), " ")
	switch {
	case err != nil:
		err = fmt.Errorf("the guard ended at once: %w", err)
	case word == "started":
		t.pid, err = strconv.Atoi(arg)
	default:
		reason, unquoteErr := strconv.Unquote(arg)
		if unquoteErr != nil {
			reason = first
		}
		err = errors.New(reason)
	}
	if err != nil {
		orderW.Close()
		statusR.Close()
		_ = cmd.Wait()
		return nil, err
	}
	go t.follow(status, statusR)
	return t, nil
}

// follow reads what the guard says until it ends, and reaps it. Where the guard
// was killed, it kills what the guard would have killed.
func (t *tree) follow(status *bufio.Reader, closer *os.File) {
	defer close(t.done)
	defer closer.Close()
	whole := false
	for {
		line, err := status.ReadString('\n')
		word, arg, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "gone":
			t.how = "the browser's process ended"
		case "exit":
			whole = true
			if t.how == "" {
				t.how = exitText(arg)
			}
		}
		if err != nil {
			break
		}
	}
	err := t.cmd.Wait()
	t.orders.Close()
	if err != nil && !whole {
		if t.how == "" {
			t.how = "the guard process was lost: " + err.Error()
		}
		killMarked(t.marks...)
	}
}

// exitText turns the guard's words into a sentence's part.
func exitText(arg string) string {
	kind, n, _ := strings.Cut(arg, " ")
	if kind != "signal" {
		return "exit status " + n
	}
	num, _ := strconv.Atoi(n)
	return fmt.Sprintf("signal %s (%s)", n, syscall.Signal(num))
}

// watch asks the guard to end the tree when pid, the browser under a driver, ends.
func (t *tree) watch(pid int) { fmt.Fprintf(t.orders, "watch %d\n", pid) }

// leave tells the guard not to remove the session's directories: its parent will.
func (t *tree) leave() { fmt.Fprintf(t.orders, "leave\n") }

// term sends SIGTERM to the child.
func (t *tree) term() { fmt.Fprintf(t.orders, "term\n") }

// kill ends the whole tree now and returns when it is gone. A guard that does
// not answer is killed itself, and its tree by the directories that it carries.
func (t *tree) kill() {
	t.orders.Close()
	if t.wait(context.Background(), killBound+time.Second) {
		return
	}
	_ = t.cmd.Process.Kill()
	t.wait(context.Background(), killBound+time.Second)
}

// wait reports whether the tree has ended before ctx and d have.
func (t *tree) wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-t.done:
		return true
	case <-ctx.Done():
		return false
	case <-timer.C:
		return false
	}
}
