//go:build linux

package browsers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const statesPage = `<!doctype html><html lang="en"><title>States</title>
<form id="f" onsubmit="event.preventDefault()"><label>Mail <input id="mail" type="email" required></label><button>Send</button></form>
<label><input id="yes" type="checkbox" checked> Yes</label>
<label><input id="no" type="checkbox"> No</label>
<label><input id="half" type="checkbox"> Half</label>
<div id="custom" role="checkbox" aria-checked="mixed" tabindex="0">Custom</div>
<button id="plain">Plain</button>
<button id="start" onclick="begin()">Start</button><output id="out">0</output>
<script>
half.indeterminate = true
let n = 0
const begin = () => { out.textContent = ++n; fetch('/again?' + n).finally(() => setTimeout(begin, 20)) }
</script></html>`

func statesSite(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if r.URL.Path == "/" {
			fmt.Fprint(w, statesPage)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/"
}

// What is checked is expected by its three values; what is none of them, or of what
// cannot be checked, is refused.
func TestExpectChecked(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": statesSite(t)})
		is := map[string]string{"#yes": "true", "#no": "false", "#half": "mixed", "#custom": "mixed"}
		for selector, value := range is {
			for _, expected := range []string{"true", "false", "mixed"} {
				args := map[string]any{"what": "checked", "selector": selector, "expected": expected, "timeout_ms": 0}
				if expected == value {
					says(t, c, "browser_expect", args)
				} else {
					refused(t, c, "EXPECT_MISMATCH", "browser_expect", args, value)
				}
			}
		}
		refused(t, c, "INVALID_ARGUMENT", "browser_expect", map[string]any{"what": "checked", "selector": "#yes", "expected": "maybe"}, "true, false or mixed")
		refused(t, c, "STATE_INVALID", "browser_expect", map[string]any{"what": "checked", "selector": "#plain", "timeout_ms": 0}, "checked")
	})
}

// A field that the browser's own validation stopped a submission for is marked as
// invalid, and no longer once it is put right.
func TestAFieldThatStoppedASubmissionIsInvalid(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": statesSite(t)})
		field := func(text string) string {
			for line := range strings.Lines(text) {
				if strings.Contains(line, `textbox "Mail"`) {
					return line
				}
			}
			return ""
		}
		if line := field(c.ok("browser_snapshot", nil)); line == "" || strings.Contains(line, "invalid") {
			t.Errorf("before anything was sent: %q", line)
		}
		if line := field(c.ok("browser_click", map[string]any{"selector": "role=button[name=Send]"})); !strings.Contains(line, "invalid") {
			t.Errorf("after the submission was stopped: %q", line)
		}
		c.ok("browser_fill", map[string]any{"selector": "#mail", "value": "ada@example.com"})
		if line := field(c.ok("browser_snapshot", nil)); line == "" || strings.Contains(line, "invalid") {
			t.Errorf("after it was put right: %q", line)
		}
	})
}

// A page that goes on changing and asking for data is followed for a bounded time:
// the action succeeds, and says what it saw.
func TestAPageThatIsNeverDoneIsFollowedForATime(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": statesSite(t)})
		c.ok("browser_snapshot", nil)
		began := time.Now()
		text := c.ok("browser_click", map[string]any{"selector": "#start", "timeout_ms": 30000})
		if took := time.Since(began); took > 8*time.Second {
			t.Errorf("it was followed for %v", took)
		}
		if !strings.Contains(text, `~ `) || !strings.Contains(text, "status") {
			t.Errorf("the change is not told:\n%s", text)
		}
	})
}
