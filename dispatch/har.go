package dispatch

import (
	"context"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"duet/internal/drive"
	"duet/internal/fault"
	"duet/internal/trace"
)

// What a HAR holds of bodies: of one, and of all together.
const (
	harBody   = 1 << 20
	harBodies = 32 << 20
)

// HARFile is a HAR that was written.
type HARFile struct {
	OK      bool `json:"ok"`
	Entries int  `json:"entries"`
	Pages   int  `json:"pages"`
	Bodies  int  `json:"bodies,omitzero"`
	Unread  int  `json:"bodiesNotRead,omitzero"` // the deadline came first, no room was left, or what was sent is no text
	Dropped int  `json:"dropped,omitzero"`       // requests that are no longer held
	File
}

// HAR writes the requests that fit as an HTTP archive, version 1.2, masked as
// everything is. With bodies it holds those that the browser keeps.
func (r *Read) HAR(ctx context.Context, f drive.RequestFilter, bodies bool) (HARFile, error) {
	l := r.Requests(f)
	info := r.live.Info
	h := trace.NewHAR(trace.HARTool{Name: "duet", Version: r.session.o.Version}, trace.HARTool{Name: info.Browser, Version: info.Version})
	out := HARFile{OK: true, Dropped: l.Dropped}
	// What is read of bodies leaves time for writing.
	ctx, stop := context.WithTimeout(ctx, max(r.timeout-harMargin, harMargin))
	defer stop()
	pages := map[int]string{} // of each tab, the one that it shows
	room := harBodies
	for i := range l.Requests {
		q := &l.Requests[i]
		if q.Top && q.From == 0 {
			page := trace.HARPage{Started: trace.HARTime(q.Began), ID: "page_" + strconv.Itoa(q.Seq), Title: q.URL}
			pages[q.Tab] = page.ID
			h.Log.Pages = append(h.Log.Pages, page)
		}
		e := r.harEntry(q)
		if q.Tab != 0 {
			e.Page = pages[q.Tab]
		}
		if bodies && q.State == drive.RequestFinished {
			n, unread := r.harBodies(ctx, q, &e, &room)
			out.Bodies += n
			out.Unread += unread
		}
		h.Add(e)
	}
	if l.Dropped > 0 {
		h.Log.Comment = strconv.Itoa(l.Dropped) + " earlier requests are no longer held"
	}
	text, err := h.JSON()
	if err != nil {
		return out, fault.New(fault.Internal, "the archive does not marshal").Because(err)
	}
	out.Entries, out.Pages = len(h.Log.Entries), len(h.Log.Pages)
	out.File, err = r.session.files.WriteOwn("requests", "har", text)
	return out, err
}

func (r *Read) harEntry(q *drive.Request) trace.HAREntry {
	sent, received := r.Headers(q)
	t := q.Timing
	e := trace.HAREntry{
		Started: trace.HARTime(q.Began), Time: float64(q.Took.Microseconds()) / 1000, Type: q.Type, Error: q.Reason,
		Timings: trace.HARTimings{Blocked: t.Blocked, DNS: t.DNS, Connect: t.Connect, Send: max(0, t.Send), Wait: max(0, t.Wait), Receive: max(0, t.Receive), SSL: t.TLS},
		Request: trace.HARRequest{
			Method: q.Method, URL: q.URL, HTTPVersion: q.Protocol, Headers: harPairs(sent), HeadersSize: q.Sent.Headers, BodySize: q.Sent.Body,
		},
		Response: trace.HARResponse{
			Status: q.Status, StatusText: q.StatusText, HTTPVersion: q.Protocol, Headers: harPairs(received), HeadersSize: q.Received.Headers, BodySize: q.Received.Body,
			Content: trace.HARContent{Size: q.Content, MIME: q.MIME},
		},
	}
	if q.FromCache {
		e.FromCache = "disk" // readers know disk and memory; which it was no browser says
	}
	switch {
	case q.State == drive.RequestPending:
		e.Comment = "not over when this was written"
	case q.State == drive.RequestAborted:
		e.Comment = "given up by its page"
	}
	return e
}

// harBodies reads the bodies of an exchange into its entry, and returns how many it
// read and how many it left.
func (r *Read) harBodies(ctx context.Context, q *drive.Request, e *trace.HAREntry, room *int) (read, unread int) {
	get := func(answer bool) (SavedBody, bool) {
		if ctx.Err() != nil || *room <= 0 {
			unread++
			return SavedBody{}, false
		}
		b, err := r.Body(ctx, q, answer)
		if err != nil || len(b.Bytes) == 0 {
			return b, false
		}
		if !harKeeps(b, answer, *room) {
			unread++
			return b, false
		}
		*room -= len(b.Bytes)
		read++
		return b, true
	}
	const kept = "masked by names; what they did not give away is kept"
	if q.Sent.Body > 0 {
		switch b, ok := get(false); {
		case ok:
			e.Request.Post = &trace.HARPostData{MIME: b.MIME, Text: string(b.Bytes), Comment: kept}
		case len(b.Bytes) > 0 && !b.Text:
			e.Request.Post = &trace.HARPostData{MIME: b.MIME, Comment: "not kept: it is no text"}
		}
	}
	if q.Status/100 != 3 && q.Status != 204 {
		if b, ok := get(true); ok {
			c := &e.Response.Content
			c.Text, c.Comment = string(b.Bytes), kept
			if c.Size < 0 {
				c.Size = int64(len(b.Bytes))
			}
			if !b.Text {
				c.Text, c.Encoding = base64.StdEncoding.EncodeToString(b.Bytes), "base64"
			}
		}
	}
	return read, unread
}

// harKeeps reports whether an archive takes a body: one that fits, and of what was
// sent only text, as the format has no way to write anything else.
func harKeeps(b SavedBody, answer bool, room int) bool {
	return len(b.Bytes) <= min(harBody, room) && (answer || b.Text)
}

func harPairs(all []drive.Header) []trace.HARPair {
	out := make([]trace.HARPair, 0, len(all))
	for _, h := range all {
		for value := range strings.SplitSeq(h.Value, "\n") {
			out = append(out, trace.HARPair{Name: h.Name, Value: value})
		}
	}
	return out
}

// harMargin is what is left of a call's time for writing, once bodies are read.
const harMargin = 500 * time.Millisecond
