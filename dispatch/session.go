package dispatch

import (
	"context"

	"duet/artifacts"
)

// Live is a running browser, as the Opener hands it over.
type Live struct {
	Close func(context.Context) error // idempotent
	Done  <-chan struct{}             // closed when the browser or the connection is gone
	Lost  func() error                // why, once Done is closed: a BROWSER_LOST fault
	Info  Info
}

// Info says what runs, for status.
type Info struct {
	Browser string `json:"browser"`
	Version string `json:"version,omitzero"`
	Driver  string `json:"driver,omitzero"`
	Note    string `json:"note,omitzero"` // what is not as it should be: no sandbox
}

// Opener starts or attaches to a browser. note is told what it is doing.
type Opener func(ctx context.Context, note func(string)) (*Live, error)

// Session is one browser with its queue.
type Session struct {
	files *artifacts.Dir
}
