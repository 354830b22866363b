//go:build linux

package browsers

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// process is one entry of /proc, told from a later one of the same pid by its
// start time.
type process struct {
	pid, parent int
	start       string
	name        string
	args        string
}

// processes reads /proc.
func processes() []process {
	var all []process
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range dirs {
		if p, ok := readProcess(dir); ok {
			all = append(all, p)
		}
	}
	return all
}

func readProcess(dir string) (process, bool) {
	stat, err := os.ReadFile(filepath.Join(dir, "stat"))
	if err != nil {
		return process{}, false
	}
	open, shut := strings.IndexByte(string(stat), '('), strings.LastIndexByte(string(stat), ')')
	fields := strings.Fields(string(stat[shut+1:]))
	if open < 0 || len(fields) < 20 || fields[0] == "Z" {
		return process{}, false
	}
	pid, _ := strconv.Atoi(filepath.Base(dir))
	parent, _ := strconv.Atoi(fields[1])
	args, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
	return process{pid, parent, fields[19], string(stat[open+1 : shut]), strings.ReplaceAll(string(args), "\x00", " ")}, true
}

func (p process) alive() bool {
	now, ok := readProcess(fmt.Sprintf("/proc/%d", p.pid))
	return ok && now.start == p.start
}

func (p process) String() string { return fmt.Sprintf("%d %s", p.pid, p.name) }

// below returns the descendants of a process.
func below(root int) []process {
	all := processes()
	in := map[int]bool{root: true}
	var found []process
	for grew := true; grew; {
		grew = false
		for _, p := range all {
			if in[p.parent] && !in[p.pid] {
				in[p.pid], grew = true, true
				found = append(found, p)
			}
		}
	}
	return found
}

// role says which part of a running duet a process is.
func (p process) role() string {
	switch {
	case strings.Contains(p.name, "chromedriver"), strings.Contains(p.name, "geckodriver"):
		return "driver"
	case strings.HasPrefix(p.name, "duet"):
		return "guard"
	case strings.Contains(p.args, "--type=") || strings.Contains(p.args, "-contentproc") || strings.Contains(p.name, "crashpad") || strings.Contains(p.name, "forkserver"):
		return "helper"
	case strings.Contains(p.name, "chrom") || strings.Contains(p.name, "firefox"):
		return "browser"
	}
	return "helper"
}

// find returns the process of a role; chromium's wrapper and its child can both
// be called browser, the last one is it.
func find(tree []process, role string) (process, bool) {
	for i := len(tree) - 1; i >= 0; i-- {
		if tree[i].role() == role && !(role == "browser" && hasBrowserParent(tree, tree[i])) {
			return tree[i], true
		}
	}
	return process{}, false
}

func hasBrowserParent(tree []process, p process) bool {
	for _, q := range tree {
		if q.pid == p.parent && q.role() == "browser" {
			return true
		}
	}
	return false
}

// gone waits until none of the processes lives, and fails the test after 3 s.
func gone(t *testing.T, what string, tree []process) {
	t.Helper()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	limit := time.After(3 * time.Second)
	for {
		var left []process
		for _, p := range tree {
			if p.alive() {
				left = append(left, p)
			}
		}
		if len(left) == 0 {
			return
		}
		select {
		case <-poll.C:
		case <-limit:
			t.Errorf("%s: 3 s later there still are %v", what, left)
			for _, p := range left {
				if proc, err := os.FindProcess(p.pid); err == nil {
					_ = proc.Kill()
				}
			}
			return
		}
	}
}

// listening returns the TCP ports that processes listen on.
func listening(tree []process) []int {
	inodes := map[string]bool{}
	for _, p := range tree {
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.pid))
		for _, l := range links {
			if to, err := os.Readlink(l); err == nil && strings.HasPrefix(to, "socket:[") {
				inodes[strings.Trim(to, "socket:[]")] = true
			}
		}
	}
	var ports []int
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, _ := os.ReadFile(table)
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			if len(f) < 10 || f[3] != "0A" || !inodes[f[9]] {
				continue
			}
			_, hex, _ := strings.Cut(f[1], ":")
			if port, err := strconv.ParseInt(hex, 16, 32); err == nil {
				ports = append(ports, int(port))
			}
		}
	}
	return ports
}

// deaf fails the test where something goes on listening on one of the ports. A
// process that is seen as ended may take a moment more to let go of its sockets.
func deaf(t *testing.T, what string, ports []int) {
	t.Helper()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	limit := time.After(3 * time.Second)
	for _, port := range ports {
		for {
			c, err := net.DialTimeout("tcp", fmt.Sprintf("127.0.0.1:%d", port), time.Second)
			if err != nil {
				break
			}
			_ = c.Close()
			select {
			case <-poll.C:
				continue
			case <-limit:
				t.Errorf("%s: something still listens on port %d", what, port)
				return
			}
		}
	}
}

// swept waits until nothing of sessions that are gone lies in the directory for
// temporary files, beside the one session that runs.
func swept(t *testing.T, what, tmp string) {
	t.Helper()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	limit := time.After(5 * time.Second)
	for {
		dirs, _ := filepath.Glob(filepath.Join(tmp, "duet-*", "*", "lock"))
		if len(dirs) == 1 {
			return
		}
		select {
		case <-poll.C:
		case <-limit:
			t.Errorf("%s: after the next start there are the sessions %v", what, dirs)
			return
		}
	}
}

// homes returns the directories of a session, on disk and in memory, from the
// environment of what runs in it.
func homes(t *testing.T, tree []process) []string {
	t.Helper()
	var dirs []string
	for _, p := range tree {
		environ, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
		for v := range strings.SplitSeq(string(environ), "\x00") {
			name, at, _ := strings.Cut(v, "=")
			if dir := filepath.Dir(at); (name == "HOME" || name == "TMPDIR") && strings.Contains(dir, "/duet-") && !slices.Contains(dirs, dir) {
				dirs = append(dirs, dir)
			}
		}
	}
	if len(dirs) == 0 {
		t.Fatalf("no directory of %v is known", tree)
	}
	return dirs
}

// removed waits until the directories of a session that is gone are.
func removed(t *testing.T, what string, dirs []string) {
	t.Helper()
	poll := time.NewTicker(50 * time.Millisecond)
	defer poll.Stop()
	limit := time.After(5 * time.Second)
	for _, dir := range dirs {
		for {
			if _, err := os.Lstat(dir); os.IsNotExist(err) {
				break
			}
			select {
			case <-poll.C:
				continue
			case <-limit:
				t.Errorf("%s: after the next start there still is %s of %q", what, dir, dirs)
				return
			}
		}
	}
}
