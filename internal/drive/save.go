package drive

import (
	"cmp"
	"context"
	"slices"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// Bounds of the databases that are saved, in bytes of their text.
const (
	mostOfDatabase  = 4 << 20
	mostOfDatabases = 24 << 20
)

// SaveState reads what the browser keeps: all cookies, and of every origin that
// the session's tabs have shown, in pages or in frames, the local storage and the
// databases, and the session storage of each open tab, that of the active one
// first. It reads open documents where they are. Other origins, and
// databases, are read in a hidden tab, in empty pages that no server is asked for.
// The counts say how much it is, with what text cannot carry or what is too large,
// and with the session storages that no page could tell of: a copy of a tab tells of
// origins that it has left, where the browser copies them. A dialog in the way is
// DIALOG_OPEN. It changes nothing in the pages.
func (b *Browser) SaveState(ctx context.Context) (*SavedState, Stored, error) {
	if all := b.Dialogs(); len(all) > 0 {
		return nil, Stored{}, dialogFault(&all[0])
	}
	w := &saving{b: b, found: map[spot]*kept{}}
	visits := w.look()
	if err := w.readOpen(ctx); err != nil {
		return nil, Stored{}, err
	}
	if err := w.readHidden(ctx, visits); err != nil {
		return nil, Stored{}, err
	}
	var sites []string
	for _, v := range visits {
		if v.place.top == "" {
			sites = append(sites, v.place.origin)
		}
	}
	cookies, err := b.cookies(ctx, sites)
	if err != nil {
		return nil, Stored{}, err
	}
	s := w.state(cookies, visits)
	n := s.Counts()
	n.Left, n.Unread = w.left, w.unread
	return s, n, nil
}

// saving is a state that is being read.
type saving struct {
	b      *Browser
	docs   []openDoc
	found  map[spot]*kept
	left   int
	bytes  int // of databases
	unread int // session storages that could not be reached
}

// kept is what was found of a place.
type kept struct {
	savedOrigin
	read        bool // local storage, and databases as far as they are due
	sessionRead bool
	counted     int // databases that are there
	dumped      bool
	left        int // what text cannot carry
}

// openDoc is a document that is open now.
type openDoc struct {
	tab     *Tab
	context bidi.Context
	place   spot
}

// look notes what is open, the active tab first, and what was visited.
func (w *saving) look() []visit {
	b := w.b
	b.mu.Lock()
	defer b.mu.Unlock()
	tabs := slices.Clone(b.tabs)
	slices.SortStableFunc(tabs, func(x, y *Tab) int { return rank(y == b.active) - rank(x == b.active) })
	for _, t := range tabs {
		for _, c := range b.orderLocked(t.id, nil) {
			if p, ok := b.placeLocked(b.frames[c]); ok {
				w.docs = append(w.docs, openDoc{t, c, p})
				b.visitLocked(p, t) // an address can change without a new document
			}
		}
	}
	visits := slices.Clone(b.visits)
	w.left += b.unvisited
	for _, v := range b.visits {
		own := spot{origin: v.place.origin}
		if v.place.top != "" && maybeSameSite(v.place.origin, v.place.top) && !slices.ContainsFunc(visits, func(o visit) bool { return o.place == own }) {
			visits = append(visits, visit{place: own})
		}
	}
	return visits
}

func rank(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (w *saving) at(p spot) *kept {
	k := w.found[p]
	if k == nil {
		k = &kept{savedOrigin: savedOrigin{place: p}}
		w.found[p] = k
	}
	return k
}

// readOpen reads the open documents in the sandbox. One that goes away meanwhile is
// read in the hidden tab, like those that are not open.
func (w *saving) readOpen(ctx context.Context) error {
	type asked struct {
		doc     openDoc
		since   int
		pending *bidi.Pending[bidi.ScriptEvaluateResult]
	}
	var all []asked
	for _, d := range w.docs {
		since, pending, f := d.tab.callPage(d.context, pagejs.Stored.Source(), []bidi.ScriptLocalValue{bidi.StringValue(pagejs.Stored.Args(pagejs.StoredArgs{Session: true}))}, nil, false)
		if f == nil {
			all = append(all, asked{d, since, pending})
		}
	}
	for _, a := range all {
		if err := a.doc.tab.race(ctx, a.doc.context, a.pending.Done(), a.since, "read what "+a.doc.place.origin+" keeps"); err != nil {
			a.pending.Forget()
			if ctx.Err() != nil || w.b.LostErr() != nil {
				return fault.From(err).At(fault.BeforeEffect, fault.None)
			}
			continue
		}
		out, err := a.pending.Wait(ctx)
		if err != nil || out.ExceptionDetails != nil {
			continue
		}
		if err := w.take(a.doc.place, out.Result, true); err != nil {
			return err
		}
	}
	return nil
}

// take adds what the page function found in a document of a place.
func (w *saving) take(p spot, v bidi.ScriptRemoteValue, session bool) error {
	list, _ := v.AsList()
	var info pagejs.StoredInfo
	texts := make([]string, 0, len(list))
	for i, item := range list {
		if text, ok := item.AsString(); ok && i == 0 && json.Unmarshal([]byte(text), &info) == nil {
			continue
		}
		pairs, _ := item.AsMapping()
		if i == 0 || len(pairs) != 1 {
			return fault.New(fault.StateInvalid, "what %s keeps could not be read", p.origin)
		}
		text, _ := pairs[0].Value.AsString()
		texts = append(texts, text)
	}
	if len(list) == 0 || len(texts) != 2*info.Local+2*info.Session+info.Dumped {
		return fault.New(fault.StateInvalid, "what %s keeps could not be read", p.origin)
	}
	if info.Origin != p.origin || info.Denied { // a sandbox, or another page than was meant
		return nil
	}
	k := w.at(p)
	local, texts := entriesOf(texts, info.Local)
	kept, texts := entriesOf(texts, info.Session)
	if !k.read || info.Ours {
		k.local, k.counted, k.left = local, info.Databases, info.Left
	}
	k.read = true
	if session && !k.sessionRead {
		k.session, k.sessionRead = kept, true
	}
	if info.Ours {
		k.dumped, k.databases = true, nil
		for _, text := range texts {
			if w.bytes += len(text); w.bytes > mostOfDatabases {
				k.left++
				continue
			}
			k.databases = append(k.databases, json.RawMessage(text))
		}
	}
	return nil
}

func entriesOf(texts []string, n int) ([]entry, []string) {
	var list []entry
	for i := range n {
		list = append(list, entry{texts[2*i], texts[2*i+1]})
	}
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.Name, b.Name) })
	return list, texts[2*n:]
}

// readHidden reads what no open document could tell.
func (w *saving) readHidden(ctx context.Context, visits []visit) error {
	w.b.mu.Lock()
	tabs := slices.Clone(w.b.tabs)
	active := w.b.active
	w.b.mu.Unlock()
	slices.SortStableFunc(tabs, func(x, y *Tab) int { return rank(y == active) - rank(x == active) })
	for _, t := range tabs {
		var due []spot
		for _, v := range visits {
			if slices.Contains(v.tabs, t) && !w.at(v.place).sessionRead {
				due = append(due, v.place)
			}
		}
		if url := t.URL(); w.b.quirks.SessionCopiesOwnOnly || !blank(url) && pageOrigin(url) == "" {
			w.unread += len(due)
			continue // no popup of its page could tell
		}
		if err := w.visitAll(ctx, t, due); err != nil {
			return err
		}
	}
	var due []spot
	for _, v := range visits {
		if k := w.at(v.place); !k.read || k.counted > 0 && !k.dumped {
			due = append(due, v.place)
		}
	}
	return w.visitAll(ctx, nil, due)
}

// visitAll reads places in a hidden tab, with the session storage of from's.
func (w *saving) visitAll(ctx context.Context, from *Tab, due []spot) (err error) {
	if len(due) == 0 {
		return nil
	}
	s, err := w.b.openBackstage(ctx, from, true)
	if err != nil || s == nil {
		return err
	}
	defer func() {
		if shut := s.close(ctx); err == nil {
			err = shut
		}
		if err != nil {
			err = afterEffect(err) // a hidden tab may be left
		}
	}()
	for _, p := range due {
		where, err := s.visit(ctx, p)
		if err != nil {
			return err
		}
		args := pagejs.StoredArgs{Session: from != nil, Databases: true, Most: mostOfDatabase}
		out, err := callBare(ctx, w.b, where, "", pagejs.Stored, args, "")
		if err != nil {
			return s.failed(ctx, p.origin, err)
		}
		if err := w.take(p, out, from != nil); err != nil {
			return err
		}
		if k := w.at(p); !k.dumped {
			k.left += max(1, k.counted) // something else than our page answers there
		}
	}
	return nil
}

// state puts together what was found, in the order of the visits.
func (w *saving) state(cookies []savedCookie, visits []visit) *SavedState {
	s := &SavedState{cookies: cookies}
	for _, framed := range []bool{false, true} {
		for _, v := range visits {
			k := w.found[v.place]
			if k == nil || framed != (v.place.top != "") {
				continue
			}
			w.left += k.left
			if k.empty() {
				continue
			}
			if own := w.found[spot{origin: v.place.origin}]; framed && own != nil && own.same(&k.savedOrigin) {
				continue // a frame of the page's own site
			}
			s.origins = append(s.origins, k.savedOrigin)
		}
	}
	return s
}
