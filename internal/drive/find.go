package drive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"duet/internal/fault"
	"duet/internal/lazyregexp"
	"duet/internal/pagejs"
	"duet/internal/selector"
)

// Found is what a selector matches now.
type Found struct {
	Matches []Match // in document order, at most as many as were asked for
	Total   int
	Visible int
	Silent  string // which frames did not answer, so that what they show is in none of these; "" for none
}

// Find returns what a target matches now, visible or not, at most limit of them (0
// is 20). Nothing matching is no error. It waits for nothing and changes nothing. A
// ref that is dead is STALE_REF. Safe for concurrent use.
func (t *Tab) Find(ctx context.Context, target string, limit int) (Found, error) {
	return t.find(ctx, target, limit, false)
}

// FindSeen is Find whose matches are the visible ones, where any is visible: what an
// action would take.
func (t *Tab) FindSeen(ctx context.Context, target string, limit int) (Found, error) {
	return t.find(ctx, target, limit, true)
}

func (t *Tab) find(ctx context.Context, target string, limit int, seen bool) (Found, error) {
	if limit <= 0 {
		limit = 20
	}
	chain, err := selector.Parse(target)
	if err != nil {
		return Found{}, err
	}
	if refAlone(chain) {
		e, err := t.elementOfRef(target, chain)
		if err != nil {
			return Found{}, err
		}
		m, err := e.match(ctx)
		if err != nil {
			return Found{}, err
		}
		f := Found{Matches: []Match{m}, Total: 1}
		if m.Visible {
			f.Visible = 1
		}
		return f, nil
	}
	l, err := t.locate(ctx, chain, limit, seen)
	if err != nil {
		return Found{}, compiled(err, target, chain)
	}
	return Found{Matches: l.matches, Total: l.total, Visible: l.visible, Silent: t.silence(l.silent)}, nil
}

// Count returns how many elements a target matches now. A ref whose element left the page
// counts 0; one that is stale otherwise is STALE_REF.
func (t *Tab) Count(ctx context.Context, target string) (int, error) {
	f, err := t.Find(ctx, target, 1)
	if LeftPage(err) {
		return 0, nil
	}
	return f.Total, err
}

// Candidate is one of several that a selector may have meant, for the detail of
// AMBIGUOUS and NO_MATCH.
type Candidate struct {
	Ref   string `json:"ref,omitzero"`
	Line  string `json:"line"`
	Where string `json:"where,omitzero"`
}

// namer gives refs to elements; the Ledger does.
type namer interface {
	Ref(key pagejs.NodeKey, stamp string) string
}

// candidate describes a match for a message, with a ref where they can be given.
func (t *Tab) candidate(m Match) Candidate {
	t.b.mu.Lock()
	refs := t.b.refs
	t.b.mu.Unlock()
	c := Candidate{Line: t.b.Redact(m.Line), Where: t.b.Redact(m.Where)}
	if n, ok := refs.(namer); ok {
		c.Ref = n.Ref(m.Key, m.Stamp)
	}
	return c
}

func (c Candidate) String() string {
	s := c.Line
	if c.Ref != "" {
		s = c.Ref + ": " + s
	}
	if c.Where != "" {
		s += fmt.Sprintf(" (in %q)", c.Where)
	}
	return s
}

func list(cs []Candidate) string {
	lines := make([]string, len(cs))
	for i, c := range cs {
		lines[i] = c.String()
	}
	return strings.Join(lines, "; ")
}

// noMatch is the fault of a selector that matches nothing, with up to three things
// on the page that it may have meant, or how it is written here. silent says which
// frames did not answer, in which it may stand.
func (t *Tab) noMatch(ctx context.Context, target string, chain selector.Chain, silent string) error {
	at := finds(chain)
	f := fault.New(fault.NoMatch, "%s matches nothing in the parts of the page that answer: %s", quoteTarget(target, chain), silent)
	if silent == "" {
		f = fault.New(fault.NoMatch, "%s matches nothing on the page", quoteTarget(target, chain))
		if at = t.missing(ctx, chain); at < finds(chain) {
			f.Message += ", nor does " + selector.Chain{Steps: chain.Steps[:at+1]}.String()
		}
	}
	for _, step := range chain.Steps {
		if step.Kind == selector.Role && step.Value == "text" {
			return f.WithHint("text is no role: write text=… for what the map shows as text")
		}
	}
	if here := selector.Meant(chain.Steps[at].Value); chain.Steps[at].Kind == selector.CSS && here != "" {
		return f.WithHint("write %s", here)
	}
	near, busy := t.near(ctx, chain.Steps[at])
	switch words := chain.Steps[at].Words(); {
	case busy != "" && words == "":
		f = f.WithHint("the page is still at work (%s); wait first: %s", t.b.Redact(busy), fault.Call("browser_wait", "target", target))
		if len(near) > 0 {
			f = f.WithHint("%s; near: %s", f.Hint, list(near)).WithDetail(map[string]any{"near": near})
		}
		return f
	case len(near) > 0:
		return f.WithHint("near: %s", list(near)).WithDetail(map[string]any{"near": near})
	case words != "":
		return f.WithHint("words alone are CSS: write text=%s, or see what is there: %s", words, fault.Call("browser_snapshot"))
	}
	return f.WithHint("see what is there: %s", fault.Call("browser_snapshot"))
}

// finds is the last step of a chain that finds something, and chooses not only.
func finds(chain selector.Chain) int {
	at := len(chain.Steps) - 1
	for at > 0 && chain.Steps[at].Kind == selector.Nth {
		at--
	}
	return at
}

// missing is the step at which a chain that matches nothing begins to do so.
func (t *Tab) missing(ctx context.Context, chain selector.Chain) int {
	last := finds(chain)
	for at := range last {
		begin := selector.Chain{Steps: chain.Steps[:at+1]}
		if refAlone(begin) || chain.Steps[at].Kind == selector.Nth {
			continue
		}
		if l, err := t.locate(ctx, begin, 1, false); err == nil && l.total == 0 {
			return at
		}
	}
	return last
}

// quoteTarget names a target as it was given, and what it was compiled to where
// that differs.
func quoteTarget(target string, chain selector.Chain) string {
	if c := chain.String(); c != target {
		return fmt.Sprintf("%q (%s)", target, c)
	}
	return fmt.Sprintf("%q", target)
}

// ofBrowser is what a browser says of itself before it says what is wrong.
var ofBrowser = lazyregexp.New(`Failed to execute '\w+' on '\w+': |\b(Document|DocumentFragment|ShadowRoot|Element)\.\w+: `)

// compiled adds the selector to a fault that a page gave about it.
func compiled(err error, target string, chain selector.Chain) error {
	var f *fault.Fault
	if errors.As(err, &f) && f.Code == fault.InvalidArgument {
		said := strings.TrimSuffix(ofBrowser().ReplaceAllString(f.Message, ""), ".")
		f = fault.New(fault.InvalidArgument, "%s: %s", quoteTarget(target, chain), said)
		for _, step := range chain.Steps {
			if here := selector.Meant(step.Value); step.Kind == selector.CSS && here != "" {
				return f.WithHint("write %s", here)
			}
		}
		return f
	}
	return err
}

// near asks every document for what a step may have meant, and for what shows that it
// is still at work. It is a help, so it never fails.
func (t *Tab) near(ctx context.Context, step selector.Step) (near []Candidate, busy string) {
	args := pagejs.NearArgs{Step: stepArgs(step)}
	order := t.documents(t.id)
	calls := make([]*pageCall[pagejs.NearArgs, pagejs.NearMisses], len(order))
	for i, c := range order {
		calls[i] = begin(t, c, pagejs.Near, args, "")
	}
	type scored struct {
		Match
		score float64
	}
	var all []scored
	var late patience
	for i, c := range order {
		a, err := patient(ctx, calls[i], i > 0, &late)
		if err != nil {
			continue
		}
		busy = cmp.Or(busy, a.Busy)
		for _, n := range a.Near {
			all = append(all, scored{matchOf(c, a.Doc, n.Row), n.Score})
		}
	}
	slices.SortStableFunc(all, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	for _, s := range all[:min(3, len(all))] {
		near = append(near, t.candidate(s.Match))
	}
	return near, busy
}

// ambiguous is the fault of a semantic selector that several visible elements fit.
func (t *Tab) ambiguous(target string, chain selector.Chain, l located) error {
	var cs []Candidate
	for _, m := range l.matches[:min(5, len(l.matches))] {
		cs = append(cs, t.candidate(m))
	}
	told := ": " + list(cs)
	return fault.New(fault.Ambiguous, "%s matches %d visible elements%s", quoteTarget(target, chain), l.visible, told).
		WithHint("act by ref, narrow it with A >> B, or choose with >> nth=0").
		Saying(map[string]any{"matches": l.visible, "candidates": cs}, told)
}
