package dispatch

import (
	"slices"

	"duet/internal/fault"
)

// AnyCall are the codes that a call may fail with whatever its command is: they are
// of the session, its processes and the wire. STATE_INVALID is among them for a tab,
// a frame or a session that ended meanwhile, UNSUPPORTED for a browser that lacks a
// command altogether; a command that gives them for reasons of its own declares them
// too.
func AnyCall() []fault.Code {
	return []fault.Code{
		fault.BrowserLost, fault.Busy, fault.Cancelled, fault.Internal, fault.LaunchFailed,
		fault.StateInvalid, fault.Unsupported, fault.URLBlocked,
	}
}

// Codes returns what the command declares that its calls fail with, sorted.
func (c *Command) Codes() []fault.Code {
	return slices.Compact(slices.Sorted(slices.Values(c.Spec.Codes)))
}

// Fails reports whether a call of the command may fail with a code. The batch fails
// with what its steps fail with.
func (c *Command) Fails(code fault.Code) bool {
	return c.steps || slices.Contains(c.Spec.Codes, code) || slices.Contains(AnyCall(), code)
}
