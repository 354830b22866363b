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

// scene is what is known of the documents of a tab while a picture of it is drawn.
type scene struct {
	tab      *Tab
	shot     Shot
	order    []bidi.Context
	readings map[bidi.Context][]pagejs.ShotReading
	shown    map[bidi.Context]map[int]bidi.Context // frame elements, and what they show
	silent   map[bidi.Context]bool                 // gave no answer
	chain    []bidi.Context                        // from the element's document to the top
	box      pagejs.Box                            // of the element, in its document
	cut      bool
	scrolled []step
}

// step is an element that was scrolled to, in its document.
type step struct {
	context bidi.Context
	target  pagejs.Target
}

// show brings the element into what its containers, and the frames around it, show.
func (s *scene) show(ctx context.Context) error {
	key := *s.shot.Element
	at := step{bidi.Context(key.Context), pagejs.Target{Node: key.Node, Doc: key.Doc, Stamp: s.shot.Stamp}}
	framed := at.context != s.tab.id
	for first := true; ; first = false {
		into, err := run(ctx, s.tab, at.context, pagejs.ShotShow, pagejs.ShotIntoArgs{Target: at.target, View: framed}, "")
		switch {
		case err != nil && (errors.Is(err, errNavigated) || errors.Is(err, errFrameGone)):
			return stale("document-changed", "").Because(err)
		case err != nil:
			return fault.From(err).At(fault.BeforeEffect, fault.None)
		case into.Gone != "":
			return s.tab.goneFault(into.Gone, "", into.Line)
		}
		if into.Moved {
			s.scrolled = append(s.scrolled, at)
		}
		s.cut = s.cut || into.Cut
		if first {
			s.box = into.Box
		}
		s.chain = append(s.chain, at.context)
		if at.context == s.tab.id {
			return nil
		}
		parent, target, err := s.tab.frameElement(ctx, at.context)
		if err != nil {
			return err
		}
		at = step{parent, target}
	}
}

func (s *scene) moved() bool { return len(s.scrolled) > 0 }

// putBack scrolls everything to where it was.
func (s *scene) putBack(ctx context.Context) {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer stop()
	for _, at := range slices.Backward(s.scrolled) {
		_, _ = run(ctx, s.tab, at.context, pagejs.ShotShow, pagejs.ShotIntoArgs{Target: at.target, Back: true}, "")
	}
}

// measure asks every document where things are: before the picture is drawn, and
// again after it.
func (s *scene) measure(ctx context.Context, again bool) error {
	t := s.tab
	if !again {
		s.order = t.documents(t.id)
		if err := t.pierce(ctx, s.order); err != nil {
			return fault.From(err).At(fault.BeforeEffect, fault.None)
		}
		s.readings, s.shown, s.silent = map[bidi.Context][]pagejs.ShotReading{}, map[bidi.Context]map[int]bidi.Context{}, map[bidi.Context]bool{}
	}
	nodes := map[bidi.Context][]int{}
	add := func(key pagejs.NodeKey) {
		c := bidi.Context(key.Context)
		nodes[c] = append(nodes[c], key.Node)
	}
	for _, k := range s.shot.Mask {
		add(k)
	}
	for _, l := range s.shot.Labels {
		add(l.Key)
	}
	calls := make([]*pageCall[pagejs.ShotMarksArgs, pagejs.ShotMarks], len(s.order))
	for i, c := range s.order {
		if !s.silent[c] {
			calls[i] = begin(t, c, pagejs.ShotMark, pagejs.ShotMarksArgs{Nodes: nodes[c], Take: again}, "")
		}
	}
	var late patience
	for i, c := range s.order {
		if calls[i] == nil {
			continue
		}
		m, err := patient(ctx, calls[i], i > 0, &late)
		switch {
		case err == nil:
			s.readings[c] = append(s.readings[c], m.Readings...)
		case i == 0 && again && (errors.Is(err, errNavigated) || errors.Is(err, errTransient)):
			return errNavigated // the picture may be of either document
		case i == 0:
			return fault.From(err).At(fault.BeforeEffect, fault.None)
		default:
			s.silent[c] = true
		}
	}
	if again {
		return nil
	}
	if len(s.readings[t.id]) == 0 {
		return fault.New(fault.Internal, "draw a screenshot: the page was not measured").At(fault.BeforeEffect, fault.None)
	}
	for _, c := range s.order {
		if kids := t.kids(c); len(kids) > 0 && len(s.readings[c]) > 0 {
			s.shown[c] = t.shownBy(ctx, c, s.readings[c][0].Frames, &late)
		}
	}
	return nil
}

// shownBy says which documents the frame elements of one show.
func (t *Tab) shownBy(ctx context.Context, c bidi.Context, frames []pagejs.ShotFrame, late *patience) map[int]bidi.Context {
	var args pagejs.FramesArgs
	for _, f := range frames {
		args.Nodes = append(args.Nodes, f.Node)
	}
	out := map[int]bidi.Context{}
	if len(args.Nodes) == 0 {
		return out
	}
	bound, stop := late.bound(ctx)
	defer stop()
	v, err := begin(t, c, pagejs.Frames, args, "").value(bound)
	if err != nil {
		return out
	}
	list, _ := v.AsList()
	for i, n := range args.Nodes {
		if i < len(list) {
			if shown, ok := list[i].AsWindow(); ok {
				out[n] = shown
			}
		}
	}
	return out
}

func (s *scene) top() pagejs.ShotReading { return s.readings[s.tab.id][0] }

// lens is how a document lies in the top one's viewport: where its viewport begins,
// in which scale, and what of it is shown.
type lens struct {
	x, y, sx, sy float64
	clip         *pagejs.Box
	fixed        bool
	scroll       pagejs.Point // of the top document at that moment
}

func (l lens) of(b pagejs.Box) pagejs.Box {
	out := pagejs.Box{X: l.x + b.X*l.sx, Y: l.y + b.Y*l.sy, W: b.W * l.sx, H: b.H * l.sy}
	if l.clip != nil {
		out = bounded(out, *l.clip)
	}
	return out
}

// lenses are the ways in which each document lay, by the readings.
func (s *scene) lenses() map[bidi.Context][]lens {
	out := map[bidi.Context][]lens{}
	for _, r := range s.readings[s.tab.id] {
		out[s.tab.id] = append(out[s.tab.id], lens{sx: 1, sy: 1, scroll: r.Scroll})
	}
	for _, c := range s.order { // parents come first
		for i, r := range s.readings[c] {
			for _, f := range r.Frames {
				child := s.shown[c][f.Node]
				for k, l := range out[c] {
					if c == s.tab.id && k != i || child == "" || len(out[child]) >= 16 {
						continue
					}
					box := l.of(f.Box)
					inner := lens{x: l.x + f.X*l.sx, y: l.y + f.Y*l.sy, sx: l.sx * f.SX, sy: l.sy * f.SY, clip: &box, fixed: l.fixed || c == s.tab.id && f.Fixed, scroll: l.scroll}
					out[child] = append(out[child], inner)
				}
			}
		}
	}
	return out
}

// element is the box of the element in the top document's viewport.
func (s *scene) element() (pagejs.Box, bool) {
	ls := s.lenses()[bidi.Context(s.shot.Element.Context)]
	if len(ls) == 0 {
		return pagejs.Box{}, false
	}
	whole := ls[0]
	whole.clip = nil
	box := ls[0].of(s.box)
	if full := whole.of(s.box); box != full {
		s.cut = true
	}
	return box, true
}

// paint is something to be drawn on a picture, in CSS pixels of its area.
type paint struct {
	pagejs.Box
	ref string // a label; "" is a box to be covered
}

// paints are what is to be drawn on the picture of an area.
func (s *scene) paints(a area) []paint {
	var out []paint
	put := func(b pagejs.Box, l lens, fixed bool, ref string) {
		if a.document {
			b.X, b.Y = b.X+l.scroll.X, b.Y+l.scroll.Y
			if fixed && ref == "" && s.shot.FullPage { // where the browser puts it in a picture of the whole page is its own affair
				b.Y, b.H = 0, max(a.page.H, a.Y+a.H)
			}
		}
		b.X, b.Y = b.X-a.X, b.Y-a.Y
		b = bounded(b, pagejs.Box{W: a.W, H: a.H})
		if b.W > 0.5 && b.H > 0.5 && !slices.Contains(out, paint{b, ref}) {
			out = append(out, paint{b, ref})
		}
	}
	masked, labels := map[pagejs.NodeKey]bool{}, map[pagejs.NodeKey]string{}
	key := func(c bidi.Context, n int) pagejs.NodeKey { return pagejs.NodeKey{Context: string(c), Node: n} }
	for _, k := range s.shot.Mask {
		masked[key(bidi.Context(k.Context), k.Node)] = true
	}
	for _, l := range s.shot.Labels {
		labels[key(bidi.Context(l.Key.Context), l.Key.Node)] = l.Ref
	}
	lenses := s.lenses()
	for _, c := range s.order {
		for i, r := range s.readings[c] {
			for k, l := range lenses[c] {
				if c == s.tab.id && k != i {
					continue
				}
				for _, m := range r.Masks {
					put(l.of(m.Box), l, l.fixed || c == s.tab.id && m.Fixed, "")
				}
				for _, m := range r.Marked {
					if masked[key(c, m.Node)] {
						put(l.of(m.Box), l, l.fixed || c == s.tab.id && m.Fixed, "")
					}
					if ref := labels[key(c, m.Node)]; ref != "" && i == 0 && k == 0 {
						put(l.of(m.Box), l, false, ref)
					}
				}
				for _, f := range r.Frames { // what a silent frame shows cannot be told
					if child := s.shown[c][f.Node]; child != "" && s.silent[child] {
						put(l.of(f.Box), l, l.fixed || c == s.tab.id && f.Fixed, "")
					}
				}
			}
		}
	}
	return out
}

// Controls are the controls of a page that a person sees, at most most of them.
func Controls(tree *pagejs.Tree, most int) []Match {
	var out []Match
	var walk func(context string, nodes []*pagejs.Node)
	document := func(context string) {
		if d := tree.Docs[context]; d != nil && d.Failed == "" {
			walk(context, d.Kids)
		}
	}
	walk = func(context string, nodes []*pagejs.Node) {
		d := tree.Docs[context]
		for _, n := range nodes {
			if len(out) == most {
				return
			}
			if n.Class == "control" && n.Role != "heading" && !n.Unseen {
				out = append(out, Match{Key: pagejs.NodeKey{Context: context, Doc: d.Doc, Node: n.ID}, Stamp: n.Stamp})
			}
			walk(context, n.Kids)
			if n.Class == "frame" {
				document(d.Frames[n.ID])
			}
		}
	}
	document(tree.Top)
	return out
}
