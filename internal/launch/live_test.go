//go:build linux

package launch

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"duet/internal/env"
)

// way is one of the three ways to a browser.
type way struct {
	name string
	o    Options
}

var ways = []way{
	{"chrome", Options{Browser: chrome}},
	{"geckodriver", Options{Browser: firefox, Driver: DriverGeck}},
	{"firefox", Options{Browser: firefox, Driver: DriverNone}},
}

// live starts a browser or skips the test, loudly.
func live(t *testing.T, o Options) *Process {
	t.Helper()
	if testing.Short() {
		t.Skip("LIVE SKIPPED: -short")
	}
	if _, err := systemFinder("linux").choose(o); err != nil {
		t.Skipf("LIVE SKIPPED: %v", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	began := time.Now()
	p, err := Start(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("started in %v: %+v", time.Since(began).Round(time.Millisecond), p.Endpoint().URL)
	t.Cleanup(func() { p.Close(context.Background()) })
	return p
}

// A closed session leaves no process and no directory.
func TestLiveStartAndClose(t *testing.T) {
	t.Setenv("DUET_CACHE_DIR", t.TempDir())
	for _, w := range ways {
		for _, run := range []string{"first", "second"} {
			t.Run(w.name+"/"+run, func(t *testing.T) {
				p := live(t, w.o)
				e := p.Endpoint()
				if !strings.HasPrefix(e.URL, "ws://127.0.0.1:") || e.Version == "" || e.SessionExists != (w.name != "firefox") {
					t.Errorf("endpoint %+v", e)
				}
				if n := p.Note(); n != "" {
					t.Errorf("note: %s", n)
				}
				began := time.Now()
				if err := p.Close(t.Context()); err != nil {
					t.Error(err)
				}
				t.Logf("closed in %v, killed %v, %s", time.Since(began).Round(time.Millisecond), p.killed, p.tree.how)
				nothingLeft(t, p.dirs.dirs()...)
			})
		}
	}
	if _, err := systemFinder("linux").choose(ways[1].o); err != nil || testing.Short() {
		return
	}
	m, _ := filepath.Glob(filepath.Join(env.CacheDir.Value(), "firefox-template", "*", "startupCache"))
	if len(m) != 1 {
		t.Errorf("templates: %q", m)
	}
}

// nothingLeft fails unless, in three seconds, no process carries the session's
// directories and the directories are gone.
func nothingLeft(t *testing.T, dirs ...string) {
	t.Helper()
	if len(dirs) != 2 && canHaveMemory() {
		t.Errorf("the session was in %q: it had nothing in memory", dirs)
	}
	deadline := time.After(3 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		pids := marked(dirs)
		var left []string
		for _, dir := range dirs {
			if _, err := os.Lstat(dir); !os.IsNotExist(err) {
				left = append(left, dir)
			}
		}
		if len(pids)+len(left) == 0 {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			for _, pid := range pids {
				b, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
				t.Errorf("process %d still lives: %.120q", pid, b)
			}
			if len(left) > 0 {
				t.Errorf("%q are still there", left)
			}
			return
		}
	}
}

// canHaveMemory reports whether profiles of sessions that tests start stand in memory.
func canHaveMemory() bool {
	base, err := scratchBase(os.Getuid() == 0)
	quick, _ := systemMemory().base(base, os.Getuid() == 0)
	return err == nil && quick != ""
}
