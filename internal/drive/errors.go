package drive

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"duet/bidi"
	"duet/internal/fault"
)

// What ends a page function without an answer. Each travels as the cause of a
// fault, so that errors.Is tells them apart.
var (
	errNavigated = errors.New("the document went away")
	errFrameGone = errors.New("the frame went away")
	errTabClosed = errors.New("the tab was closed")
	errPrompt    = errors.New("a dialog is open")
	errTransient = errors.New("the document is just being exchanged")
)

const reasonSuperseded = "superseded by another navigation"

// tidy takes the wrapping off a browser's reason.
func tidy(reason string) string {
	for {
		cutTo := reason
		for _, prefix := range []string{"unknown error: ", "unknown error", "Error: ", "unsupported operation: ", "invalid argument: "} {
			cutTo = strings.TrimPrefix(cutTo, prefix)
		}
		if cutTo == reason {
			break
		}
		reason = cutTo
	}
	reason, _, _ = strings.Cut(reason, "\n")
	return cut(strings.TrimSpace(reason), 300)
}

// reasons are the browsers' words for the same things, as one.
var reasons = []struct {
	part, words string
}{
	{"CONNECTION_REFUSED", "connection refused"},
	{"NAME_NOT_RESOLVED", "no such host"},
	{"UNKNOWN_HOST", "no such host"},
	{"CONNECTION_RESET", "connection reset"},
	{"NET_RESET", "connection reset"},
	{"EMPTY_RESPONSE", "connection closed without an answer"},
	{"NET_INTERRUPT", "connection closed without an answer"},
	{"CERT_", "the certificate is not trusted"},
	{"MOZILLA_PKIX", "the certificate is not trusted"},
	{"SEC_ERROR", "the certificate is not trusted"},
	{"UNSAFE_PORT", "the port is not allowed"},
	{"deniedPortAccess", "the port is not allowed"},
	{"INTERNET_DISCONNECTED", "offline"},
	{"NS_ERROR_OFFLINE", "offline"},
	{"TIMED_OUT", "the server did not answer in time"},
	{"NET_TIMEOUT", "the server did not answer in time"},
	{"TOO_MANY_REDIRECTS", "too many redirects"},
	{"REDIRECT_LOOP", "too many redirects"},
	{"FILE_NOT_FOUND", "no such file"},
	{"superseded", reasonSuperseded},
	{"concurrent navigation", reasonSuperseded},
	{"new navigation interrupted", reasonSuperseded},
}

// worded is a browser's reason in words that are the same for all, with its own
// behind them.
func worded(reason string) string {
	reason = tidy(reason)
	for _, r := range reasons {
		if reason != r.words && strings.Contains(reason, r.part) {
			return r.words + " (" + reason + ")"
		}
	}
	return reason
}

// cut shortens s to at most n bytes without splitting a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// sent returns the effect of a command that failed with err: none where the
// frame never left, possible where it did.
func sent(err error) fault.Effect {
	var e *bidi.Error
	if errors.As(err, &e) && !e.Sent {
		return fault.None
	}
	return fault.Possible
}

// afterEffect is the fault of a step before which something had left already: that
// the step came to nothing does not undo what was before it.
func afterEffect(err error) *fault.Fault {
	f := fault.From(err)
	if f.Effect == fault.None || f.Effect == "" {
		return f.At(fault.InEffect, fault.Possible)
	}
	return f
}

// transient reports Chrome's answer to a call that met the moment between two
// documents: the context is there, its new document is not yet.
func transient(err error) bool {
	var e *bidi.Error
	return errors.As(err, &e) && e.Code == "unknown error" && strings.Contains(e.Message, "Cannot find context with specified id")
}

// navigatedAway reports an answer that says that the call's document is gone.
func navigatedAway(err error) bool {
	var e *bidi.Error
	if !errors.As(err, &e) {
		return false
	}
	return strings.Contains(e.Message, "navigated or closed") ||
		strings.Contains(e.Message, "Execution context was destroyed") ||
		strings.Contains(e.Message, "frame got detached") ||
		strings.Contains(e.Message, "AbortError") && strings.Contains(e.Message, "destroyed")
}

// wireFault maps what a command came back with to a fault. op says what was
// being done, lower case: "read the page".
func wireFault(op string, err error) *fault.Fault {
	var f *fault.Fault
	if errors.As(err, &f) {
		// What ended a call that had left is no word on what came of it.
		if e, ok := err.(*bidi.Error); ok && e.Code == "" && e.Sent && f.Effect == fault.None {
			f = f.At(fault.InEffect, fault.Possible)
		}
		return f
	}
	var e *bidi.Error
	if !errors.As(err, &e) {
		return fault.From(err)
	}
	effect := sent(err)
	phase := fault.BeforeEffect
	if effect != fault.None {
		phase = fault.InEffect
	}
	switch {
	case errors.Is(err, context.Canceled):
		return fault.New(fault.Cancelled, "%s: the call was cancelled", op).At(phase, effect).Because(err)
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.Timeout, "%s: no answer by the deadline", op).At(phase, effect).Because(err)
	case e.Code == "" && e.Sent && strings.Contains(err.Error(), "decode result"):
		return fault.New(fault.Internal, "%s: the browser's answer cannot be read: %v", op, e.Err).At(phase, effect).Because(err)
	case e.Code == "":
		return fault.New(fault.BrowserLost, "%s: the connection to the browser ended", op).
			WithHint("the next call starts a new browser").At(phase, effect).Because(err)
	}
	why := tidy(e.Message)
	if why == "" {
		why = e.Code
	}
	// From here on the browser answered, and by an error: it did not do it.
	switch e.Code {
	case "no such frame":
		return fault.New(fault.StateInvalid, "%s: the tab or frame is closed", op).Because(errors.Join(errFrameGone, err)).At(fault.BeforeEffect, fault.None)
	case "no such node", "no such element", "stale element reference":
		return fault.New(fault.StaleRef, "%s: the element is gone", op).
			WithDetail(map[string]string{"reason": "detached"}).Because(err).At(fault.BeforeEffect, fault.None)
	case "no such alert":
		return fault.New(fault.NoDialog, "%s: no dialog is open", op).Because(err)
	case "move target out of bounds":
		return fault.New(fault.NotVisible, "%s: the point is outside the viewport", op).Because(err).At(fault.BeforeEffect, fault.None)
	case "unsupported operation", "unknown command", "unknown method":
		return fault.New(fault.Unsupported, "%s: this browser cannot: %s", op, why).Because(err)
	case "invalid session id", "session not created":
		return fault.New(fault.BrowserLost, "%s: the browser's session is gone", op).
			WithHint("the next call starts a new browser").Because(err)
	case "invalid argument", "invalid selector":
		return fault.New(fault.InvalidArgument, "%s: %s", op, why).Because(err)
	}
	return fault.New(fault.StateInvalid, "%s: %s", op, why).Because(err).At(fault.InEffect, fault.Possible)
}
