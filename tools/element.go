package tools

import (
	"context"
	"strings"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type elementArgs struct {
	Action    string  `json:"action" arg:"" enum:"dblclick,focus,scroll,clear,check,uncheck,select" cli:"What to do with the element."`
	Selector  string  `json:"selector" arg:"" maxlen:"8192" cli:"Ref such as e7, or selector."`
	Value     *string `json:"value,omitzero" arg:"" maxlen:"8192" help:"For select: values or labels, one a line."`
	TimeoutMS *int    `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

type elementDone struct {
	OK       bool     `json:"ok"`
	Selector string   `json:"selector"`
	Matches  int      `json:"matches,omitzero"`
	Checked  string   `json:"checked,omitzero"`  // read back
	Selected []string `json:"selected,omitzero"` // labels of what is chosen now
	Already  bool     `json:"already,omitzero"`  // it was so before; nothing was done
	Click    string   `json:"click,omitzero"`    // of dblclick, as click says it
}

// elementVerb is a CLI verb for one action of the tool.
func elementVerb(name, summary string, aliases ...string) dispatch.Verb {
	return dispatch.Verb{Name: name, Aliases: aliases, Summary: summary, Preset: map[string]string{"action": name}, Drop: []string{"value"}, Args: []string{"selector"}}
}

var _ = declare(dispatch.Spec{
	Verb: "element",
	Verbs: []dispatch.Verb{
		elementVerb("dblclick", "Double-click an element.", "doubleclick"),
		elementVerb("focus", "Focus an element without clicking it."),
		elementVerb("scroll", "Scroll an element into view."),
		elementVerb("clear", "Empty a field."),
		elementVerb("check", "Check a checkbox, radio button or switch."),
		elementVerb("uncheck", "Uncheck a checkbox or switch."),
		{Name: "select", Summary: "Choose options of a select element; '' chooses none of a list that takes several.", Example: "select '#size' Large", Lines: "value", Preset: map[string]string{"action": "select"}, Args: []string{"selector", "value"}, Needs: []string{"value"}},
	},
	Tool:    "browser_element",
	Title:   "Element",
	Summary: "Other actions on an element; check, uncheck and select are read back.",
	Example: "element select '#size' Large",
	Profile: dispatch.Core,
	Codes:   withMouse.and(fault.NotEditable, fault.ExpectMismatch, fault.StateInvalid, fault.EffectUnknown),
}, runElement)

func runElement(ctx context.Context, c *dispatch.Act, a elementArgs) (elementDone, error) {
	if (a.Action == "select") != (a.Value != nil) {
		return elementDone{}, fault.New(fault.InvalidArgument, "%s goes with select, and select needs it", fault.Arg("value"))
	}
	el, err := c.Tab().Element(ctx, a.Selector)
	if err != nil {
		return elementDone{}, err
	}
	out := elementDone{OK: true, Selector: a.Selector}
	switch a.Action {
	case "dblclick":
		var r drive.Clicked
		r, err = el.Click(ctx, drive.ClickOptions{Count: 2})
		out.Click = clickOf(r)
	case "focus":
		_, err = el.Focus(ctx)
	case "scroll":
		_, err = el.Scroll(ctx)
	case "clear":
		_, err = el.Clear(ctx)
	case "check", "uncheck":
		var r drive.Checked
		r, err = el.Check(ctx, a.Action == "check")
		out.Checked, out.Already = r.State, !r.Changed
	case "select":
		var r drive.Chosen
		r, err = el.Select(ctx, drive.Choice{Any: strings.Split(strings.TrimSuffix(*a.Value, "\n"), "\n")})
		out.Already = !r.Changed
		for _, o := range r.Options {
			out.Selected = append(out.Selected, o.Label)
		}
	}
	out.Matches = severalOf(el.Matches())
	return out, err
}
