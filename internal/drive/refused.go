package drive

import (
	"net/url"
	"time"

	"duet/bidi"
)

// refusedLocked notes the request of a navigation that the browser refused by itself:
// nothing but the page that it shows in its place tells of it.
func (b *Browser) refusedLocked(e navigationEvent, f *frame) {
	reason, shows := failureShown(e.URL)
	id := e.id()
	if !shows || reason == "" || id == "" {
		return
	}
	for i := len(b.exchanges.entries) - 1; i >= 0; i-- {
		if b.exchanges.entries[i].leads == id {
			return // it was told of
		}
	}
	u, err := url.Parse(e.URL)
	if err != nil || u.Query().Get("u") == "" {
		return
	}
	ev := requestEvent{Context: &f.id, Navigation: &id, Timestamp: float64(time.Now().UnixMilli()), ErrorText: reason}
	ev.Request.Request, ev.Request.URL, ev.Request.Method, ev.Request.Destination = bidi.RequestID("refused "+string(id)), u.Query().Get("u"), "GET", "document"
	if f.parent != "" {
		ev.Request.Destination = "iframe"
	}
	r := b.exchangeLocked(&ev, false)
	b.overLocked(r, &ev, RequestFailed, worded(reason))
	b.requestFailedLocked(ev, r, tidy(reason))
}
