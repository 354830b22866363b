package tools

import (
	"context"

	"duet/dispatch"
)

type existsArgs struct {
	Selector string `json:"selector" arg:"" maxlen:"8192" cli:"Ref such as e7, or selector."`
}

type existence struct {
	Exists bool `json:"exists"`
	Count  int  `json:"count"`
}

var _ = declare(dispatch.Spec{
	Verb:    "exists",
	Tool:    "browser_exists",
	Title:   "Exists",
	Summary: "Whether a selector matches now, and how many elements; waits for nothing.",
	Detail:  "On the command line a no is exit status 1.",
	Example: "exists '#done'",
	Codes:   onRef,
}, runExists, dispatch.FailWhen(func(r existence) bool { return !r.Exists }))

func runExists(ctx context.Context, c *dispatch.Read, a existsArgs) (existence, error) {
	n, err := c.Count(ctx, a.Selector)
	return existence{n > 0, n}, err
}
