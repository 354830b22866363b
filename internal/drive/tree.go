package drive

import (
	"context"
	"errors"
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
	Limit int             // nodes at most a document; 0 is the walk's own
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
	if o.Scope != nil || o.Limit != 0 {
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

// part reads what is under one element, or a document with another limit. Such a
// reading is not kept.
func (t *Tab) part(ctx context.Context, o TreeOptions) (*pagejs.Tree, error) {
	top := t.id
	args := pagejs.WalkArgs{Limit: o.Limit}
	if o.Scope != nil {
		top = bidi.Context(o.Scope.Context)
		args.Scope = o.Scope.Node
	}
	docs, err := t.walk(ctx, pagejs.Walk, top, func(c bidi.Context) pagejs.WalkArgs {
		if c == top {
			return args
		}
		return pagejs.WalkArgs{Limit: o.Limit}
	})
	if err != nil {
		return nil, err
	}
	if o.Scope != nil && docs[top].Doc != o.Scope.Doc {
		return nil, fault.New(fault.StaleRef, "the element's document is gone").
			WithDetail(map[string]string{"reason": "document-changed"})
	}
	return t.assemble(ctx, top, docs), nil
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
	}
	docs, err := t.walk(ctx, fn, t.id, func(c bidi.Context) pagejs.WalkArgs {
		args := pagejs.WalkArgs{Settle: settle}
		if d := known[c]; d != nil {
			args.Doc, args.Since = d.Doc, d.Version
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
	whole := make(map[bidi.Context]*pagejs.Doc, len(docs))
	for c, d := range docs {
		if old := known[c]; d.Same && old != nil && old.Doc == d.Doc {
			merged := *old
			merged.URL, merged.Title, merged.Ready = d.URL, d.Title, d.Ready
			merged.Version, merged.Above, merged.Below = d.Version, d.Above, d.Below
			d = &merged
		}
		whole[c] = d
	}
	tree := t.assemble(ctx, t.id, whole)
	b.mu.Lock()
	defer b.mu.Unlock()
	t.docs = whole
	t.sawDocumentLocked(whole[t.id])
	tree.Epoch = t.epoch + 1
	t.reading = &reading{epoch: t.epoch, tree: tree}
	return seen, nil
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
	calls := make([]*pageCall[pagejs.WalkArgs, pagejs.Doc], len(order))
	for i, c := range order {
		calls[i] = begin(t, c, fn, args(c), "")
	}
	docs := make(map[bidi.Context]*pagejs.Doc, len(order))
	for i, c := range order {
		bound, stop := ctx, context.CancelFunc(func() {})
		if i > 0 {
			bound, stop = context.WithTimeout(ctx, frameBound)
		}
		d, err := calls[i].wait(bound)
		stop()
		switch {
		case err == nil:
			docs[c] = &d
		case i == 0 || ctx.Err() != nil || errors.Is(err, errPrompt) || errors.Is(err, fault.BrowserLost):
			for _, later := range calls[i+1:] {
				later.drop()
			}
			return nil, err
		case errors.Is(err, errFrameGone):
			// Its element is gone too, or will be in the next reading.
		default:
			docs[c] = &pagejs.Doc{Failed: fault.From(err).Message}
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
// where it is not known yet, of all documents at once; an element whose frame
// cannot be told shows none.
func (t *Tab) assemble(ctx context.Context, top bidi.Context, docs map[bidi.Context]*pagejs.Doc) *pagejs.Tree {
	tree := &pagejs.Tree{Top: string(top), Docs: make(map[string]*pagejs.Doc, len(docs))}
	type asked struct {
		nodes []*pagejs.Node
		call  *pageCall[pagejs.FramesArgs, []any]
	}
	var open []asked
	for c, d := range docs {
		tree.Docs[string(c)] = d
		if d.Same {
			continue
		}
		nodes := unknownFrames(d.Kids, nil)
		kids := t.kids(c)
		switch {
		case len(nodes) == 0 || len(kids) == 0:
		case len(nodes) == 1 && len(kids) == 1:
			nodes[0].Frame = string(kids[0])
		default:
			args := pagejs.FramesArgs{}
			for _, n := range nodes {
				args.Nodes = append(args.Nodes, n.ID)
			}
			open = append(open, asked{nodes, begin(t, c, pagejs.Frames, args, "")})
		}
	}
	for _, a := range open {
		bound, stop := context.WithTimeout(ctx, frameBound)
		v, err := a.call.value(bound)
		stop()
		if err != nil {
			continue
		}
		list, _ := v.AsList()
		for i, n := range a.nodes {
			if i < len(list) {
				c, _ := list[i].AsWindow()
				n.Frame = string(c)
			}
		}
	}
	return tree
}

// unknownFrames adds the frame elements whose frame is not known.
func unknownFrames(nodes []*pagejs.Node, into []*pagejs.Node) []*pagejs.Node {
	for _, n := range nodes {
		if n.Class == "frame" && n.Frame == "" {
			into = append(into, n)
		}
		into = unknownFrames(n.Kids, into)
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
	if d.Hit == nil {
		return pagejs.Hit{}
	}
	return *d.Hit
}
