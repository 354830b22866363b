package drive

import (
	"strings"

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
