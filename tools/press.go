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
	Codes:   onFocus.and(fault.NotEditable),
}, runPress)

func runPress(ctx context.Context, c *dispatch.Act, a pressArgs) (pressed, error) {
	return keyAt(ctx, c, a.Selector, a.Key, drive.CheckKey, func() (drive.Typed, error) {
		return c.Tab().Press(ctx, a.Key)
	})
}

// keyAt does something with a key, after the focus has been put where a selector
// says; check refuses a key before it moves.
func keyAt(ctx context.Context, c *dispatch.Act, selector, key string, check func(string) error, do func() (drive.Typed, error)) (pressed, error) {
	if err := check(key); err != nil {
		return pressed{}, err
	}
	var el *drive.Element
	if selector != "" {
		var err error
		el, err = c.Tab().Element(ctx, selector)
		if err != nil {
			return pressed{}, err
		}
		if _, err := el.Focus(ctx); err != nil {
			return pressed{}, err
		}
	}
	r, err := do()
	switch {
	case el == nil:
	case err != nil:
		err = fault.From(err).After() // the focus has moved
	default:
		err = el.Keyed(r)
	}
	return pressed{true, key, selector}, err
}
