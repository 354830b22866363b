package drive

import (
	"context"
	"errors"
	"time"

	"duet/bidi"
	"duet/internal/fault"
)

// Tab returns the active tab: the one that the caller chose last, or the first. A
// tab that closes hands over to its opener, else to the newest. It asks the browser
// nothing and opens nothing, unless no tab is left at all.
func (b *Browser) Tab(ctx context.Context) (*Tab, error) {
	b.mu.Lock()
	t := b.active
	b.mu.Unlock()
	if t != nil {
		return t, nil
	}
	return b.Open(ctx)
}

// Tabs returns the open tabs in the order in which they were opened.
func (b *Browser) Tabs() []TabInfo {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := make([]TabInfo, 0, len(b.tabs))
	for _, t := range b.tabs {
		all = append(all, t.infoLocked())
	}
	return all
}

// FrameURLs returns the addresses of the frames in the tab's page.
func (t *Tab) FrameURLs() []string {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	var urls []string
	for c, f := range t.b.frames {
		if c != t.id && t.b.tabOfLocked(&c) == t {
			urls = append(urls, f.url)
		}
	}
	return urls
}

// Shows reports whether a context, a tab's or a frame's, still exists.
func (t *Tab) Shows(context string) bool {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.b.frames[bidi.Context(context)] != nil
}

func (t *Tab) infoLocked() TabInfo {
	return TabInfo{
		Tab: t.number, URL: t.urlLocked(), Active: t.b.active == t, Opener: t.opener, Dialog: t.dialogLocked(),
		Title: t.titleLocked(),
	}
}

// titleLocked is the title as the last reading of the document told it.
func (t *Tab) titleLocked() string {
	if d := t.docs[t.id]; d != nil && d.Doc == t.doc {
		return d.Title
	}
	return ""
}

// ByNumber returns an open tab, or INVALID_ARGUMENT with the numbers there are.
func (b *Browser) ByNumber(number int) (*Tab, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	open := make([]int, 0, len(b.tabs))
	for _, t := range b.tabs {
		if t.number == number {
			return t, nil
		}
		open = append(open, t.number)
	}
	return nil, fault.New(fault.InvalidArgument, "no tab %d; open are %v", number, open)
}

// Open opens an empty tab, makes it active and brings it to the front.
func (b *Browser) Open(ctx context.Context) (*Tab, error) {
	made, err := b.create(ctx)
	if err != nil {
		return nil, err
	}
	var t *Tab
	err = b.await(ctx, func() bool {
		if t = b.byContext[made]; t == nil {
			return false
		}
		b.active, t.ours = t, true // its event told that it is in front, unless another came since
		return true
	})
	if err != nil {
		return nil, fault.From(err).At(fault.Observation, fault.Confirmed) // the browser has made it
	}
	return t, nil
}

func (b *Browser) create(ctx context.Context) (bidi.Context, error) {
	p := bidi.BrowsingContextCreate.Send(b.conn, bidi.BrowsingContextCreateParameters{Type: bidi.BrowsingContextCreateTypeTab})
	made, err := p.Wait(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return "", b.unanswered(ctx, "open a tab", err)
		}
		return "", wireFault("open a tab", err)
	}
	return made.Context, nil
}

// Select makes a tab the active one and brings it to the front.
func (b *Browser) Select(ctx context.Context, number int) (*Tab, error) {
	t, err := b.ByNumber(number)
	if err != nil {
		return nil, err
	}
	if t.Dialog() == nil {
		if err := t.toFront(ctx); err != nil {
			if errors.Is(err, fault.Timeout) || errors.Is(err, fault.Cancelled) {
				err = fault.From(err).At(fault.InEffect, fault.Possible) // it may come to the front yet
			}
			return nil, err
		}
	}
	b.mu.Lock()
	b.active = t
	b.mu.Unlock()
	return t, nil
}

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
	answered := false // a dialog of the page
	if !leave {
		if err := t.touch(ctx); err != nil {
			return Facts{}, err
		}
		mark = t.Mark()
	} else if answered, err = t.unblock(ctx); err != nil {
		return t.Since(mark), err
	}
	b.mu.Lock()
	last := len(b.tabs) == 1
	b.mu.Unlock()
	if last {
		// First the new one: the browser would end, or would refuse.
		if _, err := b.Open(ctx); err != nil {
			if answered {
				err = fault.From(err).After()
			}
			return t.Since(mark), err
		}
	}
	p := bidi.BrowsingContextClose.Send(b.conn, bidi.BrowsingContextCloseParameters{Context: t.id, PromptUnload: !leave})
	told := func() bool { return t.closed != 0 || b.dialogs[t.id] != nil }
	err = b.awaitOr(ctx, p.Done(), told)
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
		if ctx.Err() != nil {
			return t.Since(mark), b.verdict(ctx, "close the tab", fault.InEffect, fault.Possible)
		}
		return t.Since(mark), fault.From(err).At(fault.InEffect, fault.Possible)
	}
	if _, err := p.Wait(ctx); err != nil && !t.Closed() {
		f := wireFault("close the tab", err)
		if last || answered {
			f = afterEffect(f) // another one was opened for it, or a dialog answered
		}
		return t.Since(mark), f
	}
	gone, stop := context.WithTimeout(ctx, closeBound)
	defer stop()
	switch err := b.await(gone, func() bool { return t.closed != 0 }); {
	case err != nil && ctx.Err() != nil:
		return t.Since(mark), b.verdict(ctx, "close the tab", fault.Observation, fault.Confirmed)
	case err != nil && t.Dialog() == nil:
		return t.Since(mark), fault.New(fault.EffectUnknown, "close the tab: the browser took the command, and tab %d is still there", t.number).
			At(fault.InEffect, fault.Possible)
	}
	return t.Since(mark), nil
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
