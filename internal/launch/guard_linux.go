package launch

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// adoptOrphans makes this process the parent of descendants whose own parent
// ends, so that nothing started below it can get out of sight.
func adoptOrphans() { _ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) }

// nameSelf makes the guard known by its name: it was started as /proc/self/exe,
// and lists of processes would call it exe.
func nameSelf() {
	name := [...]byte{'d', 'u', 'e', 't', '-', 'g', 'u', 'a', 'r', 'd', 0}
	_ = unix.Prctl(unix.PR_SET_NAME, uintptr(unsafe.Pointer(&name[0])), 0, 0, 0)
}

// childAttr puts the child in a group of its own, makes it die with the guard,
// and gives it the user it is to run as.
func childAttr(s spec) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
	if s.UID >= 0 {
		a.Credential = &syscall.Credential{Uid: uint32(s.UID), Gid: uint32(s.GID)}
	}
	return a
}

// killTree sends SIGKILL to every descendant of this process.
func killTree(int) {
	for _, pid := range descendants(os.Getpid(), parents()) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// parents returns the parent of every process.
func parents() map[int]int {
	all := map[int]int{}
	for _, pid := range processes() {
		if pp, ok := parentOf(pid); ok {
			all[pid] = pp
		}
	}
	return all
}

// processes returns the ids of all processes.
func processes() []int {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	var pids []int
	for _, n := range names {
		if pid, err := strconv.Atoi(n); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// parentOf returns the parent of a process that has not ended.
func parentOf(pid int) (int, bool) {
	state, parent, ok := statOf(pid)
	return parent, ok && state != "Z"
}

// statOf reads state and parent from a process's stat line. The command's name
// stands in parentheses and may itself hold any character.
func statOf(pid int) (state string, parent int, ok bool) {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return "", 0, false
	}
	s := string(b)
	f := strings.Fields(s[strings.LastIndexByte(s, ')')+1:])
	if len(f) < 2 {
		return "", 0, false
	}
	parent, err = strconv.Atoi(f[1])
	return f[0], parent, err == nil
}

// descendants returns everything below root.
func descendants(root int, parent map[int]int) []int {
	below := map[int][]int{}
	for pid, pp := range parent {
		below[pp] = append(below[pp], pid)
	}
	var out []int
	for next := []int{root}; len(next) > 0; {
		kids := below[next[0]]
		next = append(next[1:], kids...)
		out = append(out, kids...)
	}
	return out
}

// watch sends on gone when pid, which need not be a child, ends.
func watch(pid int, gone chan<- struct{}) {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		if err == unix.ESRCH {
			gone <- struct{}{}
		}
		return
	}
	go func() {
		defer unix.Close(fd)
		for {
			n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, -1)
			if n > 0 || err != nil && err != unix.EINTR {
				gone <- struct{}{}
				return
			}
		}
	}()
}

// killMarked kills every process that carries a mark, a session's directory, in
// its command line or environment, and what descends from it: for the case that
// the guard was killed, which would have known them by descent. It returns when
// none is left, or after a bound.
func killMarked(marks ...string) {
	tick := time.NewTicker(killEvery)
	defer tick.Stop()
	bound := time.NewTimer(killBound)
	defer bound.Stop()
	for {
		parent := parents()
		found := false
		for _, pid := range marked(marks) {
			found = true
			for _, below := range descendants(pid, parent) {
				_ = syscall.Kill(below, syscall.SIGKILL)
			}
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if !found {
			return
		}
		select {
		case <-bound.C:
			return
		case <-tick.C:
		}
	}
}

// marked returns the live processes, this one and guards excepted, that carry
// one of the marks.
func marked(marks []string) []int {
	var pids []int
	for _, pid := range processes() {
		if pid == os.Getpid() {
			continue
		}
		if _, alive := parentOf(pid); !alive {
			continue
		}
		at := "/proc/" + strconv.Itoa(pid)
		cmd, _ := os.ReadFile(at + "/cmdline")
		environ, _ := os.ReadFile(at + "/environ")
		for _, mark := range marks {
			if mark != "" && (carries(string(cmd), mark) || lives(string(environ), mark)) {
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids
}

// lives reports whether an environment has its home or temporary directory in mark.
func lives(environ, mark string) bool {
	environ = "\x00" + environ
	return strings.Contains(environ, "\x00HOME="+mark) || strings.Contains(environ, "\x00TMPDIR="+mark)
}

// carries reports whether a command line is one that this package composed for
// the session of mark: a profile argument, not any mention of the path.
func carries(cmdline, mark string) bool {
	for _, before := range []string{"--user-data-dir=", "--database=", "\x00--profile\x00", "\x00-profile\x00", "\x00--profile-root\x00"} {
		if strings.Contains(cmdline, before+mark) {
			return true
		}
	}
	return false
}
