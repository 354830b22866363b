package drive

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
	"duet/internal/selector"
)

const (
	// pollSlice is how long one wait in the page lasts at most: a bounded script
	// survives what an endless one would not, and the slow poll is its end.
	pollSlice = time.Second
	// replyShare is what is kept of the deadline for the last answer to arrive in.
	replyShare = 40 * time.Millisecond
)

// WaitSpec says what to wait for: exactly one of Selector, Text, Gone, URL and Load.
type WaitSpec struct {
	Selector string // any selector or ref
	State    string // of the selector: visible (the default), hidden, attached, detached
	Text     string // that appears in the rendered text of the page or a frame
	Gone     string // text that disappears from all of them
	URL      string // with * for any characters, else a part of the address
	Load     string // interactive or complete
}

// Waited is what a wait saw at its end.
type Waited struct {
	URL  string
	Last string // the state that ended the wait
}

// Wait waits until what is described is so. It looks first, then again after each
// change that the page or the browser reports, with a slow poll behind, and goes on
// over navigations. At the deadline it is TIMEOUT, with what was waited for and the
// last state seen. A dialog that opens meanwhile ends it with DIALOG_OPEN, since
// most browsers tell nothing of a page behind one.
func (t *Tab) Wait(ctx context.Context, w WaitSpec) (Waited, error) {
	var what string
	var step waitStep
	switch {
	case w.Selector != "":
		state := w.State
		if state == "" {
			state = "visible"
		}
		what = w.Selector + " to be " + state
		step = t.selectorStep(w.Selector, state)
	case w.Text != "":
		what = "text " + strconv.Quote(w.Text)
		step = t.textStep(w.Text, false)
	case w.Gone != "":
		what = "text " + strconv.Quote(w.Gone) + " to be gone"
		step = t.textStep(w.Gone, true)
	case w.URL != "":
		what = "the address to match " + strconv.Quote(w.URL)
		step = t.urlStep(w.URL)
	case w.Load == "interactive" || w.Load == "complete":
		what = "the document to be " + w.Load
		step = t.loadStep(w.Load)
	default:
		return Waited{}, fault.New(fault.InvalidArgument, "wait for what? one of selector, text, gone, url, load")
	}
	if w.URL == "" && w.Load == "" {
		step = t.mentioning(step)
	}
	out, err := t.until(ctx, what, step)
	if w.Selector != "" && errors.Is(err, fault.Timeout) {
		err = wordsAwaited(err, w.Selector)
	}
	return out, err
}

// wordsAwaited adds to the end of a wait for a selector that is words alone how a text
// is waited for.
func wordsAwaited(err error, target string) error {
	chain, wrong := selector.Parse(target)
	if wrong != nil || len(chain.Steps) != 1 || chain.Steps[0].Words() == "" {
		return err
	}
	if target == "load" {
		return fault.From(err).WithHint("words alone are CSS; the load is waited for by %s", fault.Call("browser_wait", "kind", "load"))
	}
	return fault.From(err).WithHint("words alone are CSS; a text is waited for by %s", fault.Call("browser_wait", "target", target, "kind", "text"))
}

// mentioning is a step that says so where frames did not answer: what they show was
// not looked at.
func (t *Tab) mentioning(step waitStep) waitStep {
	return func(ctx context.Context, stay time.Duration) (bool, string, error) {
		ok, seen, err := step(ctx, stay)
		if unheard := t.unheard(); unheard != "" && seen != "" {
			seen += ", and " + unheard
		}
		return ok, seen, err
	}
}

// waitStep looks, and where it has to say no may stay for the time given.
type waitStep = func(context.Context, time.Duration) (ok bool, last string, err error)

// until repeats a step until it says yes. A step looks, and where it has to say no
// may stay for the time given, until something changes. The deadline is honoured by
// until itself.
func (t *Tab) until(ctx context.Context, what string, step func(context.Context, time.Duration) (bool, string, error)) (Waited, error) {
	start := time.Now()
	last := "nothing yet"
	t.forget() // what is waited for changes the page
	for {
		stay := pollSlice
		if d, ok := ctx.Deadline(); ok {
			stay = min(stay, wholeSteps(time.Until(d)-replyShare))
		}
		began := time.Now()
		ok, seen, err := step(ctx, stay)
		if seen != "" {
			last = seen
		}
		switch {
		case err == nil && ok:
			return Waited{URL: t.URL(), Last: last}, nil
		case errors.Is(err, errNavigated), errors.Is(err, errTransient), errors.Is(err, errFrameGone) && !t.Closed():
			// The next look meets the next document.
		case errors.Is(err, errUnderway):
			last = fault.From(err).Message
			t.awaitArrival(ctx, stay)
		case errors.Is(err, fault.Timeout) && ctx.Err() != nil && stay > 0:
			f := fault.From(err)
			return Waited{}, fault.New(fault.Timeout, "wait for %s: %s; last seen: %s", what, f.Message, last).At(fault.BeforeEffect, fault.None).Because(err)
		case err != nil && ctx.Err() == nil:
			return Waited{}, err
		}
		if ctx.Err() == nil && stay == 0 {
			<-ctx.Done() // the rest of the deadline, too short for another look
		}
		if ctx.Err() != nil {
			if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return Waited{}, fault.New(fault.Cancelled, "the wait was cancelled").Because(context.Cause(ctx))
			}
			return Waited{}, fault.New(fault.Timeout, "wait for %s: not within %s; last seen: %s",
				what, limitOf(ctx, start), last).At(fault.BeforeEffect, fault.None).Because(context.Cause(ctx))
		}
		// A step that could not stay in the page is not repeated without a breath.
		if time.Since(began) < 20*time.Millisecond {
			pause(ctx, 20*time.Millisecond)
		}
	}
}

// limitOf is how long a context that began at start allows, as it was asked for.
func limitOf(ctx context.Context, start time.Time) time.Duration {
	end, ok := ctx.Deadline()
	if !ok {
		end = time.Now()
	}
	return end.Sub(start).Round(10 * time.Millisecond)
}

// wholeSteps is a rest of a deadline in whole steps, rounded down: see settleStep.
func wholeSteps(d time.Duration) time.Duration {
	return max(0, d).Truncate(50 * time.Millisecond)
}

// textStep looks for a text in all documents of the tab and stays in them.
func (t *Tab) textStep(text string, gone bool) func(context.Context, time.Duration) (bool, string, error) {
	return func(ctx context.Context, stay time.Duration) (bool, string, error) {
		t.b.mu.Lock()
		order := t.b.orderLocked(t.id, nil)
		t.b.mu.Unlock()
		if len(order) == 0 {
			return false, "", t.closedFault()
		}
		if err := t.pierce(ctx, order); err != nil {
			return false, "", err
		}
		if t.b.info.PierceClosed {
			stay = min(stay, stylePoll) // a closed root comes without a change that the page could await
		}
		if len(order) > 1 && gone {
			// It has to be gone everywhere: look at all, stay where it is left.
			calls := make([]*pageCall[pagejs.AwaitTextArgs, pagejs.AwaitedText], len(order))
			for i, c := range order {
				calls[i] = begin(t, c, pagejs.AwaitText, pagejs.AwaitTextArgs{Text: text, Gone: true}, "")
			}
			var late patience
			silent := false
			for i, c := range order {
				d, err := patient(ctx, calls[i], i > 0, &late)
				switch {
				case err != nil && i > 0 && errors.Is(err, fault.Timeout) && ctx.Err() == nil:
					silent = true // what it shows cannot be told, which is said
				case err != nil:
					return false, "", err
				case !d.OK:
					_, err := staying(ctx, begin(t, c, pagejs.AwaitText, pagejs.AwaitTextArgs{Text: text, Gone: true, MS: ms(stay)}, ""), i > 0, stay)
					if i > 0 && errors.Is(err, fault.Timeout) && ctx.Err() == nil {
						err = nil
					}
					return false, "the text is there", err
				}
			}
			if silent {
				pause(ctx, min(stay, stylePoll))
				return false, "the text is gone where it could be looked for", nil
			}
			return true, "the text is gone", nil
		}
		ok, err := t.anyFrame(ctx, order, pagejs.AwaitTextArgs{Text: text, Gone: gone, MS: ms(stay)})
		switch {
		case ok && gone:
			return true, "the text is gone", nil
		case ok:
			return true, "the text is there", nil
		case gone:
			return false, "the text is there", err
		}
		return false, "no such text at " + shown(t.URL()), err
	}
}

// anyFrame waits in all frames at once, until the first has the text.
func (t *Tab) anyFrame(ctx context.Context, order []bidi.Context, args pagejs.AwaitTextArgs) (bool, error) {
	type answer struct {
		ok  bool
		top bool
		err error
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	answers := make(chan answer, len(order))
	for i, c := range order {
		call := begin(t, c, pagejs.AwaitText, args, "")
		go func() { // ends with its answer, or with ctx; the channel holds all answers
			r, err := staying(ctx, call, i > 0, time.Duration(args.MS)*time.Millisecond)
			answers <- answer{r.OK, i == 0, err}
		}()
	}
	var failed error
	found := false
	for range order {
		a := <-answers
		switch {
		case a.err == nil && a.ok:
			found = true
			stop()
		case a.err != nil && a.top && !found:
			failed = a.err
			stop()
		}
	}
	if found {
		return true, nil
	}
	return false, failed
}

func ms(d time.Duration) int { return int(d.Milliseconds()) }

// urlStep compares the address, which events keep, and stays until one comes.
func (t *Tab) urlStep(pattern string) func(context.Context, time.Duration) (bool, string, error) {
	match := addressPattern(pattern)
	return func(ctx context.Context, stay time.Duration) (bool, string, error) {
		bound, stop := context.WithTimeout(ctx, stay)
		defer stop()
		seen := ""
		err := t.b.await(bound, func() bool {
			seen = t.urlLocked()
			return match(seen) || t.closed != 0
		})
		switch {
		case t.Closed():
			return false, seen, t.closedFault()
		case err == nil:
			return true, shown(seen), nil
		case errors.Is(err, fault.BrowserLost):
			return false, shown(seen), err
		}
		return false, shown(seen), nil
	}
}

// addressPattern matches by * where there is one, else by a part.
func addressPattern(pattern string) func(string) bool {
	if !strings.Contains(pattern, "*") {
		return func(s string) bool { return strings.Contains(s, pattern) }
	}
	parts := strings.Split(pattern, "*")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile("^" + strings.Join(parts, ".*") + "$").MatchString
}

// loadStep compares how far the document is, which events keep.
func (t *Tab) loadStep(want string) func(context.Context, time.Duration) (bool, string, error) {
	need := readyInteractive
	if want == "complete" {
		need = readyComplete
	}
	return func(ctx context.Context, stay time.Duration) (bool, string, error) {
		bound, stop := context.WithTimeout(ctx, stay)
		defer stop()
		seen := ""
		err := t.b.await(bound, func() bool {
			f := t.b.frames[t.id]
			if f == nil {
				return true
			}
			seen = [...]string{"loading", "interactive", "complete"}[f.ready]
			if n := f.nav; n != nil && n.committed == 0 && !n.over() {
				seen = fmt.Sprintf("%s, and on the way to %s", seen, shown(n.url))
				return false
			}
			return f.ready >= need
		})
		switch {
		case t.Closed():
			return false, seen, t.closedFault()
		case err == nil:
			return true, seen, nil
		case errors.Is(err, fault.BrowserLost):
			return false, seen, err
		}
		return false, seen, nil
	}
}
