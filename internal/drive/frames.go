package drive

import (
	"context"
	"net/url"
	"strings"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// frameElement returns the element that shows a frame, and the context it stands
// in: from the last reading where it has it, else from the page.
func (t *Tab) frameElement(ctx context.Context, c bidi.Context) (bidi.Context, pagejs.Target, error) {
	t.b.mu.Lock()
	f := t.b.frames[c]
	t.b.mu.Unlock()
	if f == nil || f.parent == "" {
		return "", pagejs.Target{}, fault.New(fault.StateInvalid, "the frame is gone").Because(errFrameGone)
	}
	parent := f.parent
	t.b.mu.Lock()
	d := t.docs[parent]
	t.b.mu.Unlock()
	if d != nil {
		for n, shown := range d.Frames {
			if shown == string(c) {
				return parent, pagejs.Target{Node: n, Doc: d.Doc}, nil
			}
		}
	}
	one := pagejs.LocateArgs{Steps: []pagejs.LocateStep{{Kind: "css", Value: "iframe,frame,object,embed"}}, Limit: allRows}
	found, err := run(ctx, t, parent, pagejs.Locate, one, "")
	if err != nil {
		return "", pagejs.Target{}, err
	}
	var args pagejs.FramesArgs
	for _, tail := range found.Tails {
		for _, r := range tail.Rows {
			args.Nodes = append(args.Nodes, r.Node)
		}
	}
	v, err := begin(t, parent, pagejs.Frames, args, "").value(ctx)
	if err != nil {
		return "", pagejs.Target{}, err
	}
	windows, _ := v.AsList()
	for i, w := range windows {
		if shown, ok := w.AsWindow(); ok && shown == c && i < len(args.Nodes) {
			return parent, pagejs.Target{Node: args.Nodes[i], Doc: found.Doc}, nil
		}
	}
	return "", pagejs.Target{}, fault.New(fault.NotVisible, "the frame's element cannot be found").At(fault.BeforeEffect, fault.None)
}

// focused returns the context that has the focus and what has it there. Keys go to
// that context: a browser loses those that are sent to the top while a frame of
// another process has the focus.
func (t *Tab) focused(ctx context.Context) (bidi.Context, pagejs.Focused, error) {
	order := t.documents(t.id)
	if err := t.pierce(ctx, order); err != nil {
		return "", pagejs.Focused{}, fault.From(err).At(fault.BeforeEffect, fault.None)
	}
	calls := make([]*pageCall[pagejs.ActiveArgs, pagejs.Focused], len(order))
	for i, c := range order {
		calls[i] = begin(t, c, pagejs.Active, pagejs.ActiveArgs{}, "")
	}
	answers := map[bidi.Context]pagejs.Focused{}
	var late patience
	for i, c := range order {
		a, err := patient(ctx, calls[i], i > 0, &late)
		if err != nil && i == 0 {
			return "", a, fault.From(err).At(fault.BeforeEffect, fault.None)
		}
		if err == nil {
			answers[c] = a
		}
	}
	c := t.id
	for {
		a := answers[c]
		if a.Frame == 0 {
			return c, a, nil
		}
		child, err := t.frameOf(ctx, c, a.Doc, a.Frame)
		if err != nil {
			return "", a, fault.From(err).At(fault.BeforeEffect, fault.None)
		}
		if _, ok := answers[child]; !ok {
			return c, a, nil
		}
		c = child
	}
}

// sameSite reports whether two frames are drawn by one process, as far as their
// addresses tell: documents without a host of their own go with what holds them.
func (t *Tab) sameSite(a, b bidi.Context) bool {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	site := func(c bidi.Context) string {
		f := t.b.frames[c]
		if f == nil {
			return ""
		}
		u, err := url.Parse(f.url)
		if err != nil || u.Host == "" {
			return ""
		}
		labels := strings.Split(u.Hostname(), ".")
		if len(labels) > 2 && strings.Trim(u.Hostname(), "0123456789.") != "" {
			labels = labels[len(labels)-2:]
		}
		return u.Scheme + "://" + strings.Join(labels, ".")
	}
	one, other := site(a), site(b)
	return one == "" || other == "" || one == other
}
