package app

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"duet/internal/golden"
	"duet/internal/launch"
	"duet/internal/sock"
)

// binary builds the program, or skips where no browser is installed.
func binary(t testing.TB) string {
	t.Helper()
	if testing.Short() {
		t.Skip("SKIPPED: -short")
	}
	if len(launch.Detect()) == 0 {
		t.Skip("SKIPPED: no browser is installed")
	}
	path := filepath.Join(t.TempDir(), "duet")
	build := exec.Command("go", "build", "-o", path, "duet/cmd/duet")
	build.Env = append(os.Environ(), "CGO_ENABLED=0") // as it is released
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// demo serves the demo pages and returns their port.
func demo(t testing.TB, duet string) string {
	t.Helper()
	cmd := exec.Command(duet, "demo")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`:(\d+)/`).FindStringSubmatch(url)[1]
}

// liveProject is a directory with a daemon of its own, which ends with the test.
func liveProject(t testing.TB, duet string) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("DUET_RUNTIME_DIR", filepath.Join(t.TempDir(), "run"))
	t.Setenv("DUET_ARTIFACTS_DIR", t.TempDir())
	writeFile(t, "go.mod", "")
	t.Cleanup(func() {
		if out, err := exec.Command(duet, "daemon", "stop").CombinedOutput(); err != nil {
			t.Errorf("daemon stop: %v %s", err, out)
		}
	})
}

// The README's transcript is what really happens, line for line.
func TestReadmeTranscript(t *testing.T) {
	duet := binary(t)
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := filepath.Abs("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	liveProject(t, duet)
	port := demo(t, duet)
	var got strings.Builder
	inside, shown := false, false
	for line := range strings.Lines(string(text)) {
		switch typed, isTyped := strings.CutPrefix(line, "$ duet "); {
		case strings.HasPrefix(line, "```"):
			inside, shown = !inside, false
			got.WriteString(line)
		case inside && isTyped:
			shown = true
			got.WriteString(line)
			if strings.HasPrefix(typed, "demo ") {
				got.WriteString("http://127.0.0.1:8900/\n")
				continue
			}
			args, err := tokens(strings.ReplaceAll(strings.TrimSpace(typed), ":8900", ":"+port))
			if err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(duet, args...).CombinedOutput()
			if err != nil && !strings.Contains(string(out), "code: ") {
				t.Errorf("%s: %v\n%s", strings.TrimSpace(line), err, out)
			}
			got.WriteString(strings.ReplaceAll(string(out), ":"+port, ":8900"))
		case inside && shown: // what was printed before
		default:
			got.WriteString(line)
		}
	}
	golden.Check(t, readme, got.String())
}

// A browser that does not fit the one that runs is refused before anything is
// done; chrome names a running Chromium too.
func TestConflictingBrowser(t *testing.T) {
	duet := binary(t)
	liveProject(t, duet)
	first := launch.Detect()[0].Browser
	other := "firefox"
	if first == "firefox" {
		other = "chrome"
	}
	run := func(args ...string) outcome {
		var out, errOut strings.Builder
		cmd := exec.Command(duet, args...)
		cmd.Stdout, cmd.Stderr = &out, &errOut
		_ = cmd.Run() // the status says it
		return outcome{out.String(), errOut.String(), cmd.ProcessState.ExitCode()}
	}
	if r := run("open", "about:blank"); r.status != 0 {
		t.Fatalf("%+v", r)
	}
	if r := run("status", "--browser", first); r.status != 0 {
		t.Errorf("the same: %+v", r)
	}
	if r := run("status", "--browser", other); r.status != 2 || r.stdout != "" || !strings.Contains(r.stderr, "--browser "+other+" (it has "+first+")") {
		t.Errorf("another: %+v", r)
	}
	if r := run("mcp", "--session", "default", "--browser", other); r.status != 2 || !strings.Contains(r.stderr, "does not fit") {
		t.Errorf("another by relay: %+v", r)
	}
	if r := run("quit"); r.status != 0 {
		t.Errorf("quit: %+v", r)
	}
	if r := run("status", "--browser", other); r.status != 0 {
		t.Errorf("another, where none runs: %+v", r)
	}
}

// BenchmarkColdCommand compares a command as a process with the same call on a
// connection that is open. Its three figures are medians in milliseconds.
func BenchmarkColdCommand(b *testing.B) {
	duet := binary(b)
	liveProject(b, duet)
	if out, err := exec.Command(duet, "open", "http://127.0.0.1:"+demo(b, duet)+"/").CombinedOutput(); err != nil {
		b.Fatalf("%v %s", err, out)
	}
	g := &globals{}
	c := call{tool: "browser_exists", args: []byte(`{"selector":"#user"}`)}
	p, err := place()
	if err != nil {
		b.Fatal(err)
	}
	conn, err := sock.Dial(b.Context(), p)
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	o := g.opening(modeMCP)
	o.AnyAddress = true
	buffered, _, err := greet(b.Context(), conn, o, nil)
	if err != nil {
		b.Fatal(err)
	}
	in := &lines{in: buffered}
	var cold, open []time.Duration
	for i := range b.N {
		begin := time.Now()
		if out, err := exec.Command(duet, "exists", "#user").CombinedOutput(); err != nil {
			b.Fatalf("%v %s", err, out)
		}
		cold = append(cold, time.Since(begin))
		begin = time.Now()
		line, err := callLine(i, g, c)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := conn.Write(line); err != nil {
			b.Fatal(err)
		}
		if r, err := in.reply(i); err != nil || r.isError {
			b.Fatal(r, err)
		}
		open = append(open, time.Since(begin))
	}
	ms := func(d []time.Duration) float64 {
		slices.Sort(d)
		return float64(d[len(d)/2].Microseconds()) / 1000
	}
	b.ReportMetric(ms(cold), "cold-ms")
	b.ReportMetric(ms(open), "open-ms")
	b.ReportMetric(ms(cold)-ms(open), "diff-ms")
}

// Commands as a script has them: a value is whole, what an action led to is told, and
// so is a browser that nobody had asked for.
func TestWhatAScriptGets(t *testing.T) {
	duet := binary(t)
	for _, browser := range launch.Detect() {
		t.Run(browser.Browser, func(t *testing.T) {
			t.Setenv("DUET_BROWSER", browser.Browser)
			liveProject(t, duet)
			ready := make(chan struct{})
			// A wait may be over a moment before the file is whole: one of the next tells it then.
			arrives := func(r outcome) bool {
				for range 100 {
					if strings.Contains(r.stdout, `download: "late.csv" complete `) {
						return true
					}
					out, _ := exec.Command(duet, "wait", "text=Go").Output()
					r.stdout = string(out)
				}
				return false
			}
			page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path == "/slow" {
					select {
					case <-ready:
					case <-r.Context().Done():
					}
					w.Header().Set("Content-Disposition", `attachment; filename="late.csv"`)
					_, _ = w.Write([]byte("a,b"))
					return
				}
				w.Header().Set("Content-Type", "text/html")
				_, _ = w.Write([]byte(`<!doctype html><title>T</title><a href="/slow">Slow</a><button onclick="alert('hi')">Ask</button>` +
					`<button onclick="window.open('about:blank#x')">Open</button><a href="?2">Go</a>`))
			}))
			defer page.Close()
			for _, c := range []struct {
				args []string
				want func(outcome) bool
			}{
				{[]string{"snapshot"}, func(r outcome) bool {
					return strings.HasPrefix(r.stdout, "note: no browser ran: a new one was started, and no page is open in it\n")
				}},
				{[]string{"snapshot"}, func(r outcome) bool { return !strings.Contains(r.stdout, "note:") }},
				{[]string{"open", page.URL}, func(r outcome) bool { return !strings.Contains(r.stdout, "navigated") }},
				{[]string{"click", "text=Slow"}, func(r outcome) bool {
					time.AfterFunc(200*time.Millisecond, func() { close(ready) })
					return strings.HasSuffix(r.stdout, "\nstill loading: "+page.URL+"/slow\n")
				}},
				{[]string{"wait", "--kind", "load"}, arrives},
				{[]string{"wait", "text=Go"}, func(r outcome) bool { return !strings.Contains(r.stdout, "download") }},
				{[]string{"eval", "Array.from({length: 300}, (_, i) => ({id: i, name: 'n' + i}))"}, func(r outcome) bool {
					return strings.HasSuffix(r.stdout, `{"id":299,"name":"n299"}]}`+"\n") && r.stderr == ""
				}},
				{[]string{"--json", "eval", "'y'.repeat(50000)"}, func(r outcome) bool {
					return strings.Contains(r.stdout, strings.Repeat("y", 50000)+`"}`)
				}},
				{[]string{"eval", "'y'.repeat(300000)"}, func(r outcome) bool {
					return len(r.stdout) > 100_000 && strings.HasPrefix(r.stderr, "note: the value is cut: ")
				}},
				{[]string{"eval", "'y'.repeat(30000)", "--out", "y.json"}, func(r outcome) bool {
					data, err := os.ReadFile("y.json")
					return err == nil && len(data) > 30_000 && strings.HasPrefix(r.stdout, "saved: ")
				}},
				{[]string{"click", "text=Ask"}, func(r outcome) bool { return strings.HasSuffix(r.stdout, "\ndialog open: alert \"hi\" (tab 1)\n") }},
				{[]string{"status"}, func(r outcome) bool {
					return strings.Contains(r.stdout, `"dialogs":[{"type":"alert","message":"hi","tab":1}]`)
				}},
				{[]string{"dialog", "accept"}, func(r outcome) bool { return !strings.Contains(r.stdout, "dialog open") }},
				{[]string{"click", "text=Open"}, func(r outcome) bool {
					return strings.HasSuffix(r.stdout, "\npopup: tab 2 about:blank#x\n") || strings.HasSuffix(r.stdout, "\npopup: tab 2 about:blank\n")
				}},
				{[]string{"click", "text=Go"}, func(r outcome) bool { return strings.Contains(r.stdout, "\nnavigated: "+page.URL+"/?2\n") }},
			} {
				var out, errOut strings.Builder
				cmd := exec.Command(duet, c.args...)
				cmd.Stdout, cmd.Stderr = &out, &errOut
				_ = cmd.Run() // the status says it
				if r := (outcome{out.String(), errOut.String(), cmd.ProcessState.ExitCode()}); r.status != 0 || !c.want(r) {
					r.stdout = r.stdout[:min(len(r.stdout), 600)]
					t.Errorf("%v: %+v", c.args, r)
				}
			}
		})
	}
}
