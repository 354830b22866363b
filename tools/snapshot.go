package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/fault"
)

type snapshotArgs struct {
	Scope  string `json:"scope,omitzero" arg:"" maxlen:"8192" help:"Ref or selector: only this element's content."`
	Query  string `json:"query,omitzero" maxlen:"512" help:"Only lines with this text, or /regexp/."`
	Mode   string `json:"mode,omitzero" enum:"full,diff,interactive" default:"full"`
	Depth  int    `json:"depth,omitzero" min:"0"`
	Offset int    `json:"offset,omitzero" min:"0"`
	Limit  int    `json:"limit,omitzero" min:"0" max:"1000" help:"Lines."`
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
}, runSnapshot)

func runSnapshot(ctx context.Context, c *dispatch.Read, a snapshotArgs) (dispatch.PageMap, error) {
	if a.Mode == "diff" && (a.Offset > 0 || a.Limit > 0) {
		return "", fault.New(fault.InvalidArgument, "mode=diff takes no offset and no limit: it tells of all that changed").
			WithHint("mode=diff takes scope, query and depth; offset and limit go with mode=full and mode=interactive")
	}
	return c.Map(ctx, dispatch.Look{
		Scope: a.Scope, Query: a.Query, Depth: a.Depth, Offset: a.Offset, Limit: a.Limit,
		Diff: a.Mode == "diff", Interactive: a.Mode == "interactive",
	})
}
