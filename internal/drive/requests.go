package drive

import (
	"bytes"
	"strings"
	"time"

	"duet/bidi"
)

// requestEntries and requestBytes bound the requests that are kept.
const (
	requestEntries = 2000
	requestBytes   = 2 << 20
	// headerBytes is the longest list of headers that is kept of one message, as JSON.
	headerBytes = 16 << 10
	urlBytes    = 8 << 10
)

// The states of a request.
const (
	RequestPending  = "pending"
	RequestFinished = "finished" // answered whole, whatever its status
	RequestFailed   = "failed"   // no answer: the network said no
	RequestAborted  = "aborted"  // given up by its page, or with it
)

// The types of requests, the same for all browsers.
const (
	TypeDocument   = "document" // of a tab or a frame
	TypeStylesheet = "stylesheet"
	TypeScript     = "script" // workers too
	TypeImage      = "image"
	TypeFont       = "font"
	TypeMedia      = "media"
	TypeXHR        = "xhr"
	TypeFetch      = "fetch"
	TypeOther      = "other"
)

// Request is one exchange with a server, or with what the browser puts in its place:
// a page's, a frame's or a worker's, from the launch of the browser on. Each hop of a
// redirect is one. Addresses, reasons and headers are as the browser gave them:
// whoever shows them masks them.
type Request struct {
	Seq        int // from 1, in the order of beginning, never reused in a session
	Tab        int // 0 where it belongs to none: some workers' requests
	Method     string
	URL        string
	Type       string
	State      string
	Reason     string // why it failed or was aborted
	Status     int    // 0 where there was no answer, or none yet
	StatusText string
	Protocol   string
	MIME       string // of the answer, without parameters
	FromCache  bool
	From       int  // Seq of the hop that redirected here, 0 for none
	Top        bool // it was for the document of a tab
	Origin     Origin
	Ended      int // from 1, in the order of ending; 0 while it is pending

	Began    time.Time // as the browser says where it does
	Took     time.Duration
	Timing   Timing
	Sent     Sizes
	Received Sizes
	Content  int64 // bytes of the decoded body of the answer, -1 unknown

	id        bidi.RequestID
	hop       int
	context   bidi.Context
	leads     bidi.Navigation // that it is the request of, "" for none
	worker    bool            // no page's, while a worker ran
	sent, got []byte          // headers, as the browser's JSON
}

// Sizes are the bytes of one message as they went over the wire, -1 where that is
// not known.
type Sizes struct{ Headers, Body int64 }

// Failing reports whether it counts as failed: no answer, or one of 400 and above.
func (r *Request) Failing() bool { return r.State == RequestFailed || r.Status >= 400 }

// size is what the record is counted as.
func (r *Request) size() int {
	return 512 + len(r.URL) + len(r.Reason) + len(r.sent) + len(r.got)
}

// requestLog keeps the last requests and exact counts. Its owner's lock guards it.
type requestLog struct {
	entries  []*Request // oldest first
	byHop    map[hopKey]*Request
	bytes    int
	seq      int // of the last request
	ended    int // of the last one that ended
	finished int
	failed   int // without an answer
	aborted  int
	cleared  int        // seq of the last one when somebody cleared, or of the browser before
	dropped  int        // seq of the newest one that was let go for want of room
	heads    [16][]byte // headers seen last: most requests of a page carry the same
	next     int        // of heads, the one to replace
}

// keep returns a copy of a list of headers, shared with others that are the same.
func (l *requestLog) keep(headers []byte) []byte {
	for _, h := range l.heads {
		if bytes.Equal(h, headers) {
			return h
		}
	}
	own := bytes.Clone(headers)
	l.heads[l.next] = own
	l.next = (l.next + 1) % len(l.heads)
	return own
}

type hopKey struct {
	id  bidi.RequestID
	hop int
}

// find returns the record of an event's hop, and makes one where there is none: the
// events of one request come in no sure order.
func (l *requestLog) find(e *requestEvent, tab int, now time.Time) *Request {
	key := hopKey{e.Request.Request, e.Redirects}
	if r := l.byHop[key]; r != nil {
		return r
	}
	l.seq++
	r := &Request{
		Seq: l.seq, Tab: tab, id: bidi.RequestID(strings.Clone(string(key.id))), hop: key.hop, State: RequestPending, Began: now,
		Method: strings.Clone(cut(e.Request.Method, 32)), URL: strings.Clone(cut(e.Request.URL, urlBytes)),
		Type: typeOf(e), Content: -1, Timing: noTiming, Sent: Sizes{-1, -1}, Received: Sizes{-1, -1},
	}
	if e.Context != nil {
		r.context = bidi.Context(strings.Clone(string(*e.Context)))
	}
	if from := l.byHop[hopKey{key.id, key.hop - 1}]; from != nil {
		r.From = from.Seq
		if r.Type == TypeOther {
			r.Type = from.Type
		}
	}
	l.byHop[hopKey{r.id, r.hop}] = r
	l.entries = append(l.entries, r)
	l.grow(r.size())
	return r
}

// grow counts more bytes, and lets the oldest go where there are too many.
func (l *requestLog) grow(n int) {
	l.bytes += n
	drop := 0
	for len(l.entries)-drop > requestEntries || l.bytes > requestBytes && drop < len(l.entries)-1 {
		old := l.entries[drop]
		l.bytes -= old.size()
		key := hopKey{old.id, old.hop}
		if l.byHop[key] == old {
			delete(l.byHop, key)
		}
		l.entries[drop], l.dropped = nil, old.Seq
		drop++
	}
	l.entries = l.entries[drop:]
	if drop > 0 && cap(l.entries) > 4*requestEntries {
		l.entries = append(make([]*Request, 0, 2*requestEntries), l.entries...)
	}
}

// end notes that a request is over. Only the first end counts.
func (l *requestLog) end(r *Request, state, reason string) {
	if r.Ended != 0 {
		return
	}
	r.State, r.Reason = state, strings.Clone(reason)
	l.ended++
	r.Ended = l.ended
	switch state {
	case RequestFinished:
		l.finished++
	case RequestFailed:
		l.failed++
	case RequestAborted:
		l.aborted++
	}
}

// shown ends the request of a navigation whose document is loaded: of some popups a
// browser tells no end.
func (l *requestLog) shown(id bidi.Navigation, now time.Time) {
	for i := len(l.entries) - 1; i >= 0 && id != ""; i-- {
		if r := l.entries[i]; r.leads == id && r.Ended == 0 && r.Status != 0 {
			r.Took = max(0, now.Sub(r.Began))
			l.end(r, RequestFinished, "")
			return
		}
	}
}

// abandon ends the requests that no page made and that are under way, as the last
// worker is gone: some browsers tell of no end of a worker's requests.
func (l *requestLog) abandon() {
	for _, r := range l.entries {
		if r.worker {
			l.end(r, RequestAborted, "its worker is gone")
		}
	}
}

// clear forgets the requests that are over and returns how many there were.
func (l *requestLog) clear() int {
	n, kept := len(l.entries), []*Request{}
	l.bytes, l.cleared = 0, l.seq
	for _, r := range l.entries {
		if r.Ended != 0 {
			delete(l.byHop, hopKey{r.id, r.hop})
			continue
		}
		kept = append(kept, r)
		l.bytes += r.size()
	}
	l.entries = kept
	return n - len(kept)
}

// typeOf says what a request is for.
func typeOf(e *requestEvent) string {
	switch e.Request.Destination {
	case "document", "iframe", "frame", "embed", "object":
		return TypeDocument
	case "style", "xslt":
		return TypeStylesheet
	case "script", "worker", "sharedworker", "serviceworker", "audioworklet", "paintworklet":
		return TypeScript
	case "image":
		return TypeImage
	case "font":
		return TypeFont
	case "audio", "video", "track":
		return TypeMedia
	}
	switch strings.ToLower(e.Request.Initiator) {
	case "xmlhttprequest":
		return TypeXHR
	case "fetch":
		return TypeFetch
	}
	switch e.Request.Type {
	case "XHR":
		return TypeXHR
	case "Fetch":
		return TypeFetch
	}
	if e.Navigation != nil {
		return TypeDocument
	}
	return TypeOther
}
