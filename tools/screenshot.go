package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type screenshotArgs struct {
	Selector string `json:"selector,omitzero" arg:"" maxlen:"8192" help:"Only this element."`
	FullPage bool   `json:"full_page,omitzero"`
}

type picture struct {
	OK bool `json:"ok"`
	dispatch.File
	Width  int `json:"width"`
	Height int `json:"height"`
}

var _ = declare(dispatch.Spec{
	Verb:    "screenshot",
	Aliases: []string{"shot"},
	Tool:    "browser_screenshot",
	Title:   "Screenshot",
	Summary: "Save a PNG to a file and return its path.",
	Example: "screenshot --full-page",
	Writes:  true,
}, runScreenshot)

func runScreenshot(ctx context.Context, c *dispatch.Read, a screenshotArgs) (picture, error) {
	shot := drive.Shot{FullPage: a.FullPage}
	if a.Selector != "" {
		if a.FullPage {
			return picture{}, fault.New(fault.InvalidArgument, "give selector or full_page, not both")
		}
		el, err := c.Tab().Element(ctx, a.Selector)
		if err != nil {
			return picture{}, err
		}
		shot = el.Shot()
	}
	p, err := c.Tab().Screenshot(ctx, shot)
	if err != nil {
		return picture{}, err
	}
	f, err := c.Artifacts().Write("screenshot", "png", p.PNG)
	return picture{OK: true, File: f, Width: p.Width, Height: p.Height}, err
}
