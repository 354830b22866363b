package drive

import (
	"context"
	"fmt"
	"testing"
	"time"

	"duet/bidi"
)

// A tab whose page gives way to another closes all the same, also where the browser
// loses the first word of it.
func TestLiveATabClosesAmidANavigation(t *testing.T) {
	pages := site{"/": "<p>one</p>", "/b": "<p>two</p>"}
	for _, script := range []string{"location.href = '/b'; 1", "location.reload(); 1"} {
		for _, leave := range []bool{true, false} {
			t.Run(fmt.Sprint(script, leave), func(t *testing.T) {
				eachBrowser(t, pages, func(t *testing.T, first *Tab, base string) {
					for range 3 { // it is a race
						tab, err := first.b.Open(deadline(t, 10*time.Second))
						if err != nil {
							t.Fatal(err)
						}
						open(t, tab, base+"/")
						ctx, stop := context.WithTimeout(t.Context(), 300*time.Millisecond)
						_, _ = bidi.ScriptEvaluate.Call(ctx, first.b.conn, bidi.ScriptEvaluateParameters{
							Expression: script, Target: bidi.ScriptContextTarget{Context: tab.id},
						})
						stop()
						_, err = first.b.CloseTab(deadline(t, 10*time.Second), tab.Number(), leave)
						if err != nil || !tab.Closed() {
							t.Errorf("closed %v, %s", tab.Closed(), explain(err))
						}
					}
				})
			})
		}
	}
}
