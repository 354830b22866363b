package drive

import (
	"context"
	"errors"
	"time"

	"duet/bidi"
	"duet/internal/fault"
)

// closeBound is how long a closed tab may take to go where its page does not ask.
const closeBound = 2 * time.Second

// CloseTab closes a tab. A page that asks before it is left keeps the tab and its
// dialog open, which the facts say, unless leave is true: then it is not asked, and
// a dialog that is open already is dismissed. The last tab is replaced by an empty
// one, on every browser.
func (b *Browser) CloseTab(ctx context.Context, number int, leave bool) (Facts, error) {
	t, err := b.ByNumber(number)
	if err != nil {
		return Facts{}, err
	}
	if d := t.Dialog(); d != nil && !leave {
		return Facts{}, dialogFault(d)
	}
	mark := t.Mark()
	tended := false // a dialog of the page
	if !leave {
		if err := t.touch(ctx); err != nil {
			return Facts{}, err
		}
		mark = t.Mark()
	} else if tended, err = t.unblock(ctx); err != nil {
		return t.Since(mark), err
	}
	b.mu.Lock()
	last := len(b.tabs) == 1
	b.mu.Unlock()
	var spare *Tab // opened in the place of the last one
	if last {
		// First the new one: the browser would end, or would refuse.
		if spare, err = b.spare(ctx); err != nil {
			if tended {
				err = fault.From(err).After()
			}
			return t.Since(mark), err
		}
	}
	stays := func(f *fault.Fault) *fault.Fault { return t.stayed(spare, f) }
	told := func() bool { return t.closed != 0 || b.dialogs[t.id] != nil }
	p, err := t.close(ctx, leave, told)
	if leave && err == nil && t.Dialog() != nil && !t.Closed() {
		if _, wrong := t.unblock(ctx); wrong == nil {
			err = b.awaitOr(ctx, p.Done(), told)
		}
	}
	if err == nil && t.Dialog() != nil && !t.Closed() {
		t.hold(held{done: p.Done(), since: mark, closes: true})
		b.mu.Lock()
		if last {
			b.active = t // it stays until the question is answered, and so does the one opened for it
		}
		b.mu.Unlock()
		return t.Since(mark), nil
	}
	if err != nil {
		p.Forget() // nobody asks for its answer any more
		if ctx.Err() != nil {
			return t.Since(mark), stays(b.verdict(ctx, "close the tab", fault.InEffect, fault.Possible))
		}
		return t.Since(mark), stays(fault.From(err).At(fault.InEffect, fault.Possible))
	}
	if _, err := p.Wait(ctx); err != nil && !t.Closed() {
		f := wireFault("close the tab", err)
		if last || tended {
			f = afterEffect(f) // another one was opened for it, or a dialog answered
		}
		return t.Since(mark), stays(f)
	}
	gone, stop := context.WithTimeout(ctx, closeBound)
	defer stop()
	switch err := b.await(gone, func() bool { return t.closed != 0 }); {
	case err != nil && ctx.Err() != nil:
		return t.Since(mark), stays(b.verdict(ctx, "close the tab", fault.Observation, fault.Confirmed))
	case err != nil && t.Dialog() == nil:
		return t.Since(mark), stays(fault.New(fault.EffectUnknown, "close the tab: the browser took the command, and tab %d is still there", t.number).
			At(fault.InEffect, fault.Possible))
	}
	return t.Since(mark), nil
}

// stayed says of a close that failed that the tab is there, and so is the one that was
// opened in its place, where one was: the close may still come to pass.
func (t *Tab) stayed(spare *Tab, f *fault.Fault) *fault.Fault {
	if spare == nil || t.Closed() {
		return f
	}
	t.b.mu.Lock()
	t.b.active = t
	t.b.mu.Unlock()
	if f.Hint == "" || errors.Is(f, fault.Timeout) {
		f = f.WithHint("tab %d is there and active; tab %d was opened to take its place, and is empty: %s ends the browser", t.number, spare.number, fault.Call("browser_quit"))
	}
	return f
}

// spare opens the tab that takes the place of the last one. A page that hangs may keep
// its browser from answering that, not from announcing the tab, which is enough.
func (b *Browser) spare(ctx context.Context) (*Tab, error) {
	b.mu.Lock()
	mark := b.seq
	b.mu.Unlock()
	p := bidi.BrowsingContextCreate.Send(b.conn, bidi.BrowsingContextCreateParameters{Type: bidi.BrowsingContextCreateTypeTab})
	var t *Tab
	there := func() bool {
		for _, o := range b.tabs {
			if o.opened > mark && o.opener == 0 {
				t = o
			}
		}
		return t != nil
	}
	err := b.awaitOr(ctx, p.Done(), there)
	if err == nil { // the answer follows the announcement, where it comes
		soon, stop := context.WithTimeout(ctx, closeAgain)
		_ = b.awaitOr(soon, p.Done(), func() bool { return false })
		stop()
	}
	if err == nil && isClosed(p.Done()) {
		var made bidi.BrowsingContextCreateResult
		if made, err = p.Wait(ctx); err != nil {
			return nil, wireFault("open a tab", err)
		}
		err = b.await(ctx, func() bool { t = b.byContext[made.Context]; return t != nil })
	}
	if err != nil && ctx.Err() == nil {
		p.Forget()
		return nil, fault.From(err) // the browser is lost
	}
	if err != nil {
		_, err = p.Wait(ctx)
		return nil, b.unanswered(ctx, "open a tab", err)
	}
	p.Forget() // the tab is there: an answer that still comes says nothing more
	b.mu.Lock()
	b.active, t.ours = t, true
	b.mu.Unlock()
	return t, nil
}

// closeAgain is how long a tab whose close may be lost is given before it is told
// again; each time twice as long.
const closeAgain = 250 * time.Millisecond

// close tells the browser to close the tab until it is told, or the browser has
// answered. Where a close that meets a navigation is lost, it is sent again: to a tab
// that goes or asks already, that is nothing.
func (t *Tab) close(ctx context.Context, leave bool, told func() bool) (p *bidi.Pending[bidi.EmptyResult], err error) {
	began := time.Now()
	for wait := closeAgain; ; wait *= 2 {
		p = bidi.BrowsingContextClose.Send(t.b.conn, bidi.BrowsingContextCloseParameters{Context: t.id, PromptUnload: !leave})
		if !t.b.quirks.CloseLostOnNavigation {
			return p, t.b.awaitOr(ctx, p.Done(), told)
		}
		try, stop := context.WithTimeout(ctx, wait)
		err = t.b.awaitOr(try, p.Done(), told)
		if isClosed(p.Done()) {
			if _, refused := p.Wait(ctx); refused != nil {
				stop()
				return p, nil
			}
			err = t.b.await(try, told) // Chrome answers before the tab has gone or asked
		}
		late := try.Err() != nil
		stop()
		switch {
		case err == nil, !late, ctx.Err() != nil:
			return p, err
		case isClosed(p.Done()) && time.Since(began) > closeBound/2:
			return p, nil
		}
		p.Forget()
	}
}

func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// dialogsInARow is how many dialogs that follow one another are dismissed.
const dialogsInARow = 10

// unblock dismisses what dialogs a page that is to be closed has open; one that asks
// before the page is left is accepted. It reports whether one was answered.
func (t *Tab) unblock(ctx context.Context) (answered bool, err error) {
	for range dialogsInARow {
		d := t.Dialog()
		if d == nil {
			return answered, nil
		}
		if err := t.answer(ctx, *d, d.Type == "beforeunload", nil); err != nil && !errors.Is(err, fault.NoDialog) {
			if answered {
				err = fault.From(err).After()
			}
			return answered, err
		}
		answered = true
		if d.Type == "beforeunload" {
			return answered, nil
		}
		// The script that it held up goes on, perhaps to the next one.
		next, stop := context.WithTimeout(ctx, lateReply)
		_ = t.b.await(next, func() bool { return t.closed != 0 || t.b.dialogs[t.id] != nil })
		stop()
	}
	return answered, nil
}
