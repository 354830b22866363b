package drive

import (
	"context"

	"duet/internal/fault"
)

// WaitSpec says what to wait for: exactly one of Selector, Text, Gone, URL and Load.
type WaitSpec struct {
	Selector string // any selector or ref
	State    string // of the selector: visible (the default), hidden, attached, detached
	Text     string // that appears in the rendered text of the page or a frame
	Gone     string // text that disappears from all of them
	URL      string // glob, or a part of the address where it has no *
	Load     string // interactive or complete
}

// Waited is what a wait saw at its end.
type Waited struct {
	URL  string
	Last string // the state that ended the wait: visible, "2 matches", …
}

// Wait waits until what is described is so. It looks first, then again after each
// change that the page or the browser reports, and goes on over navigations. The
// deadline is TIMEOUT, with what was waited for and the last state seen.
func (t *Tab) Wait(ctx context.Context, w WaitSpec) (Waited, error) {
	return Waited{}, fault.New(fault.Internal, "wait: not built")
}
