package drive

import (
	"context"
	"errors"
	"testing"
	"time"

	"duet/bidi"
)

// hangs reports whether a script addressed to a context gets no answer in time.
func hangs(t *testing.T, b *Browser, c bidi.Context, expression string) bool {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 1500*time.Millisecond)
	defer stop()
	_, err := bidi.ScriptEvaluate.Call(ctx, b.conn, bidi.ScriptEvaluateParameters{
		Expression: expression, Target: bidi.ScriptContextTarget{Context: c}, AwaitPromise: true,
	})
	return errors.Is(err, context.DeadlineExceeded)
}

func TestQuirkPopupContextHangs(t *testing.T) {
	eachBrowser(t, causePages(), func(t *testing.T, tab *Tab, base string) {
		b := tab.b
		had := b.quirks.PopupContextHangs
		b.mu.Lock()
		b.quirks.PopupContextHangs = false
		b.mu.Unlock()
		defer func() {
			b.mu.Lock()
			b.quirks.PopupContextHangs = had
			b.mu.Unlock()
		}()
		open(t, tab, base+"/")
		f := click(t, tab, "#pop")
		if len(f.Popups) != 1 {
			t.Fatalf("%+v", f)
		}
		pop, err := b.ByNumber(f.Popups[0].Tab)
		if err != nil {
			t.Fatal(err)
		}
		if got := hangs(t, b, pop.id, "1"); got != had {
			t.Errorf("a popup's context hangs: %v; the table says %v", got, had)
		}
	})
}

func TestQuirkScriptLostOnNavigation(t *testing.T) {
	eachBrowser(t, causePages(), func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		lost := hangs(t, tab.b, tab.id, "new Promise(() => { location.href = '/b' })")
		if lost != tab.b.quirks.ScriptLostOnNavigation {
			t.Errorf("a script is lost by navigation: %v; the table says %v", lost, tab.b.quirks.ScriptLostOnNavigation)
		}
	})
}
