package tools

import (
	"context"
	"duet/internal/fault"

	"duet/dispatch"
	"duet/internal/drive"
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
	Codes:   onFocus.and(fault.NotEditable),
}, runKey)

func runKey(ctx context.Context, c *dispatch.Act, a keyArgs) (pressed, error) {
	check := drive.CheckOneKey
	if a.Action == "press" {
		check = drive.CheckKey
	}
	return keyAt(ctx, c, a.Selector, a.Key, check, func() (drive.Typed, error) {
		if a.Action == "press" {
			return c.Tab().Press(ctx, a.Key)
		}
		return c.Tab().Key(ctx, a.Key, a.Action == "down")
	})
}
