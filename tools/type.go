package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/fault"
)

type typeArgs struct {
	Text      string `json:"text" arg:"" maxlen:"65536" cli:"Typed key by key; - reads standard input."`
	Secret    bool   `json:"secret,omitzero" help:"Never print the text."`
	TimeoutMS *int   `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

type typed struct {
	OK   bool   `json:"ok"`
	Into string `json:"into"` // what had the focus
}

var _ = declare(dispatch.Spec{
	Verb:    "type",
	Tool:    "browser_type",
	Title:   "Type",
	Summary: "Type text key by key into whatever has the focus.",
	Detail:  "A line break is Enter, a tab is Tab. To replace a field's value use fill.",
	Example: "type 'hello'",
	Codes:   onPage.and(fault.PartialEffect),
}, runType)

func runType(ctx context.Context, c *dispatch.Act, a typeArgs) (typed, error) {
	into := c.Tab().Type
	if a.Secret {
		into = c.Tab().TypeSecret
	}
	r, err := into(ctx, a.Text)
	if r.Into == "" {
		r.Into = "the page: nothing has the focus"
	}
	return typed{OK: true, Into: r.Into}, err
}
