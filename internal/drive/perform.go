package drive

import (
	"context"
	"errors"

	"duet/bidi"
	"duet/internal/fault"
)

// perform sends input to a frame and settles. The reply is raced against a prompt
// (the input stays pending until that is answered: AnswerDialog waits for it),
// against the end of the tab (a popup may close itself by the press: that is a
// success) and against the loss of the browser. On an error the fault says whether
// the input left.
func (t *Tab) perform(ctx context.Context, frame bidi.Context, actions []bidi.InputSourceActions, want settleWant) (settled, error) {
	if d := t.Dialog(); d != nil {
		return settled{}, dialogFault(d)
	}
	if err := t.toFront(ctx); err != nil {
		return settled{}, err
	}
	if !want.mark.set {
		want.mark = t.Mark()
	}
	if err := t.input(ctx, frame, actions, want.mark); err != nil {
		var f *fault.Fault
		errors.As(err, &f)
		switch {
		case errors.Is(err, errPrompt), errors.Is(err, errTabClosed):
			return settled{facts: t.Since(want.mark)}, nil
		case errors.Is(err, errFrameGone) && !t.Closed() && !t.shows(frame):
			// The press removed the very frame that it went to.
		default:
			return settled{facts: t.Since(want.mark)}, err
		}
	}
	return t.settle(ctx, frame, want)
}

// shows reports whether a frame is there, as events told.
func (t *Tab) shows(frame bidi.Context) bool {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.b.frames[frame] != nil
}

// input sends actions and waits for the reply.
func (t *Tab) input(ctx context.Context, frame bidi.Context, actions []bidi.InputSourceActions, mark Mark) error {
	if f := t.barred("send input"); f != nil {
		return f // kept back it would be done later, to another page
	}
	sent := t.Mark().event
	p := bidi.InputPerformActions.Send(t.b.conn, bidi.InputPerformActionsParameters{Context: frame, Actions: actions})
	err := t.raceInput(ctx, frame, p.Done(), sent)
	if err != nil {
		if errors.Is(err, errPrompt) {
			t.hold(held{done: p.Done(), since: mark})
		} else {
			p.Forget()
		}
		if errors.Is(err, errUnderway) {
			return nil // the input itself led away; what came of it is seen, or told to be under way
		}
		return fault.From(err).At(fault.InEffect, fault.Possible)
	}
	if _, err := p.Wait(ctx); err != nil {
		if t.Closed() {
			return t.closedFault() // it closed itself, and the browser answers for what is gone
		}
		if bidi.CodeOf(err) == bidi.CodeUnknownError && (navigatedAway(err) || transient(err)) {
			return nil // the press led away before its last event had a document to go to
		}
		return wireFault("send input", err)
	}
	return nil
}

// raceInput is race for input, which outlives a change of documents.
func (t *Tab) raceInput(ctx context.Context, frame bidi.Context, done <-chan struct{}, since int) error {
	for {
		err := t.race(ctx, frame, done, since, "send input")
		if !errors.Is(err, errNavigated) {
			return err
		}
		since = t.Mark().event
	}
}
