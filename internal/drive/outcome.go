package drive

import (
	"context"
	"errors"
	"strings"
	"time"

	"duet/bidi"
	"duet/internal/fault"
)

// judge makes a fault of a document that is none: what was asked for was not got,
// and the browsers show it in ways of their own.
func (n *navigation) judge(op, outcome string) error {
	switch {
	case outcome != Loaded:
		return nil
	case n.failed != 0:
		return failedFault(op, n)
	case n.auth && n.status == 401:
		return failedFault(op, n)
	case n.status >= 400 && n.body == 0:
		return failedFault(op, n)
	}
	return nil
}

func failedFault(op string, n *navigation) *fault.Fault {
	f := fault.New(fault.NavigationFailed, "%s: %s", op, worded(n.reason)).At(fault.InEffect, fault.Possible)
	switch {
	case n.auth || n.status == 401 || strings.Contains(n.reason, "INVALID_AUTH_CREDENTIALS"):
		f = fault.New(fault.NavigationFailed, "%s: the server wants a user name and a password (HTTP 401)", op).
			At(fault.InEffect, fault.Possible)
	case n.status >= 400:
		f = fault.New(fault.NavigationFailed, "%s: the server answered HTTP %d without a page", op, n.status).
			At(fault.InEffect, fault.Possible)
	case n.reason == "":
		f = fault.New(fault.NavigationFailed, "%s: it was cancelled", op).At(fault.InEffect, fault.Possible)
	}
	return f.WithDetail(map[string]any{"reason": tidy(n.reason), "status": n.status})
}

// abortBound is how long a cancelled navigation may take to turn out to be a
// download.
const abortBound = 400 * time.Millisecond

// navFailed makes an outcome or a fault of a navigate that was answered by an error.
func (t *Tab) navFailed(ctx context.Context, mark Mark, address, op string, err error) (NavResult, error) {
	if bidi.CodeOf(err) == "" {
		return t.result(mark, ""), wireFault(op, err)
	}
	if d := t.Dialog(); d != nil {
		return t.result(mark, AwaitsDialog), nil
	}
	var e *bidi.Error
	errors.As(err, &e)
	switch e.Code {
	case bidi.CodeInvalidArgument:
		return t.result(mark, ""), fault.New(fault.InvalidArgument, "not an address that the browser takes: %s", shown(address)).Because(err)
	case bidi.CodeUnsupportedOperation:
		return t.result(mark, ""), fault.New(fault.NavigationFailed, "%s: %s", op, notOpened).Lasts().Because(err)
	case bidi.CodeNoSuchFrame:
		return t.result(mark, ""), wireFault(op, err)
	}
	reason := tidy(e.Message)
	aborted := strings.Contains(reason, "ABORTED")
	var n, other *navigation // what was asked for, and what came in its place
	look := func() bool {
		n, other = t.askedLocked(mark, address)
		return n != nil && (n.download != 0 || n.status == 204 || n.status == 205) || other != nil && other.content != 0
	}
	t.b.mu.Lock()
	look()
	t.b.mu.Unlock()
	if aborted {
		wait, stop := context.WithTimeout(ctx, abortBound)
		_ = t.b.await(wait, look) // its end is an answer too: no download
		stop()
	}
	var rec navigation
	t.b.mu.Lock()
	if n != nil {
		if n.committed == 0 && !n.over() {
			// Not every browser tells a navigation's end by an event too.
			n.failed, n.reason = t.b.seq, reason
		}
		rec = *n
	}
	t.b.mu.Unlock()
	rec.reason = reason
	switch {
	case rec.download != 0:
		return t.stays(ctx, mark, Downloading, rec.status)
	case aborted && (rec.status == 204 || rec.status == 205):
		return t.stays(ctx, mark, NoContent, rec.status)
	}
	if aborted && other != nil {
		return t.overtaken(ctx, mark, other, op, err)
	}
	if !aborted {
		// The page that shows the failure is on its way; what comes next must not
		// meet the moment before it.
		wait, stop := context.WithTimeout(ctx, settleBound)
		_ = t.b.await(wait, func() bool { // where none comes, the failure stands all the same
			f := t.b.frames[t.id]
			return f == nil || f.changed > mark.event && f.ready == readyComplete
		})
		stop()
	}
	out := t.result(mark, "")
	out.Status = rec.status
	f := failedFault(op, &rec)
	if aborted && rec.status == 0 && !opened(address) {
		f = fault.New(fault.NavigationFailed, "%s: %s", op, notOpened).Lasts()
	}
	if aborted {
		f = f.At(fault.InEffect, fault.None) // the page stays
	}
	return out, f.Because(err)
}

// askedLocked is the navigation of a command to an address, and the one of the page
// that began after it, nil where there is none.
func (t *Tab) askedLocked(mark Mark, address string) (asked, other *navigation) {
	newest := t.latestLocked(mark)
	if newest == nil || sameAddress(newest.url, address) {
		return newest, nil
	}
	for _, n := range t.b.navigations {
		if n.context == t.id && n.started > mark.event && sameAddress(n.url, address) {
			return n, newest
		}
	}
	return newest, nil
}

func sameAddress(a, b string) bool { return strings.TrimRight(a, "/#") == strings.TrimRight(b, "/#") }

// overtaken is the end of a navigation that the page's own took the place of.
func (t *Tab) overtaken(ctx context.Context, mark Mark, other *navigation, op string, err error) (NavResult, error) {
	_, _ = t.settle(ctx, t.id, settleWant{mark: mark, parsed: true}) // where it cannot be read, the failure stands all the same
	return t.result(mark, ""), fault.New(fault.NavigationFailed, "%s: the page itself went to %s instead", op, shown(other.url)).
		WithDetail(map[string]any{"reason": "overtaken", "url": shown(other.url)}).At(fault.InEffect, fault.Possible).Because(err)
}

// aborted reports whether a navigation was cancelled: the page that was there stays.
func (n *navigation) aborted() bool {
	return n.failed != 0 && (n.reason == "" || strings.Contains(n.reason, "ABORTED"))
}

// ended makes an outcome or a fault of a navigation that was under way and shows
// nothing. What the page did instead is followed.
func (t *Tab) ended(ctx context.Context, mark Mark, n *navigation, op string) (NavResult, error) {
	wait, stop := context.WithTimeout(ctx, abortBound)
	_ = t.b.await(wait, func() bool { // it may yet turn out to be a download
		f := t.b.frames[t.id]
		return n.download != 0 || f == nil || f.nav != n
	})
	stop()
	t.b.mu.Lock()
	rec := *n
	var other *navigation
	if f := t.b.frames[t.id]; f != nil && f.nav != n {
		other = f.nav
	}
	t.b.mu.Unlock()
	switch {
	case other != nil:
		return t.overtaken(ctx, mark, other, op, nil)
	case rec.download != 0:
		return t.stays(ctx, mark, Downloading, rec.status)
	case rec.status == 204 || rec.status == 205:
		return t.stays(ctx, mark, NoContent, rec.status)
	}
	out, err := t.stays(ctx, mark, "", rec.status)
	if err != nil {
		return out, err
	}
	return out, failedFault(op, &rec)
}

const notOpened = "the browser does not open such addresses"

// opened reports whether browsers open addresses of this kind at all.
func opened(address string) bool {
	scheme, _, _ := strings.Cut(strings.ToLower(address), ":")
	switch scheme {
	case "http", "https", "data", "file", "about", "blob", "view-source":
		return true
	}
	return false
}

// stays ends a navigation that left the page as it was.
func (t *Tab) stays(ctx context.Context, mark Mark, outcome string, status int) (NavResult, error) {
	s, err := t.settle(ctx, t.id, settleWant{mark: mark, parsed: true})
	out := t.result(mark, outcome)
	out.Status, out.Facts = status, s.facts
	return out, err
}
