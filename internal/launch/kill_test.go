//go:build linux

package launch

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"duet/internal/fault"
)

// parentArg makes this test binary a program that starts a browser, says what
// it started and waits to be killed.
const parentArg = "test-parent"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case parentArg:
			parentMain(os.Args[2])
			return
		case fakeArg:
			fakeDriver(os.Args[2])
			return
		}
	}
	os.Exit(m.Run())
}

func parentMain(name string) {
	for _, w := range ways {
		if w.name == name {
			p, err := Start(context.Background(), w.o)
			if err != nil {
				fmt.Println("failed", err)
				os.Exit(1)
			}
			for _, dir := range p.dirs.dirs() {
				fmt.Println("dir", dir)
			}
			fmt.Println("guard", p.tree.cmd.Process.Pid)
			fmt.Println("child", p.tree.pid)
		}
	}
	forever := make(chan os.Signal, 1)
	signal.Notify(forever, syscall.SIGUSR1)
	<-forever
}

// started is what a test parent said.
type started struct {
	cmd          *exec.Cmd
	dirs         []string
	guard, child int
	browser      int // the browser under a driver, or the child
	all          []int
}

func startParent(t *testing.T, w way) started {
	t.Helper()
	if testing.Short() {
		t.Skip("LIVE SKIPPED: -short")
	}
	if _, err := systemFinder("linux").choose(w.o); err != nil {
		t.Skipf("LIVE SKIPPED: %v", err)
	}
	cmd := exec.Command(os.Args[0], parentArg, w.name)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	s := started{cmd: cmd}
	in := bufio.NewScanner(out)
	for s.child == 0 && in.Scan() {
		word, rest, _ := strings.Cut(in.Text(), " ")
		switch n, _ := strconv.Atoi(rest); word {
		case "dir":
			s.dirs = append(s.dirs, rest)
		case "guard":
			s.guard = n
		case "child":
			s.child = n
		default:
			t.Fatal(in.Text())
		}
	}
	if s.child == 0 {
		t.Fatal("the parent said nothing")
	}
	parent := parents()
	s.browser = s.child
	if w.name != "firefox" {
		for pid, pp := range parent {
			b, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
			if pp == s.child && slices.ContainsFunc(s.dirs, func(dir string) bool { return strings.Contains(string(b), dir) }) {
				s.browser = pid
			}
		}
		if s.browser == s.child {
			t.Fatal("no browser below the driver")
		}
	}
	s.all = append(descendants(s.guard, parent), s.guard)
	return s
}

// Whoever of duet, guard, driver and browser is killed, alone or in pairs,
// three seconds later nothing of the tree is left.
func TestLiveKilled(t *testing.T) {
	t.Setenv("DUET_CACHE_DIR", t.TempDir())
	victims := map[string]func(started) int{
		"parent":  func(s started) int { return s.cmd.Process.Pid },
		"guard":   func(s started) int { return s.guard },
		"driver":  func(s started) int { return s.child },
		"browser": func(s started) int { return s.browser },
	}
	cases := [][]string{
		{"parent"}, {"guard"}, {"driver"}, {"browser"},
		{"parent", "driver"}, {"parent", "browser"}, {"guard", "driver"}, {"guard", "browser"}, {"driver", "browser"},
	}
	for _, w := range ways {
		for _, who := range cases {
			if w.name == "firefox" && slices.Contains(who, "driver") {
				continue
			}
			t.Run(w.name+"/"+strings.Join(who, "+"), func(t *testing.T) {
				s := startParent(t, w)
				for i, v := range who {
					// The first death may have brought the second already.
					if err := syscall.Kill(victims[v](s), syscall.SIGKILL); err != nil && (i == 0 || err != syscall.ESRCH) {
						t.Fatal(v, err)
					}
				}
				if slices.Contains(who, "parent") {
					_ = s.cmd.Wait()
				}
				began := time.Now()
				allGone(t, s)
				nothingLeft(t, s.dirs...)
				t.Logf("gone after %v", time.Since(began).Round(time.Millisecond))
			})
		}
	}
}

// allGone fails unless every process of the tree ends in three seconds.
func allGone(t *testing.T, s started) {
	t.Helper()
	deadline := time.After(3 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		var alive []int
		for _, pid := range s.all {
			if _, ok := parentOf(pid); ok {
				alive = append(alive, pid)
			}
		}
		if len(alive) == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			for _, pid := range alive {
				b, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
				t.Errorf("process %d still lives: %.120q", pid, b)
			}
			return
		}
	}
}

// The signals that a terminal sends to its group do not end the guard, and the
// browser stays with it.
func TestLiveGuardSurvivesTheTerminal(t *testing.T) {
	p := live(t, ways[0].o)
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP} {
		if err := syscall.Kill(p.tree.cmd.Process.Pid, sig); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-p.Done():
		t.Error("the session ended:", p.Err())
	case <-time.After(300 * time.Millisecond):
	}
	pgid, err := syscall.Getpgid(p.tree.cmd.Process.Pid)
	if err != nil || pgid == syscall.Getpgrp() {
		t.Errorf("the guard is in our process group: %v %v", pgid, err)
	}
}

// A browser that dies is named, with how; the profile is gone.
func TestLiveLossIsNamed(t *testing.T) {
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			p := live(t, w.o)
			_ = syscall.Kill(p.tree.pid, syscall.SIGABRT)
			select {
			case <-p.Done():
			case <-time.After(5 * time.Second):
				t.Fatal("the loss was not seen")
			}
			err := fault.From(p.Err())
			if err == nil || err.Code != fault.BrowserLost || !strings.Contains(err.Message, "signal") {
				t.Errorf("Err = %v", err)
			}
			t.Log(err)
			nothingLeft(t, p.dirs.dirs()...)
		})
	}
}

// The browser's environment is an allow-list: what duet has and the list has
// not does not reach it.
func TestLiveEnvironment(t *testing.T) {
	t.Setenv("AWS_SECRET_ACCESS_KEY", "canary")
	t.Setenv("SSH_AUTH_SOCK", "/canary")
	t.Setenv("GITHUB_TOKEN", "canary")
	allowed := []string{
		"HOME", "TMPDIR", "PATH", "LANG", "LC_ALL", "TZ", "MOZ_CRASHREPORTER_DISABLE", "MOZ_HEADLESS_WIDTH", "MOZ_HEADLESS_HEIGHT",
		"DBUS_SESSION_BUS_ADDRESS",
	}
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			p := live(t, w.o)
			b, err := os.ReadFile("/proc/" + strconv.Itoa(p.tree.pid) + "/environ")
			if err != nil {
				t.Fatal(err)
			}
			for v := range strings.SplitSeq(strings.Trim(string(b), "\x00"), "\x00") {
				if name, _, _ := strings.Cut(v, "="); !slices.Contains(allowed, name) {
					t.Errorf("%q reaches the browser", v)
				}
			}
			for _, pid := range descendants(p.tree.cmd.Process.Pid, parents()) {
				b, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
				if strings.Contains(string(b), "canary") {
					t.Errorf("process %d has a secret of ours", pid)
				}
			}
		})
	}
}

// The guard stays small.
func TestLiveGuardIsSmall(t *testing.T) {
	p := live(t, ways[0].o)
	b, err := os.ReadFile("/proc/" + strconv.Itoa(p.tree.cmd.Process.Pid) + "/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kB, _ := strconv.Atoi(strings.Fields(rest)[0])
			t.Logf("guard: %d kB", kB)
			if kB > 12<<10 {
				t.Errorf("the guard takes %d kB", kB)
			}
		}
	}
}
