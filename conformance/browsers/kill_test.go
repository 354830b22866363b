package browsers

import (
	"fmt"
	"os"
	"os/exec"
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

func kill(t *testing.T, p process) {
	t.Helper()
	if err := syscall.Kill(p.pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
		t.Fatal(err)
	}
}

// victims picks the processes to kill; ok is false where a set-up has no such part.
func victims(t *testing.T, tree []process, named map[string]process, roles []string) (chosen []process, ok bool) {
	t.Helper()
	for _, role := range roles {
		p, found := named[role]
		if !found {
			p, found = find(tree, role)
		}
		if !found {
			if role == "driver" {
				return nil, false
			}
			t.Fatalf("no %s among %v", role, tree)
		}
		chosen = append(chosen, p)
	}
	return chosen, true
}

// Nothing outlives the death of a part of duet mcp: when the client or duet
// itself is killed everything goes; when a part below it is killed, what is left
// of the browser goes and the next calls work.
func TestKillAnyPartOfAServer(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		for _, roles := range pairs("client", "duet", "guard", "driver", "browser") {
			t.Run(strings.Join(roles, "+"), func(t *testing.T) { killServer(t, s, roles) })
		}
	})
}

func killServer(t *testing.T, s setup, roles []string) {
	base := site(t)
	c := serve(t, s)
	c.ok("browser_navigate", map[string]any{"url": base + "/second.html"})
	tree := below(c.cmd.Process.Pid)
	self, _ := readProcess(fmt.Sprintf("/proc/%d", c.cmd.Process.Pid))
	owner := false
	var chosen []process
	for _, role := range roles {
		switch role {
		case "client": // its death is the end of the pipe
			owner = true
		default:
			owner = owner || role == "duet"
			some, ok := victims(t, tree, map[string]process{"duet": self}, []string{role})
			if !ok {
				t.Skip("this set-up has no " + role)
			}
			chosen = append(chosen, some...)
		}
	}
	for _, role := range roles {
		if role == "client" {
			_ = c.in.Close()
		}
	}
	for _, p := range chosen {
		kill(t, p)
	}
	if owner {
		gone(t, strings.Join(roles, "+"), append(tree, self))
		return
	}
	gone(t, strings.Join(roles, "+"), tree)
	if r := c.call("browser_navigate", map[string]any{"url": base + "/second.html"}); r.IsError && r.code() != "BROWSER_LOST" {
		t.Errorf("the next call: %s", r.Text)
	}
	c.ok("browser_navigate", map[string]any{"url": base + "/main.html"})
}

// The same for the session daemon of the CLI, which outlives its clients.
func TestKillAnyPartOfADaemon(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		for _, roles := range pairs("cli", "daemon", "guard", "driver", "browser") {
			t.Run(strings.Join(roles, "+"), func(t *testing.T) { killDaemon(t, s, roles) })
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
	sh.ok(append([]string{"navigate", base + "/second.html"}, s.args...)...)
	daemon := sh.daemon()
	tree := below(daemon.pid)
	waiting := sh.command("wait", "#never", "--timeout-ms", "20000")
	if err := waiting.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = waiting.Wait(); close(ended) }()
	cli, _ := readProcess(fmt.Sprintf("/proc/%d", waiting.Process.Pid))
	chosen, ok := victims(t, tree, map[string]process{"daemon": daemon, "cli": cli}, roles)
	if !ok {
		kill(t, cli)
		t.Skip("this set-up has no such part")
	}
	for _, p := range chosen {
		kill(t, p)
	}
	what := strings.Join(roles, "+")
	switch {
	case strings.Contains(what, "daemon"):
		gone(t, what, append(tree, daemon))
	case what != "cli":
		gone(t, what, tree)
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
}
