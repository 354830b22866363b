package drive

import (
	"context"
	"errors"

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

// ShowsFailure reports whether the tab shows a page of the browser's own about an
// address that could not be opened.
func (t *Tab) ShowsFailure() bool {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	if f := t.b.frames[t.id]; f != nil && f.nav != nil && f.nav.failed != 0 && !f.nav.aborted() {
		return true // whatever address the browser gives that page
	}
	_, shows := failureShown(t.urlLocked())
	return shows
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
