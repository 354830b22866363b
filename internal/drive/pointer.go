package drive

import (
	"context"
	"errors"
	"math"
	"time"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// MouseAction is something a mouse does by coordinates, without an element. It is
// for canvases and maps: nothing checks what is under the pointer.
type MouseAction struct {
	Do        string // move, down, up, click, dblclick, wheel
	X, Y      *float64
	Button    string
	Modifiers []string
	DeltaX    int // of wheel: pixels, right and down are positive
	DeltaY    int
}

// Mouse does one thing with the mouse, in the viewport of the tab's top document,
// and settles. Without coordinates it happens where the pointer is, but for wheel,
// which needs them.
func (t *Tab) Mouse(ctx context.Context, a MouseAction) (Facts, error) {
	button, err := buttonOf(a.Button)
	if err != nil {
		return Facts{}, err
	}
	held, err := modifierKeys(a.Modifiers)
	if err != nil {
		return Facts{}, err
	}
	if (a.X == nil) != (a.Y == nil) {
		return Facts{}, fault.New(fault.InvalidArgument, "%s and %s go together", fault.Arg("x"), fault.Arg("y"))
	}
	if a.X == nil && (a.Do == "move" || a.Do == "wheel") {
		return Facts{}, fault.New(fault.InvalidArgument, "%s needs %s and %s", a.Do, fault.Arg("x"), fault.Arg("y"))
	}
	var p Point
	if a.X != nil {
		p = Point{X: *a.X, Y: *a.Y}
		if p.X < 0 || p.Y < 0 {
			return Facts{}, fault.New(fault.InvalidArgument, "%s and %s are counted from the top left corner of the viewport, from 0", fault.Arg("x"), fault.Arg("y"))
		}
	}
	var g gesture
	g.down(held...)
	if a.X != nil && a.Do != "wheel" {
		g.move(p)
	}
	switch a.Do {
	case "move":
	case "down":
		g.hold(button)
	case "up":
		g.release(button)
	case "click":
		g.press(button, 1)
	case "dblclick":
		g.press(button, 2)
	case "wheel":
		g.turn(p, a.DeltaX, a.DeltaY)
	default:
		return Facts{}, fault.New(fault.InvalidArgument, "a mouse cannot %q", a.Do).WithHint("allowed: move, down, up, click, dblclick, wheel")
	}
	g.up(held...)
	want := settleWant{mark: t.Mark()}
	if a.Do == "wheel" {
		s, err := t.wheel(ctx, t.id, t.id, &g, want)
		return s.facts, err
	}
	s, err := t.perform(ctx, t.id, g.actions(), want)
	return s.facts, err
}

// wheel sends a turn of the wheel and settles once the scrolling has come to rest: a
// browser may answer before it begins, a page may draw it out. The document that
// scrolls tells.
func (t *Tab) wheel(ctx context.Context, to, frame bidi.Context, g *gesture, want settleWant) (settled, error) {
	rest := begin(t, frame, pagejs.Scrolled, struct{}{}, "")
	s, err := t.perform(ctx, to, g.actions(), settleWant{mark: want.mark, skip: true})
	if err != nil || s.facts.Dialog != nil || s.facts.Closed {
		rest.drop()
		return s, err
	}
	_, _ = rest.wait(ctx) // what it cannot tell, settling will
	return t.settle(ctx, frame, want)
}

// Wheel waits until the pointer can reach the element, turns the wheel over it and
// settles.
func (e *Element) Wheel(ctx context.Context, dx, dy int) (Clicked, error) {
	m, err := e.ready(ctx, pagejs.MeasureArgs{})
	if err != nil {
		return Clicked{}, err
	}
	var g gesture
	g.turn(*m.Point, dx, dy)
	s, err := e.tab.wheel(ctx, e.context, e.frame(), &g, settleWant{mark: e.tab.Mark()})
	return Clicked{Line: e.Line(), Matches: e.matches, Facts: s.facts}, err
}

// DragOptions say where to take hold and where to let go. nil lets duet choose a
// point on the element.
type DragOptions struct {
	From, To *Point // inside the two elements
}

// DraggedTo says what a drag came to.
type DraggedTo struct {
	Line, To  string
	Matches   int
	HTML      bool // the page uses HTML drag and drop
	Dropped   bool // its drop event was fired
	Synthetic bool // by script: the browser's input has no drop
	Facts     Facts
}

// dragSteps is in how many moves the way is made: pages follow the pointer.
const dragSteps = 5

// DragTo drags the element onto another one with the left button and settles. Both
// must stand in one document. HTML drag and drop works as well; where the browser's
// input makes no drop of it, the drop is sent by script and the answer says so.
func (e *Element) DragTo(ctx context.Context, to *Element, o DragOptions) (DraggedTo, error) {
	t := e.tab
	if to.frame() != e.frame() || to.tab != t {
		return DraggedTo{}, fault.New(fault.Unsupported, "%s and %s stand in different documents: a drag between frames is not supported", e.name(), to.name())
	}
	// The target is scrolled into view first; where taking hold scrolls it away
	// again, it is found again once the button is down.
	mt, err := to.ready(ctx, pagejs.MeasureArgs{At: o.To})
	if err != nil {
		return DraggedTo{}, err
	}
	ms, err := e.ready(ctx, pagejs.MeasureArgs{At: o.From, Arm: true})
	if err != nil {
		return DraggedTo{}, err
	}
	if _, err := ask(ctx, e, pagejs.Drag, pagejs.DragArgs{Watch: true}, ""); err != nil {
		return DraggedTo{}, err
	}
	if err := t.toFront(ctx); err != nil {
		return DraggedTo{}, err
	}
	mark := t.Mark()
	out := DraggedTo{Line: e.Line(), To: to.Line(), Matches: e.matches}
	end := *mt.Point
	var g gesture
	g.move(*ms.Point)
	g.hold(0)
	if ms.Scrolled {
		g.move(Point{X: ms.Point.X + 4, Y: ms.Point.Y + 4})
		if err := t.input(ctx, e.context, g.actions(), mark); err != nil {
			return e.letGo(ctx, out, mark, err)
		}
		// What is dragged may cover the target now: only its place counts.
		m, err := run(ctx, t, to.frame(), pagejs.Measure, pagejs.MeasureArgs{Target: to.at(), Pointer: true, At: o.To}, "")
		if err == nil && m.Point == nil {
			err = fault.New(fault.NotVisible, "the target of the drag went out of view")
		}
		if err == nil {
			err = t.toFront(ctx)
		}
		if err != nil {
			return e.letGo(ctx, out, mark, err)
		}
		end = *m.Point
		g = gesture{}
	}
	start := *ms.Point
	for i := 1; i <= dragSteps; i++ {
		part := float64(i) / dragSteps
		g.move(Point{X: math.Round(start.X + (end.X-start.X)*part), Y: math.Round(start.Y + (end.Y-start.Y)*part)})
	}
	g.move(end)
	g.release(0)
	if err := t.input(ctx, e.context, g.actions(), mark); err != nil {
		return e.letGo(ctx, out, mark, err)
	}
	d, err := run(ctx, t, e.frame(), pagejs.Drag, pagejs.DragArgs{Finish: true, Point: end}, "")
	asked := err == nil
	if asked {
		out.HTML, out.Dropped, out.Synthetic = d.Started, d.Dropped, d.Synthetic
	}
	s, err := t.settle(ctx, e.frame(), settleWant{mark: mark, hit: ms.Token})
	out.Facts = s.facts
	if err != nil {
		return out, err
	}
	if !asked && s.facts.Dialog != nil {
		return out, e.dropUnknown(out.To)
	}
	_, err = e.pressed(ctx, ms, s, mark)
	if err == nil && out.HTML && !out.Dropped {
		return out, fault.New(fault.StateInvalid, "%s was dragged, and %s did not take it", e.name(), to.name()).At(fault.InEffect, fault.Confirmed)
	}
	return out, err
}

// letGoBound is how long the button of a drag that failed is tried to be released.
const letGoBound = time.Second

// letGo ends a drag that cannot go on, for the reason given: the button that may be
// down is released, whatever became of ctx. A reason without an answer may have been
// a drop all the same.
func (e *Element) letGo(ctx context.Context, out DraggedTo, mark Mark, why error) (DraggedTo, error) {
	t := e.tab
	f := fault.From(why).At(fault.InEffect, fault.Partial)
	if out.Facts = t.Since(mark); out.Facts.Closed || errors.Is(why, fault.BrowserLost) {
		return out, f
	}
	release, stop := context.WithTimeout(context.WithoutCancel(ctx), letGoBound)
	defer stop()
	var g gesture
	g.release(0)
	_ = t.input(release, e.context, g.actions(), mark) // why is what the caller needs to hear
	if out.Facts = t.Since(mark); out.Facts.Dialog != nil {
		return out, e.dropUnknown(out.To).Because(why)
	}
	return out, f
}

// dropUnknown is the fault of a drag during which a dialog opened: nothing can be
// asked of the page behind it.
func (e *Element) dropUnknown(to string) *fault.Fault {
	return fault.New(fault.EffectUnknown, "a dialog opened while %s was being dragged: whether it was dropped on %s is not known", e.name(), e.tab.b.Redact(to)).
		WithHint("answer the dialog, then look at the page").At(fault.InEffect, fault.Possible)
}
