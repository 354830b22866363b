package drive

import (
	"cmp"
	"strings"
	"time"

	"github.com/goccy/go-json"

	"duet/bidi"
)

// event is the one sink of the connection: called by its reader in the order of
// the wire, it updates the state and wakes who waits. It never blocks and never
// sends.
func (b *Browser) event(e bidi.Event) {
	if s := b.stage.Load(); s != nil && s.take(e) {
		return
	}
	apply, ok := handlers[e.Method]
	if !ok {
		return
	}
	b.mu.Lock()
	b.seq++
	b.noise.events++
	apply(b, e.Params)
	b.wakeLocked()
	b.mu.Unlock()
}

// decoded makes a handler of a function on the members that it reads. An event
// that does not decode is dropped: the state then lacks it, as if the browser
// had left it out, which every waiter must survive anyway.
func decoded[T any](f func(b *Browser, e T)) func(*Browser, json.RawMessage) {
	return func(b *Browser, raw json.RawMessage) {
		var e T
		if json.Unmarshal(raw, &e) == nil {
			f(b, e)
		}
	}
}

var handlers = map[string]func(*Browser, json.RawMessage){
	"browsingContext.contextCreated":      decoded((*Browser).contextCreatedLocked),
	"browsingContext.contextDestroyed":    decoded((*Browser).contextDestroyedLocked),
	"browsingContext.navigationStarted":   decoded((*Browser).navigationStartedLocked),
	"browsingContext.navigationCommitted": decoded((*Browser).navigationCommittedLocked),
	"browsingContext.domContentLoaded":    decoded((*Browser).contentLoadedLocked),
	"browsingContext.load":                decoded((*Browser).loadedLocked),
	"browsingContext.navigationFailed":    decoded((*Browser).navigationFailedLocked),
	"browsingContext.navigationAborted":   decoded((*Browser).navigationFailedLocked),
	"browsingContext.fragmentNavigated":   decoded((*Browser).sameDocumentLocked),
	"browsingContext.historyUpdated":      decoded((*Browser).sameDocumentLocked),
	"browsingContext.downloadWillBegin":   decoded((*Browser).downloadBeganLocked),
	"browsingContext.downloadEnd":         decoded((*Browser).downloadEndedLocked),
	"input.fileDialogOpened":              decoded((*Browser).chooserOpenedLocked),
	"browsingContext.userPromptOpened":    decoded((*Browser).promptOpenedLocked),
	"browsingContext.userPromptClosed":    decoded((*Browser).promptClosedLocked),
	"script.realmCreated":                 decoded((*Browser).realmCreatedLocked),
	"script.realmDestroyed":               decoded((*Browser).realmDestroyedLocked),
	"network.beforeRequestSent":           holding("beforeRequestSent", decoded((*Browser).requestSentLocked)),
	"network.responseStarted":             decoded((*Browser).responseStartedLocked),
	"network.responseCompleted":           decoded((*Browser).responseCompletedLocked),
	"network.fetchError":                  decoded((*Browser).fetchErrorLocked),
	"network.authRequired":                holding("authRequired", decoded((*Browser).authRequiredLocked)),
	paused:                                decoded((*Browser).pausedLocked),
	"log.entryAdded":                      decoded((*Browser).entryAddedLocked),
}

func (b *Browser) contextCreatedLocked(e contextEvent) {
	f := b.frames[e.Context]
	if f == nil {
		f = &frame{id: e.Context, ready: readyComplete}
		b.frames[e.Context] = f
	}
	f.url = e.URL
	defer b.visitedLocked(f)
	if e.Parent != nil && *e.Parent != "" && f.parent == "" {
		f.parent = *e.Parent
		if p := b.frames[f.parent]; p != nil {
			p.kids = append(p.kids, f.id)
			f.tab = p.tab
		}
	}
	if f.parent == "" && f.tab == nil {
		b.newTabLocked(f, e.OriginalOpener)
	}
	for _, k := range e.Children {
		if k.Parent == nil {
			k.Parent = &e.Context
		}
		b.contextCreatedLocked(k)
	}
}

func (b *Browser) newTabLocked(f *frame, opener *bidi.Context) {
	b.lastTab++
	t := &Tab{b: b, id: f.id, number: b.lastTab, opened: b.seq, began: f.url}
	t.opener = numberOf(b.tabOfLocked(opener))
	f.tab = t
	b.byContext[f.id] = t
	b.tabs = append(b.tabs, t)
	// The browser puts a new tab in front, whoever opened it. Which tab is active
	// for the caller does not change by that.
	b.front, b.fronted = t, b.seq
	if b.active == nil {
		b.active = t
	}
}

func (b *Browser) contextDestroyedLocked(e contextEvent) {
	f := b.frames[e.Context]
	if f == nil {
		return
	}
	for _, k := range f.kids {
		b.contextDestroyedLocked(contextEvent{Context: k})
	}
	delete(b.frames, f.id)
	if p := b.frames[f.parent]; p != nil {
		p.kids = without(p.kids, f.id)
	}
	for id, r := range b.requests {
		if r.context == f.id {
			delete(b.requests, id)
		}
	}
	if f.parent != "" {
		return
	}
	t := f.tab
	t.closed = b.seq
	delete(b.dialogs, f.id)
	delete(b.byContext, f.id)
	b.tabs = without(b.tabs, t)
	if b.active == t {
		b.active = b.heirLocked(t)
	}
	if b.front == t {
		b.front = nil
	}
}

// heirLocked chooses the tab that is active after t: its opener where that is
// open, else the last one.
func (b *Browser) heirLocked(t *Tab) *Tab {
	var heir *Tab
	for _, o := range b.tabs {
		if o.number == t.opener {
			return o
		}
		heir = o
	}
	return heir
}

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

func (b *Browser) downloadBeganLocked(e navigationEvent) {
	if n := b.navLocked(e.id(), e.Context); n != nil {
		n.download = b.seq
	}
	d := download{id: e.Download, navigation: e.id(), context: e.Context, began: b.seq}
	d.URL, d.Name, d.State = e.URL, e.Name, "began"
	if f := b.frames[e.Context]; f != nil {
		d.Tab = numberOf(f.tab)
	}
	b.downloads = append(b.downloads, d)
	b.nudge()
	if len(b.downloads) > recentDownloads {
		b.downloads = b.downloads[1:]
	}
}

// downloadRefused is the state of a download that is not handed over.
const downloadRefused = "refused"

func (b *Browser) downloadEndedLocked(e navigationEvent) {
	for i := range b.downloads {
		d := &b.downloads[i]
		if d.end != 0 || d.arrived != "" || d.id != e.Download || d.navigation != e.id() || d.URL != e.URL {
			continue
		}
		if strings.HasPrefix(strings.ToLower(d.URL), "file:") {
			// A link in a file may name any other file: a caller that may not open that
			// one must not be handed a copy of it either.
			d.end, d.State = b.seq, downloadRefused
			return
		}
		if e.Path != nil && *e.Path != "" && b.info.Fetch != nil {
			// It is under way until it lies where the answer will say that it does.
			d.arrived, d.status = *e.Path, e.Status
			b.nudge()
			return
		}
		d.end, d.State = b.seq, e.Status
		if d.overrun != "" {
			d.State = overrunState(d.overrun)
			return
		}
		if e.Path != nil {
			d.Path = *e.Path
		}
		return
	}
}

func (b *Browser) promptOpenedLocked(e promptEvent) {
	top := b.topLocked(e.Context)
	d := &Dialog{Type: e.Type, Message: e.Message, Default: e.DefaultValue, seq: b.seq}
	if d.Type == "beforeunload" {
		// Each browser says this in words of its own, and in those of its language.
		d.Message = ""
	}
	if f := b.frames[e.Context]; f != nil {
		d.URL, d.Tab = f.url, numberOf(f.tab)
	}
	b.dialogs[top] = d
}

func (b *Browser) promptClosedLocked(e promptEvent) {
	delete(b.dialogs, b.topLocked(e.Context))
}

func (b *Browser) realmCreatedLocked(e realmEvent) {
	if strings.HasSuffix(e.Type, "-worker") {
		if b.workers == nil {
			b.workers = map[bidi.Realm]bool{}
		}
		b.workers[e.Realm] = true
	}
	if f := b.frames[e.Context]; f != nil && e.Type == "window" && e.Sandbox == sandbox {
		f.realm = e.Realm
	}
}

func (b *Browser) realmDestroyedLocked(e realmEvent) {
	if b.workers[e.Realm] {
		if delete(b.workers, e.Realm); len(b.workers) == 0 {
			b.exchanges.abandon()
		}
	}
	for _, f := range b.frames {
		if f.realm == e.Realm {
			f.realm = ""
		}
	}
}

func (b *Browser) entryAddedLocked(e logEvent) {
	if e.Text != nil && e.Method == "debug" && b.pressSaidLocked(*e.Text) {
		return
	}
	b.noise.logs++
	b.noise.loggedAt = e.Timestamp
	entry := entryOf(e, b.quirks, numberOf(b.tabOfLocked(e.Source.Context)))
	entry.Origin = b.originLocked(e.Source.Context)
	b.journal.add(entry)
}

func blank(url string) bool { return url == "" || strings.TrimSuffix(url, "#") == "about:blank" }

func without[T comparable](list []T, gone T) []T {
	out := make([]T, 0, len(list))
	for _, v := range list {
		if v != gone {
			out = append(out, v)
		}
	}
	return out
}
