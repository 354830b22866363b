package drive

import (
	"bytes"
	"context"
	"errors"
	"image/png"
	"math"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// Shot says what to draw. The zero value is the viewport, as a PNG.
type Shot struct {
	FullPage bool
	Element  *pagejs.NodeKey // only its box
	Stamp    string          // of the element, checked where it is given
	Clip     *pagejs.Box     // only this part, in CSS pixels of the viewport or, with FullPage, of the page
	Mask     []pagejs.NodeKey
	Labels   []Label
	Format   string // png, jpeg or webp; "" is png
}

// Clipped is the shot of a part, in CSS pixels.
func (s Shot) Clipped(x, y, w, h float64) Shot {
	s.Clip = &pagejs.Box{X: x, Y: y, W: w, H: h}
	return s
}

// Shot is the picture of the element alone.
func (e *Element) Shot() Shot { return Shot{Element: &e.key, Stamp: e.stamp} }

// Label is a ref to be drawn beside its element.
type Label struct {
	Key pagejs.NodeKey
	Ref string
}

// Picture is what was drawn.
type Picture struct {
	PNG           []byte // the picture; in the format asked for, where that is another
	Format        string
	Width, Height int     // of the picture, in pixels
	Scale         float64 // how much smaller it is than the page; 1 where it is not
	Masked        int     // boxes that were painted over
	Labelled      int
	Cut           bool // it ends before what was asked for does
	Scrolled      bool // containers were scrolled for it, and back
}

// The sizes of pictures, in pixels. Larger ones are scaled down; of a page that is
// larger than what is drawn at all, the beginning is drawn.
const (
	maxPicture = 16_000_000
	maxDrawn   = 32_000_000
	// maxDrawnSide is the longest side that every browser draws.
	maxDrawnSide = 32_766
)

// Screenshot draws the tab, which it brings to the front first: browsers do not
// draw tabs behind it. Filled fields that hold secrets are painted over, as is what
// Mask names: on the picture, not in the page; where they are is measured before and
// after it is drawn, and both are covered; a page that goes meanwhile is drawn again. An
// element that its scroll containers or
// its frame do not show is scrolled to, and everything back. It fails with
// DIALOG_OPEN while a dialog is open, STALE_REF for an element that is gone,
// NOT_VISIBLE for one without a box, UNSUPPORTED for a format that the browser has
// not.
func (t *Tab) Screenshot(ctx context.Context, s Shot) (Picture, error) {
	if t.Closed() {
		return Picture{}, t.closedFault()
	}
	if d := t.Dialog(); d != nil {
		return Picture{}, dialogFault(d)
	}
	if err := t.toFront(ctx); err != nil {
		return Picture{}, err
	}
	for try := 1; ; try++ {
		p, err := t.shoot(ctx, s)
		if err == nil || !errors.Is(err, errNavigated) {
			return p, err
		}
		if try < drawings && s.Element == nil {
			continue
		}
		var f *fault.Fault
		if !errors.As(err, &f) {
			f = navigatedFault("draw a screenshot").At(fault.BeforeEffect, fault.None)
		}
		return Picture{}, f
	}
}

// drawings is how often a page is drawn that goes while it is.
const drawings = 3

// shoot draws the tab once. It ends with errNavigated where it cannot be told what of.
func (t *Tab) shoot(ctx context.Context, s Shot) (Picture, error) {
	scene := &scene{tab: t, shot: s}
	defer scene.putBack(ctx)
	if s.Element != nil {
		if err := scene.show(ctx); err != nil {
			return Picture{}, err
		}
	}
	if err := scene.measure(ctx, false); err != nil {
		return Picture{}, err
	}
	area, err := scene.area()
	if err != nil {
		return Picture{}, err
	}
	paints := scene.paints(area)
	if s.Format == "webp" && len(paints) > 0 {
		return Picture{}, paintsNoWebP()
	}
	data, err := t.capture(ctx, area, s.Format)
	if err != nil {
		return Picture{}, err
	}
	if err := scene.measure(ctx, true); err != nil {
		return Picture{}, err
	}
	p, err := finish(data, area, scene.paints(area), s.Format, t.b.info.Browser)
	p.Scrolled, p.Cut = scene.moved(), area.cut
	return p, err
}

// capture has the browser draw an area.
func (t *Tab) capture(ctx context.Context, a area, format string) ([]byte, error) {
	params := bidi.BrowsingContextCaptureScreenshotParameters{Context: t.id, Origin: "viewport"}
	if a.document {
		params.Origin = "document"
	}
	if a.clipped {
		params.Clip = bidi.BrowsingContextBoxClipRectangle{X: a.X, Y: a.Y, Width: a.W, Height: a.H}
	}
	if format == "webp" {
		params.Format = &bidi.BrowsingContextImageFormat{Type: "image/webp"}
	}
	since := t.Mark().event
	p := bidi.BrowsingContextCaptureScreenshot.Send(t.b.conn, params)
	if err := t.raceInput(ctx, t.id, p.Done(), since); err != nil {
		p.Forget()
		return nil, fault.From(err).At(fault.BeforeEffect, fault.None)
	}
	shot, err := p.Wait(ctx)
	if err == nil {
		return shot.Data, nil
	}
	switch code := bidi.CodeOf(err); {
	case code == bidi.CodeNoSuchFrame && !t.Closed(): // of the document that was to draw it
		return nil, fault.New(fault.Unsupported, "draw a screenshot: %s could not draw %.0f by %.0f pixels of this page", t.b.info.Browser, a.W*a.dpr, a.H*a.dpr).
			WithHint("draw a part of it: an element, or a clip").Because(err)
	case code == bidi.CodeUnableToCaptureScreen:
		return nil, fault.New(fault.NotVisible, "draw a screenshot: there is nothing to draw, the element has no box").Because(err)
	case format == "webp" && (code == bidi.CodeUnsupportedOperation || code == bidi.CodeInvalidArgument):
		return nil, noWebP(t.b.info.Browser).Because(err)
	}
	return nil, wireFault("draw a screenshot", err).At(fault.BeforeEffect, fault.None)
}

func paintsNoWebP() *fault.Fault {
	return fault.New(fault.Unsupported, "draw a screenshot: there is something to be painted over or drawn on it, a secret perhaps, and duet writes no WebP").
		WithHint("take %s or jpeg", fault.With("browser_screenshot", "format", "png"))
}

func noWebP(browser string) *fault.Fault {
	return fault.New(fault.Unsupported, "draw a screenshot: %s draws no WebP", browser).WithHint("take %s or jpeg", fault.With("browser_screenshot", "format", "png"))
}

// area is what is drawn: a part of the viewport or of the document, in CSS pixels.
type area struct {
	pagejs.Box
	document bool
	clipped  bool // less than all of it
	cut      bool
	dpr      float64
	page     pagejs.ShotSize
}

// area says what to draw, after the page was measured.
func (s *scene) area() (area, error) {
	r := s.top()
	a := area{dpr: r.DPR, page: r.Page, Box: pagejs.Box{W: r.View.W, H: r.View.H}}
	switch {
	case s.shot.Element != nil:
		box, ok := s.element()
		if !ok || box.W < 0.5 || box.H < 0.5 {
			return a, fault.New(fault.NotVisible, "draw a screenshot: there is nothing to draw, the element has no box, or nothing of it can be shown")
		}
		a.Box, a.clipped, a.cut = outward(box), true, s.cut
		if in := bounded(a.Box, pagejs.Box{W: r.View.W, H: r.View.H}); in == a.Box && len(s.chain) > 1 {
			break
		}
		a.document = true
		a.X, a.Y = a.X+math.Round(r.Scroll.X), a.Y+math.Round(r.Scroll.Y)
	case s.shot.FullPage:
		a.document = true
		a.Box = pagejs.Box{W: max(r.Page.W, 1), H: max(r.Page.H, 1)}
	}
	if c := s.shot.Clip; c != nil {
		a.Box, a.clipped = bounded(outward(*c), a.Box), true
		if a.W < 1 || a.H < 1 {
			return a, fault.New(fault.InvalidArgument, "draw a screenshot: the clip lies outside of what there is, %.0f by %.0f", r.View.W, r.View.H)
		}
	}
	if most := math.Floor(maxDrawnSide / a.dpr); a.W > most {
		a.W, a.clipped, a.cut = most, true, true
	}
	if most := math.Floor(min(maxDrawn/(a.W*a.dpr*a.dpr), maxDrawnSide/a.dpr)); a.H > most {
		a.H, a.clipped, a.cut = max(most, 1), true, true
	}
	return a, nil
}

// outward is a box in whole pixels that holds another.
func outward(b pagejs.Box) pagejs.Box {
	x, y := math.Floor(b.X+0.01), math.Floor(b.Y+0.01)
	return pagejs.Box{X: x, Y: y, W: math.Ceil(b.X+b.W-0.01) - x, H: math.Ceil(b.Y+b.H-0.01) - y}
}

// bounded is what of a box lies in another.
func bounded(b, in pagejs.Box) pagejs.Box {
	x, y := max(b.X, in.X), max(b.Y, in.Y)
	return pagejs.Box{X: x, Y: y, W: min(b.X+b.W, in.X+in.W) - x, H: min(b.Y+b.H, in.Y+in.H) - y}
}

// finish paints, scales and encodes what the browser drew.
func finish(data []byte, a area, paints []paint, format, browser string) (Picture, error) {
	p := Picture{PNG: data, Format: "png", Scale: 1}
	if format == "webp" {
		if len(paints) > 0 { // it came while the picture was drawn
			return Picture{}, paintsNoWebP()
		}
		w, h, ok := webpSize(data)
		if !ok {
			return Picture{}, noWebP(browser)
		}
		p.Format, p.Width, p.Height = "webp", w, h
		return p, nil
	}
	size, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Picture{}, fault.New(fault.Internal, "draw a screenshot: what came is no PNG").Because(err)
	}
	p.Width, p.Height = size.Width, size.Height
	if len(paints) == 0 && size.Width*size.Height <= maxPicture && format != "jpeg" {
		return p, nil
	}
	return painted(data, a, paints, format)
}
