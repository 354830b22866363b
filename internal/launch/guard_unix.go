//go:build unix

package launch

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The guard's descriptors besides the standard ones. Its stdin is the pipe
// whose end means the end; its stdout and stderr are the child's.
const (
	statusFD = 3 // lines to the parent: started, failed, gone, exit
	lockFD   = 4 // the lock of the session's directory, held by being open
	memoryFD = 5 // the lock of its part in memory, where it has one
)

const (
	killEvery = 20 * time.Millisecond // between two rounds of SIGKILL
	killBound = 3 * time.Second       // after which a process is left to the kernel
)

// A guard never reaches main: it is recognised before the rest of the program
// initialises itself, which keeps it small, and makes every program that links
// this package its own guard, test binaries included.
func init() {
	if len(os.Args) > 1 && os.Args[1] == GuardArg {
		os.Exit(GuardMain(os.Args[2:], os.Stdin))
	}
}

// GuardMain is the guard's program: it reads what to start from stdin, starts
// it and waits. When stdin ends, when it is told to, and when the child or the
// browser that it was told to watch ends, it kills every descendant, removes
// the temporary directories, reports how the child ended and returns 0. The
// signals of a terminal do not end it.
func GuardMain(_ []string, stdin io.Reader) int {
	runtime.LockOSThread() // PDEATHSIG follows the thread that forks
	runtime.GOMAXPROCS(2)
	debug.SetGCPercent(20)
	debug.SetMemoryLimit(8 << 20)
	// Caught, not ignored: what is ignored stays so in the child.
	caught := make(chan os.Signal, 8)
	signal.Notify(caught, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGPIPE)
	nameSelf()
	adoptOrphans()
	syscall.CloseOnExec(statusFD)
	syscall.CloseOnExec(lockFD)
	syscall.CloseOnExec(memoryFD)
	g := &guard{status: os.NewFile(statusFD, "status")}
	in := bufio.NewReaderSize(stdin, 1024)
	s, err := readSpec(in)
	if err != nil {
		return 2
	}
	return g.run(s, in)
}

type guard struct {
	status *os.File
	child  int
	ended  syscall.WaitStatus // of the child, valid once childEnded was seen
}

func (g *guard) tell(format string, args ...any) { fmt.Fprintf(g.status, format+"\n", args...) }

// run starts the child and stays until nothing of it is left.
func (g *guard) run(s spec, in *bufio.Reader) int {
	pid, err := syscall.ForkExec(s.Path, append([]string{s.Path}, s.Args...), &syscall.ProcAttr{
		Dir: s.Dir, Env: s.Env, Files: []uintptr{nullFD(), 1, 2}, Sys: childAttr(s),
	})
	if err != nil {
		g.tell("failed %s", strconv.Quote(err.Error()))
		remove(s.Remove...)
		return 1
	}
	g.child = pid
	// The pipes are the child's now: their end is the child's end.
	_ = syscall.Close(1)
	_ = syscall.Close(2)
	g.tell("started %d", pid)
	debug.FreeOSMemory()
	trim()

	childEnded := make(chan struct{})
	allEnded := make(chan struct{})
	go g.reap(childEnded, allEnded)
	orders := make(chan string)
	go func() {
		defer close(orders)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				return
			}
			orders <- strings.TrimSpace(line)
		}
	}()
	gone := make(chan struct{}, 1)
	for stop := false; !stop; {
		select {
		case <-childEnded:
			stop = true
		case <-gone:
			g.tell("gone")
			stop = true
		case order, ok := <-orders:
			word, arg, _ := strings.Cut(order, " ")
			switch {
			case !ok || word == "kill":
				stop = true
			case word == "term":
				_ = syscall.Kill(g.child, syscall.SIGTERM)
			case word == "leave":
				s.Remove = nil
			case word == "watch":
				if pid, err := strconv.Atoi(arg); err == nil {
					watch(pid, gone)
				}
			}
		}
	}
	g.killAll(allEnded)
	select {
	case <-childEnded:
		if g.ended.Signaled() {
			g.tell("exit signal %d", int(g.ended.Signal()))
		} else {
			g.tell("exit status %d", g.ended.ExitStatus())
		}
	default:
	}
	remove(s.Remove...)
	return 0
}

// reap waits for children until there are none, own ones and adopted ones.
func (g *guard) reap(childEnded, allEnded chan<- struct{}) {
	for {
		var ws syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &ws, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil: // ECHILD: an orphan is a child of ours, so nothing is left
			close(allEnded)
			return
		case pid == g.child:
			g.ended = ws
			close(childEnded)
		}
	}
}

// killAll sends SIGKILL to every descendant until none is left.
func (g *guard) killAll(allEnded <-chan struct{}) {
	tick := time.NewTicker(killEvery)
	defer tick.Stop()
	bound := time.NewTimer(killBound)
	defer bound.Stop()
	for {
		killTree(g.child)
		select {
		case <-allEnded:
			return
		case <-bound.C:
			return
		case <-tick.C:
		}
	}
}

// remove deletes a session's directories; what cannot go now goes at the next start.
func remove(dirs ...string) {
	for _, dir := range dirs {
		_ = os.RemoveAll(dir)
	}
}

// nullFD returns a descriptor of the null device for the child's stdin.
func nullFD() uintptr {
	fd, err := syscall.Open(os.DevNull, syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	if err != nil {
		return 0
	}
	return uintptr(fd)
}
