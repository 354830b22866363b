package drive

import (
	"context"
	"math"

	"duet/bidi"
	"duet/internal/fault"
)

// grip is a mouse button that was put down and is not released yet.
type grip struct {
	frame     bidi.Context // of the document that it was pressed in
	to        bidi.Context // what the press was sent to
	at        *Point       // where the pointer is, in the viewport of to; nil where that is not known
	shift     Point        // from the viewport of the tab to that of to
	button    int
	since     Mark
	draggable bool   // what was pressed is dragged by the page's own kind of drag (HTML drag and drop)
	name      string // of what was pressed
}

func (t *Tab) grip() *grip {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.gripped
}

// ungrip lets go of a button whose document is gone: the browser has it down still, and
// what is pressed next would not go down. It is done before what is to be pressed listens.
func (t *Tab) ungrip(ctx context.Context) error {
	h := t.grip()
	if h == nil || !t.left(h.frame, h.since) {
		return nil
	}
	var g gesture
	g.release(h.button)
	if err := t.input(ctx, t.id, g.actions(), t.Mark()); err != nil {
		return err
	}
	t.setGrip(nil)
	return nil
}

func (t *Tab) setGrip(g *grip) {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	t.gripped = g
}

// free lets go of a button whose document is gone, and refuses to put another down
// while one is: a tab holds one at a time.
func (t *Tab) free(ctx context.Context) error {
	if err := t.ungrip(ctx); err != nil {
		return err
	}
	h := t.grip()
	if h == nil {
		return nil
	}
	return fault.New(fault.StateInvalid, "the %s mouse button is down already, on %s, and one is held at a time", h.buttonName(), t.b.Redact(h.name)).
		WithHint("release it first: %s", fault.Call("browser_mouse", "action", "up", "button", h.buttonName())).At(fault.Precondition, fault.None)
}

// stillDown says of a press that went elsewhere that its button is down all the same:
// where it is released, and on what that clicks, is the caller's to choose.
func (h *grip) stillDown(err error) error {
	f := fault.From(err)
	c := *f
	c.Message += "; the button is down still"
	return c.WithHint("release it: %s, over another element where it must not click", fault.Call("browser_mouse", "action", "up", "button", h.buttonName()))
}

func (h *grip) buttonName() string {
	name := "left"
	for n, number := range buttons {
		if number == h.button && n != "" {
			name = n
		}
	}
	return name
}

// lets refuses to release another button than the one that is down: the drag would be
// told as ended, and the browser would go on with it.
func (h *grip) lets(button int) error {
	if button == h.button {
		return nil
	}
	name := h.buttonName()
	return fault.New(fault.StateInvalid, "the mouse button that is down is the %s one, not the one to be released", name).
		WithHint("release that one: %s", fault.Call("browser_mouse", "action", "up", "button", name)).At(fault.Precondition, fault.None)
}

// dragSteps is in how many moves the way is made: pages follow the pointer.
const dragSteps = 5

// nudge moves far enough for a drag to begin, and no farther.
func (h *grip) nudge(g *gesture) {
	g.move(Point{X: h.at.X + 5, Y: h.at.Y + 5})
	g.move(Point{X: h.at.X + 6, Y: h.at.Y + 6})
}

// way moves from where the pointer is to a point, the first step small: a drag
// begins where the button went down.
func (h *grip) way(g *gesture, end Point) {
	if h.at == nil {
		return
	}
	h.nudge(g)
	for i := 1; i < dragSteps; i++ {
		part := float64(i) / dragSteps
		g.move(Point{X: math.Round(h.at.X + (end.X-h.at.X)*part), Y: math.Round(h.at.Y + (end.Y-h.at.Y)*part)})
	}
}
