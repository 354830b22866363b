//go:build linux

package browsers

import (
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"
)

var plainSoak = flag.Int("soak-plain", 150, "calls of the soak test without mocks; growth is judged from 3000 on")

// lastingPage has something for each call of the mixture: it changes by what is done
// to it, asks for data and logs.
const lastingPage = `<!doctype html><title>Soak</title><h1>Soak</h1>
<button id=one>One</button> <label>Name <input id=name></label> <label><input type=checkbox id=keep> Keep</label>
<select id=pick aria-label=Pick><option>red<option>green<option>blue</select>
<p id=said role=status>-</p>
<ul id=rows></ul>
<script>
let n = 0
one.onclick = async () => {
  n++
  rows.replaceChildren(...Array.from({ length: 20 }, (_, i) => Object.assign(document.createElement('li'), { textContent: 'row ' + n + '.' + i })))
  console.log('pressed', n)
  const r = await fetch('/data?' + n)
  said.textContent = 'said ' + n + ' ' + await r.text()
}
</script>`

// A session lives through many mixed calls: none fails, duet's memory stays where it
// is after the first thousand, and the calls take as long at the end as at the
// beginning.
func TestSoak(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/data":
			fmt.Fprint(w, "data")
			return
		case "/popup":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html><title>Popup</title><h1>Popup</h1>")
			return
		}
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, lastingPage)
	}))
	defer site.Close()
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		began := time.Now()
		took := make([]time.Duration, 0, *plainSoak)
		early, failed := 0, 0
		for i := range *plainSoak {
			tool, args := lastingCall(i, site.URL)
			start := time.Now()
			r := c.call(tool, args)
			took = append(took, time.Since(start))
			if r.IsError || r.Error != nil {
				failed++
				t.Errorf("call %d (%s %v), after %v: %s %v", i, tool, args, took[i], r.Text, r.Error)
				if failed == 20 {
					t.FailNow()
				}
			}
			if i == min(1000, *plainSoak)-1 {
				early = duetMemory(t, c.cmd.Process.Pid)
			}
			if (i+1)%1000 == 0 {
				t.Logf("%s: after %5d calls, %v: %d KiB, median of the last 1000 %v", s.name, i+1,
					time.Since(began).Round(time.Second), duetMemory(t, c.cmd.Process.Pid), middle(took[i-999:]))
			}
		}
		late := duetMemory(t, c.cmd.Process.Pid)
		part := min(1000, len(took))
		first, last := middle(took[:part]), middle(took[len(took)-part:])
		t.Logf("%s: %d calls in %v, failed %d; duet's processes %d KiB early, %d KiB at the end; medians %v and %v", s.name, len(took),
			time.Since(began).Round(time.Millisecond), failed, early, late, first, last)
		if len(took) < 3000 {
			return
		}
		if float64(late) > 1.2*float64(early) {
			t.Errorf("duet grew from %d to %d KiB", early, late)
		}
		if float64(last) > 1.2*float64(first) {
			t.Errorf("the median went from %v to %v", first, last)
		}
	})
}

// duetMemory is what the server and its guards hold, in KiB.
func duetMemory(t *testing.T, pid int) int {
	t.Helper()
	sum := rss(t, pid)
	for _, p := range below(pid) {
		if p.role() == "guard" {
			sum += rss(t, p.pid)
		}
	}
	return sum
}

// middle is the median.
func middle(d []time.Duration) time.Duration {
	d = slices.Clone(d)
	slices.Sort(d)
	return d[len(d)/2].Round(10 * time.Microsecond)
}

// lastingCall is the i-th call of the mixture: fifty calls, over and over.
func lastingCall(i int, url string) (string, map[string]any) {
	type args = map[string]any
	switch i % 50 {
	case 0:
		return "browser_navigate", args{"url": fmt.Sprintf("%s/?%d", url, i)}
	case 10:
		return "browser_navigate", args{"action": "reload"}
	case 15:
		return "browser_screenshot", args{}
	case 20:
		return "browser_page", args{"action": "open", "url": url + "/popup"}
	case 21:
		return "browser_page", args{"action": "list"}
	case 22:
		return "browser_page", args{"action": "close"}
	case 25:
		return "browser_batch", args{"steps": []any{
			args{"tool": "browser_fill", "arguments": args{"selector": "#name", "value": fmt.Sprint("batch ", i)}},
			args{"tool": "browser_click", "arguments": args{"selector": "#one"}},
			args{"tool": "browser_expect", "arguments": args{"what": "visible", "selector": "#said"}},
		}}
	case 30:
		return "browser_logs", args{}
	case 31:
		return "browser_locators", args{"selector": "#one"}
	case 32:
		return "browser_advanced_eval", args{"js": "document.title"}
	case 33:
		return "browser_status", args{}
	case 34:
		return "browser_navigate", args{"url": fmt.Sprintf("%s/?next%d", url, i)}
	case 35:
		return "browser_navigate", args{"action": "back"}
	case 36:
		return "browser_wait", args{"target": "#one"}
	}
	switch i % 10 {
	case 1, 6:
		return "browser_click", args{"selector": "#one"}
	case 2:
		return "browser_fill", args{"selector": "#name", "value": fmt.Sprint("name ", i)}
	case 3:
		return "browser_snapshot", args{}
	case 4:
		return "browser_element", args{"selector": "#keep", "action": []string{"check", "uncheck"}[i/10%2]}
	case 5:
		return "browser_element", args{"selector": "#pick", "action": "select", "value": []string{"red", "green", "blue"}[i/10%3]}
	case 7:
		return "browser_press", args{"key": "a", "selector": "#name"}
	case 8:
		return "browser_hover", args{"selector": "#one"}
	case 9:
		return "browser_read", args{"field": "text", "selector": "#said"}
	}
	return "browser_find", args{"selector": "li"}
}
