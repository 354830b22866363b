package tools

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type screenshotArgs struct {
	Selector string `json:"selector,omitzero" arg:"" maxlen:"8192" cli:"Draw this element alone: ref or selector."`
	FullPage bool   `json:"full_page,omitzero" cli:"Draw the page to its end."`
	Clip     string `json:"clip,omitzero" maxlen:"200" cli:"Draw this part: x,y,width,height in CSS pixels."`
	Mask     string `json:"mask,omitzero" maxlen:"8192" cli:"Paint over all that this selector matches."`
	Refs     bool   `json:"refs,omitzero" cli:"Write their refs on the controls."`
	Format   string `json:"format,omitzero" maxlen:"200" cli:"png, jpeg or webp. Default: png."`
	Inline   bool   `json:"inline,omitzero" kong:"-"` // a shell shows no pictures
}

type picture struct {
	OK bool `json:"ok"`
	dispatch.File
	Width    int     `json:"width"`
	Height   int     `json:"height"`
	Format   string  `json:"format,omitzero"` // where it is no PNG
	Masked   int     `json:"masked,omitzero"` // boxes that were painted over
	Refs     int     `json:"refs,omitzero"`   // that were drawn
	Scale    float64 `json:"scale,omitzero"`  // it was scaled down to this
	Cut      bool    `json:"cut,omitzero"`    // what was asked for is larger than what is shown
	Scrolled bool    `json:"scrolled,omitzero"`
	Inline   string  `json:"inline,omitzero"` // size of the picture in the answer

	image *dispatch.Image
}

// Image implements dispatch.Imager.
func (p picture) Image() *dispatch.Image { return p.image }

var _ = declare(dispatch.Spec{
	Verb:    "screenshot",
	Aliases: []string{"shot"},
	Tool:    "browser_screenshot",
	Title:   "Screenshot",
	Summary: "Screenshot to a file.",
	Detail: "The viewport, with full_page the whole page, with selector one element, also in frames and shadow roots; what its scroll containers or its frame do not show is scrolled to and back. " +
		"clip is x,y,width,height in CSS pixels of the viewport, or of the page with full_page. mask is a selector: all that it matches is painted over, on the picture and not in the page; filled fields that hold secrets always are, " +
		"words of the page that repeat a secret are not. refs draws the refs of the controls on it. format is png, jpeg or webp. " +
		"Pictures have the pixels of the device; one of more than 16 million is scaled down, of a page of more than 32 million the beginning is drawn, and the answer says so. " +
		"inline adds a small JPEG to the answer itself, of at most what an answer may hold.",
	Example: "screenshot --full-page",
	Writes:  true,
	Saves:   []string{"png", "jpg", "jpeg", "webp"},
	Codes:   onElement.and(fault.NotVisible, fault.Unsupported, fault.Quota),
}, runScreenshot)

// maxLabels bounds the refs on a picture: more of them hide it.
const maxLabels = 200

func runScreenshot(ctx context.Context, c *dispatch.Read, a screenshotArgs) (picture, error) {
	shot, err := shotOf(ctx, c, a)
	if err != nil {
		return picture{}, err
	}
	p, err := c.Tab().Screenshot(ctx, shot)
	if err != nil {
		return picture{}, err
	}
	f, err := c.Artifacts().Write("screenshot", suffixOf(p.Format), p.PNG)
	if err != nil {
		return picture{}, err
	}
	out := picture{OK: true, File: f, Width: p.Width, Height: p.Height, Masked: p.Masked, Refs: p.Labelled, Cut: p.Cut, Scrolled: p.Scrolled}
	if p.Format != "png" {
		out.Format = p.Format
	}
	if p.Scale < 1 {
		out.Scale = math.Round(p.Scale*1000) / 1000
	}
	if a.Inline {
		if data, w, h := drive.Thumbnail(p.PNG, c.ImageBytes()); data != nil {
			out.Inline = strconv.Itoa(w) + "x" + strconv.Itoa(h)
			out.image = &dispatch.Image{Type: "image/jpeg", Data: data}
		} else {
			c.Note("the picture is not in the answer: it is WebP, or none that is small enough can be told apart")
		}
	}
	return out, nil
}

// shotOf is what the arguments ask to be drawn.
func shotOf(ctx context.Context, c *dispatch.Read, a screenshotArgs) (drive.Shot, error) {
	shot := drive.Shot{FullPage: a.FullPage, Format: a.Format}
	if !slices.Contains([]string{"", "png", "jpeg", "webp"}, a.Format) {
		return shot, fault.New(fault.InvalidArgument, "%s is png, jpeg or webp", fault.Arg("format"))
	}
	switch {
	case a.Selector != "" && a.FullPage:
		return shot, fault.New(fault.InvalidArgument, "give %s or %s, not both", fault.Arg("selector"), fault.Arg("full_page"))
	case a.Selector != "" && a.Clip != "":
		return shot, fault.New(fault.InvalidArgument, "give %s or %s, not both", fault.Arg("selector"), fault.Arg("clip"))
	case a.Selector != "":
		el, err := c.Tab().Element(ctx, a.Selector)
		if err != nil {
			return shot, err
		}
		of := el.Shot()
		shot.Element, shot.Stamp = of.Element, of.Stamp
	case a.Clip != "":
		numbers := []float64{}
		for _, s := range strings.Split(a.Clip, ",") {
			n, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
			if err != nil || n < 0 || n > 1e6 {
				break
			}
			numbers = append(numbers, n)
		}
		if len(numbers) != 4 || strings.Count(a.Clip, ",") != 3 || numbers[2] < 1 || numbers[3] < 1 {
			return shot, fault.New(fault.InvalidArgument, "%s is x,y,width,height in CSS pixels, such as 0,0,400,300", fault.Arg("clip"))
		}
		shot = shot.Clipped(numbers[0], numbers[1], numbers[2], numbers[3])
	}
	if a.Mask != "" {
		found, err := c.Tab().Find(ctx, a.Mask, 500)
		switch {
		case err != nil:
			return shot, err
		case found.Total == 0: // a picture that shows what was to be hidden must not be taken
			return shot, fault.New(fault.NoMatch, "%s matches nothing on the page, so nothing would be painted over", fault.Arg("mask"))
		case found.Total > len(found.Matches):
			return shot, fault.New(fault.InvalidArgument, "%s matches %d elements; at most 500 are painted over", fault.Arg("mask"), found.Total)
		}
		for _, m := range found.Matches {
			shot.Mask = append(shot.Mask, m.Key)
		}
	}
	if a.Refs {
		var err error
		if shot.Labels, err = c.Labels(ctx, maxLabels); err != nil {
			return shot, err
		}
	}
	return shot, nil
}

func suffixOf(format string) string {
	if format == "jpeg" {
		return "jpg"
	}
	return format
}
