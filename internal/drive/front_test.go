package drive

import (
	"testing"
	"testing/synctest"
)

// A tab that opens while another one is brought to the front may be in front of it:
// only what was undisturbed counts as being there.
func TestATabIsInFrontOnlyWhereNoneOpenedMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		activated := 0
		tab, w := begun(t, "chrome", func(w *wire, c command) {
			if c.Method == "browsingContext.activate" {
				if activated++; activated == 1 {
					w.event("browsingContext.contextCreated", `{"context":"t3","url":"about:blank","parent":null,"children":null,"originalOpener":"t1"}`)
				}
			}
			w.reply(c, `{}`)
		})
		w.event("browsingContext.contextCreated", `{"context":"t2","url":"about:blank","parent":null,"children":null,"originalOpener":"t1"}`)
		synctest.Wait()
		for range 2 {
			if err := tab.toFront(t.Context()); err != nil {
				t.Fatal(explain(err))
			}
			if activated != 2 || tab.b.front != tab {
				t.Errorf("brought to the front %d times, in front is tab %d", activated, numberOf(tab.b.front))
			}
		}
	})
}

// What one tab showed says nothing of another one.
func TestAMarkOfAnotherTabTellsNoNavigation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab, w := begun(t, "chrome", func(w *wire, c command) { w.reply(c, `{}`) })
		w.event("browsingContext.contextCreated", `{"context":"t2","url":"about:blank","parent":null,"children":null,"originalOpener":null}`)
		for _, e := range []string{"navigationStarted", "navigationCommitted", "domContentLoaded", "load"} {
			w.event("browsingContext."+e, `{"context":"t2","navigation":"n1","url":"http://x/","timestamp":1}`)
		}
		synctest.Wait()
		mark := tab.Mark()
		other, err := tab.b.ByNumber(2)
		if err != nil {
			t.Fatal(err)
		}
		if f := other.Since(mark); f.Navigated || f.SameDocument {
			t.Errorf("%+v", f)
		}
		if f := other.Since(Mark{}); !f.Navigated {
			t.Error("of no mark at all everything is told")
		}
	})
}
