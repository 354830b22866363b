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

// Released says what letting go of a mouse button came to.
type Released struct {
	Line      string
	Matches   int
	HTML      bool // the page's own kind of drag ended by it (HTML drag and drop)
	Dropped   bool // its drop event was fired, and what it was dropped on took it
	Synthetic bool // by script: the browser's input has no drop
	Facts     Facts
	took      []int  // what the drop was fired on, and what holds that
	by        string // the first of them
}

// MouseDown waits until the pointer can reach the element, puts a button down on it,
// which must be seen to arrive, and settles.
func (e *Element) MouseDown(ctx context.Context, button string, at *Point) (Clicked, error) {
	n, err := buttonOf(button)
	if err != nil {
		return Clicked{}, err
	}
	if err := e.tab.free(ctx); err != nil {
		return Clicked{}, err
	}
	m, err := e.ready(ctx, pagejs.MeasureArgs{Arm: true, At: at})
	if err != nil {
		return Clicked{}, err
	}
	d, err := ask(ctx, e, pagejs.Drag, pagejs.DragArgs{Watch: true, Point: e.inner}, "")
	if err != nil {
		return Clicked{}, err
	}
	if err := e.tab.toFront(ctx); err != nil {
		return Clicked{}, err
	}
	to, p := e.place(m)
	var g gesture
	g.move(p)
	g.hold(n)
	mark := e.tab.Mark()
	e.tab.b.expectPress(m.Token)
	s, err := e.performIn(ctx, to, &g, settleWant{mark: mark, hit: m.Token})
	out := Clicked{Line: e.Line(), Matches: e.matches, Facts: s.facts}
	if err != nil {
		out.Facts, err = e.tab.letGo(ctx, to, n, mark, err)
		return out, err
	}
	holding := &grip{frame: e.frame(), to: to, at: &p, button: n, since: mark, shift: Point{X: p.X - e.top.X, Y: p.Y - e.top.Y}, draggable: d.Draggable, name: e.name()}
	e.tab.setGrip(holding)
	if out.Replaced, err = e.pressed(ctx, m, s, mark, 1); err != nil {
		err = holding.stillDown(err)
	}
	return out, err
}

// place is what the pointer is sent to so that it reaches the element, and where in
// it. A browser that leads input to the frames of a document does so best: a drag
// that leaves a frame is led on as one.
func (e *Element) place(m pagejs.Measured) (bidi.Context, Point) {
	t := e.tab
	if t.b.quirks.InputInProcess && !t.sameSite(e.frame(), t.id) {
		return e.context, *m.Point
	}
	return t.id, e.top
}

// performIn sends input to a context and settles in the element's document.
func (e *Element) performIn(ctx context.Context, to bidi.Context, g *gesture, want settleWant) (settled, error) {
	if to == e.frame() {
		return e.tab.perform(ctx, to, g.actions(), want)
	}
	if s, err := e.tab.perform(ctx, to, g.actions(), settleWant{mark: want.mark, skip: true}); err != nil {
		return s, err
	}
	return e.tab.settle(ctx, e.frame(), want)
}

// MouseMove moves the pointer over the element and settles; a button that is down
// drags what it was put down on.
func (e *Element) MouseMove(ctx context.Context, at *Point) (Released, error) {
	if err := e.tab.ungrip(ctx); err != nil {
		return Released{}, err
	}
	holding := e.tab.grip()
	if holding == nil {
		h, err := e.Hover(ctx, at)
		return Released{Line: h.Line, Matches: h.Matches, Facts: h.Facts}, err
	}
	return e.drag(ctx, holding, at, nil)
}

// MouseUp moves the pointer over the element, as MouseMove does, and lets a button
// go. A drag of the page's own kind that nothing took is STATE_INVALID, and so is a
// button that is not the one that is down.
func (e *Element) MouseUp(ctx context.Context, button string, at *Point) (Released, error) {
	n, err := buttonOf(button)
	if err != nil {
		return Released{}, err
	}
	holding := e.tab.grip()
	if holding == nil {
		return Released{}, nothingDown()
	}
	if err := holding.lets(n); err != nil {
		return Released{}, err
	}
	return e.drag(ctx, holding, at, &n)
}

// nothingDown is the fault of letting go of a button that is not down.
func nothingDown() *fault.Fault {
	return fault.New(fault.StateInvalid, "no mouse button is down").
		WithHint("put one down first: %s", fault.Call("browser_mouse", "action", "down", "selector", "SELECTOR"))
}

// drag carries what a button holds to the element, and lets it go there where
// release says which button. What a page makes of the pointer alone it makes in the
// document where the button went down, which a pointer cannot leave for that of
// another process: browsers send it no release.
func (e *Element) drag(ctx context.Context, holding *grip, at *Point, release *int) (Released, error) {
	t := e.tab
	m, err := e.ready(ctx, pagejs.MeasureArgs{At: at})
	if err != nil {
		return Released{}, err
	}
	across := !t.sameSite(holding.frame, e.frame())
	if !holding.draggable && across {
		return Released{}, fault.New(fault.Unsupported, "%s's input takes no pointer from the document of %s into that of %s, which is of another process: the first would not be told of the release",
			t.b.info.Browser, holding.name, e.name()).
			WithHint("the button is still down: release it over an element of the first document").At(fault.BeforeEffect, fault.None)
	}
	if err := t.toFront(ctx); err != nil {
		return Released{}, err
	}
	to, p := e.place(m)
	mark := t.Mark()
	if e.frame() != holding.frame && holding.draggable && release != nil {
		if _, err := ask(ctx, e, pagejs.Drag, pagejs.DragArgs{Watch: true, Point: e.inner}, ""); err != nil {
			return Released{}, err
		}
	}
	// The way into another process is the script's: what is dragged stays where the
	// button went down, and is let go there once it is dropped.
	apart := to != holding.to || across && t.b.quirks.DragOutlivesDrop
	var g gesture
	switch {
	case apart && holding.at != nil:
		holding.nudge(&g)
	case !apart:
		holding.way(&g, p)
		g.move(Point{X: p.X - 1, Y: p.Y}) // over it, and again: what is dragged is offered before it is taken
		g.move(p)
		if release != nil {
			g.release(*release)
		}
	}
	out := Released{Line: e.Line(), Matches: e.matches}
	s, err := t.send(ctx, holding.to, &g, mark)
	switch {
	case release == nil && (err != nil || s.facts.Dialog != nil):
		holding.at = nil // wherever it came to
		out.Facts = t.Since(mark)
		return out, err
	case err != nil || s.facts.Dialog != nil:
		t.setGrip(nil)
		if err == nil {
			err = dropUnknown(holding, e.tab.b.Redact(e.name()))
		}
		out.Facts, err = t.letGo(ctx, holding.to, *release, mark, err)
		return out, err
	}
	if !apart {
		holding.at = &p
	}
	if release != nil {
		if err := t.dropped(ctx, holding, drop{frame: e.frame(), at: e.inner, apart: apart, button: *release}, &out); err != nil {
			out.Facts = t.Since(mark)
			return out, err
		}
	}
	s, err = t.settle(ctx, e.frame(), settleWant{mark: mark})
	out.Facts = s.facts
	released := s.later.Released
	switch {
	case err == nil && !out.HTML && release != nil && e.frame() == holding.frame && m.Cover == "":
		if r := released; r != nil && !slices.Contains(r.Took, e.key.Node) && !t.b.info.PierceClosed {
			by := t.b.Redact(r.By)
			err = fault.New(fault.ClickIntercepted, "%s was dragged to %s, and %s, which lay over it then, took the release", holding.name, e.name(), by).
				WithDetail(map[string]string{"taken_by": by}).
				WithHint("look at the page before trying again: it may have reacted to the drag").At(fault.InEffect, fault.Confirmed)
		}
	case err != nil || !out.HTML:
	case !out.Dropped:
		err = notTaken(holding, e.name())
	case len(out.took) > 0 && !slices.Contains(out.took, e.key.Node) && !t.b.info.PierceClosed:
		by := t.b.Redact(out.by)
		err = fault.New(fault.ClickIntercepted, "%s was dragged to %s, and %s, which lay over it then, took the drop", holding.name, e.name(), by).
			WithDetail(map[string]string{"taken_by": by}).
			WithHint("look at the page before trying again: it has reacted to the drop").At(fault.InEffect, fault.Confirmed)
	}
	return out, err
}

// letGoBound is how long the button of a drag that failed is tried to be released.
const letGoBound = time.Second

// letGo ends a drag that cannot go on, for the reason given: the button that may be
// down is released, whatever became of ctx. A reason without an answer may have been
// a drop all the same.
func (t *Tab) letGo(ctx context.Context, to bidi.Context, button int, mark Mark, why error) (Facts, error) {
	f := fault.From(why)
	if facts := t.Since(mark); facts.Closed || errors.Is(why, fault.BrowserLost) {
		return facts, f
	}
	if f.Effect == fault.None {
		f = f.At(fault.InEffect, fault.Partial)
	}
	release, stop := context.WithTimeout(context.WithoutCancel(ctx), letGoBound)
	defer stop()
	var g gesture
	g.release(button)
	_ = t.input(release, to, g.actions(), mark) // why is what the caller needs to hear
	return t.Since(mark), f
}

// dropUnknown is the fault of a drop during which a dialog opened: nothing can be
// asked of the page behind it.
func dropUnknown(holding *grip, by string) error {
	return fault.New(fault.EffectUnknown, "a dialog opened while %s was being dragged: whether %s took it is not known", holding.name, by).
		WithHint("answer the dialog, then look at the page").At(fault.InEffect, fault.Possible)
}

func notTaken(holding *grip, by string) error {
	return fault.New(fault.StateInvalid, "%s was dragged, and %s did not take it", holding.name, by).At(fault.InEffect, fault.Confirmed)
}

// send performs input in the tab in front.
func (t *Tab) send(ctx context.Context, to bidi.Context, g *gesture, mark Mark) (settled, error) {
	actions := g.actions()
	if len(actions) == 0 {
		return settled{}, nil
	}
	return t.perform(ctx, to, actions, settleWant{mark: mark, skip: true})
}

// drop is where what is dragged is let go.
type drop struct {
	frame  bidi.Context
	at     Point // in its viewport
	apart  bool  // the button is still down, where it went down
	button int
}

// dropped ends a drag of the page's own kind. The drop is sent by script where the
// browser's input has none there. It says what came of it, which is nothing where no
// such drag began.
func (t *Tab) dropped(ctx context.Context, holding *grip, to drop, out *Released) error {
	t.setGrip(nil)
	away := to.frame != holding.frame
	scripted := to.apart || t.b.quirks.NoDropByInput
	var d pagejs.Dragged
	if holding.draggable {
		// What cannot be asked is gone, or the page made a pointer's drag of it.
		d, _ = run(ctx, t, holding.frame, pagejs.Drag, pagejs.DragArgs{Finish: scripted && !away, Input: !scripted, Away: away, Point: to.at}, "")
	}
	out.HTML, out.Dropped, out.Synthetic, out.took, out.by = d.Started, d.Dropped, d.Synthetic, d.Took, d.By
	if away && d.Started {
		there, _ := run(ctx, t, to.frame, pagejs.Drag, pagejs.DragArgs{Finish: scripted, Point: to.at, Data: d.Data}, "")
		out.Dropped, out.Synthetic, out.took, out.by = there.Dropped, there.Synthetic, there.Took, there.By
	}
	if to.apart {
		var g gesture
		g.release(to.button)
		if err := t.input(ctx, holding.to, g.actions(), t.Mark()); err != nil {
			return afterEffect(err)
		}
	}
	if away && d.Started {
		_, _ = run(ctx, t, holding.frame, pagejs.Drag, pagejs.DragArgs{End: true, Input: !t.b.quirks.NoDropByInput}, "") // which the browser may have done
	}
	return nil
}

// grab puts a button down by coordinates, or where the pointer is.
func (t *Tab) grab(ctx context.Context, g *gesture, button int, at *Point) (Facts, error) {
	if at == nil {
		t.b.mu.Lock()
		at = t.pointer
		t.b.mu.Unlock()
	}
	holding := &grip{frame: t.id, to: t.id, at: at, button: button, since: t.Mark(), name: "what the button went down on"}
	if at != nil {
		d, err := run(ctx, t, t.id, pagejs.Drag, pagejs.DragArgs{Watch: true, Point: *at}, "")
		if err != nil {
			return Facts{}, fault.From(err).At(fault.BeforeEffect, fault.None)
		}
		holding.draggable = d.Draggable
	}
	s, err := t.perform(ctx, t.id, g.actions(), settleWant{mark: t.Mark()})
	if err == nil {
		t.setGrip(holding)
	}
	return s.facts, err
}

// carry moves a button that is down by coordinates, and lets it go where release
// says so. A frame that must be sent its input itself is sent it.
func (t *Tab) carry(ctx context.Context, holding *grip, at *Point, button int, release bool) (Facts, error) {
	var g gesture
	p := holding.at
	if at != nil {
		p = &Point{X: at.X + holding.shift.X, Y: at.Y + holding.shift.Y}
		g.move(*p)
	}
	if release {
		g.release(button)
	}
	mark := t.Mark()
	s, err := t.perform(ctx, holding.to, g.actions(), settleWant{mark: mark, skip: release})
	if err != nil || !release {
		holding.at = p
		return s.facts, err
	}
	out := Released{}
	if p != nil {
		inTab := Point{X: p.X - holding.shift.X, Y: p.Y - holding.shift.Y}
		if err := t.dropped(ctx, holding, drop{frame: t.id, at: inTab}, &out); err != nil {
			return t.Since(mark), err
		}
	}
	t.setGrip(nil)
	s, err = t.settle(ctx, t.id, settleWant{mark: mark})
	if err == nil && out.HTML && !out.Dropped {
		err = notTaken(holding, "what is at that point")
	}
	return s.facts, err
}
