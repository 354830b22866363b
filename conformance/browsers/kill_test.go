//go:build linux

package browsers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// pairs returns every role alone and every two of them.
func pairs(roles ...string) [][]string {
	var all [][]string
	for i, a := range roles {
		all = append(all, []string{a})
		for _, b := range roles[i+1:] {
			all = append(all, []string{a, b})
		}
	}
	return all
}

// patient lets calls last on a machine that many browsers share.
const patient = "DUET_TIMEOUT=60000"

func kill(t *testing.T, p process) {
	t.Helper()
	if err := syscall.Kill(p.pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
		t.Fatal(err)
	}
}

// victims picks the processes to kill; "client" is none of ours.
func victims(t *testing.T, tree []process, named map[string]process, roles []string) []process {
	t.Helper()
	var chosen []process
	for _, role := range roles {
		p, found := named[role]
		if !found {
			p, found = find(tree, role)
		}
		if !found && role != "client" {
			t.Fatalf("no %s among %v", role, tree)
		}
		if found {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// driverless reports whether a set-up drives the browser without a driver.
func (s setup) driverless() bool { return slices.Contains(s.args, "none") }

// passableDir is a directory for temporary files that a browser of another user
// can pass through.
func passableDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "duet-kill-")
	if err == nil {
		err = os.Chmod(dir, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// Nothing outlives the death of a part of duet mcp: when the client or duet
// itself is killed everything goes; when a part below it is killed, what is left
// of the browser goes and the next calls work.
func TestKillAnyPartOfAServer(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		for _, roles := range pairs("client", "duet", "guard", "driver", "browser") {
			if slices.Contains(roles, "driver") && s.driverless() {
				continue
			}
			t.Run(strings.Join(roles, "+"), func(t *testing.T) {
				t.Parallel()
				killServer(t, s, roles)
			})
		}
	})
}

func killServer(t *testing.T, s setup, roles []string) {
	base := site(t)
	tmp := passableDir(t)
	c := serveWith(t, s, []string{"TMPDIR=" + tmp, patient})
	c.ok("browser_navigate", map[string]any{"url": base + "/second.html"})
	self, _ := readProcess(fmt.Sprintf("/proc/%d", c.cmd.Process.Pid))
	tree := below(self.pid)
	ports := listening(tree)
	what := strings.Join(roles, "+")
	owner := slices.Contains(roles, "duet")
	chosen := victims(t, tree, map[string]process{"duet": self}, roles)
	if slices.Contains(roles, "client") { // its death is the end of the pipe
		owner = true
		_ = c.in.Close()
	}
	for _, p := range chosen {
		kill(t, p)
	}
	if owner {
		gone(t, what, append(tree, self))
		deaf(t, what, ports)
		c = serveWith(t, s, []string{"TMPDIR=" + tmp, patient})
	} else {
		gone(t, what, tree)
		deaf(t, what, ports)
		if r := c.call("browser_navigate", map[string]any{"url": base + "/second.html"}); r.IsError && r.code() != "BROWSER_LOST" {
			t.Errorf("the next call: %s", r.Text)
		}
	}
	c.ok("browser_navigate", map[string]any{"url": base + "/main.html"})
	swept(t, what, tmp)
}

// The same for the session daemon of the CLI, which outlives its clients; its profile
// stands in memory where the system has room.
func TestKillAnyPartOfADaemon(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		for _, roles := range pairs("cli", "daemon", "guard", "driver", "browser") {
			if slices.Contains(roles, "driver") && s.driverless() {
				continue
			}
			t.Run(strings.Join(roles, "+"), func(t *testing.T) {
				t.Parallel()
				killDaemon(t, s, roles)
			})
		}
	})
}

// shell runs the CLI in a project of its own.
type shell struct {
	t   *testing.T
	dir string
	env []string
	s   setup
}

func newShell(t *testing.T, s setup) *shell {
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/.git", 0o700); err != nil {
		t.Fatal(err)
	}
	runtime, err := os.MkdirTemp("", "duet-rt-") // short: a socket's path is bounded
	if err != nil {
		t.Fatal(err)
	}
	sh := &shell{t, dir, append(os.Environ(), "DUET_ARTIFACTS_DIR="+t.TempDir(), "DUET_RUNTIME_DIR="+runtime), s}
	t.Cleanup(func() {
		_, _, _ = sh.try("daemon", "stop")
		_ = os.RemoveAll(runtime)
	})
	return sh
}

func (sh *shell) command(args ...string) *exec.Cmd {
	cmd := exec.Command(duet, args...)
	cmd.Dir, cmd.Env = sh.dir, sh.env
	return cmd
}

// try runs a command and returns its output and status.
func (sh *shell) try(args ...string) (stdout, stderr string, status int) {
	sh.t.Helper()
	cmd := sh.command(args...)
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if cmd.ProcessState == nil {
		sh.t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func (sh *shell) ok(args ...string) string {
	sh.t.Helper()
	out, errs, status := sh.try(args...)
	if status != 0 {
		sh.t.Fatalf("duet %v: status %d\n%s%s", args, status, out, errs)
	}
	return out
}

// daemon returns the daemon's process.
func (sh *shell) daemon() process {
	sh.t.Helper()
	for _, p := range processes() {
		env, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.pid))
		for _, kv := range sh.env {
			if v, ok := strings.CutPrefix(kv, "DUET_RUNTIME_DIR="); ok && strings.Contains(string(env), "DUET_RUNTIME_DIR="+v) &&
				strings.HasPrefix(p.name, "duet") && strings.Contains(p.args, "daemon") {
				return p
			}
		}
	}
	sh.t.Fatal("no daemon runs")
	return process{}
}

func killDaemon(t *testing.T, s setup, roles []string) {
	base := site(t)
	sh := newShell(t, s)
	sh.env = append(sh.env, patient)
	sh.ok(append([]string{"navigate", base + "/second.html"}, s.args...)...)
	daemon := sh.daemon()
	tree := below(daemon.pid)
	ports := listening(tree)
	dirs := homes(t, tree)
	// A command that is under way when the parts are killed.
	slow, asked := hanging(t)
	waiting := sh.command("navigate", slow, "--timeout-ms", "60000")
	if err := waiting.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = waiting.Wait(); close(ended) }()
	select {
	case <-asked:
	case <-time.After(20 * time.Second):
		t.Fatal("the slow page was not asked for")
	}
	cli, _ := readProcess(fmt.Sprintf("/proc/%d", waiting.Process.Pid))
	for _, p := range victims(t, tree, map[string]process{"daemon": daemon, "cli": cli}, roles) {
		kill(t, p)
	}
	what := strings.Join(roles, "+")
	switch {
	case slices.Contains(roles, "daemon"):
		gone(t, what, append(tree, daemon))
		deaf(t, what, ports)
	case what != "cli":
		gone(t, what, tree)
		deaf(t, what, ports)
	case !daemon.alive():
		t.Error("the daemon went with its client")
	}
	select {
	case <-ended:
	case <-time.After(3 * time.Second):
		t.Errorf("%s: the waiting command goes on", what)
		kill(t, cli)
	}
	out, errs, status := sh.try(append([]string{"navigate", base + "/second.html"}, s.args...)...)
	if status != 0 && !strings.Contains(errs, "BROWSER_LOST") {
		t.Errorf("%s: the next call: status %d\n%s%s", what, status, out, errs)
	}
	sh.ok(append([]string{"navigate", base + "/main.html"}, s.args...)...)
	if what != "cli" {
		removed(t, what, dirs)
	}
}

// hanging serves a page that never comes, and tells when it is asked for.
func hanging(t *testing.T) (url string, asked <-chan struct{}) {
	t.Helper()
	heard := make(chan struct{}, 16)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		heard <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL, heard
}
