package drive

import (
	"context"
	"fmt"
	"time"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// stylePoll is how long a selector is left alone while no document changes: what a
// style sheet or an animation shows is no change of a document.
const stylePoll = 400 * time.Millisecond

// selectorStep looks what a selector matches and stays until a document changes.
func (t *Tab) selectorStep(target, state string) func(context.Context, time.Duration) (bool, string, error) {
	var known map[bidi.Context]pagejs.AwaitedChange // versions from before the last look
	return func(ctx context.Context, stay time.Duration) (bool, string, error) {
		f, err := t.Find(ctx, target, 1)
		if wentAway(err) && (state == "hidden" || state == "detached") {
			return true, "gone", nil
		}
		if err != nil {
			return false, "", err
		}
		seen := fmt.Sprintf("%d matches, %d visible", f.Total, f.Visible)
		if f.Total == 0 {
			seen = "no match"
		}
		switch state {
		case "visible":
			if f.Visible > 0 {
				return true, seen, nil
			}
		case "hidden":
			if f.Visible == 0 && f.Silent == "" {
				return true, seen, nil
			}
		case "attached":
			if f.Total > 0 {
				return true, seen, nil
			}
		case "detached":
			if f.Total == 0 && f.Silent == "" {
				return true, seen, nil
			}
		default:
			return false, "", fault.New(fault.InvalidArgument, "state is %q; it can be visible, hidden, attached or detached", state)
		}
		if known == nil {
			// The versions have to be older than the look that they stand for.
			known, err = t.versions(ctx)
			return false, seen, err
		}
		known, err = t.anyChange(ctx, known, min(stay, stylePoll))
		return false, seen, err
	}
}

// wentAway reports whether a ref is stale because its element is no longer there. One
// that was never given, or whose element now stands for something else, says nothing.
func wentAway(err error) bool {
	f := fault.From(err)
	if f == nil || f.Code != fault.StaleRef {
		return false
	}
	detail, _ := f.Detail.(map[string]string)
	return detail["reason"] == "detached" || detail["reason"] == "document-changed"
}

// versions asks every document of the tab for its version.
func (t *Tab) versions(ctx context.Context) (map[bidi.Context]pagejs.AwaitedChange, error) {
	return t.anyChange(ctx, nil, 0)
}

// anyChange waits in all documents at once until the first is at another version
// than known, for stay at most, and returns the versions then.
func (t *Tab) anyChange(ctx context.Context, known map[bidi.Context]pagejs.AwaitedChange, stay time.Duration) (map[bidi.Context]pagejs.AwaitedChange, error) {
	t.b.mu.Lock()
	order := t.b.orderLocked(t.id, nil)
	t.b.mu.Unlock()
	if len(order) == 0 {
		return nil, t.closedFault()
	}
	type answer struct {
		c   bidi.Context
		v   pagejs.AwaitedChange
		err error
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	answers := make(chan answer, len(order))
	for _, c := range order {
		k := known[c]
		call := begin(t, c, pagejs.AwaitChange, pagejs.AwaitChangeArgs{Doc: k.Doc, Since: k.Version, MS: ms(stay)}, "")
		go func() { // ends with its answer, or with ctx; the channel holds all answers
			v, err := staying(ctx, call, c != t.id, stay)
			answers <- answer{c, v, err}
		}()
	}
	now := make(map[bidi.Context]pagejs.AwaitedChange, len(order))
	for c, v := range known {
		now[c] = v
	}
	var failed error
	for range order {
		a := <-answers
		switch {
		case a.err == nil:
			now[a.c] = a.v
			if known != nil && a.v != known[a.c] {
				stop() // one is enough; the others are dropped
			}
		case a.c == t.id && ctx.Err() == nil:
			failed = a.err
			stop()
		}
	}
	return now, failed
}
