package drive

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
	"duet/internal/selector"
)

// Match is one element that a selector matched.
type Match struct {
	Key     pagejs.NodeKey
	Stamp   string // what it stands for, for a ref of it
	Tag     string
	Role    string
	Name    string // accessible name, cut
	Text    string // visible text, cut; empty for secret fields
	Hint    string // #id or another locator
	Line    string // as the map would say it: button "Save" #save
	Visible bool
	Where   string // the row, item or heading it stands in, where there are several
}

// located is what a chain matched in all documents of a tab, in their order.
type located struct {
	matches []Match // as many as were asked for
	total   int
	visible int
	silent  []bidi.Context // frames that were asked and did not answer: what matches there is not known
}

// rowsWanted is how many matches an action asks for: enough to name five.
const rowsWanted = 6

// locate resolves a chain through the documents of the tab, open shadow roots
// included: each document is asked before the first answer is awaited. seen asks
// for visible matches only, where there are any. It waits for nothing. A chain that
// starts with a ref fails with what is wrong with the ref; a step that a document
// cannot match is INVALID_ARGUMENT.
func (t *Tab) locate(ctx context.Context, chain selector.Chain, limit int, seen bool) (located, error) {
	steps := chain.Steps
	var from *scope
	if ref, ok := chain.Ref(); ok {
		key, stamp, err := t.resolveRef(ref)
		if err != nil {
			return located{}, err
		}
		if len(steps) == 1 {
			return located{}, fault.New(fault.Internal, "a ref alone is not located")
		}
		from, steps = &scope{key, stamp, ref}, steps[1:]
	}
	// Between two nths the steps are matched together; an nth chooses among what
	// all documents gave.
	for {
		end := slices.IndexFunc(steps, func(s selector.Step) bool { return s.Kind == selector.Nth })
		if end < 0 {
			return t.match(ctx, steps, from, limit, seen)
		}
		n := steps[end].Nth
		found, err := t.match(ctx, steps[:end], from, allRows, false)
		if err != nil {
			return located{}, err
		}
		if n < 0 {
			n += len(found.matches)
		}
		if n < 0 || n >= len(found.matches) {
			return located{silent: found.silent}, nil
		}
		m := found.matches[n]
		steps = steps[end+1:]
		if len(steps) == 0 {
			one := located{matches: []Match{m}, total: 1, silent: found.silent}
			if m.Visible {
				one.visible = 1
			}
			return one, nil
		}
		from = &scope{key: m.Key}
	}
}

// scope is an element that steps are matched in.
type scope struct {
	key   pagejs.NodeKey
	stamp string // of a ref: what it was shown to stand for
	ref   string // how messages call it; "" where a step found it
}

// allRows is the number of matches among which nth chooses.
const allRows = 1000

// match resolves steps without nth, from an element or from every document.
func (t *Tab) match(ctx context.Context, steps []selector.Step, from *scope, limit int, seen bool) (located, error) {
	args := pagejs.LocateArgs{Limit: limit, Seen: seen}
	for _, s := range steps {
		args.Steps = append(args.Steps, stepArgs(s))
	}
	start := t.id
	if from != nil {
		start = bidi.Context(from.key.Context)
	}
	order := t.documents(start)
	if err := t.pierce(ctx, order); err != nil {
		return located{}, err
	}
	calls := make([]*pageCall[pagejs.LocateArgs, pagejs.Located], len(order))
	for i, c := range order {
		a := args
		a.Top = i == 0
		if i == 0 && from != nil {
			a.Node, a.Doc, a.Stamp = from.key.Node, from.key.Doc, from.stamp
		}
		calls[i] = begin(t, c, pagejs.Locate, a, "")
	}
	answers := make(map[bidi.Context]*pagejs.Located, len(order))
	var silent []bidi.Context
	var late patience
	for i, c := range order {
		a, err := patient(ctx, calls[i], i > 0, &late)
		switch {
		case err == nil && a.Error != "":
			return located{}, fault.New(fault.InvalidArgument, "the selector cannot be matched: %s", a.Error)
		case err == nil && a.Gone != "":
			return located{}, t.goneFault(a.Gone, from.ref, a.Line)
		case err == nil:
			answers[c] = &a
		case i > 0 && (errors.Is(err, errFrameGone) || errors.Is(err, errNavigated) || errors.Is(err, errTransient) || errors.Is(err, fault.Timeout) && ctx.Err() == nil):
			// A frame that just goes away has no matches. Of one that hangs none is known.
			if errors.Is(err, fault.Timeout) {
				silent = append(silent, c)
			}
		default:
			return located{}, err
		}
	}
	entered, err := t.entered(ctx, order, answers, len(args.Steps), from != nil)
	if err != nil {
		return located{}, err
	}
	out := located{silent: silent}
	for _, c := range order {
		a := answers[c]
		if a == nil {
			continue
		}
		got := map[int]bool{}
		for k := range a.Tails {
			if !entered[c][k] {
				continue
			}
			tail := a.Tails[k]
			fresh := 0
			for _, r := range tail.Rows {
				if !got[r.Node] {
					got[r.Node] = true
					fresh++
					out.matches = append(out.matches, matchOf(c, a.Doc, r))
				}
			}
			// Tails overlap: each later one finds at least what the others do.
			if fresh > 0 || len(tail.Rows) == 0 {
				out.total += max(fresh, tail.Total-(len(tail.Rows)-fresh))
				out.visible += max(0, tail.Visible-(len(tail.Rows)-fresh))
			}
		}
	}
	if seen && out.visible > 0 {
		out.matches = slices.DeleteFunc(out.matches, func(m Match) bool { return !m.Visible })
	}
	if len(out.matches) > limit {
		out.matches = out.matches[:limit]
	}
	return out, nil
}

// patience is the moment until which the frames of one question are waited for, all
// together: it begins with the first of them.
type patience struct{ until time.Time }

// bound returns ctx ended by that moment.
func (p *patience) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if p.until.IsZero() {
		p.until = time.Now().Add(frameBound)
	}
	return context.WithDeadline(ctx, p.until)
}

// deafBound is how long a frame is waited for that did not answer the last time.
const deafBound = 100 * time.Millisecond

// deaf reports whether a frame did not answer the last time that it was asked.
func (t *Tab) deaf(c bidi.Context) bool {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.silent[c]
}

// heard notes whether a frame answered within what it was given of ctx.
func (t *Tab) heard(ctx context.Context, c bidi.Context, err error) {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	switch {
	case err == nil:
		delete(t.silent, c)
	case errors.Is(err, fault.Timeout) && ctx.Err() == nil:
		if t.silent == nil {
			t.silent = map[bidi.Context]bool{}
		}
		t.silent[c] = true
	}
}

// unheard says how many frames of the tab did not answer when they were last asked,
// "" for none.
func (t *Tab) unheard() string {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	var all []bidi.Context
	for c := range t.silent {
		switch f := t.b.frames[c]; {
		case f == nil:
			delete(t.silent, c)
		case f.tab == t:
			all = append(all, c)
		}
	}
	return t.silenceLocked(all)
}

// silence says which frames did not answer, "" for none.
func (t *Tab) silence(frames []bidi.Context) string {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.silenceLocked(frames)
}

func (t *Tab) silenceLocked(frames []bidi.Context) string {
	slices.Sort(frames)
	where := ""
	for _, c := range frames {
		if f := t.b.frames[c]; f != nil && f.url != "" {
			where = " (" + shown(f.url) + ")"
			break
		}
	}
	switch n := len(frames); n {
	case 0:
		return ""
	case 1:
		return "1 frame does not answer" + where
	default:
		return strconv.Itoa(n) + " frames do not answer" + strings.Replace(where, "(", "(one of them ", 1)
	}
}

// patient waits for an answer, not for long where it is a frame's: those that hang
// must not hold up the others, however many they are.
func patient[A, R any](ctx context.Context, c *pageCall[A, R], frame bool, late *patience) (R, error) {
	if !frame {
		return c.wait(ctx)
	}
	bound, stop := late.bound(ctx)
	defer stop()
	if c.t.deaf(c.frame) {
		brief, stop := context.WithTimeout(bound, deafBound)
		defer stop()
		bound = brief
	}
	r, err := c.wait(bound)
	c.t.heard(ctx, c.frame, err)
	return r, err
}

// staying waits for an answer that a frame may put off by stay. A frame that hangs
// must not hold up the others.
func staying[A, R any](ctx context.Context, c *pageCall[A, R], frame bool, stay time.Duration) (R, error) {
	if !frame {
		return c.wait(ctx)
	}
	most := frameBound
	if c.t.deaf(c.frame) {
		most = deafBound
	}
	bound, stop := context.WithTimeout(ctx, stay+most)
	defer stop()
	r, err := c.wait(bound)
	c.t.heard(ctx, c.frame, err)
	return r, err
}

// entered says, for each document, with which steps matching may begin in it: 0 in
// all of them, unless the chain starts at an element; k where the frame lies in
// something that the step before k found.
func (t *Tab) entered(ctx context.Context, order []bidi.Context, answers map[bidi.Context]*pagejs.Located, steps int, scoped bool) (map[bidi.Context]map[int]bool, error) {
	entered := map[bidi.Context]map[int]bool{}
	for i, c := range order {
		entered[c] = map[int]bool{}
		if i == 0 || !scoped {
			entered[c][0] = true
		}
	}
	if steps < 2 && !scoped || len(order) < 2 {
		return entered, nil
	}
	for _, c := range order {
		a := answers[c]
		if a == nil {
			continue
		}
		for _, f := range a.Frames {
			child, err := t.frameOf(ctx, c, a.Doc, f.Node)
			if err != nil {
				return nil, err
			}
			if child == "" || entered[child] == nil {
				continue
			}
			for k, reached := range f.From {
				if entered[c][k] {
					for _, step := range reached {
						if step < steps {
							entered[child][step] = true
						}
					}
				}
			}
		}
	}
	return entered, nil
}

// documents are the contexts under top, parents first; top itself where it is not
// known, so that the call says so.
func (t *Tab) documents(top bidi.Context) []bidi.Context {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	if order := t.b.orderLocked(top, nil); len(order) > 0 {
		return order
	}
	return []bidi.Context{top}
}

// frameOf returns the context that a frame element shows, "" for none: from the
// last reading where it has it, else from the page.
func (t *Tab) frameOf(ctx context.Context, c bidi.Context, doc string, node int) (bidi.Context, error) {
	kids := t.kids(c)
	if len(kids) == 0 {
		return "", nil
	}
	t.b.mu.Lock()
	d := t.docs[c]
	t.b.mu.Unlock()
	if d != nil && d.Doc == doc && slices.Contains(kids, bidi.Context(d.Frames[node])) {
		return bidi.Context(d.Frames[node]), nil
	}
	v, err := begin(t, c, pagejs.Frames, pagejs.FramesArgs{Nodes: []int{node}}, "").value(ctx)
	if err != nil {
		return "", err
	}
	list, _ := v.AsList()
	if len(list) == 0 {
		return "", nil
	}
	child, _ := list[0].AsWindow()
	return child, nil
}

func stepArgs(s selector.Step) pagejs.LocateStep {
	return pagejs.LocateStep{Kind: string(s.Kind), Value: s.Value, Name: s.Name, NameOp: s.NameOp}
}

func matchOf(c bidi.Context, doc string, r pagejs.LocatedRow) Match {
	return Match{
		Key:   pagejs.NodeKey{Context: string(c), Doc: doc, Node: r.Node},
		Stamp: r.Stamp, Tag: r.Tag, Role: r.Role, Name: r.Name, Text: r.Text, Hint: r.Hint,
		Line: r.Line, Visible: r.Visible, Where: r.Where,
	}
}
