//go:build linux

package browsers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// batchPage has seven fields; the fourth does what the address asks for. It notes in
// which order texts arrived.
const batchPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Batch</title><form id="f"></form><p id="out" role="status"></p><script>
const order = []
f.innerHTML = [1, 2, 3, 4, 5, 6, 7].map(i => '<p><label>Field ' + i + ' <input id="f' + i + '"></label></p>').join('')
f.addEventListener('input', e => { order.push(e.target.id) })
const four = document.getElementById('f4')
const ways = {
  plain() {},
  dialog() { four.oninput = () => alert('Four') },
  later() { four.oninput = () => setTimeout(() => alert('Four'), 0) },
  upper() { four.oninput = () => { four.value = four.value + '!!' } },
  readonly() { four.readOnly = true },
  gone() { f3.oninput = () => four.closest('p').remove() },
  redrawn() { f3.oninput = () => { four.closest('p').innerHTML = '<label>Field 4 <input id="f4"></label>' } },
  slow() { four.oninput = () => { const end = Date.now() + 150; while (Date.now() < end); } },
  leaves() { four.oninput = () => { location.href = '/left' } },
  focuses() { f4.oninput = () => f1.focus() },
}
ways[location.search.slice(1)]()
</script></html>`

// The fields of a batch are filled in their order, each once, and none after one that
// failed: however quickly they follow each other.
func TestABatchFillsInOrderAndStops(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/left" {
			fmt.Fprint(w, `<!doctype html><title>Left</title>left`)
			return
		}
		fmt.Fprint(w, batchPage)
	}))
	t.Cleanup(server.Close)
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		run := func(way string, more map[string]any) (result, func() string) {
			t.Helper()
			text := c.ok("browser_navigate", map[string]any{"url": server.URL + "/?" + way})
			var steps []any
			for i := 1; i <= 7; i++ {
				ref := c.ref(text, fmt.Sprintf(`textbox "Field %d"`, i))
				steps = append(steps, map[string]any{"tool": "browser_fill", "arguments": map[string]any{"selector": ref, "value": fmt.Sprint("text ", i), "timeout_ms": 1000}})
			}
			args := map[string]any{"steps": steps}
			for k, v := range more {
				args[k] = v
			}
			r := c.call("browser_batch", args)
			return r, func() string {
				t.Helper()
				got := c.ok("browser_advanced_eval", map[string]any{"js": "order.join(' ') + ' ' + [...document.querySelectorAll('input')].map(e => e.value).join(',')"})
				_, got, _ = strings.Cut(got, `"value":"`)
				got, _, _ = strings.Cut(got, `"`)
				return got
			}
		}
		const all = "f1 f2 f3 f4 f5 f6 f7 text 1,text 2,text 3,text 4,text 5,text 6,text 7"
		for _, way := range []string{"plain", "slow", "focuses"} {
			r, state := run(way, nil)
			if r.IsError || state() != all {
				t.Errorf("%s: %s\n%.600s", way, state(), r.Text)
			}
		}
		// A field that the third redraws or takes away is not the one that was meant.
		for _, way := range []string{"gone", "redrawn"} {
			r, state := run(way, nil)
			if got := state(); !strings.Contains(r.Text, "3 FAILED") || !strings.Contains(r.Text, "STALE_REF") || !strings.Contains(r.Text, "skipped: 3") || !strings.HasPrefix(got, "f1 f2 f3 text") {
				t.Errorf("%s: %s\n%.600s", way, got, r.Text)
			}
		}
		r, state := run("upper", nil)
		if got := state(); !strings.Contains(r.Text, "3 FAILED") || !strings.Contains(r.Text, "EXPECT_MISMATCH") || !strings.Contains(r.Text, "skipped: 3") || got != "f1 f2 f3 f4 text 1,text 2,text 3,text 4!!,,," {
			t.Errorf("upper: %s\n%.600s", got, r.Text)
		}
		r, state = run("readonly", map[string]any{"continue_on_error": true})
		if got := state(); !strings.Contains(r.Text, "3 FAILED") || !strings.Contains(r.Text, "NOT_EDITABLE") || got != "f1 f2 f3 f5 f6 f7 text 1,text 2,text 3,,text 5,text 6,text 7" {
			t.Errorf("readonly: %s\n%.600s", got, r.Text)
		}
		for _, way := range []string{"dialog", "later"} {
			r, state = run(way, nil)
			if failed := strings.Count(r.Text, "FAILED"); failed != 1 || !strings.Contains(r.Text, "2 ok") || !strings.Contains(r.Text, "Four") {
				t.Errorf("%s: %.800s", way, r.Text)
			}
			c.ok("browser_dialog", map[string]any{"action": "accept"})
			if got := state(); got != "f1 f2 f3 f4 text 1,text 2,text 3,text 4,,," && way == "dialog" || strings.Contains(got, "text 6") {
				t.Errorf("%s: after the dialog: %s", way, got)
			}
		}
		// What is filled in before the page has gone is filled in; nothing is in the next one.
		// That the page goes is told: by a step that failed, by the page it ended on or by the one still loading.
		r, _ = run("leaves", nil)
		if !strings.Contains(r.Text, "3 ok") || !strings.Contains(r.Text, "FAILED") && !strings.Contains(r.Text, "/left  epoch") && !strings.Contains(r.Text, "still loading: "+server.URL+"/left") {
			t.Errorf("leaves: %.800s", r.Text)
		}
	})
}
