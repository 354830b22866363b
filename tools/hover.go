package tools

import (
	"context"

	"duet/dispatch"
)

type hoverArgs struct {
	Selector  string `json:"selector" arg:"" maxlen:"8192" cli:"Ref such as e7, or selector."`
	TimeoutMS *int   `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

var _ = declare(dispatch.Spec{
	Verb:    "hover",
	Tool:    "browser_hover",
	Title:   "Hover",
	Summary: "Move the pointer over an element.",
	Detail:  "Waits until the element is visible and still. The pointer stays, so that what opens under it stays open.",
	Example: "hover e7",
	Codes:   withMouse,
}, runHover)

func runHover(ctx context.Context, c *dispatch.Act, a hoverArgs) (acted, error) {
	el, err := c.Tab().Element(ctx, a.Selector)
	if err != nil {
		return acted{}, err
	}
	r, err := el.Hover(ctx, nil)
	return acted{OK: true, Selector: a.Selector, Matches: severalOf(r.Matches)}, err
}
