package drive

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/fault"
)

// RequestFilter chooses requests. The zero value chooses all.
type RequestFilter struct {
	After      int      // those that began after this number
	EndedAfter int      // those whose number in the order of ending is above this
	Contains   string   // part of the address, whatever its case
	Methods    []string // one of these
	Statuses   []int    // one of these; 4 stands for 400 to 499
	Types      []string // one of these
	States     []string // one of these; failed means Failing here
	Tab        int
	Limit      int          // the last so many; 0 is all that are kept
	Except     map[int]bool // none of these, by number
}

func (f RequestFilter) fits(r *Request, state string) bool {
	switch {
	case f.Except[r.Seq], r.Seq <= f.After, f.EndedAfter > 0 && r.Ended <= f.EndedAfter, f.Tab != 0 && r.Tab != f.Tab:
		return false
	case len(f.Methods) > 0 && !slices.ContainsFunc(f.Methods, func(m string) bool { return strings.EqualFold(m, r.Method) }):
		return false
	case len(f.Statuses) > 0 && !slices.ContainsFunc(f.Statuses, func(n int) bool { return r.Status == n || n < 10 && r.Status/100 == n }):
		return false
	case len(f.Types) > 0 && !slices.Contains(f.Types, r.Type):
		return false
	case len(f.States) > 0 && !slices.Contains(f.States, state) && !(slices.Contains(f.States, RequestFailed) && r.Failing()):
		return false
	}
	return f.Contains == "" || strings.Contains(strings.ToLower(r.URL), strings.ToLower(f.Contains))
}

// String says the filter in a message.
func (f RequestFilter) String() string {
	words := slices.Concat(f.Methods, f.Types, f.States)
	for _, n := range f.Statuses {
		if n < 10 {
			words = append(words, fmt.Sprintf("%dxx", n))
		} else {
			words = append(words, fmt.Sprint(n))
		}
	}
	what := "a request that ended"
	if len(words) > 0 {
		what += " (" + strings.Join(words, " ") + ")"
	}
	if f.Contains != "" {
		what += fmt.Sprintf(" whose address contains %q", cut(f.Contains, 100))
	}
	return what
}

// RequestLog is a reading of the requests.
type RequestLog struct {
	Requests []Request // in the order of beginning
	Total    int       // that matched, before Limit
	Dropped  int       // began after After, and are no longer held
	Cursor   int       // number of the last request that began
	EndCount int       // number of the last one that ended
	Failed   int       // without an answer, of all so far; exact
	Aborted  int
	Finished int
}

// Requests returns the requests since launch that are held: at most 2000, or 2 MB
// of addresses and headers. It asks the browser nothing; to have every event of an
// action, read the page after it first, or Sync. A request that is pending in a
// frame that is gone counts as aborted. Safe for concurrent use.
func (b *Browser) Requests(f RequestFilter) RequestLog {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := &b.exchanges
	out := RequestLog{
		Cursor: l.seq, EndCount: l.ended, Failed: l.failed, Aborted: l.aborted, Finished: l.finished,
		Dropped: max(0, l.dropped-max(f.After, l.cleared)),
	}
	for _, r := range l.entries {
		if state, reason := b.stateLocked(r); f.fits(r, state) {
			c := *r
			c.State, c.Reason = state, reason
			out.Requests = append(out.Requests, c)
		}
	}
	out.Total = len(out.Requests)
	if f.Limit > 0 && len(out.Requests) > f.Limit {
		out.Requests = out.Requests[len(out.Requests)-f.Limit:]
	}
	return out
}

// stateLocked is the state of a request and the reason for it, also of one whose
// end no browser tells of.
func (b *Browser) stateLocked(r *Request) (state, reason string) {
	if r.State == RequestPending && r.context != "" && b.frames[r.context] == nil {
		return RequestAborted, "its page is gone"
	}
	return r.State, r.Reason
}

// AwaitRequest returns the first request that fits and is over, unless the filter
// names the state pending: one that is held, or else the next to come. At the
// deadline it is TIMEOUT. Safe for concurrent use.
func (b *Browser) AwaitRequest(ctx context.Context, f RequestFilter) (RequestLog, error) {
	began := time.Now()
	var out RequestLog
	came, looked := -1, -1
	pending := slices.Contains(f.States, RequestPending)
	err := b.await(ctx, func() bool {
		l := &b.exchanges
		if came < 0 {
			came = l.ended
		}
		out.Cursor, out.EndCount = l.seq, l.ended
		if !pending && l.ended == looked {
			return false // nothing ended since the last look
		}
		looked = l.ended
		for _, r := range l.entries {
			state, reason := b.stateLocked(r)
			if (pending || state != RequestPending) && f.fits(r, state) {
				c := *r
				c.State, c.Reason = state, reason
				out.Requests, out.Total, out.Cursor = []Request{c}, 1, r.Seq
				return true
			}
		}
		return false
	})
	switch {
	case err == nil:
		return out, nil
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return out, fault.New(fault.Timeout, "wait for %s: not within %s; %d other requests ended meanwhile", f,
			limitOf(ctx, began), out.EndCount-came).At(fault.BeforeEffect, fault.None).Because(err)
	case ctx.Err() != nil:
		return out, fault.New(fault.Cancelled, "the wait was cancelled").Because(err)
	}
	return out, err
}

// ContinueRequests numbers the requests on from those of a browser before this one;
// see ContinueLog.
func (b *Browser) ContinueRequests(after int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := &b.exchanges
	for _, r := range l.entries {
		r.Seq += after
		if r.From != 0 {
			r.From += after
		}
	}
	l.seq, l.cleared = l.seq+after, max(l.cleared+after, after)
	for i := range b.journal.entries {
		if e := &b.journal.entries[i]; e.Request != 0 {
			e.Request += after
		}
	}
}

// Header is one header of a message.
type Header struct{ Name, Value string }

// Headers returns the headers of the request and of its answer, credentials
// included: whoever shows them masks them. Of a list that was too long there is
// none. What a browser tells twice is there once.
func (r *Request) Headers() (sent, received []Header) {
	return headersOf(r.sent), headersOf(r.got)
}

func headersOf(raw []byte) []Header {
	var all []bidi.NetworkHeader
	if len(raw) == 0 || json.Unmarshal(raw, &all) != nil {
		return nil
	}
	out := make([]Header, 0, len(all))
	for _, h := range all {
		value, err := h.Value.Bytes()
		if err != nil {
			continue
		}
		header := Header{h.Name, strings.ToValidUTF8(string(value), "\uFFFD")}
		twice := func(o Header) bool { return strings.EqualFold(o.Name, header.Name) && o.Value == header.Value }
		if !slices.ContainsFunc(out, twice) || strings.EqualFold(header.Name, "set-cookie") {
			out = append(out, header)
		}
	}
	return out
}
