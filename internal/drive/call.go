package drive

import (
	"context"
	"errors"
	"strconv"
	"time"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

const (
	// exchangeBound is how long a read is repeated while a frame has no document:
	// the moment between two of them.
	exchangeBound = time.Second
	// lateReply is how long a reply may trail the event that makes it improbable.
	lateReply = 60 * time.Millisecond
	// barredBound is how long a call is waited for at least that a navigation seems to
	// keep back.
	barredBound = 200 * time.Millisecond
)

// run calls a page function in the sandbox of one frame and returns its answer.
// The library is installed on the way where the realm lacks it. It does not hang:
// an open dialog is DIALOG_OPEN, also one that opens meanwhile; a document or frame
// that goes away is STATE_INVALID (with errNavigated or errFrameGone as cause, for
// errors.Is); a lost browser is BROWSER_LOST; an ended deadline is TIMEOUT where the
// driver still lives. Functions that only read are repeated for up to a second where
// they met the moment between two documents.
func run[A, R any](ctx context.Context, t *Tab, frame bidi.Context, fn pagejs.Fn[A, R], args A, secret string) (R, error) {
	return begin(t, frame, fn, args, secret).wait(ctx)
}

// pageCall is a page function under way: sent, not yet answered.
type pageCall[A, R any] struct {
	t       *Tab
	frame   bidi.Context
	fn      pagejs.Fn[A, R]
	args    string
	secret  string
	roots   []bidi.SharedID // closed shadow roots that it is told
	how     *bidi.ScriptSerializationOptions
	sent    int  // event before it was sent
	trails  bool // others were sent before its answer: a prompt may be theirs
	pending *bidi.Pending[bidi.ScriptEvaluateResult]
	err     *fault.Fault // it was not sent
}

// begin sends a page function. Several can be sent before the first is waited for.
func begin[A, R any](t *Tab, frame bidi.Context, fn pagejs.Fn[A, R], args A, secret string) *pageCall[A, R] {
	c := &pageCall[A, R]{t: t, frame: frame, fn: fn, args: fn.Args(args), secret: secret}
	c.send(c.source())
	return c
}

// source is the function as its document needs it: a name where it was given the
// function before.
func (c *pageCall[A, R]) source() string {
	b := c.t.b
	b.mu.Lock()
	defer b.mu.Unlock()
	if f := b.frames[c.frame]; f != nil && f.realm != "" && f.given.realm == f.realm && f.given.names[c.fn.Name] {
		return c.fn.Known()
	}
	return c.fn.Source()
}

// gave notes that the document has the function. That it may be another document by
// now does no harm: it says so.
func (c *pageCall[A, R]) gave() {
	b := c.t.b
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.frames[c.frame]
	if f == nil || f.realm == "" {
		return
	}
	if f.given.realm != f.realm {
		f.given = given{realm: f.realm, names: map[string]bool{}}
	}
	f.given.names[c.fn.Name] = true
}

func (c *pageCall[A, R]) send(source string) {
	arguments := []bidi.ScriptLocalValue{bidi.StringValue(c.args)}
	if c.secret != "" {
		arguments = append(arguments, bidi.StringValue("secret"), bidi.StringValue(c.secret))
	}
	if len(c.roots) > 0 {
		roots := make([]bidi.ScriptLocalValue, len(c.roots))
		for i, id := range c.roots {
			roots[i] = bidi.NodeValue(id)
		}
		arguments = append(arguments, bidi.StringValue("roots"), bidi.ArrayValue(roots...))
	}
	if !c.fn.Reads {
		// Kept back it would be done later, by a page that nobody expects it of any more.
		if c.err = c.t.barred(c.op()); c.err != nil {
			return
		}
	}
	c.sent, c.pending, c.err = c.t.callPage(c.frame, source, arguments, c.how, c.fn.Acts)
}

// wait returns the answer.
func (c *pageCall[A, R]) wait(ctx context.Context) (R, error) {
	var zero R
	v, err := c.answer(ctx)
	if err != nil {
		return zero, err
	}
	text, ok := v.AsString()
	if !ok {
		return zero, c.defect("page function @%s answered no text", c.fn.Name)
	}
	r, err := c.fn.Decode(text)
	if err != nil {
		return zero, c.defect("%v", err)
	}
	return r, nil
}

// answer returns what the function answered in a realm that has the library.
func (c *pageCall[A, R]) answer(ctx context.Context) (bidi.ScriptRemoteValue, error) {
	var until time.Time
	first, whole := false, false
	for {
		v, err := c.value(ctx)
		if err == nil {
			switch text, ok := v.AsString(); {
			case ok && !first && pagejs.Missing(text):
				first = true
				c.send(c.fn.First())
				continue
			case ok && !whole && pagejs.Lacking(text):
				whole = true
				c.send(c.fn.Source())
				continue
			}
			c.gave()
			return v, nil
		}
		// What was not sent can be sent again, whatever it does.
		if !errors.Is(err, errTransient) || !c.fn.Reads && c.err == nil {
			return v, err
		}
		if until.IsZero() {
			until = time.Now().Add(exchangeBound)
		}
		if time.Now().After(until) || !pause(ctx, 10*time.Millisecond) {
			return v, err
		}
		first, whole = false, true
		c.send(c.fn.Source())
	}
}

func (c *pageCall[A, R]) defect(format string, args ...any) *fault.Fault {
	return fault.New(fault.Internal, format, args...).At(phaseOf(c.effect()), c.effect())
}

// effect is what a call that came to nothing may have done.
func (c *pageCall[A, R]) effect() fault.Effect {
	if c.fn.Reads {
		return fault.None
	}
	return fault.Possible
}

// value returns what the function answered, as it came.
func (c *pageCall[A, R]) value(ctx context.Context) (bidi.ScriptRemoteValue, error) {
	var none bidi.ScriptRemoteValue
	if c.err != nil {
		return none, c.err
	}
	op := c.op()
	err := c.t.race(ctx, c.frame, c.pending.Done(), c.sent, op)
	if err != nil && c.trails && errors.Is(err, errPrompt) && within(ctx, c.pending.Done(), lateReply) {
		err = nil // the prompt is of what was sent after it
	}
	if err != nil {
		c.pending.Forget()
		return none, fault.From(err).At(phaseOf(c.effect()), c.effect())
	}
	out, err := c.pending.Wait(ctx)
	if err != nil {
		return none, c.failed(op, err)
	}
	if out.ExceptionDetails != nil {
		return none, c.defect("page function @%s threw: %s", c.fn.Name, strconv.Quote(cut(out.ExceptionDetails.Text, 300)))
	}
	return out.Result, nil
}

// op says what the call is for, as messages do.
func (c *pageCall[A, R]) op() string {
	if c.fn.Reads {
		return "read the page"
	}
	return "act in the page"
}

func (c *pageCall[A, R]) failed(op string, err error) *fault.Fault {
	switch {
	case transient(err):
		return fault.New(fault.StateInvalid, "%s: the document is just being exchanged", op).
			Because(errors.Join(errTransient, err)).At(phaseOf(c.effect()), c.effect())
	case navigatedAway(err):
		return navigatedFault(op).At(phaseOf(c.effect()), c.effect())
	}
	f := wireFault(op, err)
	if c.fn.Reads {
		f = f.At(fault.BeforeEffect, fault.None)
	}
	return f
}

func navigatedFault(op string) *fault.Fault {
	return fault.New(fault.StateInvalid, "%s: the page navigated meanwhile", op).Because(errNavigated)
}

func phaseOf(e fault.Effect) fault.Phase {
	if e == fault.None {
		return fault.BeforeEffect
	}
	return fault.InEffect
}

// callPage sends a function declaration to the sandbox of a frame. since is the
// last event before it left. acts: the page takes it for something that its user did.
func (t *Tab) callPage(frame bidi.Context, source string, arguments []bidi.ScriptLocalValue, how *bidi.ScriptSerializationOptions, acts bool) (since int, p *bidi.Pending[bidi.ScriptEvaluateResult], f *fault.Fault) {
	b := t.b
	b.mu.Lock()
	since = b.seq
	dialog := b.dialogs[t.id]
	closed := t.closed != 0
	fr := b.frames[frame]
	repair := t.repair != 0
	if acts {
		t.acted, t.actedIn = t.epoch+1, frame
	}
	b.mu.Unlock()
	switch {
	case closed:
		return since, nil, t.closedFault()
	case fr == nil:
		return since, nil, fault.New(fault.StateInvalid, "the frame is gone").Because(errFrameGone)
	case dialog != nil:
		return since, nil, dialogFault(dialog)
	case repair:
		return since, nil, fault.New(fault.StateInvalid, "the popup is just opening").Because(errTransient)
	}
	return since, bidi.ScriptCallFunction.Send(b.conn, bidi.ScriptCallFunctionParameters{
		FunctionDeclaration:  source,
		AwaitPromise:         true,
		Target:               bidi.ScriptContextTarget{Context: frame, Sandbox: sandbox},
		Arguments:            arguments,
		SerializationOptions: how,
		UserActivation:       acts,
	}), nil
}

// race waits for done, and for what makes a reply impossible: a prompt in the tab,
// the end of the frame, a new document in it where the browser then forgets calls,
// a navigation that keeps the page from answering, the loss of the browser, the end of
// ctx. since is the last event before the command left. Whoever sent what only reads
// says so of the fault: here the command may have had its effect.
func (t *Tab) race(ctx context.Context, frame bidi.Context, done <-chan struct{}, since int, op string) error {
	return t.raceOr(ctx, frame, done, since, op, true)
}

// raceOr is race; asks says that the page is to answer, which a navigation can keep it
// from.
func (t *Tab) raceOr(ctx context.Context, frame bidi.Context, done <-chan struct{}, since int, op string, asks bool) error {
	b := t.b
	start := time.Now()
	for {
		select {
		case <-done:
			return nil
		default:
		}
		var bar *navigation
		var rest time.Duration
		b.mu.Lock()
		if asks {
			bar, rest = t.barredLocked()
			rest = max(rest, barredBound-time.Since(start))
		}
		dialog := b.dialogs[t.id]
		fr := b.frames[frame]
		moved := fr != nil && fr.changed > since && b.quirks.ScriptLostOnNavigation
		changed := b.changedLocked()
		b.mu.Unlock()
		var over error
		switch {
		case dialog != nil:
			over = dialogFault(dialog)
		case fr == nil && t.Closed():
			over = t.closedFault()
		case fr == nil:
			over = fault.New(fault.StateInvalid, "%s: the frame is gone", op).Because(errFrameGone)
		case moved:
			over = navigatedFault(op)
		case bar != nil && rest <= 0:
			over = underwayFault(op, b.info.Browser, bar)
		}
		if over != nil {
			// The reply may be on its way all the same.
			if dialog == nil && within(ctx, done, lateReply) {
				return nil
			}
			return over
		}
		var late <-chan time.Time
		if bar != nil {
			late = time.After(rest)
		}
		select {
		case <-done:
			return nil
		case <-late:
		case <-changed:
		case <-ctx.Done():
			select {
			case <-done:
				return nil
			default:
			}
			return b.pageVerdict(ctx, op, fault.InEffect, fault.Possible)
		}
	}
}

// within reports whether done was closed within d.
func within(ctx context.Context, done <-chan struct{}, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// pause waits for d; it reports false where ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
