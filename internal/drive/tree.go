package drive

import (
	"context"
	"errors"
	"slices"
	"time"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// frameBound is how long a frame may take to be read before it costs one line of
// the map instead of the whole map.
const frameBound = 2 * time.Second

// TreeOptions say how much of the page to read. The zero value is the whole page,
// from the reading that settled the last verb where that was taken.
type TreeOptions struct {
	Fresh bool            // read again, whatever was read before
	Scope *pagejs.NodeKey // only this element and what is in it
	Whole bool            // also what the bound of a reading leaves out of a very large page
	Query string          // only what may hold this text, or match this /expression/, and what that stands in
}

// Tree reads the page: the top document and those of all frames, in one round trip
// where the verb before has not read it already. A frame that fails costs its own
// document alone, which then says why. What it returns is not changed afterwards
// and must not be. It fails with DIALOG_OPEN, BROWSER_LOST, TIMEOUT, or
// STATE_INVALID for a closed tab.
func (t *Tab) Tree(ctx context.Context, o TreeOptions) (*pagejs.Tree, error) {
	b := t.b
	b.mu.Lock()
	r := t.reading
	t.reading = nil
	dialog := t.dialogLocked()
	if r != nil && r.epoch != t.epoch {
		r = nil
	}
	b.mu.Unlock()
	if dialog != nil {
		return nil, dialogFault(dialog)
	}
	if o.Scope != nil || o.Whole || o.Query != "" {
		return t.part(ctx, o)
	}
	if r != nil && !o.Fresh {
		return r.tree, nil
	}
	// The document may be exchanged while it is read; the next one is what counts.
	for {
		_, err := t.read(ctx, t.id, 0, 0)
		if err == nil {
			break
		}
		if !errors.Is(err, errNavigated) && !errors.Is(err, errTransient) {
			return nil, err
		}
		if !pause(ctx, 10*time.Millisecond) {
			return nil, fault.New(fault.Timeout, "read the page: it went on navigating until the deadline").Because(context.Cause(ctx))
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	r = t.reading
	t.reading = nil
	if r == nil {
		return nil, fault.New(fault.StateInvalid, "read the page: it navigated meanwhile").Because(errNavigated)
	}
	return r.tree, nil
}

// part reads what is under one element, or more of a page than its usual reading
// holds. Such a reading is not kept: the next difference is against the usual one.
func (t *Tab) part(ctx context.Context, o TreeOptions) (*pagejs.Tree, error) {
	top := t.id
	args := pagejs.WalkArgs{Whole: true, Query: o.Query}
	if o.Scope != nil {
		top = bidi.Context(o.Scope.Context)
		args.Scope = o.Scope.Node
	}
	docs, err := t.walk(ctx, pagejs.Walk, top, func(c bidi.Context) pagejs.WalkArgs {
		if c == top {
			return args
		}
		return pagejs.WalkArgs{Whole: true, Query: o.Query}
	})
	if err != nil {
		return nil, err
	}
	if o.Scope != nil && docs[top].Doc != o.Scope.Doc {
		return nil, fault.New(fault.StaleRef, "the element's document is gone").
			WithDetail(map[string]string{"reason": "document-changed"})
	}
	t.b.mu.Lock()
	epoch := t.epoch + 1
	t.b.mu.Unlock()
	tree := t.assemble(ctx, top, docs, nil)
	tree.Epoch = epoch
	return tree, nil
}

// read reads every frame of the tab and keeps the result as the last reading.
// frame is the one that the action went to: it tells what the press hit.
func (t *Tab) read(ctx context.Context, frame bidi.Context, hit, settle int) (pagejs.Hit, error) {
	b := t.b
	b.mu.Lock()
	known := make(map[bidi.Context]*pagejs.Doc, len(t.docs))
	for c, d := range t.docs {
		known[c] = d
	}
	b.mu.Unlock()
	fn := pagejs.Walk
	if settle > 0 {
		fn = pagejs.Look
		if t.b.info.PierceClosed { // the closed roots that come while it settles are to be found
			quiet := pagejs.WalkArgs{Settle: settle, Quiet: true}
			if _, err := t.gather(ctx, fn, t.documents(t.id), func(bidi.Context) pagejs.WalkArgs { return quiet }); err != nil {
				return pagejs.Hit{}, err
			}
			fn, settle = pagejs.Walk, 0
		}
	}
	docs, err := t.walk(ctx, fn, t.id, func(c bidi.Context) pagejs.WalkArgs {
		args := pagejs.WalkArgs{Settle: settle}
		if d := known[c]; d != nil && d.Doc != "" {
			args.Doc, args.Since, args.Delta = d.Doc, d.Version, true
		}
		if c == frame {
			args.Hit = hit
		}
		return args
	})
	if err != nil {
		return pagejs.Hit{}, err
	}
	seen := pagejs.Hit{}
	if d := docs[frame]; d != nil {
		seen = docHit(d)
	}
	for _, d := range docs {
		seen.Took = seen.Took || d.Took
	}
	whole, err := t.complete(ctx, docs, known)
	if err != nil {
		return seen, err
	}
	tree := t.assemble(ctx, t.id, whole, known)
	b.mu.Lock()
	defer b.mu.Unlock()
	t.docs = whole
	t.sawDocumentLocked(whole[t.id])
	tree.Epoch = t.epoch + 1
	t.reading = &reading{epoch: t.epoch, tree: tree}
	return seen, nil
}

// complete fills in what answers leave out because the readings before them have
// it. Where the two do not fit together the document is read anew, whole.
func (t *Tab) complete(ctx context.Context, docs, known map[bidi.Context]*pagejs.Doc) (map[bidi.Context]*pagejs.Doc, error) {
	order := t.documents(t.id) // what is sent is sent in the order of the tree
	calls := make([]*pageCall[pagejs.WalkArgs, pagejs.Doc], len(order))
	for i, c := range order {
		if d := docs[c]; d != nil && !d.Since(known[c]) {
			calls[i] = begin(t, c, pagejs.Walk, pagejs.WalkArgs{}, "")
		}
	}
	var late patience
	for i, c := range order {
		if calls[i] == nil {
			continue
		}
		again, err := patient(ctx, calls[i], c != t.id, &late)
		switch {
		case err == nil:
			again.Hit = docs[c].Hit
			docs[c] = &again
		case c == t.id:
			for _, later := range calls[i+1:] {
				if later != nil {
					later.drop()
				}
			}
			return nil, err
		default:
			docs[c] = &pagejs.Doc{Failed: fault.From(err).Error()}
		}
	}
	return docs, nil
}

// walk reads the documents of the contexts under top: all are asked before the
// first answer is awaited. It fails where top does; another frame that fails is a
// document that says so.
func (t *Tab) walk(ctx context.Context, fn pagejs.Fn[pagejs.WalkArgs, pagejs.Doc], top bidi.Context, args func(bidi.Context) pagejs.WalkArgs) (map[bidi.Context]*pagejs.Doc, error) {
	b := t.b
	b.mu.Lock()
	order := b.orderLocked(top, nil)
	b.mu.Unlock()
	if len(order) == 0 {
		order = []bidi.Context{top} // gone: the call says so
	}
	if err := t.pierce(ctx, order); err != nil {
		return nil, err
	}
	return t.gather(ctx, fn, order, args)
}

// gather asks the documents of an order, whose first one must answer.
func (t *Tab) gather(ctx context.Context, fn pagejs.Fn[pagejs.WalkArgs, pagejs.Doc], order []bidi.Context, args func(bidi.Context) pagejs.WalkArgs) (map[bidi.Context]*pagejs.Doc, error) {
	calls := make([]*pageCall[pagejs.WalkArgs, pagejs.Doc], len(order))
	for i, c := range order {
		calls[i] = begin(t, c, fn, args(c), "")
	}
	docs := make(map[bidi.Context]*pagejs.Doc, len(order))
	var late patience
	for i, c := range order {
		d, err := patient(ctx, calls[i], i > 0, &late)
		switch {
		case err == nil:
			docs[c] = &d
			t.heardRefused(&d)
		case i == 0 || ctx.Err() != nil || errors.Is(err, errPrompt) || errors.Is(err, fault.BrowserLost):
			for _, later := range calls[i+1:] {
				later.drop()
			}
			return nil, err
		case errors.Is(err, errFrameGone):
			// Its element is gone too, or will be in the next reading.
		default:
			docs[c] = &pagejs.Doc{Failed: fault.From(err).Error()}
		}
	}
	return docs, nil
}

func (c *pageCall[A, R]) drop() {
	if c.pending != nil {
		c.pending.Forget()
	}
}

// assemble makes the tree of documents. Which element shows which frame is asked
// where the readings before do not tell, of all documents at once; an element
// whose frame cannot be told shows none.
func (t *Tab) assemble(ctx context.Context, top bidi.Context, docs, known map[bidi.Context]*pagejs.Doc) *pagejs.Tree {
	tree := &pagejs.Tree{Top: string(top), Docs: make(map[string]*pagejs.Doc, len(docs))}
	type asked struct {
		doc   *pagejs.Doc
		nodes []int
		call  *pageCall[pagejs.FramesArgs, []any]
	}
	for c, d := range docs {
		tree.Docs[string(c)] = d
	}
	t.b.mu.Lock()
	order := t.b.orderLocked(top, nil)
	t.b.mu.Unlock()
	var open []asked
	for _, c := range order { // what is sent is sent in the order of the tree
		d, kids := docs[c], t.kids(c)
		if d == nil || len(kids) == 0 {
			continue
		}
		nodes := frameNodes(d.Kids, nil)
		if len(nodes) == 0 {
			continue
		}
		d.Frames = make(map[int]string, len(nodes))
		if len(nodes) == 1 && len(kids) == 1 {
			d.Frames[nodes[0]] = string(kids[0])
			continue
		}
		if old := known[c]; old != nil && old.Doc == d.Doc {
			nodes = slices.DeleteFunc(nodes, func(n int) bool {
				shown := old.Frames[n]
				if shown == "" || !slices.Contains(kids, bidi.Context(shown)) {
					return false
				}
				d.Frames[n] = shown
				return true
			})
		}
		if len(nodes) > 0 {
			open = append(open, asked{d, nodes, begin(t, c, pagejs.Frames, pagejs.FramesArgs{Nodes: nodes}, "")})
		}
	}
	var late patience
	for _, a := range open {
		bound, stop := late.bound(ctx)
		v, err := a.call.value(bound)
		stop()
		if err != nil {
			continue
		}
		list, _ := v.AsList()
		for i, n := range a.nodes {
			if i < len(list) {
				c, _ := list[i].AsWindow()
				a.doc.Frames[n] = string(c)
			}
		}
	}
	return tree
}

// frameNodes adds the numbers of the frame elements.
func frameNodes(nodes []*pagejs.Node, into []int) []int {
	for _, n := range nodes {
		if n.Class == "frame" {
			into = append(into, n.ID)
		}
		into = frameNodes(n.Kids, into)
	}
	return into
}

func (t *Tab) kids(c bidi.Context) []bidi.Context {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	if f := t.b.frames[c]; f != nil {
		return f.kids
	}
	return nil
}

// docHit is what the press hit, the zero Hit where it was not asked for.
func docHit(d *pagejs.Doc) pagejs.Hit {
	later := pagejs.Later{Drift: d.Drift, Released: d.Released, Strayed: d.Strayed, Keyed: d.Keyed}
	if d.Hit == nil {
		return pagejs.Hit{Took: d.Took, Later: later}
	}
	h := *d.Hit
	h.Doc, h.Took, h.Later = d.Doc, d.Took, later
	return h
}
