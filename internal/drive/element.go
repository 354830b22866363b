package drive

import (
	"context"
	"errors"
	"strconv"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
	"duet/internal/selector"
)

// Element is one element of a tab, resolved from a target. It is valid for the
// document it was found in. An element that came from a ref stays that element; one
// that came from a selector may be found again while a verb waits for it, as when
// the page draws it anew. Its verbs are meant to be called one after another.
type Element struct {
	tab     *Tab
	target  string
	chain   selector.Chain
	ref     bool // the target is a ref alone
	key     pagejs.NodeKey
	stamp   string // checked where it came from a ref
	known   bool   // it was read by that stamp: what it says from then on is what it has become
	line    string // as the map says it, where that is known
	matches int
	context bidi.Context // what a pointer is sent to; set by ready
	inner   Point        // where it is pressed, in its document's viewport; set by ready
	top     Point        // the same in the viewport of the tab; set by ready
}

// RefOf returns the ref that a target begins with, as Element reads it, and whether it
// is written without ref=; "" where it begins with none, or is no selector.
func RefOf(target string) (ref string, bare bool) {
	chain, err := selector.Parse(target)
	if err != nil {
		return "", false
	}
	if ref, ok := chain.Ref(); ok {
		return ref, chain.Steps[0].Bare
	}
	return "", false
}

// Element resolves a target to one element, now. A selector that matches nothing is
// NO_MATCH at once, with near misses, so that a typo costs no timeout; a semantic
// one that several visible elements fit is AMBIGUOUS; other kinds take the first
// visible match. A ref is looked up without asking the page: what the page says
// against it (STALE_REF) comes from the verb. The verbs of the element do the
// waiting. Safe for concurrent use.
func (t *Tab) Element(ctx context.Context, target string) (*Element, error) {
	chain, err := selector.Parse(target)
	if err != nil {
		return nil, err
	}
	if refAlone(chain) {
		return t.elementOfRef(target, chain)
	}
	e := &Element{tab: t, target: target, chain: chain, matches: 1}
	if err := e.resolve(ctx); err != nil {
		return nil, err
	}
	return e, nil
}

// refAlone reports whether a selector is a ref and nothing else.
func refAlone(chain selector.Chain) bool {
	_, ok := chain.Ref()
	return ok && len(chain.Steps) == 1
}

// elementOfRef is the element of a target that is a ref alone.
func (t *Tab) elementOfRef(target string, chain selector.Chain) (*Element, error) {
	ref, _ := chain.Ref()
	key, stamp, err := t.resolveRef(ref)
	return &Element{tab: t, target: target, chain: chain, matches: 1, ref: true, key: key, stamp: stamp}, err
}

// resolve finds the element of a selector.
func (e *Element) resolve(ctx context.Context) error {
	l, err := e.tab.locate(ctx, e.chain, rowsWanted, true)
	if err != nil {
		return compiled(err, e.target, e.chain)
	}
	if l.total == 0 || len(l.matches) == 0 {
		return e.tab.noMatch(ctx, e.target, e.chain, e.tab.silence(l.silent))
	}
	if e.chain.Semantic() && l.visible > 1 {
		return e.tab.ambiguous(e.target, e.chain, l)
	}
	m := l.matches[0]
	e.key, e.line, e.matches = m.Key, m.Line, max(l.visible, 1)
	return nil
}

// resolveRef looks a ref up and refuses one of a document or frame that is gone.
func (t *Tab) resolveRef(ref string) (pagejs.NodeKey, string, error) {
	t.b.mu.Lock()
	refs := t.b.refs
	t.b.mu.Unlock()
	if refs == nil {
		return pagejs.NodeKey{}, "", fault.New(fault.StaleRef, "%s: no snapshot has been taken", ref).
			WithDetail(map[string]string{"reason": "no-snapshot"}).WithHint("first: %s", fault.Call("browser_snapshot"))
	}
	key, stamp, err := refs.Resolve(ref)
	if err != nil {
		return key, "", err
	}
	t.b.mu.Lock()
	f := t.b.frames[bidi.Context(key.Context)]
	t.b.mu.Unlock()
	switch {
	case f == nil:
		return key, "", stale("document-changed", ref)
	case f.tab != t:
		return key, "", fault.New(fault.StaleRef, "%s stands in tab %d, and tab %d is meant", ref, numberOf(f.tab), t.number).
			WithDetail(map[string]string{"reason": "document-changed"}).WithHint("select that tab first: %s", fault.Call("browser_page", "action", "select", "target", strconv.Itoa(numberOf(f.tab))))
	}
	return key, stamp, nil
}

// stale is the fault of an element that is gone.
func stale(reason, target string) *fault.Fault {
	what := target
	if what == "" {
		what = "the element"
	}
	says := map[string]string{
		"detached":         "is no longer in the page",
		"document-changed": "is stale: " + fault.WhyLeft,
		"changed":          "now stands for something else",
	}[reason]
	return fault.New(fault.StaleRef, "%s %s", what, says).
		WithDetail(map[string]string{"reason": reason}).
		WithHint(fault.HintStale).
		At(fault.BeforeEffect, fault.None)
}

// LeftPage reports whether an error says that the element of a ref left the page,
// whose document is still the one shown: it is an answer to whether it is there.
func LeftPage(err error) bool {
	var f *fault.Fault
	if !errors.As(err, &f) || f.Code != fault.StaleRef {
		return false
	}
	detail, _ := f.Detail.(map[string]string)
	return detail["reason"] == "detached"
}

// gone is the fault for what a page function says of a target that is gone; line
// is what the element is now, where it changed.
func (e *Element) gone(reason, line string) error { return e.tab.goneFault(reason, e.target, line) }

func (t *Tab) goneFault(reason, target, line string) error {
	f := stale(reason, target)
	if reason == "changed" && line != "" {
		f.Message += ": " + t.b.Redact(line)
	}
	return f
}

// Issued reports whether the element came from a ref alone.
func (e *Element) Issued() bool { return e.ref }

// Key is the element's identity.
func (e *Element) Key() pagejs.NodeKey { return e.key }

// Target is the target as it was given.
func (e *Element) Target() string { return e.target }

// Matches is how many visible elements the selector matched when this one was
// taken; 1 for a ref.
func (e *Element) Matches() int { return e.matches }

// Line is the element as the map says it, "" where no verb has looked at it yet.
func (e *Element) Line() string { return e.tab.b.Redact(e.line) }

// name is what messages call the element.
func (e *Element) name() string {
	if e.line == "" || e.line == e.target {
		return e.target
	}
	return e.target + " (" + e.Line() + ")"
}

func (e *Element) frame() bidi.Context { return bidi.Context(e.key.Context) }

func (e *Element) at() pagejs.Target {
	return pagejs.Target{Node: e.key.Node, Doc: e.key.Doc, Stamp: e.stamp}
}

// affect runs a page function that does something to the element: where it got no
// answer, it may have. In a document that is gone nothing of it is left.
func affect[A, R any](ctx context.Context, e *Element, fn pagejs.Fn[A, R], args A) (R, error) {
	r, err := run(ctx, e.tab, e.frame(), fn, args, "")
	if err != nil && (errors.Is(err, errNavigated) || errors.Is(err, errFrameGone) || errors.Is(err, errTransient)) && !e.tab.Closed() {
		return r, stale("document-changed", e.target).Because(err)
	}
	return r, err
}

// ask runs a page function on the element before anything is done to it: whatever
// it fails with, the page was not acted on.
func ask[A, R any](ctx context.Context, e *Element, fn pagejs.Fn[A, R], args A, secret string) (R, error) {
	r, err := run(ctx, e.tab, e.frame(), fn, args, secret)
	if err == nil {
		return r, nil
	}
	if errors.Is(err, errNavigated) || errors.Is(err, errFrameGone) || errors.Is(err, errTransient) {
		if !e.tab.Closed() {
			return r, stale("document-changed", e.target).Because(err)
		}
	}
	return r, fault.From(err).At(fault.BeforeEffect, fault.None)
}
