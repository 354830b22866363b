package drive

import (
	"context"
	"errors"
	"time"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

const (
	// waitDefault is how long a verb waits for its element where the call has no
	// deadline.
	waitDefault = 5 * time.Second
	// fixedBound is how long something that waiting does not change is looked at
	// again while nothing is in flight: the page may be about to change it by itself.
	fixedBound = 400 * time.Millisecond
)

// pauses are the longest waits in the page before each look, in milliseconds: a
// change of the document ends them early, a moving box does not show as one.
var pauses = []int{0, 20, 50, 100, 100, 150}

// refusal is why an element cannot be acted on now.
type refusal struct {
	fault *fault.Fault
	fixed bool // waiting changes it only where something is in flight
	final bool // waiting does not change it
}

func refuse(code fault.Code, format string, args ...any) *refusal {
	return &refusal{fault: fault.New(code, format, args...).At(fault.BeforeEffect, fault.None)}
}

// lasting marks a refusal that waiting changes only where something is in flight.
func (r *refusal) lasting() *refusal {
	r.fixed = true
	return r
}

// until looks at the element until look has nothing against it. The first look is
// immediate; the last one ends before ctx does, and what it said is the answer. A
// look that got no answer is told as what it was where it may have acted: then what
// the one before it said is no longer so. An element that came from a selector is
// found anew where it went away.
func (e *Element) until(ctx context.Context, look func(ctx context.Context, pause int) (*refusal, error)) error {
	start := time.Now()
	end := start.Add(waitDefault)
	if d, ok := ctx.Deadline(); ok {
		end = d.Add(-min(200*time.Millisecond, max(0, d.Sub(start)/10)))
	}
	var last *refusal
	var redrawn error
	for n := 0; ; n++ {
		left := time.Until(end)
		// A look that may act must not outlive the deadline: where its wait does not fit
		// in what is left, it is shorter, and then there is none.
		fits := ms(wholeSteps(left))
		if last != nil && fits == 0 {
			pause(ctx, left)
			return last.fault
		}
		r, err := look(ctx, min(pauses[min(n, len(pauses)-1)], fits))
		switch {
		case err == nil && r == nil:
			return nil
		case err == nil:
			last = r
		case errors.Is(err, fault.Timeout) && last != nil && fault.From(err).Effect == fault.None:
			return last.fault
		case errors.Is(err, fault.Timeout) && redrawn != nil && fault.From(err).Effect == fault.None:
			return redrawn // the page answers: by drawing it anew
		case errors.Is(err, fault.StaleRef) && !e.ref && left > 0:
			redrawn = err
			switch r, err = e.again(ctx, err); {
			case errors.Is(err, fault.Timeout):
				return redrawn
			case err != nil:
				return err
			}
			if r != nil {
				last = r
			}
		default:
			return err
		}
		if r != nil && (r.final || r.fixed && time.Since(start) >= fixedBound && e.tab.Since(Mark{}).Pending == 0) {
			return r.fault
		}
	}
}

// again finds the element of a selector anew after it went away. Where nothing
// matches any more that is a refusal to wait on.
func (e *Element) again(ctx context.Context, why error) (*refusal, error) {
	if e.frameless() {
		return nil, why
	}
	err := e.resolve(ctx)
	switch {
	case err == nil:
		return nil, nil
	case errors.Is(err, fault.NoMatch), errors.Is(err, errNavigated), errors.Is(err, errTransient), errors.Is(err, errFrameGone):
		pause(ctx, 20*time.Millisecond)
		return refuse(fault.NoMatch, "%s matched at first, then went away", e.target), nil
	}
	return nil, err
}

// frameless reports whether the selector starts at a ref, which cannot come back.
func (e *Element) frameless() bool {
	_, ok := e.chain.Ref()
	return ok
}

// obstacle is what every action has against an element: unseen, disabled, inert.
func (e *Element) obstacle(hidden, disabled string, inert bool, modal string) *refusal {
	switch {
	case modal != "":
		r := refuse(fault.ClickIntercepted, "%s is behind an open modal dialog: %s", e.name(), e.tab.b.Redact(modal)).lasting()
		r.fault = r.fault.WithHint("act in the dialog, or close it, such as by %s", fault.Call("browser_press", "key", "Escape"))
		return r
	case inert:
		return refuse(fault.NotEnabled, "%s is inert", e.name()).lasting()
	case hidden != "":
		return refuse(fault.NotVisible, "%s is not visible: %s", e.name(), e.tab.b.Redact(hidden))
	case disabled == "fieldset":
		return refuse(fault.NotEnabled, "%s is disabled by its fieldset", e.name()).lasting()
	case disabled == "aria-disabled":
		return refuse(fault.NotEnabled, "%s is disabled (aria-disabled)", e.name()).disabled()
	case disabled != "":
		return refuse(fault.NotEnabled, "%s is disabled", e.name()).disabled()
	}
	return nil
}

// disabled says what may be done about what stayed disabled to the deadline.
func (r *refusal) disabled() *refusal {
	r.fault = r.fault.WithHint("it stayed so to the deadline: fill in what it waits for first, or raise %s where the page is about to enable it", fault.Arg("timeout_ms"))
	return r
}

// chosen says how an option of a select element is chosen.
func (r *refusal) chosen() *refusal {
	r.fault = r.fault.WithHint("choose it on its list: %s", fault.Call("browser_element", "action", "select", "selector", "LIST", "value", "OPTION"))
	return r
}

// judge says what stands against pressing at the point that was measured.
func (e *Element) judge(m pagejs.Measured) *refusal {
	if r := e.obstacle(m.Hidden, m.Disabled, m.Inert, m.Modal); r != nil {
		if m.Tag == "option" && m.Hidden != "" {
			return r.chosen()
		}
		return r
	}
	switch {
	case m.Tag == "option" && (m.Outside || m.Point == nil):
		r := refuse(fault.NotVisible, "%s is shown only while its list is open, in a window of the browser's own", e.name()).chosen()
		r.final = true
		return r
	case m.Outside || m.Point == nil:
		return refuse(fault.NotVisible, "%s cannot be scrolled into view", e.name())
	case !m.Hit && m.Ancestor:
		return refuse(fault.ClickIntercepted, "%s lets the pointer through to what is around it: %s", e.name(), e.cover(m.Cover)).
			covered(m.Cover)
	case !m.Hit:
		return refuse(fault.ClickIntercepted, "%s is covered by %s", e.name(), e.cover(m.Cover)).covered(m.Cover)
	case !m.Still:
		return refuse(fault.Moving, "%s is moving", e.name())
	}
	return nil
}

func (r *refusal) covered(by string) *refusal {
	if by != "" {
		r.fault = r.fault.WithDetail(map[string]string{"covered_by": by})
	}
	return r
}

func (e *Element) cover(line string) string {
	if line == "" {
		return "something that is not an element"
	}
	return e.tab.b.Redact(line)
}

// ready waits until a pointer can act on the element, in its document and in each
// document around it, and returns what was measured last.
func (e *Element) ready(ctx context.Context, args pagejs.MeasureArgs) (pagejs.Measured, error) {
	var m pagejs.Measured
	// Only the tab in front has frames, by which a box is seen to be at rest.
	if err := e.tab.toFront(ctx); err != nil {
		return m, err
	}
	args.Pointer = true
	err := e.until(ctx, func(ctx context.Context, pause int) (*refusal, error) {
		args.Target, args.Pause = e.at(), pause
		var err error
		if m, err = ask(ctx, e, pagejs.Measure, args, ""); err != nil {
			return nil, err
		}
		if m.Gone != "" {
			return nil, e.gone(m.Gone, m.Line)
		}
		e.line, e.context = m.Line, e.frame()
		if r := e.judge(m); r != nil {
			return beside(r, m, args.At), nil
		}
		return e.outer(ctx, &m, pause > 0)
	})
	return m, err
}

// beside is a refusal to press at a point of the caller's, which may lie outside the
// element: then no waiting brings it in.
func beside(r *refusal, m pagejs.Measured, at *Point) *refusal {
	if at == nil || m.Box == nil || m.Hidden != "" || at.X >= 0 && at.Y >= 0 && at.X <= m.Box.W && at.Y <= m.Box.H {
		return r
	}
	out := refuse(fault.InvalidArgument, "the point %g,%g lies outside the element, which is %g wide and %g high", at.X, at.Y, m.Box.W, m.Box.H)
	out.fault = out.fault.WithHint("%s and %s are counted from its top left corner", fault.Arg("x"), fault.Arg("y"))
	out.final = true
	return out
}

// outer looks at the documents around the element's frame, innermost first: each
// frame element is scrolled so that the point is in view, and nothing may cover it
// there. Browsers add up the offsets of frames of one process and leave out that a
// transform draws one of them in another size: then the point in the document around
// that frame is what is pressed.
func (e *Element) outer(ctx context.Context, m *pagejs.Measured, calm bool) (*refusal, error) {
	t := e.tab
	c, p := e.frame(), *m.Point
	e.inner = p
	for c != t.id {
		parent, target, err := t.frameElement(ctx, c)
		if err != nil {
			return nil, fault.From(err).At(fault.BeforeEffect, fault.None)
		}
		v, err := run(ctx, t, parent, pagejs.FrameView, pagejs.FrameViewArgs{Target: target, Point: p, Calm: calm}, "")
		switch {
		case err != nil:
			return nil, fault.From(err).At(fault.BeforeEffect, fault.None)
		case v.Gone != "":
			return nil, stale("document-changed", e.target)
		case !v.Hit && v.Cover == "":
			return refuse(fault.NotVisible, "%s stands in a frame that cannot be scrolled into view: %s", e.name(), t.b.Redact(v.Line)), nil
		case !v.Hit:
			return refuse(fault.ClickIntercepted, "%s stands in a frame that is covered by %s", e.name(), e.cover(v.Cover)).covered(v.Cover), nil
		}
		if v.Scaled && t.sameSite(c, parent) {
			e.context, m.Point = parent, &v.Point
		}
		c, p = parent, v.Point
	}
	e.top = p
	return nil, nil
}

// perform sends input to the context that the element is pressed in, and settles in
// its own document.
func (e *Element) perform(ctx context.Context, g *gesture, want settleWant) (settled, error) {
	t := e.tab
	if e.context == e.frame() || e.context == "" {
		return t.perform(ctx, e.frame(), g.actions(), want)
	}
	if s, err := t.perform(ctx, e.context, g.actions(), settleWant{mark: want.mark, skip: true}); err != nil {
		return s, err
	}
	return t.settle(ctx, e.frame(), want)
}
