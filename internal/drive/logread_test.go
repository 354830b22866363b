package drive

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"duet/bidi"
	"duet/internal/fault"
)

// quiet is a browser that says nothing: its state can be told what it did.
func quiet(t *testing.T) *Browser {
	t.Helper()
	b := &Browser{state: newState(), changed: make(chan struct{})}
	b.conn = bidi.NewConn(deaf{make(chan struct{})}, bidi.Options{})
	t.Cleanup(func() { _ = b.conn.Close() })
	return b
}

// deaf is a transport that nothing arrives on.
type deaf struct{ closed chan struct{} }

func (d deaf) Read(ctx context.Context) ([]byte, error) {
	select {
	case <-d.closed:
	case <-ctx.Done():
	}
	return nil, errors.New("closed")
}

func (d deaf) Write(context.Context, []byte) error { return nil }
func (d deaf) Close() error                        { close(d.closed); return nil }

func (b *Browser) say(kind, level, text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.journal.add(Entry{Kind: kind, Level: level, Text: text, URL: "http://a.test/" + kind})
	b.wakeLocked()
}

func TestALogIsFilteredAndSaysWhatItLeavesOut(t *testing.T) {
	b := quiet(t)
	b.say(KindConsole, "info", "Hello")
	b.say(KindError, "error", "bad")
	b.say(KindException, "error", "Worse")
	b.say(KindRequest, "error", "")
	for _, c := range []struct {
		f    LogFilter
		want string
	}{
		{LogFilter{}, "[1 2 3 4] of 4"},
		{LogFilter{After: 2}, "[3 4] of 2"},
		{LogFilter{Kind: KindError}, "[2 3] of 2"},
		{LogFilter{Kind: KindException}, "[3] of 1"},
		{LogFilter{Level: "info"}, "[1] of 1"},
		{LogFilter{Contains: "hELLO"}, "[1] of 1"},
		{LogFilter{Contains: "a.test/REQ"}, "[4] of 1"},
		{LogFilter{Limit: 1}, "[4] of 4"},
		{LogFilter{Contains: "nothing"}, "[] of 0"},
	} {
		l := b.Log(c.f)
		seqs := []int{}
		for _, e := range l.Entries {
			seqs = append(seqs, e.Seq)
		}
		if got := fmt.Sprintf("%v of %d", seqs, l.Total); got != c.want || l.Cursor != 4 || l.Dropped != 0 {
			t.Errorf("%+v: %s cursor %d dropped %d, want %s", c.f, got, l.Cursor, l.Dropped, c.want)
		}
	}
}

func TestWhatTheJournalLetGoIsCounted(t *testing.T) {
	b := quiet(t)
	b.say(KindError, "error", "first")
	for range journalEntries {
		b.say(KindConsole, "info", "x")
	}
	if l := b.Log(LogFilter{}); l.Dropped != 1 {
		t.Errorf("dropped %d", l.Dropped)
	}
	if e := b.Errors(0); e.Count != 0 || !e.AtLeast || !e.Any() {
		t.Errorf("an error that was let go counts as none: %+v", e)
	}
	if e := b.Errors(1); e.Any() {
		t.Errorf("after it there is none: %+v", e)
	}
	if n, _ := b.ClearLog(); n != journalEntries {
		t.Errorf("cleared %d", n)
	}
	b.say(KindConsole, "info", "after")
	l := b.Log(LogFilter{})
	if len(l.Entries) != 1 || l.Entries[0].Seq != journalEntries+2 || l.Dropped != 0 {
		t.Errorf("numbers go on, and what was cleared is not dropped: %+v", l)
	}
	if b.Errors(0).Any() {
		t.Error("cleared errors are still there")
	}
}

func TestAWaitForTheLogScansFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := quiet(t)
		b.say(KindConsole, "info", "ready")
		ctx, stop := context.WithTimeout(t.Context(), time.Second)
		defer stop()
		if l, err := b.AwaitLog(ctx, LogFilter{Contains: "ready"}); err != nil || l.Cursor != 1 {
			t.Errorf("%+v, %v", l, err)
		}
		go func() {
			b.say(KindConsole, "info", "other")
			b.say(KindConsole, "info", "ready again")
			b.say(KindConsole, "info", "ready too")
		}()
		if l, err := b.AwaitLog(ctx, LogFilter{Contains: "ready", After: 1}); err != nil || l.Cursor != 3 || l.Entries[0].Text != "ready again" {
			t.Errorf("%+v, %v", l, err)
		}
		synctest.Wait()
		_, err := b.AwaitLog(ctx, LogFilter{Contains: "never"})
		if !errors.Is(err, fault.Timeout) {
			t.Errorf("%v, want TIMEOUT", err)
		}
	})
}

func TestTheNextBrowserContinuesTheNumbers(t *testing.T) {
	b := quiet(t)
	b.say(KindConsole, "info", "early")
	b.ContinueLog(40)
	b.say(KindError, "error", "late")
	l := b.Log(LogFilter{After: 40})
	if len(l.Entries) != 2 || l.Entries[0].Seq != 41 || l.Cursor != 42 || l.Dropped != 0 {
		t.Errorf("%+v", l)
	}
	if l := b.Log(LogFilter{After: 3}); l.Dropped != 0 {
		t.Errorf("the entries of the browser before count as dropped: %+v", l)
	}
}
