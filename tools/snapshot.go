package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/fault"
)

type snapshotArgs struct {
	Scope  string `json:"scope,omitzero" arg:"" maxlen:"8192" help:"Ref or selector: only this element's content."`
	Query  string `json:"query,omitzero" maxlen:"512" help:"Only lines with this text, or /regexp/."`
	Mode   string `json:"mode,omitzero" enum:"full,diff,interactive" default:"full" cli:"interactive: only what can be acted on; diff: what changed since your last map."`
	Depth  int    `json:"depth,omitzero" min:"0" cli:"Leave out what is nested deeper."`
	Offset int    `json:"offset,omitzero" min:"0" cli:"Leave out so many of the first lines; nothing folds."`
	Limit  int    `json:"limit,omitzero" min:"0" max:"1000" help:"Lines." cli:"How many lines."`
}

var _ = declare(dispatch.Spec{
	Verb:    "snapshot",
	Aliases: []string{"snap", "map"},
	Tool:    "browser_snapshot",
	Title:   "Snapshot",
	Summary: "The page as text lines with refs: controls, structure, status texts.",
	Detail:  "A ref such as e7 names one element for its whole life and serves as a selector. A cut is always stated, with the way to see the rest.",
	Example: "snapshot --query Orders",
	Profile: dispatch.Core,
	Codes:   onElement,
}, runSnapshot)

func runSnapshot(ctx context.Context, c *dispatch.Read, a snapshotArgs) (dispatch.PageMap, error) {
	if a.Mode == "diff" && (a.Offset > 0 || a.Limit > 0) {
		diff := fault.With("browser_snapshot", "mode", "diff")
		return "", fault.New(fault.InvalidArgument, "%s takes no %s and no %s: it tells of all that changed", diff, fault.Arg("offset"), fault.Arg("limit")).
			WithHint("%s takes %s; %s go with the modes full and interactive", diff, fault.Args("scope", "query", "depth"), fault.Args("offset", "limit"))
	}
	return c.Map(ctx, dispatch.Look{
		Scope: a.Scope, Query: a.Query, Depth: a.Depth, Offset: a.Offset, Limit: a.Limit,
		Diff: a.Mode == "diff", Interactive: a.Mode == "interactive",
	})
}
