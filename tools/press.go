package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type pressArgs struct {
	Key       string `json:"key" arg:"" maxlen:"64" help:"Enter, a, Control+A, ControlOrMeta+C."`
	Selector  string `json:"selector,omitzero" maxlen:"8192" help:"Focus this first."`
	TimeoutMS *int   `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

type pressed struct {
	OK       bool   `json:"ok"`
	Key      string `json:"key"`
	Selector string `json:"selector,omitzero"`
}

var _ = declare(dispatch.Spec{
	Verb:    "press",
	Tool:    "browser_press",
	Title:   "Press",
	Summary: "Press a key, with modifiers held around it.",
	Example: "press Enter",
	Profile: dispatch.Core,
}, runPress)

func runPress(ctx context.Context, c *dispatch.Act, a pressArgs) (pressed, error) {
	if err := drive.CheckKey(a.Key); err != nil {
		return pressed{}, err // before the focus moves
	}
	if a.Selector != "" {
		el, err := c.Tab().Element(ctx, a.Selector)
		if err != nil {
			return pressed{}, err
		}
		if _, err := el.Focus(ctx); err != nil {
			return pressed{}, err
		}
	}
	_, err := c.Tab().Press(ctx, a.Key)
	if err != nil && a.Selector != "" {
		err = fault.From(err).After() // the focus has moved
	}
	return pressed{true, a.Key, a.Selector}, err
}
