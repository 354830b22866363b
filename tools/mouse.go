package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type mouseArgs struct {
	Action    string   `json:"action" arg:"" enum:"move,click,down,up,wheel"`
	Selector  string   `json:"selector,omitzero" maxlen:"8192" cli:"Ref such as e7, or selector."`
	X         *float64 `json:"x,omitzero" help:"In the viewport, or inside the element."`
	Y         *float64 `json:"y,omitzero" cli:"The same, from the top."`
	Button    string   `json:"button,omitzero" enum:"left,middle,right" default:"left"`
	DeltaX    int      `json:"delta_x,omitzero" cli:"For wheel: pixels to the right."`
	DeltaY    int      `json:"delta_y,omitzero" cli:"For wheel: pixels down; negative is up."`
	TimeoutMS *int     `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

var _ = declare(dispatch.Spec{
	Verb:    "mouse",
	Tool:    "browser_mouse",
	Title:   "Mouse",
	Summary: "Mouse actions by coordinates or element, for canvas and drag.",
	Detail:  "By coordinates nothing checks what is under the pointer. down on one element and up on another drags it there, such as mouse down --selector e7 and then mouse up --selector e9; the answer says where the page took a drop, which is synthetic where the browser has none. A pointer is not dragged out of a frame of another site, or into one; what the page drags by HTML drag and drop is.",
	Example: "mouse click --x 40 --y 60",
	Codes:   withMouse.and(fault.EffectUnknown, fault.StateInvalid, fault.Unsupported),
}, runMouse)

// maxWheel is more than any page scrolls at once, and less than browsers refuse.
const maxWheel = 1_000_000

func runMouse(ctx context.Context, c *dispatch.Act, a mouseArgs) (acted, error) {
	if a.Action == "wheel" && a.DeltaX == 0 && a.DeltaY == 0 {
		where := ""
		if a.Selector == "" && (a.X == nil || a.Y == nil) {
			where = ", and where: " + fault.Arg("selector") + ", or " + fault.Arg("x") + " and " + fault.Arg("y")
		}
		return acted{}, fault.New(fault.InvalidArgument, "wheel needs %s or %s%s", fault.Arg("delta_x"), fault.Arg("delta_y"), where)
	}
	if max(a.DeltaX, -a.DeltaX, a.DeltaY, -a.DeltaY) > maxWheel {
		return acted{}, fault.New(fault.InvalidArgument, "a wheel turns at most %d pixels at once", maxWheel)
	}
	if a.Selector == "" {
		f, err := c.Tab().Mouse(ctx, drive.MouseAction{Do: a.Action, X: a.X, Y: a.Y, Button: a.Button, DeltaX: a.DeltaX, DeltaY: a.DeltaY})
		return acted{OK: true, Scrolled: scrolledOf(f)}, err
	}
	at, err := point(a.X, a.Y)
	if err != nil {
		return acted{}, err
	}
	el, err := c.Tab().Element(ctx, a.Selector)
	if err != nil {
		return acted{}, err
	}
	var let drive.Released
	var turned drive.Clicked
	switch a.Action {
	case "click":
		_, err = el.Click(ctx, drive.ClickOptions{Button: a.Button, At: at})
	case "wheel":
		turned, err = el.Wheel(ctx, a.DeltaX, a.DeltaY)
	case "down":
		_, err = el.MouseDown(ctx, a.Button, at)
	case "up":
		let, err = el.MouseUp(ctx, a.Button, at)
	default:
		_, err = el.MouseMove(ctx, at)
	}
	out := acted{OK: true, Selector: a.Selector, Matches: severalOf(el.Matches()), Scrolled: scrolledOf(turned.Facts)}
	switch {
	case let.Synthetic:
		out.Drop = "synthetic"
	case let.Dropped:
		out.Drop = "taken"
	}
	return out, err
}

// scrolledOf is false where the wheel was turned and no scrolling was seen, else nil.
func scrolledOf(f drive.Facts) *bool {
	if !f.Unmoved {
		return nil
	}
	return new(bool)
}
