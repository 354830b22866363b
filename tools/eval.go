package tools

import (
	"context"

	"github.com/goccy/go-json"

	"duet/dispatch"
	"duet/internal/fault"
)

type evalArgs struct {
	JS        string `json:"js" arg:"" maxlen:"32768" help:"An expression, or statements with return; promises are awaited."`
	TimeoutMS *int   `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

type evaluated struct {
	Result  json.RawMessage `json:"value"`
	Type    string          `json:"type,omitzero"`      // where the value does not say it
	Cut     bool            `json:"truncated,omitzero"` // there was more
	Pending bool            `json:"pending,omitzero"`   // it waits for the dialog that it opened
	Left    bool            `json:"navigated,omitzero"` // the page went before it answered
}

var _ = declare(dispatch.Spec{
	Verb:        "eval",
	Tool:        "browser_advanced_eval",
	Title:       "Evaluate",
	Summary:     "Run JavaScript in the page. Last resort.",
	Detail:      "Runs in the page's own realm, with what the page did to it. What does not parse is not run. The value comes back as JSON, bounded: nodes, functions, errors and dates as texts, what is circular or too deep marked.",
	Example:     "eval document.title",
	Destructive: true,
	Value:       true,
	Codes:       onPage.and(fault.EvalThrew),
}, runEval)

// CutAt implements dispatch.Partial.
func (e evaluated) CutAt() string {
	if !e.Cut {
		return ""
	}
	return "100,000 characters, 1,000 members of a list or object, 8 levels"
}

func runEval(ctx context.Context, c *dispatch.Act, a evalArgs) (evaluated, error) {
	r, err := c.Tab().Eval(ctx, a.JS)
	if err != nil {
		return evaluated{}, err
	}
	if r.Withheld {
		c.Note("the page has more fields with secrets than can be looked at: texts and numbers of the value are withheld")
	}
	out := evaluated{Result: r.Value, Cut: r.Cut, Pending: r.Pending, Left: r.Left}
	switch r.Type {
	case "undefined", "bigint", "function", "symbol":
		out.Type = r.Type
	}
	return out, nil
}
