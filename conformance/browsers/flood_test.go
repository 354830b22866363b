//go:build linux

package browsers

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	floodMessages = flag.Int("flood-messages", 5000, "how many messages TestFlood's page logs")
	floodRequests = flag.Int("flood-requests", 300, "how many requests it makes")
)

// rss is what a process holds in memory, in KiB.
func rss(t *testing.T, pid int) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`VmRSS:\s+(\d+) kB`).FindSubmatch(status)
	if m == nil {
		t.Fatalf("no VmRSS in %s", status)
	}
	n, _ := strconv.Atoi(string(m[1]))
	return n
}

// A page that logs and requests more than a browser can deliver at once: each call
// answers, or ends at its deadline and names the flood; the memory is bounded; in
// the end every count is exact.
func TestFlood(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": fmt.Sprintf("%s/flood.html?messages=%d&requests=%d", site(t), *floodMessages, *floodRequests)})
		c.ok("browser_click", map[string]any{"selector": "#count"})
		before := rss(t, c.cmd.Process.Pid)
		most := before
		begun := time.Now()
		calls, named := 0, 0
		var slowest time.Duration
		limit := begun.Add(5 * time.Minute)
		for over := false; !over; calls++ {
			tool, args := "browser_click", map[string]any{"selector": "#count", "timeout_ms": 3000}
			if calls == 0 {
				args["selector"] = "#go"
			} else if calls%2 == 0 {
				tool, args = "browser_read", map[string]any{"field": "text", "selector": "#state", "timeout_ms": 3000}
			}
			asked := time.Now()
			r := c.call(tool, args)
			took := time.Since(asked)
			slowest = max(slowest, took)
			most = max(most, rss(t, c.cmd.Process.Pid))
			switch {
			case r.IsError && r.code() != "TIMEOUT":
				t.Fatalf("call %d after %v: %s", calls, time.Since(begun), r.Text)
			case r.IsError && strings.Contains(r.Text, "still delivering"):
				named++
			case r.IsError:
				t.Logf("call %d, %v: %s", calls, took, r.Text)
			case tool == "browser_read":
				over = strings.Contains(r.Text, "over")
			}
			if time.Now().After(limit) {
				t.Fatalf("the flood does not end; last: %s", r.Text)
			}
		}
		after := c.ok("browser_click", map[string]any{"selector": "#count", "timeout_ms": 60000})
		exact := regexp.MustCompile(`errors: (\d+) `)
		logs := c.ok("browser_logs", map[string]any{"kind": "error", "limit": 1, "timeout_ms": 60000})
		t.Logf("%d calls in %v, slowest %v, %d named the flood; memory %d to %d KiB; %q; %s", calls, time.Since(begun).Round(time.Millisecond), slowest.Round(time.Millisecond), named, before, most, exact.FindString(after), logs)
		if slowest > 6*time.Second {
			t.Errorf("a call with 3 s took %v", slowest)
		}
		if most-before > 20<<10 {
			t.Errorf("grew from %d to %d KiB", before, most)
		}
		if want := fmt.Sprintf("logCursor: %d", *floodMessages+*floodRequests); !strings.HasSuffix(logs, want) {
			t.Errorf("no %s at the end of it", want)
		}
	})
}

// Text with half of a character in it stalls no browser for long and is in the log and
// in the counts, and a page that changes its address without end is no dead one.
func TestWhatPagesLogAndDoCostsNoBrowser(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/half":
			fmt.Fprint(w, `<!doctype html><html lang="en"><title>Half</title><button onclick="console.log('a\ud800b'); console.log('later')">Log</button>
<button onclick="console.error('e\ud83d'); setTimeout(() => { throw new Error('t\udc00') })">Err</button></html>`)
		case "/moves":
			fmt.Fprint(w, `<!doctype html><html lang="en"><title>Moves</title><button>Press</button><script>setInterval(() => { try { history.pushState(1, '', '/h' + Math.random()) } catch {} }, 2)</script></html>`)
		default:
			fmt.Fprint(w, `<!doctype html><html lang="en"><title>Work</title><input aria-label="Work"></html>`)
		}
	}))
	t.Cleanup(server.Close)
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": server.URL})
		c.ok("browser_fill", map[string]any{"selector": "label=Work", "value": "a day's work"})
		c.ok("browser_page", map[string]any{"action": "open", "url": server.URL + "/half"})
		for range 30 {
			start := time.Now()
			c.ok("browser_click", map[string]any{"selector": "role=button[name=Log]"})
			if took := time.Since(start); took > 3*time.Second {
				t.Errorf("a click took %v", took)
			}
		}
		for n := 2; n <= 20; n += 2 {
			c.ok("browser_click", map[string]any{"selector": "role=button[name=Err]"})
			says(t, c, "browser_logs", map[string]any{"kind": "error", "limit": 1}, "t\ufffd")
			log := c.ok("browser_logs", map[string]any{"kind": "error", "limit": 100})
			if got := strings.Count(log, "\ufffd"); got != n {
				t.Fatalf("%d errors are in the log, not %d:\n%s", got, n, log)
			}
		}
		says(t, c, "browser_logs", map[string]any{"contains": "a\ufffdb", "limit": 1}, "earlier: 29 match too")
		c.call("browser_page", map[string]any{"action": "open", "url": server.URL + "/moves"})
		for range 2 {
			start := time.Now()
			r := c.call("browser_click", map[string]any{"selector": "role=button[name=Press]"})
			if took := time.Since(start); r.code() == "BROWSER_LOST" || took > 8*time.Second {
				t.Errorf("%.200s after %v", r.Text, took)
			}
		}
		says(t, c, "browser_page", map[string]any{"action": "list"}, `"tab":1`, `"title":"Work"`, `"tab":2`, `"tab":3`) // whose driver answers late, as long as that goes on
	})
}
