package browsers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// What a frame that never answers shows is not known: nothing is said to be absent, or
// counted, without saying so.
func TestASilentFrameIsNoProof(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/f" {
			fmt.Fprint(w, `<p>Loading orders</p><button>Pay</button><script>setTimeout(()=>{for(;;);},300)</script>`)
			return
		}
		fmt.Fprintf(w, `<!doctype html><title>t</title><button>b</button><script>setTimeout(()=>{const f=document.createElement('iframe');f.src=%q;document.body.append(f)},100)</script>`,
			"http://localhost:"+r.Host[strings.LastIndexByte(r.Host, ':')+1:]+"/f")
	}))
	t.Cleanup(site.Close)
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": site.URL})
		c.ok("browser_wait", map[string]any{"target": "iframe", "state": "attached"})
		c.call("browser_wait", map[string]any{"target": "#never", "timeout_ms": 1000})
		const told = "does not answer (http://localhost:"
		for tool, args := range map[string]map[string]any{
			"browser_exists": {"selector": "text=Loading orders"}, "browser_find": {"selector": "role=button", "all": true}, "browser_read": {"selector": "role=button[name=Pay]", "field": "exists"},
		} {
			if text := c.ok(tool, args); !strings.Contains(text, told) {
				t.Errorf("%s: %s", tool, text)
			}
		}
		for _, args := range []map[string]any{{"what": "count", "selector": "role=button[name=Pay]", "expected": "0"}, {"what": "count", "selector": "role=button", "expected": "1"}, {"what": "hidden", "selector": "role=button[name=Pay]"}} {
			args["timeout_ms"] = 1500
			if r := c.call("browser_expect", args); r.code() != "EXPECT_MISMATCH" || !strings.Contains(r.Text, told) {
				t.Errorf("%v: %s", args, r.Text)
			}
		}
		for _, args := range []map[string]any{{"target": "Loading orders", "kind": "gone"}, {"target": "role=button[name=Pay]", "state": "detached"}, {"target": "role=button[name=Pay]", "state": "hidden"}} {
			args["timeout_ms"] = 1500
			if r := c.call("browser_wait", args); r.code() != "TIMEOUT" || !strings.Contains(r.Text, told) {
				t.Errorf("%v: %s", args, r.Text)
			}
		}
		c.ok("browser_expect", map[string]any{"what": "visible", "selector": "role=button[name=b]"})
	})
}
