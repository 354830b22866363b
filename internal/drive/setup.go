package drive

import (
	"context"
	"path/filepath"
	"time"

	"duet/bidi"
	"duet/internal/fault"
)

// sendDownloads lets downloads go to the directory of Info; nil where there is none.
func (b *Browser) sendDownloads() *bidi.Pending[bidi.EmptyResult] {
	if b.info.DownloadDir == "" {
		return nil
	}
	return bidi.BrowserSetDownloadBehavior.Send(b.conn, bidi.BrowserSetDownloadBehaviorParameters{
		DownloadBehavior: bidi.BrowserDownloadBehaviorAllowed{DestinationFolder: b.info.DownloadDir},
	})
}

// sendIntercept holds password challenges where the browser would never answer
// otherwise; nil where it needs none. An intercept stops the requests that it
// matches only, so others cost nothing.
func (b *Browser) sendIntercept() *bidi.Pending[bidi.NetworkAddInterceptResult] {
	if !b.quirks.AuthHangs {
		return nil
	}
	return bidi.NetworkAddIntercept.Send(b.conn, bidi.NetworkAddInterceptParameters{
		Phases: []bidi.NetworkInterceptPhase{bidi.NetworkInterceptPhaseAuthRequired},
	})
}

// errandBound is how long one errand may take.
const errandBound = 5 * time.Second

// arrival is a download that the browser has finished.
type arrival struct {
	id   string
	path string
	over string // why it is not to be kept
	seq  int    // of its beginning
}

// landedLocked takes the downloads that are to be fetched.
func (b *Browser) landedLocked() []arrival {
	var all []arrival
	for i := range b.downloads {
		if d := &b.downloads[i]; d.arrived != "" && d.end == 0 && !d.fetching {
			d.fetching = true
			all = append(all, arrival{d.id, d.arrived, d.overrun, d.began})
		}
	}
	return all
}

// fetch moves a finished download to where it can be read. One that cannot be
// moved has no path: the browser's own would lead nowhere.
func (b *Browser) fetch(a arrival) {
	var got Fetched
	var err error
	if a.over != "" {
		b.info.Discard(a.path)
	} else {
		got, err = b.info.Fetch(a.path, b.kept().fileName(filepath.Base(a.path)))
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.downloads {
		d := &b.downloads[i]
		if d.id != a.id || d.began != a.seq {
			continue
		}
		b.seq++
		d.end, d.State, d.arrived = b.seq, d.status, ""
		switch {
		case a.over != "":
			d.State = overrunState(a.over)
		case err == nil:
			d.Path, d.Bytes, d.Type = got.Path, got.Bytes, got.Type
		default:
			d.State = d.status + ", but not kept"
			if f := fault.From(err); f.Code == fault.Quota {
				d.State += " (" + f.Message + ")"
			}
		}
	}
	b.wakeLocked()
}

// overrunState is the state of a download that was ended for its size.
func overrunState(why string) string { return "canceled (QUOTA: " + why + ")" }

// The stages of a popup's repair.
const (
	repairDue = 1 + iota
	repairing
)

// repairPopup makes a popup's context answer. Where the realm of a popup's first
// document is announced before that document's commit, the commit makes the driver
// forget the realm, and whatever is addressed to the context waits for another one
// until the next navigation. Switching the realm's domain off and on announces it
// again; the page notices nothing.
func (b *Browser) repairPopup(t *Tab) {
	ctx, stop := context.WithTimeout(context.Background(), errandBound)
	defer stop()
	session, err := bidi.GoogCdpGetSession.Call(ctx, b.conn, bidi.GoogCdpGetSessionParameters{Context: t.id})
	for _, method := range []string{"Runtime.disable", "Runtime.enable"} {
		if err == nil {
			_, err = bidi.GoogCdpSendCommand.Call(ctx, b.conn, bidi.GoogCdpSendCommandParameters{Method: method, Session: session.Session})
		}
	}
	// Where it failed the popup is gone, or will run into its deadlines: nothing
	// that waiting here would change.
	b.mu.Lock()
	t.repair = 0
	b.seq++
	b.wakeLocked()
	b.mu.Unlock()
}
