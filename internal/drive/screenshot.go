package drive

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"time"

	"duet/bidi"
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

// Screenshot draws the tab, which it brings to the front first: browsers do not
// draw tabs behind it. It fails with DIALOG_OPEN while a dialog is open, STALE_REF
// for an element that is gone, NOT_VISIBLE for one without a box, UNSUPPORTED for
// an element of a frame where the browser draws top documents alone.
func (t *Tab) Screenshot(ctx context.Context, s Shot) (Picture, error) {
	if t.Closed() {
		return Picture{}, t.closedFault()
	}
	if d := t.Dialog(); d != nil {
		return Picture{}, dialogFault(d)
	}
	params := bidi.BrowsingContextCaptureScreenshotParameters{Context: t.id, Origin: "viewport"}
	if s.FullPage {
		params.Origin = "document"
	}
	if s.Element != nil {
		shared, err := t.handle(ctx, *s.Element)
		if err != nil {
			return Picture{}, err
		}
		// Only this origin takes elements outside of the viewport, in both browsers.
		params.Origin = "document"
		params.Context = bidi.Context(s.Element.Context)
		params.Clip = bidi.BrowsingContextElementClipRectangle{Element: bidi.ScriptSharedReference{SharedID: shared}}
	}
	if err := t.toFront(ctx); err != nil {
		return Picture{}, err
	}
	since := t.Mark().event
	p := bidi.BrowsingContextCaptureScreenshot.Send(t.b.conn, params)
	if err := t.raceInput(ctx, t.id, p.Done(), since); err != nil {
		p.Forget()
		return Picture{}, fault.From(err).At(fault.BeforeEffect, fault.None)
	}
	shot, err := p.Wait(ctx)
	if err != nil {
		switch bidi.CodeOf(err) {
		case bidi.CodeUnableToCaptureScreen:
			return Picture{}, fault.New(fault.NotVisible, "draw a screenshot: there is nothing to draw, the element has no box").Because(err)
		case bidi.CodeUnsupportedOperation:
			return Picture{}, fault.New(fault.Unsupported, "draw a screenshot: %s draws no elements inside frames", t.b.info.Browser).
				WithHint("take the viewport instead").Because(err)
		}
		f := wireFault("draw a screenshot", err)
		return Picture{}, f.At(fault.BeforeEffect, fault.None)
	}
	size, err := png.DecodeConfig(bytes.NewReader(shot.Data))
	if err != nil {
		return Picture{}, fault.New(fault.Internal, "draw a screenshot: what came is no PNG").Because(err)
	}
	return Picture{PNG: shot.Data, Width: size.Width, Height: size.Height}, nil
}

// handle returns the shared id of an element, for the few commands that need one.
func (t *Tab) handle(ctx context.Context, key pagejs.NodeKey) (bidi.SharedID, error) {
	c := begin(t, bidi.Context(key.Context), pagejs.Handle, pagejs.Target{Node: key.Node, Doc: key.Doc}, "")
	v, err := c.value(ctx)
	for until := time.Now().Add(exchangeBound); errors.Is(err, errTransient) && time.Now().Before(until) && pause(ctx, 10*time.Millisecond); {
		c.send(c.fn.Source())
		v, err = c.value(ctx)
	}
	if err != nil {
		return "", err
	}
	if v.SharedID == "" { // no library, or no such element: either way another document
		return "", fault.New(fault.StaleRef, "the element is gone").WithDetail(map[string]string{"reason": "detached"})
	}
	return v.SharedID, nil
}
