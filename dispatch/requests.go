package dispatch

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"duet/internal/drive"
	"duet/internal/secret"
	"duet/snapshot"
)

// Requests returns the requests that are held; see drive.Browser.Requests. Those of
// pages that the caller may not look at are left out; addresses and reasons are masked.
func (r *Read) Requests(f drive.RequestFilter) drive.RequestLog {
	may := r.may()
	limit := f.Limit
	if may != nil {
		f.Limit = 0
	}
	l := r.live.Browser.Requests(f)
	if may != nil {
		l.Requests = slices.DeleteFunc(l.Requests, func(q drive.Request) bool { return !mayKnow(may, q) })
		l.Total = len(l.Requests)
		if limit > 0 && len(l.Requests) > limit {
			l.Requests = l.Requests[len(l.Requests)-limit:]
		}
	}
	return r.maskedRequests(l)
}

// AwaitRequest waits for a request; see drive.Browser.AwaitRequest.
func (r *Read) AwaitRequest(ctx context.Context, f drive.RequestFilter) (drive.RequestLog, error) {
	may := r.may()
	for {
		l, err := r.live.Browser.AwaitRequest(ctx, f)
		if err != nil || may == nil || len(l.Requests) == 0 || mayKnow(may, l.Requests[0]) {
			return r.maskedRequests(l), err
		}
		if f.Except == nil {
			f.Except = map[int]bool{}
		}
		f.Except[l.Requests[0].Seq] = true
	}
}

// mayKnow says whether a caller may know of a request: of one for a tab's document by
// where it went, of another by the page that made it.
func mayKnow(may func(drive.Origin, string) bool, q drive.Request) bool {
	if q.Top {
		return may(drive.Origin{Page: q.URL}, q.URL)
	}
	return may(q.Origin, q.URL)
}

func (r *Read) maskedRequests(l drive.RequestLog) drive.RequestLog {
	l.Requests = slices.Clone(l.Requests)
	for i := range l.Requests {
		q := &l.Requests[i]
		q.URL, q.Reason, q.StatusText = r.shown(q.URL), r.shown(q.Reason), r.shown(q.StatusText)
	}
	return l
}

// shown is a text as it may be shown: masked by names, and by what is remembered.
func (c *call) shown(text string) string { return c.session.safe(MaskQuery(text)) }

// Headers are the headers of a request and of its answer, credentials masked.
func (r *Read) Headers(q *drive.Request) (sent, received []drive.Header) {
	sent, received = q.Headers()
	for _, list := range [][]drive.Header{sent, received} {
		for i, h := range list {
			list[i] = drive.Header{Name: r.shown(h.Name), Value: r.shown(maskHeader(h.Name, h.Value))}
		}
	}
	return sent, received
}

// maskHeader is the value of a header with what is a credential replaced. The names
// of cookies and the scheme of an authorization stay.
func maskHeader(name, value string) string {
	switch lower := strings.ToLower(name); {
	case lower == "cookie":
		parts := strings.Split(value, ";")
		for i, part := range parts {
			parts[i] = maskPair(part)
		}
		return strings.Join(parts, ";")
	case lower == "set-cookie":
		var lines []string
		for line := range strings.SplitSeq(value, "\n") { // some browsers join them so
			first, rest, more := strings.Cut(line, ";")
			if line = maskPair(first); more {
				line += ";" + rest
			}
			lines = append(lines, line)
		}
		return strings.Join(lines, "\n")
	case secret.Header(name):
		switch scheme, _, more := strings.Cut(value, " "); strings.ToLower(scheme) {
		case "basic", "bearer", "digest", "negotiate", "token":
			if more {
				return scheme + " " + mask
			}
		}
		return mask
	}
	return value
}

func maskPair(pair string) string {
	name, _, ok := strings.Cut(pair, "=")
	if !ok {
		return mask
	}
	return name + "=" + mask
}

// SavedBody is a body as it may be written.
type SavedBody struct {
	Bytes   []byte
	MIME    string // without parameters
	Text    bool
	Garbled bool // the browser gave bytes as text, in which those that are none are lost
	Masked  int  // values whose names read like a secret's, and secrets of the session
}

// Body is what a request or its answer carried, with what its names give away
// masked. Its errors are those of drive.Browser.Body.
func (r *Read) Body(ctx context.Context, q *drive.Request, answer bool) (SavedBody, error) {
	raw, err := r.live.Browser.Body(ctx, q, answer)
	if err != nil {
		return SavedBody{}, err
	}
	headers, received := q.Headers()
	if answer {
		headers = received
	}
	kind := ""
	for _, h := range headers {
		if strings.EqualFold(h.Name, "content-type") {
			kind = h.Value
		}
	}
	if kind == "" && answer {
		kind = q.MIME
	}
	return r.saved(kind, raw), nil
}

func (c *call) saved(kind string, raw drive.Body) SavedBody {
	b := SavedBody{Bytes: raw.Bytes, Garbled: raw.Garbled, Text: utf8.Valid(raw.Bytes) && bytes.IndexByte(raw.Bytes, 0) < 0}
	b.MIME, _, _ = strings.Cut(kind, ";")
	b.MIME = strings.ToLower(strings.TrimSpace(b.MIME))
	b.Bytes, b.Masked = snapshot.MaskBody(kind, b.Bytes)
	text := string(b.Bytes)
	clean := c.Redact(text)
	if b.Text {
		clean = c.Redact(snapshot.MaskNamed(text))
	}
	if clean != text {
		b.Masked += max(1, strings.Count(clean, mask)-strings.Count(text, mask))
		b.Bytes = []byte(clean)
	}
	return b
}
