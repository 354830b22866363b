package drive

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"duet/internal/fault"
)

// A silent driver is stirred and asked while the call waits, so that it is known soon
// after the deadline whether it lives; one that delivers is not dead, however long its
// answer takes.
func TestASilentDriverIsJudgedSoon(t *testing.T) {
	for name, c := range map[string]struct {
		deadline time.Duration
		stirs    bool // it goes on once it is stirred
		floods   bool
		code     fault.Code
		most     time.Duration
	}{
		"dead":         {5 * time.Second, false, false, fault.BrowserLost, 6500 * time.Millisecond},
		"dead, hurry":  {time.Second, false, false, fault.Timeout, 2500 * time.Millisecond},
		"stalled":      {5 * time.Second, true, false, "", 600 * time.Millisecond},
		"it delivers":  {20 * time.Second, false, true, fault.Timeout, 20200 * time.Millisecond},
		"it delivers2": {time.Second, false, true, fault.Timeout, 1200 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			var mu sync.Mutex // guards waiting
			var waiting []command
			tab, w := begun(t, "chrome", func(_ *wire, k command) {
				mu.Lock()
				defer mu.Unlock()
				waiting = append(waiting, k)
			})
			b := tab.b
			b.info.Stir = func(context.Context) {
				mu.Lock()
				defer mu.Unlock()
				for _, k := range waiting {
					if c.stirs {
						w.doc(k, emptyDoc)
					}
				}
			}
			b.work.Go(b.follow)
			ctx, stop := context.WithTimeout(t.Context(), c.deadline)
			defer stop()
			if c.floods {
				go func() {
					for ctx.Err() == nil {
						w.event("browsingContext.historyUpdated", `{"context":"t1","url":"http://x/","timestamp":1}`)
						pause(t.Context(), 20*time.Millisecond)
					}
					for range 20 {
						w.event("browsingContext.historyUpdated", `{"context":"t1","url":"http://x/","timestamp":1}`)
						pause(t.Context(), 20*time.Millisecond)
					}
				}()
			}
			start := time.Now()
			_, err := tab.Tree(ctx, TreeOptions{})
			if took := time.Since(start); took > c.most || c.code == "" && err != nil || c.code != "" && !errors.Is(err, c.code) {
				t.Errorf("%s: %s after %v", name, explain(err), took)
			}
			if c.floods && b.LostErr() != nil {
				t.Errorf("%s: %v", name, b.LostErr())
			}
			if name == "dead, hurry" {
				<-b.Lost() // soon, without a further call
				if took := time.Since(start); took > 7*time.Second {
					t.Errorf("given up after %v", took)
				}
			}
		})
	}
}
