package drive

import (
	"context"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

func noHistory(op string) *fault.Fault {
	return fault.New(fault.StateInvalid, "%s: there is nothing further in the tab's history", op)
}

// startPage is what a tab shows that nobody has led anywhere yet.
func startPage(url string) bool { return blank(url) || url == "data:," }

// atBeginning reports whether there is nothing before the page shown but the empty
// one that the tab began with, to which nobody means to go back. Where it cannot be
// known there may be more.
func (t *Tab) atBeginning(ctx context.Context) bool {
	t.b.mu.Lock()
	asked, url, began := t.blanked, t.urlLocked(), t.began
	later := t.later
	if t.turned > t.laterAt {
		later = 0
	}
	t.b.mu.Unlock()
	switch {
	case asked:
		return false
	case t.b.quirks.StartInHistory:
		return t.previousIsStart(ctx)
	case began != startAlone || startPage(url):
		return false
	}
	// The empty page is the first of it, and this one the second at most.
	bound, stop := context.WithTimeout(ctx, frameBound) // a page that hangs can be left all the same
	defer stop()
	entries, err := run(bound, t, t.id, pagejs.Past, struct{}{}, "")
	return err == nil && entries-1-later <= 1
}

// startAlone is the address that a Firefox without a driver is started with: of all
// tabs of that browser only this one keeps its first page in its history.
const startAlone = "about:blank#"

// previousIsStart looks into the tab's history, beside the protocol, which does not
// show it.
func (t *Tab) previousIsStart(ctx context.Context) bool {
	session, err := bidi.GoogCdpGetSession.Call(ctx, t.b.conn, bidi.GoogCdpGetSessionParameters{Context: t.id})
	if err != nil {
		return false
	}
	got, err := bidi.GoogCdpSendCommand.Call(ctx, t.b.conn, bidi.GoogCdpSendCommandParameters{
		Method: "Page.getNavigationHistory", Session: session.Session,
	})
	var history struct {
		Current int `json:"currentIndex"`
		Entries []struct {
			URL string `json:"url"`
		} `json:"entries"`
	}
	if err != nil || json.Unmarshal(got.Result, &history) != nil || history.Current >= len(history.Entries) {
		return false
	}
	return history.Current <= 0 || startPage(history.Entries[history.Current-1].URL)
}
