package browsers

import (
	"strings"
	"testing"
	"time"
)

// A last tab whose page hangs is closed, and one empty tab is left; what is not found
// while a frame hangs is told with that frame; a page that changes its address without
// end is opened.
func TestPagesThatHangOrNeverRest(t *testing.T) {
	server := pagesAt(t, map[string]string{
		"/":      `<!doctype html><html lang="en"><title>Plain</title><p>Plain</p></html>`,
		"/hangs": `<!doctype html><html lang="en"><title>Hangs</title><button onclick="setTimeout(() => { for (;;); }, 50)">Hang</button></html>`,
		"/holds": `<!doctype html><html lang="en"><title>Holds</title><p>Holds</p><script>const f = document.createElement('iframe'); f.src = location.href.replace('127.0.0.1', 'localhost').replace('holds', 'inner'); document.body.append(f)</script></html>`,
		"/inner": `<!doctype html><html lang="en"><title>Inner</title><button>Inner</button><script>setTimeout(() => { for (;;); }, 800)</script></html>`,
		"/moves": `<!doctype html><html lang="en"><title>Moves</title><script>setInterval(() => { try { history.pushState(1, '', '/h' + Math.random()) } catch {} }, 2)</script></html>`,
	})
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": server.URL + "/hangs"})
		c.ok("browser_click", map[string]any{"selector": "role=button[name=Hang]"})
		c.ok("browser_page", map[string]any{"action": "close"})
		list := c.ok("browser_page", map[string]any{"action": "list"})
		if strings.Count(list, `"tab":`) != 2 || !strings.Contains(list, "about:blank") { // the active one is named twice
			t.Errorf("after the close: %s", list)
		}
		c = serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": server.URL + "/holds"})
		for begin := time.Now(); ; {
			r := c.call("browser_expect", map[string]any{"what": "visible", "selector": "#never", "timeout_ms": 3500})
			if strings.Contains(r.Text, "does not answer") {
				break
			}
			if time.Since(begin) > 20*time.Second {
				t.Fatalf("the frame answers: %.200s", r.Text)
			}
		}
		r := c.call("browser_click", map[string]any{"selector": "role=button[name=Inner]"})
		if r.code() != "NO_MATCH" || !strings.Contains(r.Text, "1 frame does not answer (http://localhost:") {
			t.Errorf("a click into a frame that hangs: %.400s", r.Text)
		}
		c = serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": server.URL})
		start := time.Now()
		r = c.call("browser_page", map[string]any{"action": "open", "url": server.URL + "/moves"})
		if took := time.Since(start); r.code() != "" || took > 12*time.Second {
			t.Errorf("opened after %v: %.200s", took, r.Text)
		} else {
			t.Logf("opened after %v", took)
		}
	})
}
