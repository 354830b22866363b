package drive

import (
	"context"
	"time"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/fault"
)

// downloadsLook is how often the downloads that run are looked at.
const downloadsLook = 100 * time.Millisecond

// savingLocked returns the downloads that run.
func (b *Browser) savingLocked() []*download {
	var all []*download
	for i := range b.downloads {
		if d := &b.downloads[i]; d.end == 0 && d.arrived == "" {
			all = append(all, d)
		}
	}
	return all
}

// boundDownloads ends the downloads that run where they are too much together. A
// browser that cannot be told to end one loses what it writes, as often as that is too
// much, and the file in the end.
func (b *Browser) boundDownloads() {
	err := b.info.Overrun()
	if err == nil {
		return
	}
	var ids []string
	b.mu.Lock()
	for _, d := range b.savingLocked() {
		d.overrun = fault.From(err).Message
		ids = append(ids, d.id)
	}
	b.mu.Unlock()
	stopped := !b.quirks.NoDownloadCancel
	for _, id := range ids {
		stopped = stopped && b.cancelDownload(id)
	}
	if !stopped {
		b.info.Discard("")
	}
}

// cancelDownload reports whether the browser ends a download.
func (b *Browser) cancelDownload(id string) bool {
	ctx, stop := context.WithTimeout(context.Background(), errandBound)
	defer stop()
	params, err := json.Marshal(map[string]string{"guid": id})
	if err == nil {
		_, err = bidi.GoogCdpSendCommand.Call(ctx, b.conn, bidi.GoogCdpSendCommandParameters{Method: "Browser.cancelDownload", Params: params})
	}
	return err == nil
}
