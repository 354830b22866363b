package drive

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"duet/bidi"
	"duet/internal/fault"
)

// The outcomes of a navigation.
const (
	Loaded       = "loaded"        // another document is shown
	SameDocument = "same-document" // only the address changed
	NoContent    = "no content"    // the server had nothing to show; the page stays
	Downloading  = "download"      // the answer is a file; the page stays
	AwaitsDialog = "dialog"        // a dialog holds it up
)

// loadBound is how long the load of a document that can be used already is followed
// while nothing more of it arrives.
const loadBound = 2 * time.Second

// NavOptions change how a page is left.
type NavOptions struct {
	// Leave accepts the question of a page that asks before it is left, also one that
	// is open already. Any other dialog is the caller's to answer.
	Leave bool
}

// NavResult is what a navigation came to.
type NavResult struct {
	Outcome string
	URL     string // shown now
	Status  int    // HTTP status of the document; 0 where it came from elsewhere
	Ready   string // loading, interactive (usable, and still loading) or complete
	Facts   Facts
}

// Navigate opens an address and returns when its document can be used: parsed, and
// loaded unless the load stalls (Ready says which), its requests for data and its
// changes followed for a moment. A download, an answer without content and a
// change of the fragment are outcomes of their own, not errors. It fails with
// NAVIGATION_FAILED and the browser's reason, URL_BLOCKED, INVALID_ARGUMENT,
// DIALOG_OPEN, TIMEOUT or BROWSER_LOST. A dialog that opens meanwhile is an outcome;
// AnswerDialog then goes on with it.
func (t *Tab) Navigate(ctx context.Context, address string, o NavOptions) (NavResult, error) {
	address, err := judged(ctx, address)
	if err != nil {
		return NavResult{}, err
	}
	if startPage(address) {
		t.b.mu.Lock()
		t.blanked = true
		t.b.mu.Unlock()
	}
	return t.lead(ctx, o, address, "open "+shown(address), func() *bidi.Pending[bidi.BrowsingContextNavigateResult] {
		return bidi.BrowsingContextNavigate.Send(t.b.conn, bidi.BrowsingContextNavigateParameters{
			Context: t.id, URL: address, Wait: bidi.BrowsingContextReadinessStateNone,
		})
	})
}

// Reload loads the document again; otherwise it is Navigate.
func (t *Tab) Reload(ctx context.Context, o NavOptions) (NavResult, error) {
	return t.lead(ctx, o, t.URL(), "reload", func() *bidi.Pending[bidi.BrowsingContextNavigateResult] {
		return bidi.BrowsingContextReload.Send(t.b.conn, bidi.BrowsingContextReloadParameters{
			Context: t.id, Wait: bidi.BrowsingContextReadinessStateNone,
		})
	})
}

type judgeKey struct{}

// WithJudge is a context whose calls open only what judge allows: its error is
// returned as it is, before any frame is sent.
func WithJudge(ctx context.Context, judge func(address string) error) context.Context {
	if judge == nil {
		return ctx
	}
	return context.WithValue(ctx, judgeKey{}, judge)
}

// MayOpen is the error that opening an address would have before anything is
// done: INVALID_ARGUMENT or URL_BLOCKED.
func MayOpen(ctx context.Context, address string) error {
	_, err := judged(ctx, address)
	return err
}

// judged checks an address before any frame is sent.
func judged(ctx context.Context, address string) (string, error) {
	address = strings.TrimSpace(address)
	u, err := url.Parse(address)
	switch {
	case err == nil && u.Scheme == "javascript":
		return "", fault.New(fault.URLBlocked, "javascript: addresses are not opened")
	case err != nil && strings.Contains(address, "://"):
		var why *url.Error
		if errors.As(err, &why) {
			err = why.Err
		}
		return "", fault.New(fault.InvalidArgument, "the address %q cannot be read: %v", cut(address, 200), err)
	case address != "" && (err != nil || u.Scheme == "" || u.Opaque != "" && u.Opaque[0] >= '0' && u.Opaque[0] <= '9'):
		// What looks like a scheme may be a host before its port.
		whole := "http://" + strings.TrimPrefix(cut(address, 100), "//")
		if strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") {
			whole = "file://" + cut(address, 100) // a path has no host
		}
		return "", fault.New(fault.InvalidArgument, "the address %q has no scheme", cut(address, 200)).
			WithHint("write it whole, such as %s", whole)
	case address == "":
		return "", fault.New(fault.InvalidArgument, "the address is empty")
	}
	if judge, ok := ctx.Value(judgeKey{}).(func(string) error); ok {
		if err := judge(address); err != nil {
			return "", err
		}
	}
	return address, nil
}

// shown is an address as messages carry it: without credentials, bounded.
func shown(address string) string {
	u, err := url.Parse(address)
	switch {
	case err != nil:
	case u.Scheme == "data":
		return cut(address, 60)
	case u.User != nil:
		u.User = nil
		return cut(strings.Replace(u.String(), "://", "://"+secretMask+"@", 1), 200)
	}
	return cut(address, 200)
}

// lead starts a navigation and follows it.
func (t *Tab) lead(ctx context.Context, o NavOptions, address, op string, send func() *bidi.Pending[bidi.BrowsingContextNavigateResult]) (NavResult, error) {
	if err := t.ready(ctx, o); err != nil {
		return NavResult{}, err
	}
	mark := t.Mark()
	p := send()
	var reply *bidi.BrowsingContextNavigateResult
	for {
		var n *navigation
		ended := false
		replied := p.Done()
		if reply != nil {
			replied = nil
		}
		err := t.b.awaitOr(ctx, replied, func() bool {
			n = t.followedLocked(mark, reply)
			ended = reply != nil && t.endedLocked(n)
			return t.closed != 0 || t.b.dialogs[t.id] != nil || ended || n != nil && n.arrived() && (reply != nil || n.content != 0)
		})
		switch {
		case err != nil && ctx.Err() != nil:
			p.Forget()
			return t.result(mark, ""), t.late(ctx, mark, op)
		case err != nil:
			if _, lost := p.Wait(ctx); lost != nil {
				return t.result(mark, ""), wireFault(op, lost) // it knows whether the command left
			}
			return t.result(mark, ""), fault.From(err).At(fault.InEffect, fault.Possible)
		case t.Closed():
			return t.result(mark, ""), t.closedFault().At(fault.InEffect, fault.Possible)
		}
		if d := t.Dialog(); d != nil {
			if d.Type == "beforeunload" && o.Leave {
				if err := t.answer(ctx, *d, true, nil); err != nil {
					return NavResult{}, afterEffect(err)
				}
				continue
			}
			t.hold(held{done: p.Done(), since: mark})
			return t.result(mark, AwaitsDialog), nil
		}
		if n != nil && n.arrived() && (reply != nil || n.content != 0) {
			p.Forget()
			return t.arrived(ctx, mark, n, op)
		}
		if ended {
			return t.ended(ctx, mark, n, op)
		}
		r, err := p.Wait(ctx)
		if err != nil {
			return t.navFailed(ctx, mark, address, op, err)
		}
		reply = &r
		if done, out, err := t.sameDocument(ctx, mark, reply); done {
			return out, err
		}
	}
}

// ready prepares the tab for being led elsewhere.
func (t *Tab) ready(ctx context.Context, o NavOptions) error {
	if t.Closed() {
		return t.closedFault()
	}
	if d := t.Dialog(); d != nil {
		if !o.Leave || d.Type != "beforeunload" {
			return dialogFault(d)
		}
		if err := t.answer(ctx, *d, true, nil); err != nil && !errors.Is(err, fault.NoDialog) {
			return err
		}
		if err := t.toFront(ctx); err != nil {
			return afterEffect(err)
		}
		return nil
	}
	if err := t.toFront(ctx); err != nil || o.Leave {
		return err
	}
	return t.touch(ctx)
}

// followedLocked is the navigation that the command started: the one that the reply
// names, before it the newest in the tab since the mark.
func (t *Tab) followedLocked(mark Mark, reply *bidi.BrowsingContextNavigateResult) *navigation {
	if reply != nil && reply.Navigation != "" {
		if n := t.b.navigations[reply.Navigation]; n != nil {
			return n
		}
	}
	f := t.b.frames[t.id]
	if f == nil || f.nav == nil || f.nav.started <= mark.event {
		return nil
	}
	return f.nav
}

// endedLocked reports whether a navigation that was under way will show nothing: the
// page's own superseded it, or it was cancelled. One that failed otherwise shows its
// failure as a page.
func (t *Tab) endedLocked(n *navigation) bool {
	if n == nil || n.failed == 0 || n.committed != 0 || n.arrived() {
		return false
	}
	f := t.b.frames[t.id]
	return f != nil && f.nav != n || n.aborted()
}

// arrived reports whether a navigation has come to what can be told.
func (n *navigation) arrived() bool { return n.content != 0 || n.same != 0 || n.download != 0 }

// sameDocument recognises a command that was answered and started nothing: the
// address changed within the document, and not every browser says so by an event.
func (t *Tab) sameDocument(ctx context.Context, mark Mark, reply *bidi.BrowsingContextNavigateResult) (bool, NavResult, error) {
	t.b.mu.Lock()
	n := t.followedLocked(mark, reply)
	before := t.moved > mark.event
	t.b.mu.Unlock()
	if n != nil || !before {
		return false, NavResult{}, nil
	}
	s, err := t.settle(ctx, t.id, settleWant{mark: mark})
	out := t.result(mark, SameDocument)
	out.Facts = s.facts
	return true, out, err
}

// arrived waits for the load of a document that is there, follows what it sets off,
// and judges it.
func (t *Tab) arrived(ctx context.Context, mark Mark, n *navigation, op string) (NavResult, error) {
	t.b.mu.Lock()
	rec := *n
	t.b.mu.Unlock()
	outcome := Loaded
	switch {
	case rec.download != 0:
		outcome = Downloading
	case rec.same != 0:
		outcome = SameDocument
	}
	if outcome == Loaded {
		if err := t.loading(ctx, n); err != nil {
			return t.result(mark, outcome), err
		}
	}
	s, err := t.settle(ctx, t.id, settleWant{mark: mark, parsed: true})
	t.b.mu.Lock()
	rec = *n
	t.b.mu.Unlock()
	out := t.result(mark, outcome)
	out.Status, out.Facts = rec.status, s.facts
	if out.Facts.Dialog != nil && outcome == Loaded && rec.content == 0 {
		out.Outcome = AwaitsDialog
	}
	if err != nil {
		return out, err
	}
	return out, rec.judge(op, outcome)
}

// loading waits for the load of a parsed document, as long as more of it arrives
// and for loadBound after that. A load that does not end is no failure.
func (t *Tab) loading(ctx context.Context, n *navigation) error {
	last, until := 0, time.Now().Add(loadBound)
	if d, ok := ctx.Deadline(); ok {
		// The reading that follows needs its share of the deadline.
		if most := time.Now().Add(time.Until(d) * 3 / 4); most.Before(until) {
			until = most
		}
	}
	hard := until
	if d, ok := ctx.Deadline(); ok {
		hard = time.Now().Add(time.Until(d) * 3 / 4)
	}
	for {
		bound, stop := context.WithDeadline(ctx, until)
		over := false
		err := t.b.await(bound, func() bool {
			f := t.b.frames[t.id]
			over = f == nil || n.loaded != 0 || f.nav != n || f.ready == readyComplete || t.b.dialogs[t.id] != nil
			return over || f.traffic != last
		})
		stop()
		switch {
		case over:
			return nil
		case err == nil:
			t.b.mu.Lock()
			if f := t.b.frames[t.id]; f != nil {
				last = f.traffic
			}
			t.b.mu.Unlock()
			if next := time.Now().Add(loadBound); next.Before(hard) {
				until = next
			} else {
				until = hard
			}
		case errors.Is(err, fault.BrowserLost):
			return fault.From(err).At(fault.Observation, fault.Confirmed)
		case ctx.Err() != nil && !errors.Is(ctx.Err(), context.DeadlineExceeded):
			return t.b.pageVerdict(ctx, "wait for the load", fault.Observation, fault.Confirmed)
		default:
			return nil
		}
	}
}

func (t *Tab) latest(mark Mark) *navigation {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.latestLocked(mark)
}

// latestLocked is the newest navigation of the top document since the mark.
func (t *Tab) latestLocked(mark Mark) *navigation {
	var newest *navigation
	for _, n := range t.b.navigations {
		if n.context == t.id && n.started > mark.event && (newest == nil || n.started > newest.started) {
			newest = n
		}
	}
	return newest
}

func (t *Tab) result(mark Mark, outcome string) NavResult {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	r := NavResult{Outcome: outcome, URL: t.urlLocked(), Facts: t.factsLocked(mark)}
	if f := t.b.frames[t.id]; f != nil {
		r.Ready = [...]string{"loading", "interactive", "complete"}[f.ready]
	}
	return r
}

// late is the fault of a navigation that ran into the deadline.
func (t *Tab) late(ctx context.Context, mark Mark, op string) *fault.Fault {
	f := t.b.verdict(ctx, op, fault.InEffect, fault.Possible)
	if !errors.Is(f, fault.Timeout) {
		return f
	}
	n := t.latest(mark)
	said, hint := "the server has not answered", ""
	switch {
	case n == nil:
		said, hint = "the page that is shown does not make way: a script in it works for long, or without end", leaveIt
	case n.committed != 0:
		said = "the document began to arrive and did not become usable"
	case n.status != 0 && !n.auth:
		said, hint = "the server has answered, and "+holdsOn, leaveIt
	case n.auth:
		said = "the server wants a user name and a password (HTTP 401)"
	}
	out := fault.New(fault.Timeout, "%s: %s by the deadline", op, said).
		WithHint("give it more time by %s, or look at what is there: %s", fault.Arg("timeout_ms"), fault.Call("browser_snapshot"))
	if hint != "" {
		out = fault.New(fault.Timeout, "%s: not by the deadline: %s", op, said).WithHint("%s", hint)
	}
	return out.Because(f.Err).At(fault.InEffect, fault.Possible)
}
