package browsers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// A page with a frame that comes back by the history can be read and used.
func TestForwardToAPageWithAFrame(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			switch r.URL.Path {
			case "/frame":
				fmt.Fprint(w, `<!doctype html><button onclick="this.textContent = 'Paid'">Pay</button>`)
			case "/b":
				fmt.Fprint(w, `<!doctype html><title>B</title><h1>B</h1><iframe src="/frame" title="Payment"></iframe>`)
			default:
				fmt.Fprint(w, `<!doctype html><title>A</title><h1>A</h1>`)
			}
		}))
		defer server.Close()
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": server.URL})
		c.ok("browser_navigate", map[string]any{"url": server.URL + "/b"})
		for range 2 {
			c.ok("browser_navigate", map[string]any{"action": "back"})
			if text := c.ok("browser_navigate", map[string]any{"action": "forward"}); !strings.Contains(text, `heading "B"`) {
				t.Errorf("forward:\n%s", text)
			}
		}
		c.ok("browser_wait", map[string]any{"target": "role=button[name=Pay]"})
		c.ok("browser_click", map[string]any{"selector": "role=button[name=Pay]"})
		if text := c.ok("browser_snapshot", nil); !strings.Contains(text, `button "Paid"`) {
			t.Errorf("the frame:\n%s", text)
		}
	})
}
