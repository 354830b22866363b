//go:build linux

package browsers

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

var processCases = []pageCase{
	{name: "98-profile-stale-lock", run: staleLock, own: true},
	{name: "100-profile-live-lock-and-concurrency", run: liveLock, own: true},
}

// on runs steps on another duet.
func (k *kase) on(c *client, steps func()) {
	was := k.c
	defer func() { k.c = was }()
	k.c = c
	steps()
}

func staleLock(k *kase) {
	dir := k.t.TempDir()
	data := []string{"DUET_DATA_DIR=" + dir}
	k.c = serveWith(k.t, k.s, data, "--profile", "kept")
	at := time.Now()
	k.open("/")
	usual := time.Since(at)
	k.reads("#out", "visits 1")
	k.kept(dir)
	tree := below(k.c.cmd.Process.Pid)
	for _, p := range tree {
		_ = syscall.Kill(p.pid, syscall.SIGKILL)
	}
	_ = k.c.cmd.Process.Kill()
	gone(k.t, "after the kill", tree)
	k.c = serveWith(k.t, k.s, data, "--profile", "kept")
	k.within(5*time.Second+2*usual, "the second start", func() { k.open("/") })
	k.reads("#out", "visits 2")
}

// kept waits until the browser has written the page's storage to its profile, which
// it does some seconds later: what it has not, no profile can bring back after a kill.
func (k *kase) kept(dir string) {
	profile := filepath.Join(dir, "profiles", "kept")
	look := time.NewTicker(50 * time.Millisecond)
	defer look.Stop()
	limit := time.After(20 * time.Second)
	for !k.written(profile) {
		select {
		case <-look.C:
		case <-limit:
			k.endf("the browser does not write its storage")
		}
	}
}

// written reports whether the local storage of the case's origin is in a profile.
func (k *kase) written(profile string) bool {
	if k.s.name == "chrome" {
		logs, _ := filepath.Glob(filepath.Join(profile, "Default", "Local Storage", "leveldb", "*.log"))
		return slices.ContainsFunc(logs, func(log string) bool {
			text, err := os.ReadFile(log)
			return err == nil && bytes.Contains(text, []byte("_"+k.origins["MAIN"]+"\x00\x01v"))
		})
	}
	origin := filepath.Join(profile, "storage", "default", "http+++127*", "ls")
	written, _ := filepath.Glob(filepath.Join(origin, "usage"))
	writing, _ := filepath.Glob(filepath.Join(origin, "*-journal"))
	return len(written) > 0 && len(writing) == 0
}

func liveLock(k *kase) {
	data := []string{"DUET_DATA_DIR=" + k.t.TempDir()}
	a := serveWith(k.t, k.s, data, "--profile", "kept")
	k.on(a, func() { k.open("/?a") })
	k.on(serveWith(k.t, k.s, data, "--profile", "kept"), func() {
		k.within(10*time.Second, "the second start", func() {
			r := k.call("browser_navigate", "url", k.base+"/?b")
			k.fails("a profile in use", r, "LAUNCH_FAILED", "BUSY", "STATE_INVALID")
			k.says("a profile in use", r.Text, "in use")
		})
	})
	k.on(a, func() { k.reads("#out", "count 0") })
	c, d := serve(k.t, k.s), serve(k.t, k.s)
	add := func(on *client, times int) {
		k.on(on, func() {
			k.open("/")
			for range times {
				k.click("role=button[name=Add]")
			}
		})
	}
	add(c, 1)
	add(d, 3)
	k.on(c, func() { k.reads("#out", "count 1") })
	k.on(d, func() { k.reads("#out", "count 3") })
	c.close()
	k.on(d, func() { k.reads("#out", "count 3") })
	k.on(a, func() {
		k.reads("#out", "count 0")
		if look := k.snap(); !strings.Contains(look, "Add") {
			k.faultf("the first no longer answers:\n%s", look)
		}
	})
}
