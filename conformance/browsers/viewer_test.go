//go:build linux

package browsers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	json "github.com/goccy/go-json"
)

const exampleTrace = "../../internal/trace/testdata/example"

// viewer makes the page of a trace, where a browser of another user can read it too.
func viewer(t *testing.T, trace string) (dir, address string) {
	t.Helper()
	dir, err := os.MkdirTemp("", "duet-viewer-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	page := filepath.Join(dir, "trace.html")
	if out, err := exec.Command(duet, "trace", "show", trace, "--html", page).CombinedOutput(); err != nil {
		t.Fatalf("trace show: %v\n%s", err, out)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(page, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, (&url.URL{Scheme: "file", Path: page}).String()
}

// watcher is a server that nobody should ask for anything.
func watcher(t *testing.T) (string, *atomic.Int32) {
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(server.Close)
	return server.URL, &asked
}

// value is what a script answers.
func (c *client) value(js string) any {
	c.t.Helper()
	r := c.call("browser_advanced_eval", map[string]any{"js": js, "timeout_ms": 60000})
	var s struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
	}
	if err := json.Unmarshal(r.Structured, &s); err != nil || r.IsError {
		c.t.Fatalf("%s: %s", js, r.Text)
	}
	return s.Result.Value
}

// The viewer opens from a file, asks for nothing, and keys move through it.
func TestTraceViewer(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		dir, address := viewer(t, exampleTrace)
		c := serve(t, s, "--allow-file", dir)
		c.ok("browser_navigate", map[string]any{"url": address})
		c.ok("browser_wait", map[string]any{"target": "role=listbox[name=\"Actions\"]"})
		selected := func() string { return c.ok("browser_read", map[string]any{"selector": "#title"}) }
		if got := selected(); !strings.Contains(got, "click e3") {
			t.Errorf("the first failure is not what is shown at first: %s", got)
		}
		for _, step := range []struct{ key, want string }{
			{"k", "click e3"}, {"k", "fill e2"}, {"ArrowDown", "click e3"}, {"Home", "open http"}, {"End", "expect text e4"}, {"p", "click e3"},
		} {
			c.ok("browser_press", map[string]any{"key": step.key})
			if got := selected(); !strings.Contains(got, step.want) {
				t.Errorf("after %s the action is %s, want %s", step.key, got, step.want)
			}
			if at := c.value(`document.activeElement.getAttribute('aria-selected') + ' ' + document.querySelectorAll('[role=option][tabindex="0"]').length`); at != "true 1" {
				t.Errorf("after %s the focus is not the chosen row, which alone Tab reaches: %v", step.key, at)
			}
		}
		for _, pane := range []struct {
			keys []string
			want []string
		}{
			{[]string{"1"}, []string{"e4", "1 thing in the basket"}},
			{[]string{"2"}, []string{"browser_click", `"selector": "e3"`}},
			{[]string{"5"}, []string{"STALE_REF", "BROWSER_LOST", "TypeError: total is undefined", "request answered 404", "phase precondition", "hint: choose from a fresh map"}},
			{[]string{"6"}, []string{"Nothing went over the wire"}},
			{[]string{"k", "3"}, []string{"TypeError: total is undefined", "shop.js:40"}},
			{[]string{"Home", "3"}, []string{"shop is ready"}},
			{[]string{"4"}, []string{"404", "missing.png", "GET http://127.0.0.1:8900/shop?page=2"}},
		} {
			for _, key := range pane.keys {
				c.ok("browser_press", map[string]any{"key": key})
			}
			text := fmt.Sprint(c.value(`document.querySelector('[role=tabpanel]:not([hidden])').innerText`))
			for _, want := range pane.want {
				if !strings.Contains(text, want) {
					t.Errorf("after %v the pane lacks %q:\n%s", pane.keys, want, text)
				}
			}
		}
		fault := fmt.Sprint(c.value(`document.querySelector('#row-4').click(), document.querySelector('#fault').innerText`))
		for _, want := range []string{"STALE_REF", "precondition", "none", "choose from a fresh map", "detached"} {
			if !strings.Contains(fault, want) {
				t.Errorf("the failure lacks %q:\n%s", want, fault)
			}
		}
		if got := c.value(`document.querySelector('#row-0').click(), document.querySelector('#shot img').decode().then(() => document.querySelector('#shot img').naturalWidth)`); got != 320.0 {
			t.Errorf("the picture is %v wide, want 320", got)
		}
		if got := c.value(`performance.getEntriesByType('resource').filter((e) => !e.name.startsWith('blob:') && !e.name.startsWith('data:')).map((e) => e.name).join()`); got != "" {
			t.Errorf("the page asked for %v", got)
		}
		if logs := c.ok("browser_logs", nil); strings.Contains(logs, "console:") || strings.Contains(logs, "exception") {
			t.Errorf("the page logged:\n%s", logs)
		}
	})
}

// Nothing in the viewer stands in the way of anybody, in either theme, by axe's rules
// of WCAG AA and its best practices.
func TestTraceViewerAccessible(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		if s.name == "firefox-alone" {
			t.Skip("the same browser as with geckodriver")
		}
		dir, address := viewer(t, exampleTrace)
		c := serve(t, s, "--allow-file", dir)
		c.ok("browser_navigate", map[string]any{"url": address})
		c.ok("browser_wait", map[string]any{"target": "role=listbox[name=\"Actions\"]"})
		for _, theme := range []string{"light", "dark"} {
			c.ok("browser_press", map[string]any{"key": "t"})
			c.ok("browser_wait", map[string]any{"target": "text=Theme: " + theme})
			for pane := 1; pane <= 6; pane++ {
				c.ok("browser_press", map[string]any{"key": fmt.Sprint(pane)})
				r := c.call("browser_a11y", map[string]any{"check": true, "disable_rules": "wcag2aaa"})
				if r.IsError || !strings.Contains(r.Text, "violations: 0") {
					t.Errorf("%s, pane %d: %s", theme, pane, r.Text)
				}
			}
			c.ok("browser_press", map[string]any{"key": "?"})
			if r := c.call("browser_a11y", map[string]any{"check": true, "disable_rules": "wcag2aaa"}); !strings.Contains(r.Text, "violations: 0") {
				t.Errorf("%s, the shortcuts: %s", theme, r.Text)
			}
			c.ok("browser_press", map[string]any{"key": "Escape"})
		}
	})
}

// Text of a hostile page stays text in the viewer, in every pane of it, and nobody
// is asked for anything.
func TestTraceViewerHostile(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		base, asked := watcher(t)
		evil := `</script><script>document.title='owned';fetch('` + base + `')</script><img src="` + base + `/x.png" onerror="document.title='owned'"><style>@import '` + base + `'</style>\u202e`
		text, err := os.ReadFile(filepath.Join(exampleTrace, "trace.ndjson"))
		if err != nil {
			t.Fatal(err)
		}
		quoted, err := json.MarshalWithOption(evil, json.DisableHTMLEscape())
		if err != nil {
			t.Fatal(err)
		}
		inside := strings.Trim(string(quoted), `"`)
		hostile := string(text)
		for _, word := range []string{"checkout", "shop is ready", "TypeError: total is undefined", "choose from a fresh map", "STALE_REF", "http://127.0.0.1:8900/missing.png", "the browser ended: killed", "Voucher", "thing in the basket", "the log lets go"} {
			if !strings.Contains(hostile, word) {
				t.Fatalf("the example has no %q", word)
			}
			hostile = strings.ReplaceAll(hostile, word, inside)
		}
		trace := t.TempDir()
		if err := os.WriteFile(filepath.Join(trace, "trace.ndjson"), []byte(hostile), 0o600); err != nil {
			t.Fatal(err)
		}
		dir, address := viewer(t, trace)
		c := serve(t, s, "--allow-file", dir)
		c.ok("browser_navigate", map[string]any{"url": address})
		c.ok("browser_wait", map[string]any{"target": "role=listbox[name=\"Actions\"]"})
		shown := 0.0
		for i := range 6 {
			for _, pane := range []string{"map", "call", "console", "network", "errors"} {
				n := c.value(fmt.Sprintf(`(() => {
					document.querySelector('#row-%d').click()
					document.querySelector('#tab-%s').click()
					for (const b of document.querySelectorAll('[role=tabpanel]:not([hidden]) .choice button')) if (b.textContent.startsWith('All')) { b.click(); break }
					return document.body.innerText.split("document.title='owned'").length - 1
				})()`, i, pane))
				shown += n.(float64)
			}
		}
		if shown < 30 {
			t.Errorf("the hostile text is shown %v times: it should be seen as text", shown)
		}
		if title := fmt.Sprint(c.value(`document.title`)); title == "owned" {
			t.Error("a script of the trace ran")
		}
		if n := c.value(`[...document.images].filter((i) => !i.src.startsWith('blob:')).length + document.querySelectorAll('style').length`); n != 1.0 {
			t.Errorf("markup of the trace became elements: %v", n)
		}
		if n := asked.Load(); n > 0 {
			t.Errorf("the page asked a server %d times", n)
		}
		// Where a script did get in, the page's own policy would stop it.
		if got := c.value(`fetch(` + "`" + base + "`" + `).then(() => 'allowed', () => 'refused')`); got != "refused" || asked.Load() > 0 {
			t.Errorf("a request from the page is %v", got)
		}
		if got := c.value(`(() => { try { document.body.innerHTML = '<b>x</b>'; return 'allowed' } catch { return 'refused' } })()`); got != "refused" {
			t.Logf("this browser does not know trusted types: markup from text is %v", got)
		}
	})
}

// Thousands of actions stay quick to go through.
func TestTraceViewerLong(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		if s.name == "firefox-alone" {
			t.Skip("the same browser as with geckodriver")
		}
		var b strings.Builder
		b.WriteString(`{"kind":"start","t":0,"version":1,"name":"long","began":"2026-05-04T10:00:00.000000Z","policy":{"screenshots":false,"wire":false,"bytes":1}}` + "\n")
		const actions = 5000
		for i := range actions {
			fmt.Fprintf(&b, `{"kind":"call","t":%d,"call":%d,"tool":"browser_click","verb":"click","acts":true,"target":"e%d","args":{"selector":"e%d"},"tab":1}`+"\n", i*100, i+1, i, i)
			for k := range 4 {
				fmt.Fprintf(&b, `{"kind":"console","t":%d,"seq":%d,"type":"console","level":"info","text":"message %d of %d"}`+"\n", i*100+10+k, i*4+k+1, k, i)
			}
			fmt.Fprintf(&b, `{"kind":"done","t":%d,"call":%d,"ok":true,"ms":60,"result":{"ok":true},"observation":"page: Long — http://a.test/  epoch %d\n%serrors: 0 (logCursor %d)"}`+"\n",
				i*100+60, i+1, i, strings.Repeat(`e1: button \"A button of the page\"\n`, 60), i)
		}
		trace := t.TempDir()
		if err := os.WriteFile(filepath.Join(trace, "trace.ndjson"), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		dir, address := viewer(t, trace)
		c := serve(t, s, "--allow-file", dir)
		c.ok("browser_navigate", map[string]any{"url": address, "timeout_ms": 30000})
		c.ok("browser_wait", map[string]any{"target": "#row-0", "timeout_ms": 30000})
		took := c.value(`(async () => {
			const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
			document.querySelector('#rows [tabindex="0"]').focus()
			const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
			const start = performance.now()
			for (let i = 0; i < 30; i++) {
				press('j')
				await frame()
			}
			const each = (performance.now() - start) / 30
			const built = document.querySelectorAll('.row').length
			if (built > 1000) return built + ' rows are laid out'
			const box = document.querySelector('#rows')
			if (Math.abs(box.scrollHeight - 5000 * 52) > 2) return 'the list is ' + box.scrollHeight + ' high'
			return each
		})()`)
		ms, ok := took.(float64)
		if !ok || ms > 150 {
			t.Errorf("a step among %d actions takes %v ms", actions, took)
		}
		t.Logf("a step among %d actions: %.1f ms", actions, ms)
		c.ok("browser_press", map[string]any{"key": "3"})
		c.ok("browser_click", map[string]any{"selector": fmt.Sprintf("text=All (%d)", actions*4)})
		if n := c.value(`document.querySelectorAll('.log li').length`); n.(float64) > 1000 {
			t.Errorf("%v messages are laid out at once", n)
		}
		if got := c.value(`document.querySelector('#rows [tabindex="0"]').focus(), document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true, cancelable: true })), document.activeElement.id`); got != "row-4999" {
			t.Errorf("End went to %v", got)
		}
	})
}
