package drive

import (
	"context"
	"errors"
	"time"

	"duet/internal/fault"
)

// errUnderway is the cause of a fault of a page that cannot be asked before a
// navigation has come or failed.
var errUnderway = errors.New("a navigation is under way")

// underwayLocked is the navigation that the tab is on, nil where it is on none: the
// document before it is still shown.
func (t *Tab) underwayLocked() *navigation {
	f := t.b.frames[t.id]
	if f == nil || f.nav == nil || f.nav.started == 0 || f.nav.committed != 0 || f.nav.over() || f.nav.arrived() {
		return nil
	}
	return f.nav
}

// barredLocked is the navigation that keeps the browser from asking the page anything
// (Quirks.NavigationBars), and for how long its answer is still waited for: until
// settleBound after its beginning it is more likely to come than not.
func (t *Tab) barredLocked() (n *navigation, rest time.Duration) {
	if !t.b.quirks.NavigationBars {
		return nil, 0
	}
	if n = t.underwayLocked(); n == nil {
		return nil, 0
	}
	return n, time.Until(n.seen.Add(settleBound))
}

// barred is the fault of what is sent to a page that has been on its way elsewhere for
// longer than settleBound and cannot be asked, nil where it can.
func (t *Tab) barred(op string) *fault.Fault {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	if n, rest := t.barredLocked(); n != nil && rest <= 0 {
		return underwayFault(op, t.b.info.Browser, n)
	}
	return nil
}

// awaitArrival waits for the end of the navigation that the tab is on, for bound at most.
func (t *Tab) awaitArrival(ctx context.Context, bound time.Duration) {
	ctx, stop := context.WithTimeout(ctx, bound)
	defer stop()
	_ = t.b.await(ctx, func() bool { return t.closed != 0 || t.underwayLocked() == nil }) // the next look says what came
}

// holdsOn says why a document does not come whose server has answered.
const holdsOn = "the page that is still shown does not make way: a script in it works for long, or without end"

func underwayFault(op, browser string, n *navigation) *fault.Fault {
	if n.status != 0 {
		return fault.New(fault.Timeout, "%s: the tab is on its way to %s, whose server has answered, and %s", op, shown(n.url), holdsOn).
			WithDetail(map[string]string{"reason": "navigation-pending", "url": shown(n.url)}).
			WithHint("%s", leaveIt).Because(errUnderway).At(fault.BeforeEffect, fault.None)
	}
	return fault.New(fault.StateInvalid, "%s: the tab is on its way to %s, which has not answered; until then %s runs nothing in the page that is still shown", op, shown(n.url), browser).
		WithDetail(map[string]string{"reason": "navigation-pending", "url": shown(n.url)}).
		WithHint("wait for it: %s; or leave it: %s", fault.Call("browser_wait", "kind", "load"), fault.Call("browser_navigate", "url", "URL")).
		Because(errUnderway).At(fault.BeforeEffect, fault.None)
}
