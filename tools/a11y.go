package tools

import (
	"context"

	"duet/dispatch"
)

type a11yArgs struct {
	Selector     string `json:"selector,omitzero" arg:"" maxlen:"8192"`
	MinImpact    string `json:"min_impact,omitzero" enum:"minor,moderate,serious,critical" default:"minor"`
	Check        bool   `json:"check,omitzero" help:"Also a verdict."`
	Rules        string `json:"rules,omitzero" maxlen:"1024" help:"Comma list."`
	DisableRules string `json:"disable_rules,omitzero" maxlen:"1024"`
	Limit        int    `json:"limit,omitzero" min:"1" max:"100" default:"20"`
	Nodes        int    `json:"nodes,omitzero" min:"1" max:"10" default:"3" help:"A violation."`
}

type audit struct{}

var _ = declare(dispatch.Spec{
	Verb:    "a11y",
	Tool:    "browser_a11y",
	Title:   "Accessibility",
	Summary: "Not available yet. Audit accessibility; findings carry refs.",
	Detail:  "Every call answers UNSUPPORTED.",
	Example: "a11y --min-impact serious",
	Idle:    true,
}, func(context.Context, *dispatch.Read, a11yArgs) (audit, error) {
	return audit{}, notYet("accessibility audits")
})
