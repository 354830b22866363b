package drive

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goccy/go-json"
)

// Documents whose answers do not fit what is known are asked anew, in the order of the
// tree, and all before the first answer is awaited.
func TestDocumentsAreReadAnewTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var rounds = map[string]int{}
		var waiting []command
		var order []string
		tab, w := begun(t, "chrome", func(w *wire, c command) {
			var p struct {
				Target struct {
					Context string `json:"context"`
				} `json:"target"`
			}
			fn, _ := asked(c)
			if _ = json.Unmarshal(c.Params, &p); fn != "walk" && fn != "look" {
				w.reply(c, `{}`)
				return
			}
			at := p.Target.Context
			if rounds[at]++; rounds[at] == 1 {
				w.doc(c, fmt.Sprintf(`{"doc":"d-%s","url":"http://x/","ready":"complete","ver":2,"same":true}`, at))
				return
			}
			order = append(order, at)
			if waiting = append(waiting, c); len(waiting) == 4 {
				for _, c := range waiting {
					w.doc(c, emptyDoc)
				}
			}
		})
		for i := range 3 {
			w.event("browsingContext.contextCreated", fmt.Sprintf(`{"context":"f%d","url":"http://x/","parent":"t1","children":null,"originalOpener":null}`, i))
		}
		synctest.Wait()
		start := time.Now()
		tab.Observe(true)
		if _, err := tab.settle(t.Context(), tab.id, settleWant{}); err != nil {
			t.Fatal(explain(err))
		}
		if took := time.Since(start); took > 500*time.Millisecond || !slices.Equal(order, []string{"t1", "f0", "f1", "f2"}) {
			t.Errorf("asked %v, in %v", order, took)
		}
	})
}
