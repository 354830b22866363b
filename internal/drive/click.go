package drive

import (
	"context"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// ClickOptions say how to click. The zero value is one left click.
type ClickOptions struct {
	Button    string   // left (also ""), middle, right
	Count     int      // 0 is 1; 2 is a double click
	Modifiers []string // held meanwhile: Shift, Control, Alt, Meta, ControlOrMeta
	At        *Point   // inside the element, from its top left corner; nil lets duet choose
}

// Clicked says what a click came to.
type Clicked struct {
	Line     string // the element, as the map says it
	Matches  int    // visible matches of the selector, of which this was the first
	Replaced bool   // the page drew the element anew under the pointer; the press hit the new one
	ViaLabel bool   // the control is not painted, its label was pressed
	NoClick  bool   // the press arrived, and by what the page did to the element the browser made no click of it
	Facts    Facts
}

// wariness bounds how often the pointer is moved to a point that moves away from it.
const wariness = 4

// Click waits until the element can be pressed, presses it and settles. It succeeds
// only with evidence: the press was seen to arrive at the element, or the document
// is gone, since a navigation or the end of the tab came. A press that another element
// took is CLICK_INTERCEPTED with effect possible; so is one that began on the element
// and ended on another, which the page had put in its place, and a double click of
// which another got a part. Where a dialog opened before the press was seen, what it
// will hit is not known: EFFECT_UNKNOWN. A button that is down is not pressed.
func (e *Element) Click(ctx context.Context, o ClickOptions) (Clicked, error) {
	button, err := buttonOf(o.Button)
	if err != nil {
		return Clicked{}, err
	}
	held, err := modifierKeys(o.Modifiers)
	if err != nil {
		return Clicked{}, err
	}
	if h := e.tab.grip(); h != nil && h.button == button && !e.tab.left(h.frame, h.since) {
		return Clicked{}, fault.New(fault.StateInvalid, "the mouse button is down, on %s, and cannot be pressed before it is released", e.tab.b.Redact(h.name)).
			WithHint("release it first: %s", fault.Call("browser_mouse", "action", "up")).At(fault.Precondition, fault.None)
	}
	if err := e.tab.ungrip(ctx); err != nil {
		return Clicked{}, err
	}
	m, err := e.ready(ctx, pagejs.MeasureArgs{Arm: true, At: o.At})
	if err != nil {
		return Clicked{}, err
	}
	// What was hovered may close and shift the page when the pointer leaves it: then
	// the pointer goes ahead, and the point is measured again under it.
	for i := 0; m.Wary && i < wariness; i++ {
		at := *m.Point
		var ahead gesture
		ahead.move(at)
		if err := e.tab.input(ctx, e.context, ahead.actions(), e.tab.Mark()); err != nil {
			if i > 0 {
				err = afterEffect(err) // the pointer has moved before
			}
			return Clicked{}, err
		}
		if m, err = e.ready(ctx, pagejs.MeasureArgs{Arm: true, At: o.At}); err != nil {
			return Clicked{}, afterEffect(err) // the pointer has moved
		}
		if *m.Point == at {
			break
		}
	}
	var g gesture
	g.down(held...)
	g.move(*m.Point)
	g.press(button, max(1, o.Count))
	g.up(held...)
	mark := e.tab.Mark()
	e.tab.b.expectPress(m.Token)
	e.tab.led(e.top)
	s, err := e.perform(ctx, &g, settleWant{mark: mark, hit: m.Token})
	e.askedBy(mark)
	out := Clicked{Line: e.Line(), Matches: e.matches, ViaLabel: m.Via != "", Facts: s.facts}
	if err != nil {
		return out, err
	}
	out.Replaced, err = e.pressed(ctx, m, s, mark, max(1, o.Count))
	out.NoClick = err == nil && s.hit.Unclicked && button == 0
	return out, err
}

// embeds reports whether what is pressed inside an element arrives in another document.
func embeds(tag string) bool {
	return tag == "iframe" || tag == "frame" || tag == "embed" || tag == "object"
}

// twin asks whether what the press hit is the element drawn anew under the pointer.
func (e *Element) twin(ctx context.Context, m pagejs.Measured, hit int) bool {
	args := pagejs.TwinArgs{Target: e.at(), Hit: hit, Line: m.Line}
	same, err := run(ctx, e.tab, e.frame(), pagejs.Twin, args, "")
	return err == nil && same
}

// Hover waits until the element can be reached by the pointer, moves it there and
// settles. The pointer stays, so that what opens under it stays open.
func (e *Element) Hover(ctx context.Context, at *Point) (Clicked, error) {
	if err := e.tab.ungrip(ctx); err != nil {
		return Clicked{}, err
	}
	m, err := e.ready(ctx, pagejs.MeasureArgs{At: at, Hover: true})
	if err != nil {
		return Clicked{}, err
	}
	var g gesture
	g.move(*m.Point)
	e.tab.led(e.top)
	s, err := e.perform(ctx, &g, settleWant{mark: e.tab.Mark()})
	return Clicked{Line: e.Line(), Matches: e.matches, ViaLabel: m.Via != "", Facts: s.facts}, err
}

// Scroll waits until the element is visible and scrolls it to the middle of the
// view, in every document around it.
func (e *Element) Scroll(ctx context.Context) (Clicked, error) {
	mark := e.tab.Mark()
	err := e.until(ctx, func(ctx context.Context, pause int) (*refusal, error) {
		m, err := affect(ctx, e, pagejs.Measure, pagejs.MeasureArgs{Target: e.at(), Pause: pause, Scroll: true})
		if err != nil {
			return nil, err
		}
		if m.Gone != "" {
			return nil, e.gone(m.Gone, m.Line)
		}
		e.line = m.Line
		if m.Hidden != "" {
			return e.obstacle(m.Hidden, "", false, ""), nil
		}
		if m.Box == nil {
			return nil, nil
		}
		m.Point = &Point{X: m.Box.X + m.Box.W/2, Y: m.Box.Y + m.Box.H/2}
		_, err = e.outer(ctx, &m, false)
		return nil, err
	})
	if err != nil {
		return Clicked{}, err
	}
	s, err := e.tab.settle(ctx, e.frame(), settleWant{mark: mark})
	return Clicked{Line: e.Line(), Matches: e.matches, Facts: s.facts}, err
}

// Focus puts the focus on the element without clicking it, the caret at the end of
// its text, and settles. An element that does not take it is NOT_EDITABLE.
func (e *Element) Focus(ctx context.Context) (Clicked, error) {
	mark := e.tab.Mark()
	var m pagejs.Focused
	err := e.until(ctx, func(ctx context.Context, pause int) (*refusal, error) {
		var err error
		m, err = affect(ctx, e, pagejs.Focus, pagejs.FocusArgs{Target: e.at(), Pause: pause})
		if err != nil {
			return nil, err
		}
		if m.Gone != "" {
			return nil, e.gone(m.Gone, m.Line)
		}
		e.line = m.Line
		return e.obstacle(m.Hidden, m.Disabled, m.Inert, m.Modal), nil
	})
	if err != nil {
		return Clicked{}, err
	}
	s, err := e.tab.settle(ctx, e.frame(), settleWant{mark: mark})
	out := Clicked{Line: e.Line(), Matches: e.matches, Facts: s.facts}
	if err == nil && !m.OK {
		has := m.Active
		if has == "" {
			has = "nothing"
		}
		return out, fault.New(fault.NotEditable, "%s does not take the focus; %s has it", e.name(), e.tab.b.Redact(has)).At(fault.InEffect, fault.Possible)
	}
	if err == nil && s.later.Strayed != "" {
		return out, fault.New(fault.NotEditable, "%s took the focus and did not keep it; %s has it", e.name(), e.tab.b.Redact(s.later.Strayed)).At(fault.InEffect, fault.Possible)
	}
	return out, err
}

// Keyed judges a key that was meant for the element, which had been given the focus:
// one that went to another element is NOT_EDITABLE.
func (e *Element) Keyed(r Typed) error {
	if r.Elsewhere == "" {
		return nil
	}
	return fault.New(fault.NotEditable, "%s did not keep the focus, and the key went to %s", e.name(), r.Elsewhere).
		WithHint("look at the page before trying again: it may have reacted").At(fault.InEffect, fault.Confirmed)
}

// left reports whether a frame is gone, or began to go to another document after a
// mark.
func (t *Tab) left(c bidi.Context, m Mark) bool {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	f := t.b.frames[c]
	return f == nil || f.changed > m.event || f.nav != nil && f.nav.started > m.event
}
