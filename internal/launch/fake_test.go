//go:build linux

package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"duet/internal/fault"
)

// fakeArg makes this test binary a driver that misbehaves as its next argument says.
const fakeArg = "test-driver"

// fakeDriver plays chromedriver. Its browser is a sleeping process in a session
// of its own whose parent ends at once.
func fakeDriver(mode string) {
	switch mode {
	case "mute":
		fmt.Fprintln(os.Stderr, "cannot load libfoo.so")
		os.Exit(7)
	case "slow":
		select {}
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(3)
	}
	browser := exec.Command("/bin/sh", "-c", "setsid sleep 1000 >/dev/null 2>&1 & echo $!")
	pid, err := browser.Output()
	if err != nil {
		os.Exit(4)
	}
	if mode == "stubborn" {
		signal.Ignore(syscall.SIGTERM)
	}
	http.HandleFunc("POST /session", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if mode == "unboxed" && strings.Contains(string(body), "--no-sandbox") {
			mode = ""
		}
		switch mode {
		case "stillborn", "unboxed": // a browser that is never heard of, by pipes
			says := map[string]string{"stillborn": "cannot load libbar.so", "unboxed": "No usable sandbox!"}[mode]
			born := exec.Command("/bin/sh", "-c", "echo '"+says+"' >&2")
			born.Stderr = os.Stderr
			_ = born.Start()
			<-r.Context().Done()
		case "old":
			w.WriteHeader(500)
			fmt.Fprint(w, `{"value":{"error":"session not created","message":"session not created: This version of ChromeDriver only supports Chrome version 1\nCurrent browser version is 2.0 with binary path /x","stacktrace":""}}`)
		case "inuse":
			w.WriteHeader(500)
			fmt.Fprint(w, `{"value":{"error":"session not created","message":"session not created: probably user data directory is already in use"}}`)
		case "nobidi":
			fmt.Fprint(w, `{"value":{"sessionId":"s","capabilities":{}}}`)
		case "dies":
			os.Exit(9)
		default:
			fmt.Fprintf(w, `{"value":{"sessionId":"s","capabilities":{"webSocketUrl":"ws://127.0.0.1:1/session/s","browserVersion":"1.2","goog:processID":%s}}}`, strings.TrimSpace(string(pid)))
		}
	})
	http.HandleFunc("DELETE /session/s", func(w http.ResponseWriter, r *http.Request) {
		if mode == "stubborn" {
			<-r.Context().Done()
		}
		fmt.Fprint(w, `{"value":null}`)
	})
	fmt.Println("Starting ChromeDriver 1.2.3 (x) on port 0")
	fmt.Printf("ChromeDriver was started successfully on port %d.\n", l.Addr().(*net.TCPAddr).Port)
	_ = http.Serve(l, nil)
}

// fake makes a fake driver the system's chromedriver.
func fake(t *testing.T, mode string) Options {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if mode == "unboxed" { // an unprivileged user is to run it
		open, err := os.MkdirTemp("", "duet-driver-")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(open) })
		b, err := os.ReadFile(self)
		self = filepath.Join(open, "driver")
		if err := errors.Join(err, os.WriteFile(self, b, 0o755), os.Chmod(open, 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	script := filepath.Join(dir, "chromedriver")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nexec "+self+" "+fakeArg+" "+mode+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DUET_CHROME_PATH", "/bin/true")
	t.Setenv("DUET_CHROMEDRIVER_PATH", script)
	return Options{Browser: chrome}
}

// A driver that does not do its part is one LAUNCH_FAILED with the reason, and
// nothing of it is left.
func TestDriverMisbehaves(t *testing.T) {
	for mode, want := range map[string]string{
		"mute":      "cannot load libfoo.so",
		"old":       "only supports Chrome version 1 Current browser version is 2.0",
		"inuse":     "it ended while it started", // nobody else can have a fresh profile
		"nobidi":    "no BiDi",
		"dies":      "exit status 9",
		"stillborn": "the browser ended while it started; it printed: ",
	} {
		t.Run(mode, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			_, err := Start(ctx, fake(t, mode))
			if !errors.Is(err, fault.LaunchFailed) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("err = %v", err)
			}
			if mode == "stillborn" && !strings.Contains(err.Error(), "cannot load libbar.so") {
				t.Errorf("what the browser printed is not in %v", err)
			}
			if hintOf(fault.From(err)) == "" {
				t.Error("no hint")
			}
		})
	}
}

// Where the system lets a browser have no sandbox (in most containers) the browser
// ends at once, and its driver does not notice: it is started without one, and that
// is said.
func TestNoSandboxToBeHad(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	p, err := Start(ctx, fake(t, "unboxed"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(ctx)
	if note := p.Note(); !strings.Contains(note, "without the browser's sandbox") || !strings.Contains(note, "gives the browser no sandbox") {
		t.Errorf("note = %q", note)
	}
	o := fake(t, "unboxed")
	o.RequireSandbox = true
	if _, err := Start(ctx, o); !errors.Is(err, fault.LaunchFailed) || !strings.Contains(err.Error(), "gives the browser no sandbox") {
		t.Errorf("where a sandbox is required: %v", err)
	}
}

// The caller's deadline ends a start, and what was started ends with it.
func TestStartStopsAtTheDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	began := time.Now()
	_, err := Start(ctx, fake(t, "slow"))
	if err == nil || time.Since(began) > 5*time.Second {
		t.Errorf("err = %v after %v", err, time.Since(began))
	}
}

// A driver that answers neither DELETE nor SIGTERM is killed, with the orphan
// that it left in a session of its own, and nobody stays a zombie.
func TestCloseEscalates(t *testing.T) {
	p, err := Start(t.Context(), fake(t, "stubborn"))
	if err != nil {
		t.Fatal(err)
	}
	tree := descendants(p.tree.cmd.Process.Pid, parents())
	if len(tree) < 2 {
		t.Fatalf("the tree is %d processes", len(tree))
	}
	began := time.Now()
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
	if d := time.Since(began); d > 2*closeBound+killBound {
		t.Errorf("closed after %v", d)
	}
	for _, pid := range append(tree, p.tree.cmd.Process.Pid) {
		if _, err := os.Stat("/proc/" + strconv.Itoa(pid)); err == nil {
			t.Errorf("process %d is still there", pid)
		}
	}
	if _, err := os.Stat(p.dirs.dir); err == nil {
		t.Error("the session's directory is still there")
	}
	if p.Err() != nil {
		t.Errorf("Err after Close = %v", p.Err())
	}
}

// The end of the browser ends its driver too, and is told.
func TestBrowserEndEndsTheDriver(t *testing.T) {
	p, err := Start(t.Context(), fake(t, "good"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close(context.Background())
	if e := p.Endpoint(); e.Version != "1.2" || !strings.HasSuffix(e.Driver, "1.2.3") || !e.SessionExists {
		t.Errorf("endpoint %+v", e)
	}
	for _, pid := range descendants(p.tree.cmd.Process.Pid, parents()) {
		if pid != p.tree.pid {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	select {
	case <-p.Done():
	case <-time.After(5 * time.Second):
		t.Fatal("nobody noticed")
	}
	if err := p.Err(); !errors.Is(err, fault.BrowserLost) || !strings.Contains(err.Error(), "browser's process ended") {
		t.Errorf("Err = %v", err)
	}
}

// A session's directory that nobody holds is removed by the next start, and one
// that is held is left alone, and so is what was kept on purpose.
func TestDeadSessionsAreRemoved(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dead, err := newScratch(-1, -1, true)
	if err != nil {
		t.Fatal(err)
	}
	dead.lock.Close()
	kept, err := newScratch(-1, -1, true)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept.path(keepName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	kept.lock.Close()
	alive, err := newScratch(-1, -1, true)
	if err != nil {
		t.Fatal(err)
	}
	defer alive.release(false)
	next, err := newScratch(-1, -1, true)
	if err != nil {
		t.Fatal(err)
	}
	defer next.release(false)
	deadline := time.After(5 * time.Second)
	for gone := false; !gone; {
		_, err := os.Stat(dead.dir)
		gone = os.IsNotExist(err)
		select {
		case <-time.After(10 * time.Millisecond):
		case <-deadline:
			t.Fatal("the dead one is still there")
		}
	}
	for _, s := range []*scratch{kept, alive, next} {
		if _, err := os.Stat(s.profile()); err != nil {
			t.Error(err)
		}
	}
	st, err := os.Stat(alive.profile())
	if err != nil || st.Mode().Perm() != 0o700 {
		t.Errorf("profile %v %v", st.Mode(), err)
	}
}

// A base directory that others can write to, or that is a link, is not used, and keeps
// nothing from starting.
func TestPlantedBaseIsNotUsed(t *testing.T) {
	tmp := t.TempDir()
	t.Setenv("TMPDIR", tmp)
	base := filepath.Join(tmp, fmt.Sprintf("duet-%d", os.Getuid()))
	if err := os.Symlink("/tmp", base); err != nil {
		t.Fatal(err)
	}
	elsewhere := func(what string) {
		t.Helper()
		s, err := newScratch(-1, -1, true)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		defer s.release(false)
		if !strings.HasPrefix(s.dir, base+"-") {
			t.Errorf("%s: %s is used", what, s.dir)
		}
	}
	elsewhere("a link")
	_ = os.Remove(base)
	if err := os.Mkdir(base, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(base, 0o777); err != nil {
		t.Fatal(err)
	}
	elsewhere("a directory that everybody writes to")
}
