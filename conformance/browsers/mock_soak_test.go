//go:build linux

package browsers

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
)

var soak = flag.Int("soak", 0, "calls of the soak test with mocks; 0 leaves it out")

// soakPage asks for data by four requests that mocks take, or not.
const soakPage = `<!doctype html><title>Soak</title><h1>Soak</h1>
<button id=one>One</button> <button id=two>Two</button> <input id=name aria-label=Name> <p id=said role=status>-</p>
<script>
let n = 0
const get = u => fetch(u + '?' + n).then(r => r.text(), () => 'failed')
const load = async name => { n++; said.textContent = name + n + ' ' + (await Promise.all(['/api/mocked', '/api/blocked', '/api/real', '/api/slow'].map(get))).join(' ') }
one.onclick = () => load('one')
two.onclick = () => load('two')
</script><img src=/api/pixel>`

// With mocks a session lives through many mixed calls, or its driver's end is noticed
// within five seconds, as BROWSER_LOST, and the next call works.
func TestSoakWithMocks(t *testing.T) {
	if *soak == 0 {
		t.Skip("runs with -soak=500 alone: just soak-mocks")
	}
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/api/") {
			fmt.Fprint(w, "real")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, soakPage)
	}))
	defer site.Close()
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		mocks := []map[string]any{
			{"action": "reply", "pattern": "**/api/mocked?*", "body": "mocked"},
			{"action": "block", "pattern": "**/api/blocked?*"},
			{"action": "continue", "pattern": "**/api/slow?*", "delay_ms": 10},
			{"action": "reply", "pattern": "**/api/pixel", "status": 204},
		}
		setUp := func() {
			for _, m := range mocks {
				c.ok("browser_mock", m)
			}
		}
		setUp()
		c.ok("browser_navigate", map[string]any{"url": site.URL})
		var took []time.Duration
		lost := 0
		began := time.Now()
		for i := range *soak {
			tool, args := soakCall(i, site.URL)
			start := time.Now()
			r := c.call(tool, args)
			each := time.Since(start)
			took = append(took, each)
			switch {
			case r.code() == "BROWSER_LOST":
				lost++
				t.Logf("call %d (%s %v): the driver's end was noticed after %v: %s", i, tool, args, each, r.Text)
				if each > 5*time.Second {
					t.Errorf("that is more than 5 s")
				}
				c.ok("browser_navigate", map[string]any{"url": site.URL})
				setUp()
			case r.IsError || r.Error != nil:
				t.Errorf("call %d (%s %v), after %v: %s %v", i, tool, args, each, r.Text, r.Error)
			case tool == "browser_expect" && !strings.Contains(r.Text, "mocked failed real real"):
				t.Errorf("call %d: %s", i, r.Text)
			}
		}
		slices.Sort(took)
		t.Logf("%s: %d calls in %v, median %v, slowest %v, browsers lost %d\n%s", s.name, *soak, time.Since(began).Round(time.Millisecond),
			took[len(took)/2], took[len(took)-1], lost, c.ok("browser_mock", map[string]any{"action": "list"}))
	})
}

// soakCall is the i-th call of the mixture.
func soakCall(i int, url string) (string, map[string]any) {
	switch i % 10 {
	case 0:
		return "browser_navigate", map[string]any{"url": fmt.Sprintf("%s/?%d", url, i)}
	case 1, 4:
		return "browser_click", map[string]any{"selector": "#one"}
	case 2, 5:
		return "browser_expect", map[string]any{"what": "text", "selector": "#said", "contains": "mocked failed real real"}
	case 3:
		return "browser_fill", map[string]any{"selector": "#name", "value": fmt.Sprint("name ", i)}
	case 6:
		return "browser_click", map[string]any{"selector": "#two"}
	case 7:
		return "browser_snapshot", map[string]any{}
	case 8:
		return "browser_navigate", map[string]any{"action": "reload"}
	}
	if i%50 == 9 { // the intercept goes and comes
		return "browser_batch", map[string]any{"steps": []any{
			map[string]any{"tool": "browser_mock", "arguments": map[string]any{"action": "clear"}},
			map[string]any{"tool": "browser_mock", "arguments": map[string]any{"action": "reply", "pattern": "**/api/mocked?*", "body": "mocked"}},
			map[string]any{"tool": "browser_mock", "arguments": map[string]any{"action": "block", "pattern": "**/api/blocked?*"}},
			map[string]any{"tool": "browser_mock", "arguments": map[string]any{"action": "continue", "pattern": "**/api/slow?*", "delay_ms": 10}},
		}}
	}
	return "browser_screenshot", map[string]any{}
}
