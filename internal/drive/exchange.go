package drive

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"time"

	"duet/bidi"
)

// exchangeLocked brings the record of an event's request up to date and returns it;
// nil where the request is the browser's own wish, which not every browser tells of.
func (b *Browser) exchangeLocked(e *requestEvent, answered bool) *Request {
	if strings.HasSuffix(e.Request.URL, "/favicon.ico") && !pageAsked(*e) {
		return nil
	}
	l := &b.exchanges
	r := l.find(e, numberOf(b.tabOfLocked(e.Context)), time.Now())
	if r.Origin == (Origin{}) && r.Ended == 0 {
		r.Origin = b.originLocked(e.Context)
	}
	if r.Ended != 0 && !answered && r.Status == 401 && e.ErrorText == "" {
		// The same request once more, with credentials.
		delete(l.byHop, hopKey{r.id, r.hop})
		origin := r.Origin
		r = l.find(e, r.Tab, time.Now())
		r.Origin = origin
	}
	r.worker = r.context == "" && (r.worker || len(b.workers) > 0)
	before := r.size()
	if began := e.Request.Timings.began(); !began.IsZero() {
		r.Began = began
	}
	if r.Type == TypeOther {
		r.Type = typeOf(e)
	}
	if e.Navigation != nil && r.leads == "" {
		r.leads = bidi.Navigation(strings.Clone(string(*e.Navigation)))
	}
	if f := b.frames[r.context]; e.Navigation != nil && f != nil && f.parent == "" {
		r.Top = true
	}
	if n := e.Request.BodySize; n != nil {
		r.Sent.Body = *n
	}
	// The first events of a request have only some of its headers.
	if h := e.Request.Headers; len(h) >= len(r.sent) && len(h) <= headerBytes {
		r.sent = l.keep(h)
		if n := e.Request.HeadersSize; n != nil && *n > 0 {
			r.Sent.Headers = *n
		}
	}
	if answered {
		l.answered(r, e)
	}
	l.grow(r.size() - before)
	return r
}

// untangleLocked takes out of an event of a redirected request what the redirect was
// answered with: that it leads to this very address shows it. The status is the one
// whose name stands there, 0 where there is none, as over HTTP/2; the headers are
// mixed, and are left out.
func (b *Browser) untangleLocked(e *requestEvent) {
	a := &e.Response
	if !b.quirks.RedirectsMixed || e.Redirects == 0 || a.Status < 300 || a.Status > 399 || a.StatusText == http.StatusText(a.Status) {
		return
	}
	from := b.exchanges.byHop[hopKey{e.Request.Request, e.Redirects - 1}]
	if from == nil || from.Status != a.Status || !leadsTo(headersOf(a.Headers), from.URL, e.Request.URL) {
		return
	}
	a.Status, a.Headers, a.HeadersSize = statusNamed(a.StatusText), nil, nil
}

// leadsTo reports whether headers of an answer from one address redirect to another.
func leadsTo(headers []Header, from, to string) bool {
	base, err := url.Parse(from)
	if err != nil {
		return false
	}
	for _, h := range headers {
		if strings.EqualFold(h.Name, "location") {
			if u, err := base.Parse(h.Value); err == nil && u.String() == to {
				return true
			}
		}
	}
	return false
}

// statusNamed returns the status with this standard name, 0 for none.
func statusNamed(text string) int {
	for status := 200; status < 600 && text != ""; status++ {
		if http.StatusText(status) == text {
			return status
		}
	}
	return 0
}

// answered notes what an event tells of the answer.
func (l *requestLog) answered(r *Request, e *requestEvent) {
	a := &e.Response
	if r.Status != a.Status {
		r.Status, r.StatusText = a.Status, strings.Clone(cut(a.StatusText, 200))
	}
	r.FromCache = r.FromCache || a.FromCache
	if r.Protocol == "" {
		r.Protocol = strings.Clone(cut(a.Protocol, 32))
	}
	if kind, _, _ := strings.Cut(a.MimeType, ";"); r.MIME == "" && kind != "" {
		r.MIME = strings.Clone(cut(strings.TrimSpace(kind), 100))
	}
	if h := a.Headers; len(h) >= len(r.got) && len(h) <= headerBytes {
		r.got = l.keep(h)
	}
	if n := a.HeadersSize; n != nil && *n > 0 {
		r.Received.Headers = *n
	}
}

// completeLocked notes that the whole answer is there.
func (b *Browser) completeLocked(r *Request, e *requestEvent) {
	if r == nil {
		return
	}
	a := &e.Response
	switch {
	case r.FromCache:
		r.Received = Sizes{0, 0}
	case a.Received != nil && r.Received.Headers >= 0:
		// Some browsers count the headers in the size of the body.
		r.Received.Body = max(0, *a.Received-r.Received.Headers)
	case a.BodySize != nil:
		r.Received.Body = int64(*a.BodySize)
	}
	if b.quirks.ContentUnsized {
		// What was not compressed is as long as it was on the way.
		if r.Received.Body >= 0 && !r.FromCache && a.Protocol != "data" && !bytes.Contains(bytes.ToLower(r.got), []byte(`"content-encoding"`)) {
			r.Content = r.Received.Body
		}
	} else {
		r.Content = a.Content.Size
	}
	b.overLocked(r, e, RequestFinished, "")
}

// overLocked ends a request.
func (b *Browser) overLocked(r *Request, e *requestEvent, state, reason string) {
	if r == nil || r.Ended != 0 {
		return
	}
	end := time.Now()
	if at := time.UnixMilli(int64(e.Timestamp)); b.quirks.EventsTimed && e.Timestamp > epoch {
		end = at
	}
	r.Took = max(0, end.Sub(r.Began))
	r.Timing = e.Request.Timings.parts(float64(r.Took.Microseconds()) / 1000)
	b.exchanges.end(r, state, reason)
}
