package drive

import (
	"errors"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
)

// What both browsers have to tell in the same words.
func TestToldAlike(t *testing.T) {
	pages := site{
		"/": `<title>A</title><h1>A</h1><a id=pop target=_blank href=/pop>Pop</a><iframe title=Same srcdoc="<p>in the frame</p>"></iframe>
<button id=log onclick="console.log('got', {a: 1, b: ['x'], token: 'abcdefgh'}, document.body)">Log</button>`,
		"/pop": `<title>P</title><h1>P</h1>`,
	}
	eachBrowser(t, pages, func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		if got := text(t, tab, "iframe[title=Same]"); got != "in the frame" {
			t.Errorf("text of an iframe: %q", got)
		}
		cursor := tab.b.Log(LogFilter{}).Cursor
		click(t, tab, "#log")
		l, err := tab.b.AwaitLog(deadline(t, 5*time.Second), LogFilter{After: cursor, Contains: "got"})
		if want := `got {a: 1, b: ["x"], token: •••} <body>`; err != nil || l.Entries[0].Text != want {
			t.Errorf("logged: %+v, %s", l.Entries, explain(err))
		}
		x, y := 5000.0, 20.0
		if _, err := tab.Mouse(deadline(t, 5*time.Second), MouseAction{Do: "move", X: &x, Y: &y}); !errors.Is(err, fault.NotVisible) || fault.From(err).Effect != fault.None {
			t.Errorf("a point beyond the viewport: %s", explain(err))
		}
		f := click(t, tab, "#pop")
		if len(f.Popups) != 1 {
			t.Fatalf("popup: %+v", f)
		}
		pop, err := tab.b.ByNumber(f.Popups[0].Tab)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := pop.Wait(deadline(t, 5*time.Second), WaitSpec{Load: "complete"}); err != nil {
			t.Fatal(explain(err))
		}
		tab.b.mu.Lock()
		defer tab.b.mu.Unlock()
		for _, r := range tab.b.exchanges.entries {
			if strings.HasPrefix(r.URL, base) && strings.HasSuffix(r.URL, "/pop") && r.State != RequestFinished {
				t.Errorf("the request of a popup that is loaded: %s %s", r.URL, r.State)
			}
		}
	})
}
