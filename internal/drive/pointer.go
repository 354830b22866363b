package drive

import (
	"context"

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
	p, err := t.aim(a)
	if err != nil {
		return Facts{}, err
	}
	if a.Do == "down" || a.Do == "click" || a.Do == "dblclick" {
		if err := t.free(ctx); err != nil {
			return Facts{}, err
		}
	} else if a.Do != "up" {
		if err := t.ungrip(ctx); err != nil {
			return Facts{}, err
		}
	} else if holding := t.grip(); holding != nil {
		if err := holding.lets(button); err != nil {
			return Facts{}, err
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
	var at *Point
	if a.X != nil {
		at = &p
		t.led(p)
	}
	if holding := t.grip(); holding != nil && (a.Do == "move" || a.Do == "up") {
		return t.carry(ctx, holding, at, button, a.Do == "up")
	}
	if a.Do == "up" {
		return Facts{}, nothingDown()
	}
	if a.Do == "down" {
		return t.grab(ctx, &g, button, at)
	}
	s, err := t.perform(ctx, t.id, g.actions(), want)
	return s.facts, err
}

// aim is the point of an action, the zero point where it names none and needs none.
func (t *Tab) aim(a MouseAction) (Point, error) {
	if (a.X == nil) != (a.Y == nil) {
		return Point{}, fault.New(fault.InvalidArgument, "%s and %s go together", fault.Arg("x"), fault.Arg("y"))
	}
	if a.X == nil && (a.Do == "move" || a.Do == "wheel") {
		return Point{}, fault.New(fault.InvalidArgument, "%s needs %s and %s", a.Do, fault.Arg("x"), fault.Arg("y"))
	}
	var p Point
	if a.X != nil {
		p = Point{X: *a.X, Y: *a.Y}
		if p.X < 0 || p.Y < 0 {
			return Point{}, fault.New(fault.InvalidArgument, "%s and %s are counted from the top left corner of the viewport, from 0", fault.Arg("x"), fault.Arg("y"))
		}
	}
	if t.beyond(p) {
		// Not every browser says so itself.
		return Point{}, fault.New(fault.NotVisible, "send input: the point is outside the viewport").At(fault.BeforeEffect, fault.None)
	}
	return p, nil
}

// led keeps where the pointer is led to.
func (t *Tab) led(p Point) {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	t.pointer = &p
}

// beyond reports whether a point lies right of the viewport that was asked for, or below.
func (t *Tab) beyond(p Point) bool {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	v := t.b.view
	return v.width > 0 && p.X > float64(v.width) || v.height > 0 && p.Y > float64(v.height)
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
	moved, told := rest.wait(ctx) // what it cannot tell, settling will
	s, err = t.settle(ctx, frame, want)
	// A frame's scrolling is its own document's to tell, and that was not asked.
	s.facts.Unmoved = told == nil && !moved && len(t.FrameURLs()) == 0
	return s, err
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
