//go:build linux

package browsers

import (
	"archive/zip"
	"bufio"
	"bytes"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	json "github.com/goccy/go-json"

	"duet/internal/env"
	"duet/internal/trace"
)

// traceAnswer is what browser_trace answers.
type traceAnswer struct {
	Result struct {
		Path    string
		Archive struct{ Path string }
		Calls   int
		Console int
		Network int
	}
}

func traced(t *testing.T, r result) traceAnswer {
	t.Helper()
	var a traceAnswer
	if err := json.Unmarshal(r.Structured, &a); err != nil || r.IsError {
		t.Fatalf("%s %v", r.Text, err)
	}
	return a
}

// storyOf is a run of a few commands under a trace; it returns where the trace is.
func storyOf(t *testing.T, c *client, base string, more ...any) traceAnswer {
	t.Helper()
	c.ok("browser_trace", arg(append([]any{"action", "start", "name", "story"}, more...)...))
	c.ok("browser_navigate", arg("url", base+"/trace.html"))
	c.ok("browser_fill", arg("selector", "#name", "value", "alice"))
	c.ok("browser_batch", map[string]any{"steps": []map[string]any{
		{"tool": "browser_hover", "arguments": arg("selector", "#out")},
		{"tool": "browser_click", "arguments": arg("selector", "#go")},
	}})
	c.ok("browser_expect", arg("what", "text", "selector", "#out", "expected", "saved for alice"))
	c.ok("browser_press", arg("key", "Tab"))
	return traced(t, c.call("browser_trace", arg("action", "stop", "zip", true)))
}

// showTrace opens an archive in Playwright's trace viewer and returns its address.
func showTrace(t *testing.T, archive string) string {
	t.Helper()
	home, err := os.UserCacheDir()
	cli := filepath.Join(home, "duet-test", "urlmatch", "node_modules", "playwright-core", "cli.js")
	node, nodeErr := exec.LookPath("node")
	if _, statErr := os.Stat(cli); err != nil || statErr != nil || nodeErr != nil {
		if env.CI.Set() {
			t.Fatal("playwright-core is not installed, and CI must have it: scripts/test live")
		}
		t.Skip("SKIPPED: playwright-core is not installed: scripts/test live fetches it")
	}
	cmd := exec.Command(node, cli, "show-trace", "--port", "0", archive)
	cmd.Env = append(os.Environ(), "PWTEST_UNDER_TEST=1") // it opens no browser of its own
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
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "Listening on "); ok {
			return url
		}
	}
	t.Fatal("the trace viewer does not say where it is")
	return ""
}

// Playwright's own viewer opens the archive: every command is in its list, the steps
// of a batch under it, nothing is shown as an error, and the page is there as it
// was before and after.
func TestTraceOpensInPlaywright(t *testing.T) {
	viewer := setups[0]
	if lacks := viewer.missing(); lacks != "" {
		t.Skipf("live suite SKIPPED: the viewer needs Chrome: %s is not installed", lacks)
	}
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		done := storyOf(t, c, site(t))
		c.close()
		v := serve(t, viewer)
		v.ok("browser_navigate", arg("url", showTrace(t, done.Result.Archive.Path)))
		v.ok("browser_wait", arg("target", "text*=expect #out", "timeout_ms", 20000))
		v.ok("browser_click", arg("selector", `role=treeitem[name*="batch"]`))
		v.ok("browser_press", arg("key", "ArrowRight"))
		v.ok("browser_wait", arg("target", "text*=click #go"))
		tree := v.ok("browser_snapshot", arg("scope", "role=tree"))
		for _, action := range []string{"navigate http://", "fill #name", "batch", "hover #out", "click #go", "expect #out", "press Tab"} {
			if !strings.Contains(tree, `treeitem "`+action) {
				t.Errorf("%s is not in the list of actions", action)
			}
		}
		if n := strings.Count(tree, "treeitem "); n != 7 {
			t.Errorf("%d actions are in the list, not 7", n)
		}
		if t.Failed() {
			t.Log(tree)
		}
		all := v.ok("browser_snapshot", nil)
		if strings.Contains(all, `tab "Errors `) || strings.Contains(all, "Could not load") {
			t.Errorf("an error is shown in\n%s", all)
		}
		v.ok("browser_click", arg("selector", `role=treeitem[name*="click #go"]`))
		for _, when := range []string{"Before", "After"} {
			v.ok("browser_click", arg("selector", "role=tab[name="+when+"]"))
			v.ok("browser_expect", arg("what", "visible", "selector", `iframe[name=snapshot] >> img[src^="data:image/png;base64,"]`, "timeout_ms", 10000))
		}
		v.ok("browser_click", arg("selector", `role=tab[name*="Network"]`))
		v.ok("browser_wait", arg("target", "text*=second.html"))
		if logs := v.call("browser_logs", arg("kind", "exception")); strings.Contains(logs.Text, "console:") {
			t.Errorf("the viewer threw: %s", logs.Text)
		}
	})
}

// A password that is entered key by key cannot be spelled from a trace.
func TestTraceSpellsNoPassword(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_trace", arg("action", "start"))
		c.ok("browser_navigate", arg("url", site(t)+"/trace.html"))
		c.ok("browser_press", arg("key", "q", "selector", "#pass"))
		c.ok("browser_press", arg("key", "Shift+w"))
		c.ok("browser_key", arg("action", "press", "key", "z"))
		c.ok("browser_key", arg("action", "down", "key", "7"))
		c.ok("browser_key", arg("action", "up", "key", "7"))
		c.ok("browser_batch", map[string]any{"steps": []map[string]any{
			{"tool": "browser_press", "arguments": arg("key", "x")},
			{"tool": "browser_key", "arguments": arg("action", "press", "key", "J")},
		}})
		done := traced(t, c.call("browser_trace", arg("action", "stop", "zip", true)))
		c.ok("browser_expect", arg("what", "visible", "selector", "#pass"))
		look := func(name string, data []byte) {
			for _, key := range []string{"q", "Shift+w", "W", "z", "7", "x", "J"} {
				if i := bytes.Index(data, []byte(`"`+key+`"`)); i >= 0 {
					t.Errorf("%s holds the key %s: %.200s", name, key, data[max(0, i-100):min(len(data), i+100)])
				}
			}
		}
		data, err := os.ReadFile(filepath.Join(done.Result.Path, trace.File))
		if err != nil || !bytes.Contains(data, []byte("browser_press")) {
			t.Fatalf("%v: %s", err, data)
		}
		look(trace.File, data)
		for name, data := range filesOf(t, done.Result.Archive.Path) {
			look("archive/"+name, data)
		}
	})
}

// filesOf is what an archive holds.
func filesOf(t *testing.T, archive string) map[string][]byte {
	t.Helper()
	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	all := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if all[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// What is typed as a secret stands in no file of a trace, nor does what the page makes
// of it: in its console, in addresses, headers and bodies, in the protocol log.
func TestTraceHoldsNoSecret(t *testing.T) {
	const canary, token, given = "canary-Pa55/word", "canary t0ken", "canary-given-77"
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_trace", arg("action", "start", "wire", true))
		c.ok("browser_navigate", arg("url", site(t)+"/trace.html"))
		c.ok("browser_fill", arg("selector", "#pass", "value", canary))
		c.ok("browser_batch", map[string]any{"steps": []map[string]any{
			{"tool": "browser_fill", "arguments": arg("selector", "#token", "value", token)},
			{"tool": "browser_fill", "arguments": arg("selector", "#name", "value", given, "secret", true)},
		}})
		c.ok("browser_click", arg("selector", "#go"))
		c.ok("browser_wait", arg("target", "text*=saved for"))
		c.call("browser_find", arg("selector", "text*="+given))
		c.ok("browser_snapshot", nil)
		c.ok("browser_logs", nil)
		done := traced(t, c.call("browser_trace", arg("action", "stop", "zip", true)))
		if done.Result.Console < 2 || done.Result.Network < 3 {
			t.Errorf("%d messages and %d requests are in the trace", done.Result.Console, done.Result.Network)
		}
		look := func(name string, data []byte) {
			for _, secret := range []string{canary, token, given, "canary-Pa55%2Fword", "canary%20t0ken", "canary+t0ken", "canary-Pa55"} {
				if i := bytes.Index(data, []byte(secret)); i >= 0 {
					t.Errorf("%s holds %s: %.300s", name, secret, data[max(0, i-150):min(len(data), i+100)])
				}
			}
		}
		err := filepath.WalkDir(filepath.Dir(done.Result.Path), func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			data, err := os.ReadFile(path)
			look(path, data)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range filesOf(t, done.Result.Archive.Path) {
			look("archive/"+name, data)
		}
		if info, err := os.Stat(filepath.Join(done.Result.Path, trace.Wire)); err != nil || info.Size() == 0 {
			t.Errorf("the protocol log: %v %v", info, err)
		}
	})
}

// A duet that is killed leaves a trace that holds all that it had answered, and the
// viewer's archive can be made of it later; a client that leaves ends its trace.
func TestTraceOutlivesItsEnd(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		base := site(t)
		c := serve(t, s)
		started := traced(t, c.call("browser_trace", arg("action", "start", "no_screenshots", true)))
		c.ok("browser_navigate", arg("url", base+"/trace.html"))
		c.ok("browser_click", arg("selector", "h1"))
		_ = c.cmd.Process.Kill()
		<-c.exited
		o, err := trace.Open(started.Result.Path)
		if err != nil {
			t.Fatal(err)
		}
		if len(o.Actions) != 2 || o.Actions[1].Done == nil || o.Stop != nil || o.Broken != 0 || len(o.Network) == 0 {
			t.Errorf("%d commands, %d requests, stop %v, %d broken lines", len(o.Actions), len(o.Network), o.Stop, o.Broken)
		}
		var archive bytes.Buffer
		if err := trace.Archive(&archive, os.DirFS(started.Result.Path), nil); err != nil {
			t.Error(err)
		}

		c = serve(t, s)
		started = traced(t, c.call("browser_trace", arg("action", "start")))
		c.ok("browser_navigate", arg("url", base+"/trace.html"))
		c.close()
		limit := time.After(20 * time.Second)
		select {
		case <-c.exited:
		case <-limit:
			t.Fatal("duet does not end")
		}
		if o, err = trace.Open(started.Result.Path); err != nil || o.Stop == nil || o.Stop.Why != "end" {
			t.Errorf("%v; the trace does not say that it ended", err)
		}
	})
}

// The command line traces the session that it shares: through its daemon, to the
// quit of its browser.
func TestTraceByCommands(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		sh := newShell(t, s)
		sh.env = append(sh.env, patient)
		run := func(args ...string) string { return sh.ok(append(args, s.args...)...) }
		run("trace", "start", "cli", "--no-screenshots")
		run("navigate", site(t)+"/trace.html")
		if out := run("trace", "status"); !strings.Contains(out, `"running":true,"name":"cli"`) {
			t.Errorf("status: %s", out)
		}
		if out := run("trace", "zip", "cli"); !strings.Contains(out, "trace-cli.zip") {
			t.Errorf("zip: %s", out)
		}
		run("quit")
		if out := run("trace"); !strings.Contains(out, `"ended":"quit","calls":2`) {
			t.Errorf("after quit: %s", out)
		}
		if _, errs, status := sh.try(append([]string{"trace", "stop"}, s.args...)...); status != 1 || !strings.Contains(errs, "STATE_INVALID") {
			t.Errorf("stop: %d %s", status, errs)
		}
	})
}
