package drive

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// Back goes one document, or one change of the address, back in the tab's history.
func (t *Tab) Back(ctx context.Context, o NavOptions) (NavResult, error) {
	return t.traverse(ctx, o, -1, "go back")
}

// Forward undoes Back.
func (t *Tab) Forward(ctx context.Context, o NavOptions) (NavResult, error) {
	return t.traverse(ctx, o, 1, "go forward")
}

// traverse goes through the history. No event can be waited for: a document from
// the back-forward cache may come without any, so the page itself is asked.
func (t *Tab) traverse(ctx context.Context, o NavOptions, delta int, op string) (NavResult, error) {
	if err := t.ready(ctx, o); err != nil {
		return NavResult{}, err
	}
	if delta < 0 && t.atBeginning(ctx) {
		return t.result(t.Mark(), ""), noHistory(op)
	}
	mark := t.Mark()
	was := t.URL()
	p := bidi.BrowsingContextTraverseHistory.Send(t.b.conn, bidi.BrowsingContextTraverseHistoryParameters{Context: t.id, Delta: delta})
	for {
		err := t.raceTraversal(ctx, p.Done(), mark.event)
		if err == nil {
			break
		}
		d := t.Dialog()
		if d == nil || !errors.Is(err, errPrompt) {
			return t.result(mark, ""), fault.From(err).At(fault.InEffect, fault.Possible)
		}
		if d.Type != "beforeunload" || !o.Leave {
			t.hold(held{done: p.Done(), since: mark})
			return t.result(mark, AwaitsDialog), nil
		}
		if err := t.answer(ctx, *d, true, nil); err != nil {
			return NavResult{}, afterEffect(err)
		}
	}
	if _, err := p.Wait(ctx); err != nil {
		if bidi.CodeOf(err) == bidi.CodeNoSuchHistoryEntry {
			return t.result(mark, ""), noHistory(op)
		}
		return t.result(mark, ""), wireFault(op, err)
	}
	if err := t.restored(ctx, mark); err != nil {
		if errors.Is(err, errPrompt) {
			return t.result(mark, AwaitsDialog), nil
		}
		return t.result(mark, ""), fault.From(err).At(fault.Observation, fault.Confirmed)
	}
	t.b.mu.Lock()
	t.later, t.laterAt = max(0, t.later-delta), t.b.seq
	t.b.mu.Unlock()
	s, err := t.settle(ctx, t.id, settleWant{mark: mark, parsed: true})
	out := t.result(mark, Loaded)
	out.Facts = s.facts
	if !out.Facts.Navigated {
		out.Outcome = SameDocument
		out.Facts.SameDocument = out.URL != was
	}
	if err == nil {
		err = t.unkept(mark, op)
	}
	return out, err
}

// unkept is the fault of a way through the history that ended at the browser's own page
// about a failure, nil where it did not.
func (t *Tab) unkept(mark Mark, op string) error {
	reason, shows := failureShown(t.URL())
	if !shows {
		return nil
	}
	rec := navigation{reason: reason}
	if n := t.latest(mark); n != nil {
		t.b.mu.Lock()
		rec.reason = cmp.Or(n.reason, reason)
		t.b.mu.Unlock()
	}
	f := failedFault(op, &rec)
	if rec.reason == "" {
		f = fault.New(fault.NavigationFailed, "%s: the browser shows a page of its own about a failure", op).At(fault.InEffect, fault.Possible)
	}
	if strings.Contains(rec.reason, "CACHE_MISS") || strings.Contains(rec.reason, "NOT_CACHED") || rec.reason == "notCached" {
		f = fault.New(fault.NavigationFailed, "%s: the page there was the answer to a form, and the browser has not kept it", op).
			WithHint("to send the form once more: %s; to do without: %s", fault.Call("browser_navigate", "action", "reload"), fault.Call("browser_navigate", "url", "URL")).
			WithDetail(map[string]any{"reason": "form-resubmission"}).At(fault.InEffect, fault.Possible)
	}
	return f
}

// raceTraversal is race for the command that leads through the history: the document
// that it leads to comes before its reply, or after.
func (t *Tab) raceTraversal(ctx context.Context, done <-chan struct{}, since int) error {
	for {
		err := t.raceOr(ctx, t.id, done, since, "go through the history", false)
		if !errors.Is(err, errNavigated) {
			return err
		}
		since = t.Mark().event
	}
}

// restored asks the page until a document that can be used is there, and writes
// down what no event told.
func (t *Tab) restored(ctx context.Context, mark Mark) error {
	for {
		d, err := run(ctx, t, t.id, pagejs.Walk, pagejs.WalkArgs{Quiet: true}, "")
		switch {
		case errors.Is(err, errNavigated):
			continue
		case errors.Is(err, errUnderway) && ctx.Err() == nil:
			t.awaitArrival(ctx, barredBound)
			continue
		case err != nil:
			return err
		}
		t.b.mu.Lock()
		t.sawDocumentLocked(&d)
		if f := t.b.frames[t.id]; f != nil && d.Ready != "loading" {
			if n := f.nav; n != nil && n.started > mark.event && n.committed == 0 && !n.over() {
				n.committed, n.content, n.history = t.b.seq, t.b.seq, true
				if d.Ready == "complete" {
					n.loaded = t.b.seq
				}
				f.changed = t.b.seq
			}
			f.ready = readyInteractive
			if d.Ready == "complete" {
				f.ready = readyComplete
			}
		}
		t.b.mu.Unlock()
		if d.Ready != "loading" {
			return nil
		}
		if !pause(ctx, 20*time.Millisecond) {
			return t.b.pageVerdict(ctx, "wait for the document", fault.Observation, fault.Confirmed)
		}
	}
}
