package drive

import (
	"context"
	"time"

	"duet/internal/pagejs"
)

// awaitClose waits for the end of a tab that its page has closed: only a tab that
// a page opened can be closed so, and its end is told a little later.
func (t *Tab) awaitClose(ctx context.Context, bound time.Duration) {
	if t.opener == 0 || t.Closed() {
		return
	}
	ctx, stop := context.WithTimeout(ctx, bound)
	defer stop()
	closing, err := run(ctx, t, t.id, pagejs.Closing, struct{}{}, "")
	if err == nil && !closing {
		return
	}
	// Where it does not come, the tab is as open as it says.
	_ = t.b.await(ctx, func() bool { return t.closed != 0 || err != nil && t.b.dialogs[t.id] != nil })
}

// causes is what an action set off.
type causes struct {
	last     int  // event of the last sign of it
	open     bool // some of it is under way
	leaving  bool // the top document is about to go, or not yet read in
	over     bool // nothing further can be seen: a dialog, a closed tab
	answered int  // event of the last request's end
	moves    bool // the last sign is that the document changed its address
}

func (t *Tab) cause(w settleWant) causes {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.causeLocked(w)
}

func (t *Tab) causeLocked(w settleWant) causes {
	b, m := t.b, w.mark
	c := causes{over: t.closed != 0 || b.dialogs[t.id] != nil}
	sign := func(at int) {
		if at > m.event {
			c.last = max(c.last, at)
		}
	}
	led := false
	for _, n := range b.navigations {
		f := b.frames[n.context]
		if f == nil || f.tab == nil || n.started <= m.event || f.nav != n {
			continue
		}
		popup := f.tab != t && f.tab.opener == t.number && f.tab.opened > m.event && f.parent == ""
		if f.tab != t && !popup {
			continue
		}
		led = true
		sign(n.started)
		sign(n.failed)
		sign(n.committed)
		sign(n.content)
		sign(n.loaded)
		sign(n.download)
		if n.over() && n.committed == 0 {
			continue
		}
		// A popup is followed until its address is known, a document of this tab
		// until it is there.
		whole := n.loaded != 0 || f.ready == readyComplete || w.parsed && n.content != 0
		if n.committed == 0 || !popup && !whole {
			c.open = true
			c.leaving = c.leaving || n.content == 0 && n.context == t.id
		}
	}
	for _, r := range b.requests {
		if r.data && r.started > m.event && t.ownsLocked(r.context) {
			sign(r.started)
			c.open = true
		}
	}
	for i := len(b.dataEnded) - 1; i >= 0 && b.dataEnded[i].seq > m.event; i-- {
		if t.ownsLocked(b.dataEnded[i].context) {
			c.answered = b.dataEnded[i].seq
			sign(c.answered)
			break
		}
	}
	saves := w.saves
	for i := range b.downloads {
		d := &b.downloads[i]
		if d.began > m.event && t.ownsLocked(d.context) {
			sign(d.began)
			sign(d.end)
			c.open = c.open || d.end == 0
			saves = false
		}
	}
	// A link to another origin may lead there instead.
	c.open = c.open || saves && !led
	if t.moved > m.event {
		sign(t.moved)
	}
	c.moves = c.last == t.moved
	for _, o := range b.tabs {
		if o.opener == t.number && o.opened > m.event {
			sign(o.opened)
			c.open = c.open || o.repair != 0
		}
	}
	return c
}
