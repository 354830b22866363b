package drive

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
)

// A navigation that the page's own supersedes before it came to anything is not waited
// for: the answer says so, and which page is shown instead.
func TestLiveANavigationThatThePageSupersedes(t *testing.T) {
	pages := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch r.URL.Path {
		case "/":
			_, _ = fmt.Fprint(w, `<title>First</title><script>function go(){setTimeout(function(){location='/own'},900)}
function stay(){setTimeout(function(){window.stop()},900)}</script>`)
		case "/own":
			_, _ = fmt.Fprint(w, `<title>Own</title><p>own</p>`)
		default:
			<-r.Context().Done()
		}
	})
	for js, want := range map[string]string{"go()": "/own", "stay()": "/"} {
		t.Run(js, func(t *testing.T) {
			eachBrowser(t, pages, func(t *testing.T, tab *Tab, base string) {
				p := &page{T: t, tab: tab, base: base}
				if _, err := tab.Navigate(p.ctx(), base+"/", NavOptions{}); err != nil {
					t.Fatal(explain(err))
				}
				if _, err := tab.Eval(p.ctx(), js); err != nil {
					t.Fatal(explain(err))
				}
				start := time.Now()
				r, err := tab.Navigate(deadline(t, 3*time.Second), base+"/hang", NavOptions{})
				if errors.Is(err, fault.Timeout) && strings.HasSuffix(r.Facts.Loading, "/hang") {
					return // this browser lets no page interfere with what is asked of it
				}
				if took := time.Since(start); !errors.Is(err, fault.NavigationFailed) || took > 2500*time.Millisecond {
					t.Errorf("after %v: %s", took, explain(err))
				}
				if !strings.HasSuffix(r.URL, want) || strings.HasSuffix(r.URL, "/own") != r.Facts.Navigated {
					t.Errorf("shown is %+v", r)
				}
			})
		})
	}
}
