package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type navigateArgs struct {
	URL       string `json:"url,omitzero" arg:"" maxlen:"32768" cli:"Where to go; http:// or https:// may be left out."`
	Action    string `json:"action,omitzero" enum:"back,forward,reload" help:"Instead of url." cli:"Instead of an address."`
	Leave     bool   `json:"leave,omitzero" help:"Even if the page asks to stay."`
	TimeoutMS *int   `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

type navigated struct {
	OK      bool   `json:"ok"`
	URL     string `json:"url"`
	Status  int    `json:"status,omitzero"`  // HTTP, of the document
	Outcome string `json:"outcome,omitzero"` // where no new document is shown: same-document, no content, download, dialog
	Ready   string `json:"ready,omitzero"`   // where the document still loads: loading, interactive
}

var _ = declare(dispatch.Spec{
	Verb:    "navigate",
	Aliases: []string{"open", "goto", "go"},
	Verbs: []dispatch.Verb{
		{Name: "back", Summary: "Go back in the tab's history.", Preset: map[string]string{"action": "back"}, Drop: []string{"url"}},
		{Name: "forward", Summary: "Go forward in the tab's history.", Preset: map[string]string{"action": "forward"}, Drop: []string{"url"}},
		{Name: "reload", Summary: "Load the page again.", Preset: map[string]string{"action": "reload"}, Drop: []string{"url"}},
	},
	Tool:    "browser_navigate",
	Title:   "Navigate",
	Summary: "Go to a URL, or back, forward, reload; waits for the load.",
	Detail:  "A download, an answer without content and a change of the fragment alone are outcomes, not errors. A page that asks before it is left keeps its dialog open, unless leave is given.",
	Example: "navigate https://example.com",
	Profile: dispatch.Core,
	Fresh:   true,
	Away:    []string{dispatch.AnyAction},
	Codes:   onPage.and(fault.InvalidArgument, fault.NavigationFailed, fault.StateInvalid, fault.URLBlocked),
}, runNavigate)

func runNavigate(ctx context.Context, c *dispatch.Act, a navigateArgs) (navigated, error) {
	if (a.URL == "") == (a.Action == "") {
		return navigated{}, fault.New(fault.InvalidArgument, "give %s or %s, one of them", fault.Arg("url"), fault.Arg("action")).
			WithHint("such as %s", fault.Call("browser_navigate", "url", "https://example.com"))
	}
	var r drive.NavResult
	var err error
	o := drive.NavOptions{Leave: a.Leave}
	switch a.Action {
	case "back":
		r, err = c.Tab().Back(ctx, o)
	case "forward":
		r, err = c.Tab().Forward(ctx, o)
	case "reload":
		r, err = c.Tab().Reload(ctx, o)
	default:
		r, err = c.Tab().Navigate(ctx, a.URL, o)
	}
	if err != nil {
		return navigated{}, err
	}
	out := navigated{OK: true, URL: dispatch.Address(r.URL), Status: r.Status}
	if r.Outcome != drive.Loaded {
		out.Outcome = r.Outcome
	}
	if r.Ready != "complete" {
		out.Ready = r.Ready
	}
	return out, nil
}
