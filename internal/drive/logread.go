package drive

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// LogFilter chooses journal entries. The zero value chooses all.
type LogFilter struct {
	After    int    // entries after this sequence number
	Kind     string // one kind; "error" means console errors and exceptions both
	Level    string // debug, info, warn or error
	Contains string // part of the text or of the address, whatever its case
	Tab      int    // of one tab
	Limit    int    // the last so many; 0 is all that are kept
}

func (f LogFilter) fits(e Entry) bool {
	switch {
	case e.Seq <= f.After, f.Tab != 0 && e.Tab != f.Tab, f.Level != "" && e.Level != f.Level:
		return false
	case f.Kind != "" && e.Kind != f.Kind && !(f.Kind == KindError && e.IsError()):
		return false
	case f.Contains == "":
		return true
	}
	part := strings.ToLower(f.Contains)
	return strings.Contains(strings.ToLower(e.Text), part) || strings.Contains(strings.ToLower(e.URL), part)
}

// String says the filter in a message.
func (f LogFilter) String() string {
	what := "a log entry"
	if f.Kind != "" {
		what += " of kind " + f.Kind
	}
	if f.Level != "" {
		what += " of level " + f.Level
	}
	if f.Contains != "" {
		what += fmt.Sprintf(" that contains %q", cut(f.Contains, 100))
	}
	return what
}

// Log is a reading of the journal.
type Log struct {
	Entries []Entry // oldest first
	Total   int     // that matched, before Limit
	Dropped int     // entries after After that the journal no longer holds, of any kind, but for cleared ones
	Cursor  int     // sequence number of the journal's last entry
}

// Log returns what the journal holds. It asks the browser nothing; to have every
// event of an action, read the page after it first, or Sync. Safe for concurrent
// use.
func (b *Browser) Log(f LogFilter) Log {
	b.mu.Lock()
	defer b.mu.Unlock()
	j := &b.journal
	l := Log{Cursor: j.seq, Dropped: j.droppedAfter(f.After)}
	for _, e := range j.entries {
		if f.fits(e) {
			l.Entries = append(l.Entries, e)
		}
	}
	l.Total = len(l.Entries)
	if f.Limit > 0 && len(l.Entries) > f.Limit {
		l.Entries = l.Entries[len(l.Entries)-f.Limit:]
	}
	return l
}

// droppedAfter counts the entries after seq that were let go.
func (j *journal) droppedAfter(seq int) int {
	held := j.seq + 1
	if len(j.entries) > 0 {
		held = j.entries[0].Seq
	}
	return max(0, held-1-max(seq, j.cleared))
}

// AwaitLog returns the first entry that fits: one that the journal holds, or else
// the next to come. The cursor is that entry's, so that none is missed after it.
// At the deadline it is TIMEOUT. Safe for concurrent use.
func (b *Browser) AwaitLog(ctx context.Context, f LogFilter) (Log, error) {
	began := time.Now()
	var out Log
	looked := f.After
	came := -1
	err := b.await(ctx, func() bool {
		j := &b.journal
		if came < 0 {
			came, out.Dropped = j.seq, j.droppedAfter(f.After)
		}
		// Each entry is looked at once, however many events wake this.
		i := len(j.entries)
		for i > 0 && j.entries[i-1].Seq > looked {
			i--
		}
		for ; i < len(j.entries); i++ {
			e := j.entries[i]
			looked = e.Seq
			if f.fits(e) {
				out.Entries, out.Total, out.Cursor = []Entry{e}, 1, e.Seq
				return true
			}
		}
		out.Cursor = j.seq
		return false
	})
	switch {
	case err == nil:
		return out, nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return out, fault.New(fault.Timeout, "wait for %s: not within %s; %d other entries came meanwhile", f,
			limitOf(ctx, began), out.Cursor-came).At(fault.BeforeEffect, fault.None).Because(err)
	case ctx.Err() != nil:
		return out, fault.New(fault.Cancelled, "the wait was cancelled").Because(err)
	}
	return out, err
}

// ClearLog forgets the journal's entries and the requests that are over, and returns
// how many of each it held. Sequence numbers and the counts of facts go on.
func (b *Browser) ClearLog() (entries, requests int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	j := &b.journal
	n := len(j.entries)
	j.entries, j.bytes, j.cleared, j.lost = nil, 0, j.seq, 0
	return n, b.exchanges.clear()
}

// ErrorLog is the console errors and uncaught exceptions after a point.
type ErrorLog struct {
	Count   int     // that are held
	AtLeast bool    // more were let go
	First   []Entry // up to three of those held, oldest first
	Cursor  int
}

// Any reports whether there was an error.
func (l ErrorLog) Any() bool { return l.Count > 0 || l.AtLeast }

// Errors returns the errors after a sequence number, or after the journal was
// cleared where that is later.
func (b *Browser) Errors(after int) ErrorLog {
	b.mu.Lock()
	defer b.mu.Unlock()
	j := &b.journal
	after = max(after, j.cleared)
	out := ErrorLog{Cursor: j.seq, AtLeast: j.lost > after}
	for _, e := range j.entries {
		if e.Seq <= after || !e.IsError() {
			continue
		}
		if out.Count++; len(out.First) < 3 {
			out.First = append(out.First, e)
		}
	}
	return out
}

// Sync returns when every event that was caused before it is in the journal: after
// one exchange with each document of the tab and one with the browser. Behind an
// open dialog, where no document answers, the browser's word is enough.
func (t *Tab) Sync(ctx context.Context) error {
	if t.Dialog() == nil {
		for _, c := range t.documents(t.id) {
			if _, err := run(ctx, t, c, pagejs.AwaitChange, pagejs.AwaitChangeArgs{}, ""); err != nil && c == t.id && !errors.Is(err, errNavigated) && !errors.Is(err, fault.DialogOpen) {
				return err
			}
		}
	}
	if err := t.b.conn.Alive(ctx); err != nil {
		return t.b.verdict(ctx, "read the log", fault.BeforeEffect, fault.None)
	}
	return nil
}

// ContinueLog numbers the journal's entries on from those of a browser before this
// one, so that a number means one entry for the life of a session. It is called
// before anything reads the journal.
func (b *Browser) ContinueLog(after int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	j := &b.journal
	for i := range j.entries {
		j.entries[i].Seq += after
	}
	j.seq, j.cleared = j.seq+after, max(j.cleared+after, after)
}
