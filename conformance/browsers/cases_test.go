//go:build linux

package browsers

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	json "github.com/goccy/go-json"

	"duet/internal/env"
)

// casesDir holds pages that broke other tools, each a folder named by number and
// slug, with the server that serves them. They are beside the project, not in it.
const casesDir = "../../../shared/cases"

// pageCase is one of those pages, with what must be true of duet on it.
type pageCase struct {
	name  string
	run   func(k *kase)
	lacks string   // the tool without which nothing of the case can be tried
	alone bool     // on Firefox without geckodriver too
	fresh bool     // in a process of its own
	own   bool     // it starts its processes itself
	args  []string // for that process
}

// area is a kind of page.
type area struct {
	name  string
	cases []pageCase
}

var areas = []area{
	{"snapshot-names", snapshotNameCases},
	{"frames", frameCases},
	{"shadow-dom", shadowCases},
	{"refs", refCases},
	{"privacy", privacyCases},
	{"scale", scaleCases},
	{"hostile-page", hostileCases},
	{"dialogs", dialogCases},
	{"click-geometry", clickGeometryCases},
	{"forms", formCases},
	{"navigation", navigationCases},
	{"keyboard-mouse", keyboardMouseCases},
	{"tabs", tabCases},
	{"waiting", waitingCases},
	{"robustness", robustnessCases},
	{"logs", logCases},
	{"storage", storageCases},
	{"process", processCases},
}

// TestCases runs every case on each set-up. A case that is known to fail stands
// in expect/, with its reason; one that stands there and passes fails too.
func TestCases(t *testing.T) {
	if testing.Short() {
		t.Skip("live suite: -short")
	}
	origins := caseOrigins(t)
	each(t, func(t *testing.T, s setup) {
		known := expectations(t, s)
		shared := &keeper{t: t, s: s}
		for _, a := range areas {
			t.Run(a.name, func(t *testing.T) {
				for _, c := range a.cases {
					if s.name == "firefox-alone" && !c.alone {
						continue
					}
					t.Run(c.name, func(t *testing.T) { runCase(t, shared, c, origins, known[c.name]) })
				}
			})
		}
	})
}

func runCase(t *testing.T, shared *keeper, c pageCase, origins map[string]string, known string) {
	k := &kase{t: t, s: shared.s, origins: origins, base: origins["MAIN"] + "/" + c.name}
	switch {
	case c.own:
	case c.fresh:
		k.c = serve(t, shared.s, c.args...)
	default:
		k.c = shared.client(t)
	}
	if c.lacks != "" && !k.has(c.lacks) {
		t.Skipf("no command yet: %s", c.lacks)
	}
	k.attempt(c.run)
	if !c.fresh && !c.own {
		shared.settle(t, len(k.faults) > 0)
	}
	switch {
	case known != "" && len(k.faults) == 0:
		t.Errorf("passes now: take its line out of expect/ (%s)", known)
	case known != "":
		t.Logf("fails as expected: %s\n%s", known, strings.Join(k.faults, "\n"))
	case len(k.faults) > 0:
		t.Errorf("%s\n\nwhat was said:\n%s", strings.Join(k.faults, "\n"), k.said.String())
	}
}

// keeper holds the process that the cases of a set-up share.
type keeper struct {
	t *testing.T
	s setup
	c *client
}

// client returns the shared process, on one tab without a dialog.
func (p *keeper) client(t *testing.T) *client {
	if p.c == nil {
		p.c = serve(p.t, p.s)
		p.c.call("browser_page", arg("action", "list")) // starts the browser, which is no case's time
	}
	p.c.t = t
	return p.c
}

// settle leaves one tab; after a fault the process is given up.
func (p *keeper) settle(t *testing.T, broken bool) {
	if !broken {
		broken = !p.oneTab()
	}
	if broken {
		p.c.close()
		p.c = nil
		return
	}
	p.c.t = p.t
}

// oneTab closes all tabs but one.
func (p *keeper) oneTab() bool {
	tabs := tabsIn(p.c.call("browser_page", arg("action", "list")))
	for len(tabs) > 1 {
		r := p.c.call("browser_page", arg("action", "close", "target", tabs[0].number(), "leave", true))
		left := tabsIn(r)
		if r.IsError || len(left) >= len(tabs) {
			return false
		}
		tabs = left
	}
	return len(tabs) == 1 && tabs[0].Dialog == ""
}

// caseOrigins starts the server of the cases and returns where it listens.
func caseOrigins(t *testing.T) map[string]string {
	t.Helper()
	server, err := filepath.EvalSymlinks(filepath.Join(casesDir, "tools", "server.mjs"))
	if err == nil {
		_, err = os.Stat(server)
	}
	if err == nil {
		_, err = exec.LookPath("node")
	}
	if err != nil {
		if env.CI.Set() {
			t.Fatalf("live suite: the cases cannot be served, and CI must have them: %v", err)
		}
		t.Skipf("live suite SKIPPED: the cases cannot be served: %v", err)
	}
	cmd := exec.Command("node", server)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		t.Fatalf("the server of the cases says nothing: %v", err)
	}
	origins := map[string]string{}
	if err := json.Unmarshal(line, &origins); err != nil {
		t.Fatalf("the server of the cases says %q: %v", line, err)
	}
	return origins
}

// expectations reads expect/BROWSER.txt: a case and why it fails, a line each.
func expectations(t *testing.T, s setup) map[string]string {
	t.Helper()
	family, _, _ := strings.Cut(s.name, "-")
	text, err := os.ReadFile(filepath.Join("expect", family+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]string{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		name, reason, ok := strings.Cut(line, " › ")
		if !ok || !slices.ContainsFunc(areas, func(a area) bool { return a.holds(name) }) {
			t.Errorf("expect/%s.txt: no case in %q", family, line)
		}
		known[name] = reason
	}
	return known
}

func (a area) holds(name string) bool {
	return slices.ContainsFunc(a.cases, func(c pageCase) bool { return c.name == name })
}

// Every folder of the cases is one of the suite's cases, and the other way round.
func TestCasesAreAllThere(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(casesDir, "[0-9]*"))
	if err != nil || len(dirs) == 0 {
		t.Skipf("SKIPPED: no cases in %s", casesDir)
	}
	var want, got []string
	for _, dir := range dirs {
		want = append(want, filepath.Base(dir))
	}
	for _, a := range areas {
		for _, c := range a.cases {
			got = append(got, c.name)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	for _, name := range want {
		if !slices.Contains(got, name) {
			t.Errorf("%s is not tried", name)
		}
	}
	for i, name := range got {
		if !slices.Contains(want, name) || i > 0 && got[i-1] == name {
			t.Errorf("%s is no case, or tried twice", name)
		}
	}
}
