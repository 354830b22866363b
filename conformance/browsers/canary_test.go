//go:build linux

package browsers

import (
	"archive/zip"
	"encoding/base64"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	json "github.com/goccy/go-json"
)

// canary begins every secret of this test; what follows is written differently by
// every encoding.
const canary = "canary-"

// canaryTyped are typed, each into a field of another kind.
var canaryTyped = map[string]string{
	"#pw": canary + `Pa55/wörd+"x<7>`, "#token": canary + "t0k en&more", "#otp": canary + "918273", "#card": canary + "4111 1111",
}

// canaryGiven comes by a flag that says that it is a secret, or by the environment.
const canaryGiven = canary + "given 77"

// canaryRoom is where all that duet writes goes.
type canaryRoom struct {
	dir  string
	told strings.Builder // every answer, in both its forms, and what the command line printed
}

func (r *canaryRoom) environment(who string) []string {
	var env []string
	for name, sub := range map[string]string{
		"DUET_ARTIFACTS_DIR": "artifacts", "DUET_RUNTIME_DIR": "run", "DUET_DATA_DIR": "data", "DUET_WIRELOG": who + "-wire.log",
	} {
		env = append(env, name+"="+filepath.Join(r.dir, sub))
	}
	return append(env, "DUET_TEST_SECRET="+canaryGiven, patient)
}

// canarySite serves the page, and answers that carry secrets themselves.
func canarySite(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFile(w, r, filepath.Join("pages", "canary.html"))
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/target?"+r.URL.RawQuery, http.StatusFound)
	})
	mux.HandleFunc("/post", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "s2="+canary+"set-cookie; Path=/; HttpOnly")
		w.Header().Set("X-Auth-Token", canary+"answer")
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"`+canary+`answer","note":"kept-in-the-body"}`)
	})
	mux.HandleFunc("/basic", func(w http.ResponseWriter, r *http.Request) {
		if _, _, ok := r.BasicAuth(); !ok {
			w.Header().Set("WWW-Authenticate", `Basic realm="r"`)
			w.WriteHeader(http.StatusUnauthorized)
		}
	})
	mux.HandleFunc("/file", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", "attachment; filename*=UTF-8''"+url.PathEscape("report of "+r.URL.Query().Get("n")+".txt"))
		_, _ = io.WriteString(w, "plain")
	})
	mux.HandleFunc("/drop", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "heard") })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// A secret that was typed, that goes by a name which gives it away, or that the page
// throws, logs, encodes and sends on after it read it from its field, stands in no
// output and in no file but the saved state: with the trace, the protocol log, the
// console and the bodies on, by MCP and by the command line. A body that was asked
// for keeps what its names did not give away, and the answer says so.
func TestCanaries(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		room := &canaryRoom{dir: t.TempDir()}
		base := canarySite(t)
		canariesByTools(t, s, room, base)
		canariesByCommands(t, s, room, base)
		room.search(t)
	})
}

// canariesByTools does everything that an agent can.
func canariesByTools(t *testing.T, s setup, room *canaryRoom, base string) {
	c := serveWith(t, s, room.environment("mcp"))
	ask := func(tool string, pairs ...any) result {
		t.Helper()
		args := arg(pairs...)
		line := c.request("tools/call", map[string]any{"name": tool, "arguments": args})
		room.told.Write(line)
		var m struct {
			Result struct {
				IsError           bool
				StructuredContent json.RawMessage
				Content           []struct{ Text string }
			}
		}
		if err := json.Unmarshal(line, &m); err != nil || len(m.Result.Content) == 0 {
			t.Fatalf("%s: %s", tool, line)
		}
		return result{Text: m.Result.Content[0].Text, Structured: m.Result.StructuredContent, IsError: m.Result.IsError}
	}
	do := func(tool string, pairs ...any) result {
		t.Helper()
		r := ask(tool, pairs...)
		if r.IsError {
			t.Errorf("%s %v: %s", tool, pairs, r.Text)
		}
		return r
	}
	do("browser_logs", "action", "capture")
	do("browser_trace", "action", "start", "wire", true, "name", "canaries")
	do("browser_mock", "action", "auth", "pattern", "**/basic", "username", "user", "password", canary+"mock")
	do("browser_mock", "action", "continue", "pattern", "**/target*", "headers", map[string]any{"Authorization": "Bearer " + canary + "mock", "X-Api-Key": canary + "mock"})
	do("browser_page", "action", "emulate", "set", []string{"header=X-Functions-Key: " + canary + "emulated"})
	do("browser_navigate", "url", base+"/?basic")
	for selector, value := range canaryTyped {
		if selector == "#otp" { // key by key
			do("browser_click", "selector", selector)
			do("browser_type", "text", value)
			continue
		}
		do("browser_fill", "selector", selector, "value", value)
	}
	do("browser_batch", "steps", []map[string]any{
		{"tool": "browser_fill", "arguments": arg("selector", "#name", "value", canaryGiven, "secret", true)},
		{"tool": "browser_hover", "arguments": arg("selector", "#go")},
	})
	do("browser_snapshot")
	ask("browser_click", "selector", "#loud")
	do("browser_dialog", "action", "accept")
	do("browser_click", "selector", "#go")
	do("browser_wait", "kind", "text", "target", "Sent", "timeout_ms", 20000)
	do("browser_snapshot")
	do("browser_screenshot", "full_page", true, "refs", true)
	for _, id := range []string{"pw", "token", "otp", "card", "csrf"} {
		do("browser_read", "selector", "#"+id, "field", "value")
		do("browser_locators", "selector", "#"+id)
		ask("browser_expect", "what", "value", "selector", "#"+id, "expected", "other", "timeout_ms", 100)
	}
	do("browser_read", "selector", "role=status")
	do("browser_locators", "selector", "role=status")
	do("browser_locators", "selector", "role=img")
	do("browser_find", "selector", "role=status")
	do("browser_advanced_eval", "js", "document.body.innerHTML + JSON.stringify([document.title, location.href, document.getElementById('pw').value])")
	ask("browser_advanced_eval", "js", "throw new Error(document.getElementById('token').value)")
	ask("browser_expect", "what", "text", "selector", "role=status", "expected", "other", "timeout_ms", 100)
	ask("browser_expect", "what", "text", "selector", "role=status", "expected", canaryTyped["#pw"], "timeout_ms", 100)
	ask("browser_expect", "what", "title", "expected", "other", "timeout_ms", 100)
	ask("browser_expect", "what", "url", "expected", "other", "timeout_ms", 100)
	ask("browser_find", "selector", "text="+canaryTyped["#token"])
	ask("browser_click", "selector", "role=button[name="+`"`+canaryGiven+`"]`)
	ask("browser_wait", "kind", "text", "target", canaryGiven, "timeout_ms", 100)
	do("browser_a11y")
	do("browser_page", "action", "list")
	do("browser_status")
	do("browser_mock")
	do("browser_click", "selector", "#save")
	do("browser_page", "action", "pdf")
	if logged := do("browser_logs", "limit", 200).Text; strings.Count(logged, "plain •••") < 4 || strings.Count(logged, "it is •••") < 4 {
		t.Errorf("the page's words are not in the log:\n%s", logged)
	}
	canaryRequests(t, do)
	do("browser_state", "action", "save", "name", "canaries")
	do("browser_state", "action", "load", "name", "canaries")
	do("browser_state")
	stopped := traced(t, do("browser_trace", "action", "stop", "zip", true))
	if stopped.Result.Console < 8 || stopped.Result.Network < 12 {
		t.Errorf("%d messages and %d requests are in the trace", stopped.Result.Console, stopped.Result.Network)
	}
	c.close()
	room.told.WriteString(c.stderr.String())
	html := filepath.Join(room.dir, "artifacts", "trace.html")
	show := (&shell{t: t, dir: room.dir, env: append(os.Environ(), room.environment("show")...)}).command("trace", "show", stopped.Result.Path, "--html", html)
	out, err := show.CombinedOutput()
	if room.told.Write(out); err != nil {
		t.Errorf("trace show: %v %s", err, out)
	}
}

// canaryRequests asks for every request in detail, and for the archive.
func canaryRequests(t *testing.T, do func(tool string, pairs ...any) result) {
	t.Helper()
	list := do("browser_logs", "action", "requests", "limit", 100)
	var rows struct {
		Result struct {
			Requests []struct {
				Request int
				Method  string
			}
		}
	}
	if err := json.Unmarshal(list.Structured, &rows); err != nil || len(rows.Result.Requests) < 12 {
		t.Fatalf("%v: %s", err, list.Text)
	}
	posted := 0
	for _, row := range rows.Result.Requests {
		do("browser_logs", "action", "requests", "request", row.Request)
		if row.Method == "POST" {
			posted++
			if text := do("browser_logs", "action", "requests", "request", row.Request, "bodies", true).Text; !strings.Contains(text, "did not give away is kept") {
				t.Errorf("it does not say what is kept: %s", text)
			}
		}
	}
	if posted < 7 {
		t.Errorf("%d requests were posted", posted)
	}
	do("browser_logs", "action", "har", "bodies", true)
}

// canariesByCommands is the same by the command line and its daemon, in short.
func canariesByCommands(t *testing.T, s setup, room *canaryRoom, base string) {
	sh := newShell(t, s)
	runtime, err := os.MkdirTemp("", "duet-rt-") // short: a socket's path is bounded
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(runtime) })
	sh.env = append(append(sh.env, room.environment("cli")...), "DUET_RUNTIME_DIR="+runtime)
	run := func(want int, stdin string, args ...string) {
		t.Helper()
		cmd := sh.command(append(args, s.args...)...)
		cmd.Stdin = strings.NewReader(stdin)
		out, err := cmd.CombinedOutput()
		room.told.Write(out)
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != want {
			t.Errorf("duet %v: %v, want status %d\n%s", args, err, want, out)
		}
	}
	run(0, "", "navigate", base+"/")
	run(0, "", "trace", "start", "cli", "--wire")
	run(0, canaryTyped["#pw"]+"\n", "fill", "#pw", "-", "--json")
	run(0, "", "click", "#name")
	run(0, "", "type", "--value-env", "DUET_TEST_SECRET", "--observe", "page")
	run(0, "", "click", "#go")
	run(0, "", "wait", "Sent", "--kind", "text", "--timeout-ms", "20000")
	run(0, "", "snapshot", "--json")
	run(0, "", "requests", "--json")
	run(0, "", "request", "2", "--bodies")
	run(0, "", "har", "--bodies")
	run(0, "", "logs", "--limit", "200")
	run(1, "", "expect", "text", "role=status", "other", "--timeout-ms", "100")
	run(1, canaryGiven, "fill", "#nothing", "-")
	run(0, "", "state", "save", "cli")
	run(0, "", "trace", "stop", "--zip")
	run(0, "", "artifacts", "list")
	run(0, "", "quit")
	run(0, "", "daemon", "stop")
	err = filepath.WalkDir(runtime, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			text, _ := os.ReadFile(path)
			room.told.Write(text)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// search looks for the canaries in everything that was told and written.
func (r *canaryRoom) search(t *testing.T) {
	t.Helper()
	saved := 0
	r.look(t, "what was told", r.told.String())
	err := filepath.WalkDir(r.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		name := strings.TrimPrefix(path, r.dir)
		r.look(t, "the name of a file", name)
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text := string(data)
		switch {
		case strings.HasPrefix(name, "/data/"):
			saved++
			for _, kept := range []string{"cookie", "set-cookie", "stored"} {
				if !strings.Contains(text, canary+kept) {
					t.Errorf("%s lost %s", name, kept)
				}
			}
			if info, _ := e.Info(); info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v", name, info.Mode())
			}
			return nil
		case strings.HasSuffix(name, ".zip"):
			r.unpack(t, path)
		case strings.HasSuffix(name, "-body.json") && !strings.Contains(text, kept):
			t.Errorf("%s lost what its name did not give away: %s", name, text)
		}
		r.look(t, name, text)
		return nil
	})
	if err != nil || saved != 2 {
		t.Errorf("%d states are saved: %v", saved, err)
	}
}

func (r *canaryRoom) unpack(t *testing.T, path string) {
	t.Helper()
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, f := range z.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		r.look(t, filepath.Base(path)+"/"+f.Name, f.Name+"\n"+string(data))
	}
}

// look fails where a canary stands in a text: as it is, which holds for what
// addresses, JSON and markup make of it too, or in base64, wherever it begins.
func (r *canaryRoom) look(t *testing.T, name, text string) {
	t.Helper()
	low := strings.ToLower(text)
	forms := []string{canary, strings.TrimSuffix(canary, "-") + "%2d", "canarypa55", "canaryt0k"}
	for before := range 3 {
		e := base64.StdEncoding.EncodeToString(append(make([]byte, before), canary...))
		forms = append(forms, e[(before*8+5)/6:(before+len(canary))*8/6])
	}
	shown := 0
	for i, form := range forms {
		in := text
		if i < 4 {
			in = low
		}
		for at := 0; shown < 5; shown++ {
			n := strings.Index(in[at:], form)
			if n < 0 {
				break
			}
			at += n
			t.Errorf("%s holds %s: …%s", name, form, text[max(0, at-160):min(len(text), at+80)])
			at += len(form)
		}
	}
}
