package drive

import (
	"strings"
	"time"
)

// dataRequest reports whether a page asks for data by this request: what it will
// change itself by. Both browsers leave the destination of these empty.
func dataRequest(e requestEvent) bool {
	if e.Navigation != nil {
		return false
	}
	switch strings.ToLower(e.Request.Initiator) {
	case "fetch", "xmlhttprequest":
		return true
	}
	switch e.Request.Type {
	case "XHR", "Fetch":
		return true
	}
	return false
}

// pageAsked reports whether the page asked for it: what a browser wants for itself has no
// initiator, or one that is called other.
func pageAsked(e requestEvent) bool {
	switch strings.ToLower(e.Request.Initiator) {
	case "", "other":
		return dataRequest(e) || e.Request.Type != "" && e.Request.Type != "Other"
	}
	return true
}

func (b *Browser) requestSentLocked(e requestEvent) {
	b.noise.requests++
	b.exchangeLocked(&e, false)
	if e.Context == nil {
		return
	}
	r := b.requests[e.Request.Request]
	if r == nil {
		r = &request{id: e.Request.Request, started: b.seq}
		b.requests[r.id] = r
	}
	r.context, r.url, r.method, r.data = *e.Context, e.Request.URL, e.Request.Method, dataRequest(e)
	b.downloadAgainLocked(e)
	if e.Navigation != nil {
		if n := b.navigations[*e.Navigation]; n != nil && n.url == "" {
			n.url = e.Request.URL // its beginning named none, as where a page asks before it is left
		}
	}
}

// downloadAgainLocked begins a navigation anew that was a download: Firefox gives the
// next download of the address no other number, and tells of its request alone.
func (b *Browser) downloadAgainLocked(e requestEvent) {
	if e.Navigation == nil || e.Context == nil {
		return
	}
	f := b.frames[*e.Context]
	if f == nil || f.nav == nil || f.nav.id != *e.Navigation || f.nav.download == 0 {
		return
	}
	f.nav.started, f.nav.download, f.nav.failed, f.nav.status = b.seq, 0, 0, 0
}

func (b *Browser) responseStartedLocked(e requestEvent) {
	b.untangleLocked(&e)
	b.exchangeLocked(&e, true)
	if e.Navigation == nil || e.Context == nil {
		return
	}
	if n := b.navLocked(*e.Navigation, *e.Context); n != nil {
		n.status = e.Response.Status
		// These never show a document, and not every browser says so by an event.
		if (n.status == 204 || n.status == 205) && n.failed == 0 {
			n.failed = b.seq
		}
	}
}

func (b *Browser) responseCompletedLocked(e requestEvent) {
	b.untangleLocked(&e)
	r := b.exchangeLocked(&e, true)
	b.completeLocked(r, &e)
	b.requestEndedLocked(e)
	if e.Navigation != nil && e.Context != nil {
		if n := b.navLocked(*e.Navigation, *e.Context); n != nil {
			n.status = e.Response.Status
			if e.Response.BodySize != nil {
				n.body = *e.Response.BodySize
			}
		}
	}
	if e.Response.Status >= 400 {
		b.requestFailedLocked(e, r, "")
	}
}

func (b *Browser) fetchErrorLocked(e requestEvent) {
	r := b.exchangeLocked(&e, false)
	b.requestEndedLocked(e)
	if e.Navigation != nil && e.Context != nil {
		if n := b.navLocked(*e.Navigation, *e.Context); n != nil && n.reason == "" {
			n.reason = e.ErrorText // the event of the failure itself may give none
		}
	}
	if strings.Contains(e.ErrorText, "ABORTED") {
		b.overLocked(r, &e, RequestAborted, worded(e.ErrorText))
		return // by the page or by a navigation: nothing failed
	}
	b.overLocked(r, &e, RequestFailed, worded(e.ErrorText))
	b.requestFailedLocked(e, r, tidy(e.ErrorText))
}

func (b *Browser) requestEndedLocked(e requestEvent) {
	if e.Context != nil {
		if f := b.frames[b.topLocked(*e.Context)]; f != nil {
			f.traffic = b.seq
		}
	}
	r := b.requests[e.Request.Request]
	if r == nil {
		return
	}
	delete(b.requests, r.id)
	if r.data {
		b.dataEnded = append(b.dataEnded, ended{r.context, b.seq})
		if len(b.dataEnded) > recentEnded {
			b.dataEnded = append(b.dataEnded[:0], b.dataEnded[recentEnded/2:]...)
		}
	}
}

func (b *Browser) requestFailedLocked(e requestEvent, r *Request, reason string) {
	if r == nil {
		return // the browser's own wish, and not of every browser
	}
	b.journal.add(Entry{
		Kind: KindRequest, Level: "error", Text: reason, URL: e.Request.URL, Method: e.Request.Method, Request: r.Seq,
		Status: e.Response.Status, Tab: numberOf(b.tabOfLocked(e.Context)), Time: time.Now(), Origin: r.Origin,
	})
}

func (b *Browser) authRequiredLocked(e requestEvent) {
	if e.Navigation != nil && e.Context != nil {
		if n := b.navLocked(*e.Navigation, *e.Context); n != nil {
			n.auth, n.status = true, 401
		}
	}
}
