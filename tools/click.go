package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type clickArgs struct {
	Selector  string   `json:"selector" arg:"" maxlen:"8192" help:"Ref such as e7, or selector."`
	Double    bool     `json:"double,omitzero" cli:"Click twice."`
	Button    string   `json:"button,omitzero" enum:"left,middle,right" default:"left"`
	Modifiers []string `json:"modifiers,omitzero" enum:"Shift,Control,Alt,Meta,ControlOrMeta" max:"4" cli:"Keys held meanwhile: repeat it, or write commas."`
	X         *float64 `json:"x,omitzero" min:"0" help:"Point inside the element, from its top left corner."`
	Y         *float64 `json:"y,omitzero" min:"0" cli:"The same, from its top."`
	TimeoutMS *int     `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

// acted is the result of an action on one element.
type acted struct {
	OK       bool   `json:"ok"`
	Selector string `json:"selector,omitzero"`
	Matches  int    `json:"matches,omitzero"`  // where the selector matched several visible elements and the first was taken
	Replaced bool   `json:"replaced,omitzero"` // the page drew the element anew under the pointer
	Click    string `json:"click,omitzero"`    // none: the press arrived, and the page kept the browser from making a click of it
	Scrolled *bool  `json:"scrolled,omitzero"` // false: the wheel was turned, and no scrolling was seen
	Drop     string `json:"drop,omitzero"`     // of a drag of the page's own kind: taken, or synthetic where it was by script
}

// severalOf is how many elements matched, where that is more than one.
func severalOf(matches int) int {
	if matches > 1 {
		return matches
	}
	return 0
}

var _ = declare(dispatch.Spec{
	Verb:    "click",
	Tool:    "browser_click",
	Title:   "Click",
	Summary: "Click an element, once it is visible, enabled, still and not covered.",
	Detail:  "A selector that matches nothing fails at once. The answer is ok only where the press was seen to arrive.",
	Example: "click e7",
	Profile: dispatch.Core,
	Codes:   withMouse.and(fault.StateInvalid, fault.EffectUnknown),
}, runClick)

func runClick(ctx context.Context, c *dispatch.Act, a clickArgs) (acted, error) {
	o := drive.ClickOptions{Button: a.Button, Modifiers: a.Modifiers}
	if a.Double {
		o.Count = 2
	}
	at, err := point(a.X, a.Y)
	if err != nil {
		return acted{}, err
	}
	o.At = at
	el, err := c.Tab().Element(ctx, a.Selector)
	if err != nil {
		return acted{}, err
	}
	r, err := el.Click(ctx, o)
	return acted{OK: true, Selector: a.Selector, Matches: severalOf(r.Matches), Replaced: r.Replaced, Click: clickOf(r)}, err
}

// clickOf says what the browser made of a press, where that was no click.
func clickOf(r drive.Clicked) string {
	if r.NoClick {
		return "none"
	}
	return ""
}

// point is a point inside an element, given whole or not at all.
func point(x, y *float64) (*drive.Point, error) {
	switch {
	case x == nil && y == nil:
		return nil, nil
	case x == nil || y == nil:
		return nil, fault.New(fault.InvalidArgument, "give %s and %s together", fault.Arg("x"), fault.Arg("y"))
	}
	return &drive.Point{X: *x, Y: *y}, nil
}
