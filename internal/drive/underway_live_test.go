package drive

import (
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
)

// pendingPages has a page that comes late, by a link and by a script.
func pendingPages(late time.Duration) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/late", func(w http.ResponseWriter, r *http.Request) {
		timer := time.NewTimer(late)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<title>Late</title><h1>Late</h1>`))
	})
	mux.Handle("/", site{
		"/":     `<title>Here</title><h1>Here</h1><a id=go href=/late>Go</a><button id=lead onclick="location.href='/late'">Lead</button><iframe srcdoc="<p>frame"></iframe>`,
		"/next": `<title>Next</title><h1>Next</h1>`,
	})
	return mux
}

// What leads to a page that comes late is followed for a moment and then told to be
// under way. Until then the page shown is read where the browser lets it be, and where
// not that is said at once, with the address; the input is never sent to the page that
// comes.
func TestPendingNavigation(t *testing.T) {
	eachBrowser(t, pendingPages(2500*time.Millisecond), func(t *testing.T, tab *Tab, base string) {
		for _, target := range []string{"#go", "#lead"} {
			open(t, tab, base+"/")
			lead, err := tab.Element(deadline(t, 5*time.Second), "#go")
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			f := click(t, tab, target)
			if took := time.Since(start); f.Loading != base+"/late" || f.Navigated || took > 2*time.Second {
				t.Errorf("%s: %+v after %v", target, f, took)
			}
			start = time.Now()
			bars := tab.b.quirks.NavigationBars
			_, err = tab.Tree(deadline(t, 5*time.Second), TreeOptions{})
			if took := time.Since(start); took > time.Second {
				t.Errorf("%s: a reading took %v", target, took)
			}
			why := fault.From(err)
			switch {
			case !bars && err != nil:
				t.Errorf("%s: the page shown was not read: %s", target, explain(err))
			case bars && (!errors.Is(err, fault.StateInvalid) || !strings.Contains(why.Message, base+"/late") || why.Hint == "" || why.Effect != fault.None):
				t.Errorf("%s: a page that cannot be read: %s", target, explain(err))
			}
			if bars {
				if _, err := lead.Click(deadline(t, time.Second), ClickOptions{}); !errors.Is(err, fault.StateInvalid) || fault.From(err).Effect != fault.None {
					t.Errorf("%s: a click meanwhile: %s", target, explain(err))
				}
			}
			if _, err := tab.Wait(deadline(t, 5*time.Second), WaitSpec{Selector: "text=Late"}); err != nil {
				t.Errorf("%s: waiting for what comes: %s", target, explain(err))
			}
			if got := text(t, tab, "h1"); got != "Late" {
				t.Errorf("%s: then there is %q", target, got)
			}
		}
		// A navigation that ran into its deadline can be left for another.
		open(t, tab, base+"/")
		if _, err := tab.Navigate(deadline(t, 700*time.Millisecond), base+"/late", NavOptions{}); !errors.Is(err, fault.Timeout) {
			t.Errorf("a navigation that comes late: %s", explain(err))
		}
		open(t, tab, base+"/next")
		if got := text(t, tab, "h1"); got != "Next" {
			t.Errorf("led elsewhere: %q", got)
		}
	})
}

func TestQuirkNavigationBars(t *testing.T) {
	eachBrowser(t, pendingPages(4*time.Second), func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		if _, err := tab.Navigate(deadline(t, 600*time.Millisecond), base+"/late", NavOptions{}); !errors.Is(err, fault.Timeout) {
			t.Fatalf("a navigation that comes late: %s", explain(err))
		}
		if got := hangs(t, tab.b, tab.id, "1"); got != tab.b.quirks.NavigationBars {
			t.Errorf("a pending navigation keeps scripts back: %v; the table says %v", got, tab.b.quirks.NavigationBars)
		}
		open(t, tab, base+"/next")
	})
}

// A page in an endless script is told as that, with the way out, and not as a server
// that has not answered.
func TestEndlessScriptIsNoSilentServer(t *testing.T) {
	eachBrowser(t, pendingPages(time.Second), func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		end := time.Now().Add(4 * time.Second).UnixMilli()
		_, _ = tab.Eval(deadline(t, 300*time.Millisecond), "while (Date.now() < "+strconv.FormatInt(end, 10)+");")
		check := func(what string, err error) {
			t.Helper()
			f := fault.From(err)
			if f == nil || f.Code != fault.Timeout || !strings.Contains(f.Message, "script in it works") || !strings.Contains(f.Hint, "ends the browser") {
				t.Errorf("%s: %s", what, explain(err))
			}
		}
		_, err := tab.Tree(deadline(t, 300*time.Millisecond), TreeOptions{})
		check("read", err)
		_, err = tab.Navigate(deadline(t, 900*time.Millisecond), base+"/next", NavOptions{})
		check("open", err)
		_, err = tab.Tree(deadline(t, 900*time.Millisecond), TreeOptions{})
		check("read after", err)
		other, err := tab.b.Open(deadline(t, 5*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		open(t, other, base+"/next")
		if _, err := tab.Wait(deadline(t, 8*time.Second), WaitSpec{URL: "/next"}); err != nil {
			t.Errorf("in the end: %s", explain(err))
		}
	})
}
