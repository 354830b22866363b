package dispatch

import (
	"context"
	"slices"
	"strings"

	"duet/artifacts"
	"duet/internal/drive"
	"duet/internal/fault"
	"duet/internal/trace"
)

// follow writes what a browser's pages say from now on, instead of those of the
// browser before.
func (t *tracing) follow(live *Live) {
	if live == nil || live.Browser == nil {
		return
	}
	t.leave()
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	unwire := func() {}
	if w := t.rec.Wire(); w != nil && live.Wire != nil {
		unwire = live.Wire(w)
	}
	t.live, t.unfollow = live, func() { cancel(); unwire() }
	t.pumps.Go(func() { t.pump(ctx, live) })
	t.pumps.Go(func() { t.pumpRequests(ctx, live.Browser) })
}

// leave ends the following; the pump may still be at its last line.
func (t *tracing) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.unfollow != nil {
		t.unfollow()
		t.unfollow = nil
	}
}

// started writes that another browser runs, and follows it.
func (t *tracing) started(live *Live) {
	t.feeding.Lock()
	t.over = 0 // each browser counts its own
	t.feeding.Unlock()
	t.rec.Browser(trace.BrowserEvent{Event: "started", Browser: trace.Browser{Name: live.Info.Browser, Version: live.Info.Version}})
	t.follow(live)
}

// pump writes what is logged as it comes, until ctx ends or the browser is gone.
func (t *tracing) pump(ctx context.Context, live *Live) {
	for {
		t.feeding.Lock()
		after := t.cursor
		t.feeding.Unlock()
		if _, err := live.Browser.AwaitLog(ctx, drive.LogFilter{After: after}); err != nil {
			break
		}
		t.feed(live.Browser)
	}
	if ctx.Err() != nil {
		return
	}
	t.feed(live.Browser)
	e := trace.BrowserEvent{Event: "lost", Browser: trace.Browser{Name: live.Info.Browser, Version: live.Info.Version}}
	if why := live.lost(); why != nil {
		e.Reason = t.session.safe(fault.From(why).Error())
	}
	if ctx.Err() == nil { // it was not ended meanwhile
		t.rec.Browser(e)
	}
}

// pumpRequests writes requests as they end, until ctx ends or the browser is gone.
func (t *tracing) pumpRequests(ctx context.Context, b *drive.Browser) {
	for {
		t.feeding.Lock()
		after := t.over
		t.feeding.Unlock()
		l, err := b.AwaitRequest(ctx, drive.RequestFilter{EndedAfter: after, States: []string{drive.RequestFinished, drive.RequestFailed}})
		if err != nil {
			return
		}
		if l.EndCount <= after { // it has no end of its own: its page is gone
			return
		}
		t.feed(b)
	}
}

// feed writes the log entries that have come since.
func (t *tracing) feed(b *drive.Browser) {
	t.feeding.Lock()
	defer t.feeding.Unlock()
	t.feedLocked(b)
}

func (t *tracing) feedLocked(b *drive.Browser) {
	if b == nil {
		return
	}
	l := b.Log(drive.LogFilter{After: t.cursor})
	if l.Dropped > 0 {
		t.rec.Drop("console", l.Dropped, "the log let go of entries of any kind before they were read")
	}
	for _, e := range masked(l).Entries {
		if e.Kind != drive.KindRequest { // the requests say more of it
			t.entry(e)
		}
	}
	t.cursor = max(t.cursor, l.Cursor)
	t.requestsLocked(b)
}

// requestsLocked writes the requests that have ended since.
func (t *tracing) requestsLocked(b *drive.Browser) {
	l := b.Requests(drive.RequestFilter{EndedAfter: t.over})
	ended := slices.DeleteFunc(l.Requests, func(r drive.Request) bool { return r.Ended <= t.over })
	slices.SortFunc(ended, func(a, b drive.Request) int { return a.Ended - b.Ended })
	if n := l.EndCount - t.over - len(ended); n > 0 {
		t.rec.Drop("network", n, "the list of requests let go of them before they were read")
	}
	for i := range ended {
		t.request(&ended[i])
	}
	t.over = l.EndCount
}

func (t *tracing) request(r *drive.Request) {
	if may := knowing(t.judge); may != nil && !mayKnow(may, *r) {
		t.rec.Drop("network", 1, hiddenPage)
		return
	}
	n := trace.Network{
		Seq: r.Seq, Failed: r.Failing(), Aborted: r.State == drive.RequestAborted, Tab: r.Tab, Method: r.Method,
		URL: artifacts.Head(t.session.safeFault(r.URL), longestText), Type: r.Type, Status: r.Status, Error: t.session.safeFault(r.Reason),
		Mime: r.MIME, Protocol: r.Protocol, Cached: r.FromCache, Size: max(r.Content, r.Received.Body, 0), Began: t.rec.Since(r.Began),
	}
	if r.Received.Headers >= 0 && r.Received.Body >= 0 {
		n.Transfer = r.Received.Headers + r.Received.Body
	}
	p := r.Timing
	if parts := (trace.Timing{
		Blocked: max(p.Blocked, 0), DNS: max(p.DNS, 0), Connect: max(p.Connect, 0), TLS: max(p.TLS, 0),
		Send: max(p.Send, 0), Wait: max(p.Wait, 0), Receive: max(p.Receive, 0),
	}); parts != (trace.Timing{}) {
		n.Timing = &parts
	}
	t.rec.Network(r.Began.Add(r.Took), n)
}

// hiddenPage is why what a page says is not in a trace.
const hiddenPage = "the caller that began the trace may not look at the page"

// longestText is how much of one text of a page is kept.
const longestText = 8 << 10

func (t *tracing) entry(e drive.Entry) {
	if may := knowing(t.judge); may != nil && !may(e.Origin, e.URL) {
		t.rec.Drop("console", 1, hiddenPage)
		return
	}
	text, address := artifacts.Head(t.session.safe(e.Text), longestText), artifacts.Head(t.session.safe(e.URL), longestText)
	t.rec.Console(e.Time, trace.Console{Seq: e.Seq, Type: e.Kind, Level: e.Level, Text: text, URL: address, Line: e.Line, Tab: e.Tab})
}

// hides reports whether a tab shows what the caller that began the trace may not look
// at.
func (t *tracing) hides(tab *drive.Tab) bool {
	return t.judge != nil && tab != nil && (t.judge(tab.URL()) != nil || slices.ContainsFunc(tab.FrameURLs(), func(u string) bool {
		return strings.HasPrefix(u, "file:") && t.judge(u) != nil
	}))
}
