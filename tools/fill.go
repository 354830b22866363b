package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type fillArgs struct {
	Selector  string `json:"selector" arg:"" maxlen:"8192" cli:"Ref such as e7, or selector."`
	Value     string `json:"value" arg:"" maxlen:"524288" help:"Replaces what is there; may be empty."`
	Submit    bool   `json:"submit,omitzero" help:"Press Enter afterwards."`
	Secret    bool   `json:"secret,omitzero" help:"Never print the value."`
	TimeoutMS *int   `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

// Submits says that the step after it may find another page.
func (a *fillArgs) Submits() bool { return a.Submit }

// Fills implements dispatch.Filler.
func (a *fillArgs) Fills() (target, value string, secret bool) {
	return a.Selector, a.Value, a.Secret
}

type filled struct {
	OK        bool   `json:"ok"`
	Selector  string `json:"selector"`
	Matches   int    `json:"matches,omitzero"`
	Value     string `json:"value,omitzero"`     // where the page keeps the text in a form of its own
	Synthetic bool   `json:"synthetic,omitzero"` // set by script, since the field takes no edit
}

var _ = declare(dispatch.Spec{
	Verb:       "fill",
	Tool:       "browser_fill",
	Title:      "Fill",
	Summary:    "Set a field's whole value, and read it back.",
	Detail:     "For text fields, text areas, editable content and fields for dates, times, colours and numbers. What did not take is EXPECT_MISMATCH.",
	Example:    "fill e4 alice --submit",
	Profile:    dispatch.Core,
	EntersText: true,
	Codes:      onFocus.and(fault.NotEditable, fault.ExpectMismatch, fault.EffectUnknown),
}, runFill)

func runFill(ctx context.Context, c *dispatch.Act, a fillArgs) (filled, error) {
	el, err := c.Tab().Element(ctx, a.Selector)
	if err != nil {
		return filled{}, err
	}
	r, err := el.Fill(ctx, a.Value, drive.FillOptions{Submit: a.Submit, Secret: a.Secret, Skip: c.Fenced()})
	out := filled{OK: true, Selector: a.Selector, Matches: severalOf(r.Matches), Synthetic: r.Synthetic}
	if r.Changed {
		out.Value = r.Value
	}
	return out, err
}
