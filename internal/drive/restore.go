package drive

import (
	"context"
	"strings"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// LoadState makes the browser keep what a state holds. Cookies are set, and those
// that its hosts had besides are deleted; the storage and the databases of each of
// its origins are replaced; other origins keep theirs. Open pages are left as they
// are. Session storages are put into a new tab, which is active then: each tab has
// its own. What the browser does not take is PARTIAL_EFFECT, with
// what was done; so is a deadline in the middle, by its effect.
func (b *Browser) LoadState(ctx context.Context, s *SavedState) (Stored, error) {
	if all := b.Dialogs(); len(all) > 0 {
		return Stored{}, dialogFault(&all[0])
	}
	l := &loading{b: b, s: s, session: s.Counts().Session > 0, heard: true}
	var sites, hosts []string
	b.mu.Lock()
	for _, v := range b.visits {
		if v.place.top == "" {
			sites = append(sites, v.place.origin)
		}
	}
	b.mu.Unlock()
	for _, c := range s.cookies {
		hosts = append(hosts, strings.TrimPrefix(c.cookie.Domain, "."))
	}
	for _, o := range s.origins {
		hosts = append(hosts, hostOf(o.place.origin))
	}
	there, err := b.cookies(ctx, sites)
	if err != nil {
		return l.done, err
	}
	if err := l.run(ctx); err != nil {
		return l.done, l.partial(err)
	}
	if err := b.dropCookies(ctx, there, s.cookies, hosts); err != nil {
		return l.done, l.partial(err)
	}
	return l.done, l.refusal()
}

// loading is a state that is being restored.
type loading struct {
	b       *Browser
	s       *SavedState
	session bool // into a tab that stays
	heard   bool // events are subscribed to
	stage   *backstage
	kept    bidi.Context // the tab that stays
	done    Stored
	refused []string // what the browser did not take, and why
}

// run sets the cookies and fills the origins. A fault ends it in the middle.
func (l *loading) run(ctx context.Context) error {
	var err error
	l.done.Cookies, l.done.Expired, l.refused, err = l.b.setCookies(ctx, l.s.cookies)
	if err != nil || len(l.s.origins) == 0 {
		return err
	}
	if l.stage, err = l.b.openBackstage(ctx, nil, l.heard); err != nil {
		return err
	}
	for i := range l.s.origins {
		if err := l.fill(ctx, &l.s.origins[i]); err != nil {
			_ = l.stage.close(ctx) // what came before matters
			return err
		}
	}
	if !l.session {
		return l.stage.close(ctx)
	}
	return l.keep(ctx)
}

// fill replaces what one origin keeps. What the browser does not take is noted.
func (l *loading) fill(ctx context.Context, o *savedOrigin) error {
	where, err := l.stage.visit(ctx, o.place)
	if err != nil {
		if ctx.Err() != nil || l.b.LostErr() != nil {
			return err
		}
		l.refused = append(l.refused, o.at+": "+fault.From(err).Error())
		return nil
	}
	wanted := struct {
		Local     []entry           `json:"local"`
		Session   []entry           `json:"session"`
		Databases []json.RawMessage `json:"databases"`
	}{o.local, nil, o.databases}
	if wanted.Local == nil {
		wanted.Local = []entry{}
	}
	if wanted.Databases == nil {
		wanted.Databases = []json.RawMessage{}
	}
	if l.session {
		wanted.Session = o.session
	}
	text, err := json.MarshalWithOption(wanted, json.DisableHTMLEscape())
	if err != nil {
		return fault.New(fault.Internal, "%s cannot be written", o.at).Because(err)
	}
	out, err := callBare(ctx, l.b, where, "", pagejs.Restore, struct{}{}, string(text))
	if err != nil {
		if ctx.Err() != nil || bidi.CodeOf(err) == "" {
			return l.stage.failed(ctx, o.place.origin, err)
		}
		l.refused = append(l.refused, o.at+": the browser does not take it")
		return nil
	}
	var r pagejs.Restored
	answer, _ := out.AsString()
	if json.Unmarshal([]byte(answer), &r) != nil {
		return fault.New(fault.StateInvalid, "what %s keeps could not be replaced", o.place.origin)
	}
	switch {
	case r.Origin != o.place.origin:
		r.Why = "the browser shows another origin for it"
	case !r.Ours:
		r.Why = "a service worker of the origin answers for it"
	}
	if r.Why != "" {
		l.refused = append(l.refused, o.at+": "+r.Why)
	} else {
		l.done.Origins++
		l.b.mu.Lock()
		l.b.visitLocked(o.place, nil)
		l.b.mu.Unlock()
	}
	l.done.Local += r.Local
	l.done.Session += r.Session
	l.done.Databases += r.Databases
	return nil
}

// keep makes the hidden tab one that is seen, with an empty page.
func (l *loading) keep(ctx context.Context) error {
	s, b := l.stage, l.b
	s.mu.Lock()
	loads := s.loads
	s.mu.Unlock()
	if err := s.show(ctx, "about:blank", loads); err != nil {
		_ = s.close(ctx) // what came before matters
		return err
	}
	s.free(ctx)
	b.stage.CompareAndSwap(s, nil)
	l.kept = s.root
	b.mu.Lock()
	b.seq++
	b.contextCreatedLocked(contextEvent{Context: s.root, URL: "about:blank"})
	t := b.byContext[s.root]
	t.ours = true
	for _, o := range l.s.origins {
		if len(o.session) > 0 {
			b.visitLocked(o.place, t)
		}
	}
	b.wakeLocked()
	b.mu.Unlock()
	if !l.heard { // the session's first tab, of which not every browser tells again
		return nil
	}
	if _, err := b.Select(ctx, t.number); err != nil {
		return err
	}
	l.done.Tab = t.number
	return nil
}

// partial is a fault that ended the restoring in the middle.
func (l *loading) partial(err error) error {
	f := fault.From(err)
	if l.done.Cookies+l.done.Origins == 0 {
		return f // its effect is all that there is
	}
	return f.At(fault.InEffect, fault.Partial).WithDetail(l.detail())
}

// refusal is the fault of what the browser did not take, nil where it took all.
func (l *loading) refusal() error {
	if len(l.refused) == 0 {
		return nil
	}
	most := l.refused[:min(len(l.refused), 5)]
	f := fault.New(fault.PartialEffect, "%d parts of the saved state were not restored: %s", len(l.refused), strings.Join(most, "; ")).
		At(fault.InEffect, fault.Partial)
	if len(l.refused) == 1 {
		f.Message = "a part of the saved state was not restored: " + most[0]
	}
	return f.WithDetail(l.detail())
}

func (l *loading) detail() any {
	return map[string]any{"restored": l.done, "refused": l.refused[:min(len(l.refused), 20)]}
}

// restore gives a browser its saved state, before anything of the session is there
// to see it. Session storages go to the tab that the session begins with.
func (b *Browser) restore(ctx context.Context, s *SavedState) error {
	l := &loading{b: b, s: s, session: s.Counts().Session > 0}
	if err := l.run(ctx); err != nil {
		f := fault.From(err)
		if f.Code == fault.BrowserLost || f.Code == fault.Timeout || f.Code == fault.Cancelled {
			return f
		}
		return wrongState("", "the browser does not take it: %s", f.Message)
	}
	if len(l.refused) > 0 {
		at, why, _ := strings.Cut(l.refused[0], ": ")
		return wrongState(at, "%s", why)
	}
	if l.kept == "" {
		return nil
	}
	tree, err := bidi.BrowsingContextGetTree.Call(ctx, b.conn, bidi.BrowsingContextGetTreeParameters{})
	if err != nil {
		return wireFault("restore the saved state", err)
	}
	for _, c := range tree.Contexts {
		if c.Context == l.kept {
			continue
		}
		if _, err := bidi.BrowsingContextClose.Call(ctx, b.conn, bidi.BrowsingContextCloseParameters{Context: c.Context}); err != nil {
			return wireFault("restore the saved state", err)
		}
	}
	return nil
}
