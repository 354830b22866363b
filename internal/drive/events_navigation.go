package drive

import (
	"cmp"
	"time"
)

func (b *Browser) navigationStartedLocked(e navigationEvent) {
	n := b.navLocked(e.id(), e.Context)
	if n == nil {
		return
	}
	if n.started == 0 {
		n.started, n.seen, n.begun = b.seq, time.Now(), e.Timestamp
	}
	if e.URL != "" {
		n.url = e.URL
	}
	if f := b.frames[e.Context]; f != nil {
		// A newer attempt ends the one before it, whether or not the browser says so.
		if old := f.nav; old != nil && old != n && old.committed == 0 && !old.over() {
			old.failed, old.reason = b.seq, reasonSuperseded
		}
		f.nav = n
		if f.tab != nil {
			f.tab.turned = b.seq
		}
	}
}

func (b *Browser) navigationCommittedLocked(e navigationEvent) {
	b.committedLocked(e, false)
}

// committedLocked records that a frame shows another document.
func (b *Browser) committedLocked(e navigationEvent, late bool) {
	f := b.frames[e.Context]
	n := b.navLocked(e.id(), e.Context)
	if n != nil && n.committed == 0 {
		n.committed = b.seq
		if n.started == 0 {
			n.started = b.seq
		}
		if e.URL != "" {
			n.url = e.URL
		}
	}
	if f == nil {
		return
	}
	counted := n != nil && n.read
	// A restored document commits under another id than it started with.
	if old := f.nav; old != nil && old != n && old.committed == 0 && !old.over() {
		old.committed, old.content, old.loaded, old.history = b.seq, b.seq, b.seq, true
		counted = counted || old.read
		if n != nil {
			n.content, n.loaded, n.history = b.seq, b.seq, true
		}
	}
	f.nav = n
	f.url = e.URL
	f.changed = b.seq
	if b.quirks.RefusalsUntold {
		b.refusedLocked(e, f)
	}
	f.ready = readyLoading
	if n != nil && n.loaded != 0 {
		f.ready = readyComplete
	}
	if b.quirks.PopupContextHangs && f.commits == 0 && f.parent == "" && f.tab != nil && f.tab.opener != 0 && f.realm != "" {
		f.tab.repair = repairDue
		b.nudge()
	}
	for id, r := range b.requests {
		if r.context == f.id {
			delete(b.requests, id)
		}
	}
	if blank(e.URL) && f.commits == 0 {
		f.ready = readyComplete // the initial empty document, announced
		return
	}
	f.commits++
	b.visitedLocked(f)
	if f.parent == "" && f.tab != nil && !counted {
		f.tab.newDocumentLocked()
	}
}

func (b *Browser) contentLoadedLocked(e navigationEvent) {
	b.arrivedLocked(e, readyInteractive)
}

func (b *Browser) loadedLocked(e navigationEvent) {
	b.arrivedLocked(e, readyComplete)
}

func (b *Browser) arrivedLocked(e navigationEvent, ready int) {
	n := b.navLocked(e.id(), e.Context)
	if n != nil {
		f := b.frames[e.Context]
		if f != nil && n.committed == 0 && b.strayLocked(e, n, f) {
			return
		}
		if n.committed == 0 && f != nil && (f.nav == n || f.nav == nil || n.failed != 0) {
			// Some documents arrive without a commit: popups, and the error page of a
			// failed navigation.
			b.committedLocked(e, true)
		}
		if n.content == 0 {
			n.content = b.seq
		}
		if ready == readyComplete && n.loaded == 0 {
			n.loaded = b.seq
			b.exchanges.shown(n.id, time.Now())
		}
	}
	if f := b.frames[e.Context]; f != nil && (n == nil || f.nav == n) {
		f.ready = max(f.ready, ready)
		if e.URL != "" {
			f.url = e.URL
		}
	}
}

// strayLocked reports the end of the document before, told in the name of the
// navigation that ended it: it is of the address shown, not of the one led to. A
// navigation that failed shows its failure as a document; one that was cancelled, as
// by becoming a download, shows none.
func (b *Browser) strayLocked(e navigationEvent, n *navigation, f *frame) bool {
	if !b.quirks.StrayContent || n.failed != 0 && !n.aborted() || n.started == 0 {
		return false
	}
	if e.Timestamp != 0 && e.Timestamp < n.begun {
		return true
	}
	if n.url == "" || e.URL == n.url {
		return false
	}
	if e.URL == f.url {
		return true
	}
	// The document before may be one whose navigation was cut short, and told as failed,
	// when it had hardly begun: it is shown all the same.
	for _, before := range b.navigations {
		if before != n && before.context == e.Context && before.failed != 0 && before.started < n.started && before.url == e.URL {
			f.url = e.URL
			return true
		}
	}
	return false
}

func (b *Browser) navigationFailedLocked(e navigationEvent) {
	n := b.navLocked(e.id(), e.Context)
	if n == nil || n.failed != 0 || n.committed != 0 {
		return
	}
	n.failed, n.reason = b.seq, cmp.Or(e.Message, n.reason)
}

func (b *Browser) sameDocumentLocked(e navigationEvent) {
	f := b.frames[e.Context]
	if f == nil {
		return
	}
	f.url = e.URL
	if f.tab != nil {
		f.tab.turned = b.seq
	}
	if n := b.navLocked(e.id(), e.Context); n != nil && n.committed == 0 {
		n.same = b.seq
		if n.started == 0 {
			n.started = b.seq
		}
	}
	if f.parent == "" && f.tab != nil {
		f.tab.moved = b.seq
	}
}
