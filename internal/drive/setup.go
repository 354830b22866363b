package drive

import (
	"context"
	"time"

	"duet/bidi"
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

// challengeBound is how long refusing a challenge may take.
const challengeBound = 5 * time.Second

// refuseChallenge lets a stopped request go on without a password: its 401 then
// arrives as the answer.
func (b *Browser) refuseChallenge(r bidi.RequestID) {
	ctx, stop := context.WithTimeout(context.Background(), challengeBound)
	defer stop()
	// A request that its page has given up meanwhile is none of ours.
	_, _ = bidi.NetworkContinueWithAuth.Call(ctx, b.conn, bidi.NetworkContinueWithAuthParameters{
		Request: r, Action: "cancel",
	})
}
