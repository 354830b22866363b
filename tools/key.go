package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/fault"
)

type keyArgs struct {
	Action    string `json:"action" arg:"" enum:"press,down,up"`
	Key       string `json:"key" arg:"" maxlen:"64" cli:"Enter, a, Shift, Control+A."`
	Selector  string `json:"selector,omitzero" maxlen:"8192" help:"Focus this first."`
	TimeoutMS *int   `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

var _ = declare(dispatch.Spec{
	Verb:    "key",
	Tool:    "browser_key",
	Title:   "Key",
	Summary: "Press a key, or hold it down and release it by two calls.",
	Example: "key down Shift",
}, runKey)

func runKey(ctx context.Context, c *dispatch.Act, a keyArgs) (pressed, error) {
	if a.Selector != "" {
		el, err := c.Tab().Element(ctx, a.Selector)
		if err != nil {
			return pressed{}, err
		}
		if _, err := el.Focus(ctx); err != nil {
			return pressed{}, err
		}
	}
	var err error
	if a.Action == "press" {
		_, err = c.Tab().Press(ctx, a.Key)
	} else {
		_, err = c.Tab().Key(ctx, a.Key, a.Action == "down")
	}
	if err != nil && a.Selector != "" {
		err = fault.From(err).After() // the focus has moved
	}
	return pressed{true, a.Key, a.Selector}, err
}
