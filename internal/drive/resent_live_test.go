package drive

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"duet/internal/fault"
)

// A page that came of a form is loaded again by sending the form again, without a
// question; the way back to one that the browser did not keep is no success.
func TestPagesThatCameOfAForm(t *testing.T) {
	sent := new(atomic.Int32)
	mux := http.NewServeMux()
	mux.Handle("/", site{
		"/":     `<title>F</title><form method=post action=/post><button id=send>Send</button></form>`,
		"/home": `<title>H</title><h1>Home</h1>`,
	})
	mux.HandleFunc("/post", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Cache-Control", "no-store")
		_, _ = fmt.Fprintf(w, `<title>P</title><h1>Sent %d</h1><a id=home href=/home>Home</a>`, sent.Add(1))
	})
	eachBrowser(t, mux, func(t *testing.T, tab *Tab, base string) {
		sent.Store(0)
		reload := func() {
			t.Helper()
			if _, err := tab.Reload(deadline(t, 5*time.Second), NavOptions{}); err != nil {
				t.Fatalf("reload: %s", explain(err))
			}
		}
		open(t, tab, base+"/")
		click(t, tab, "#send")
		reload()
		if got := text(t, tab, "h1"); got != "Sent 2" {
			t.Errorf("after the reload: %q", got)
		}
		click(t, tab, "#home")
		_, err := tab.Back(deadline(t, 5*time.Second), NavOptions{})
		if f := fault.From(err); !errors.Is(err, fault.NavigationFailed) || !strings.Contains(f.Message, "answer to a form") || f.Hint == "" {
			t.Errorf("back: %s", explain(err))
		}
		reload()
		if got := text(t, tab, "h1"); got != "Sent 3" {
			t.Errorf("what the hint says: %q", got)
		}
	})
}

// What a page asked before it was left goes on when that is accepted, and is told.
func TestLeavingGoesOnWhenAccepted(t *testing.T) {
	pages := site{
		"/":     `<title>U</title><input id=i><a id=away href=/next>Away</a><button id=lead onclick="location.href='/next'">Lead</button><script>addEventListener('beforeunload',e=>e.preventDefault())</script>`,
		"/next": `<title>N</title><h1>Next</h1>`,
	}
	eachBrowser(t, pages, func(t *testing.T, tab *Tab, base string) {
		for _, target := range []string{"#away", "#lead"} {
			open(t, tab, base+"/")
			el, err := tab.Element(deadline(t, 5*time.Second), "#i")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := el.Fill(deadline(t, 5*time.Second), "draft", FillOptions{}); err != nil {
				t.Fatal(err)
			}
			if f := click(t, tab, target); f.Dialog == nil {
				t.Fatalf("%s: no question: %+v", target, f)
			}
			if _, f := answer(t, tab, true, nil); !f.Navigated || f.URL != base+"/next" {
				t.Errorf("%s, accepted: %+v", target, f)
			}
		}
	})
}
