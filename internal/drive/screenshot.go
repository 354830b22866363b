package drive

import (
	"context"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// Shot says what to draw. The zero value is the viewport.
type Shot struct {
	FullPage bool
	Element  *pagejs.NodeKey // only its box
}

// Picture is a PNG.
type Picture struct {
	PNG           []byte
	Width, Height int // of the picture, in pixels
}

// Screenshot draws the tab, which it brings to the front first.
func (t *Tab) Screenshot(ctx context.Context, s Shot) (Picture, error) {
	return Picture{}, fault.New(fault.Internal, "screenshot: not built")
}
