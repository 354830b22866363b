// Package fault is the one error type that a caller of duet meets: a code, a
// sentence, a hint, and what is known of the effect. It imports nothing of ours.
package fault

import (
	"context"
	"errors"
	"fmt"
)

// Phase says how far an operation had come when it failed.
type Phase string

// The phases, in order.
const (
	Precondition Phase = "precondition"  // nothing was tried
	BeforeEffect Phase = "before_effect" // looked at the page, sent no input
	InEffect     Phase = "effect"        // input was sent
	Observation  Phase = "observation"   // the action is over, looking at its outcome failed
)

// Effect says what is known of the effect of an operation that failed.
type Effect string

// The effects, from nothing to certain.
const (
	None      Effect = "none"      // nothing reached the page
	Possible  Effect = "possible"  // something was sent, and its outcome was not seen
	Partial   Effect = "partial"   // some of it was confirmed, not all
	Confirmed Effect = "confirmed" // it was done, only the observation failed
)

// Fault is an error with an answer for the caller. The zero Phase and Effect
// mean Precondition and None. Fields are set before it is returned and not
// changed afterwards, except by the With methods, which copy.
type Fault struct {
	Code    Code
	Message string // operation and object, lower case, one line; may hold marks, see Say
	Hint    string // what to do next, one line; may be empty, and hold marks
	Detail  any    // a small struct or map that marshals to a JSON object; may be nil
	// Said: the message says all of the detail, which then stands in no text beside it.
	// Told is the end of the message that an object, which has the detail, leaves out.
	Said    bool
	Told    string
	Phase   Phase
	Effect  Effect
	Lasting bool // the reason is one that time does not change, although the code's may be
	// Recovery is a bounded fresh map, attached to stale refs and to misses on refs.
	Recovery string
	Err      error // the cause, for errors.Is and logs; never printed to a model
}

// New makes a fault of phase precondition and effect none.
func New(code Code, format string, args ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, args...), Phase: Precondition, Effect: None}
}

// HintStale goes with every STALE_REF, whether a fresh map follows or not.
const HintStale = "choose from a fresh map; a ref is never resolved to another element"

// WhyLeft is what STALE_REF says of a ref whose document was left.
const WhyLeft = "its document is no longer shown"

// Error returns the message, in the words of tools.
func (f *Fault) Error() string { return Say(f.Message, nil) }

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// Is reports whether target is the code of f.
func (f *Fault) Is(target error) bool {
	code, ok := target.(Code)
	return ok && f.Code == code
}

// Retryable reports whether repeating the same call can succeed without doing
// something twice: nothing had happened, and the code is one that time can change.
func (f *Fault) Retryable() bool {
	return !f.Lasting && (f.Effect == None || f.Effect == "") && codes[f.Code].passing
}

// WithHint returns a copy with a hint.
func (f *Fault) WithHint(format string, args ...any) *Fault {
	c := *f
	c.Hint = fmt.Sprintf(format, args...)
	return &c
}

// WithDetail returns a copy with a detail.
func (f *Fault) WithDetail(detail any) *Fault {
	c := *f
	c.Detail, c.Said, c.Told = detail, false, ""
	return &c
}

// Saying returns a copy with a detail of which the message says all; told is the end of
// the message that is nothing but that, "" for none.
func (f *Fault) Saying(detail any, told string) *Fault {
	c := f.WithDetail(detail)
	c.Said, c.Told = true, told
	return c
}

// At returns a copy with a phase and an effect. A phase before the effect has none: where
// there may be one, it is that of the effect.
func (f *Fault) At(phase Phase, effect Effect) *Fault {
	c := *f
	if effect != None && effect != "" && (phase == Precondition || phase == BeforeEffect) {
		phase = InEffect
	}
	c.Phase, c.Effect = phase, effect
	return &c
}

// After returns a copy for the failure of a step that others went before: what they
// did stays, so that an effect of none becomes a partial one.
func (f *Fault) After() *Fault {
	if f.Effect != None && f.Effect != "" {
		return f
	}
	return f.At(InEffect, Partial)
}

// Lasts returns a copy whose reason time does not change.
func (f *Fault) Lasts() *Fault {
	c := *f
	c.Lasting = true
	return &c
}

// Because returns a copy with a cause.
func (f *Fault) Because(err error) *Fault {
	c := *f
	c.Err = err
	return &c
}

// From returns err as a fault: itself where it is one, TIMEOUT for an ended
// deadline, CANCELLED for a cancelled context, INTERNAL for everything else.
// nil stays nil.
func From(err error) *Fault {
	if err == nil {
		return nil
	}
	var f *Fault
	switch {
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.DeadlineExceeded):
		return New(Timeout, "%v", err).Because(err)
	case errors.Is(err, context.Canceled):
		return New(Cancelled, "the call was cancelled").Because(err)
	}
	return New(Internal, "%v", err).Because(err)
}
