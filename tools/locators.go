package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/drive"
)

type locatorsArgs struct {
	Selector string `json:"selector" arg:"" maxlen:"8192" cli:"Ref such as e7, or selector."`
	As       string `json:"as,omitzero" enum:"playwright,selenium,webdriverio" help:"Also as code."`
	Limit    int    `json:"limit,omitzero" min:"1" max:"20" default:"5" cli:"How many are told."`
}

// durable is one selector, as the live page judged it.
type durable struct {
	Selector string `json:"selector"`
	Kind     string `json:"kind"`
	Status   string `json:"status"` // unique, ambiguous, missing
	Matches  int    `json:"matches,omitzero"`
	Volatile bool   `json:"volatile,omitzero"` // its text holds a number or a currency
	Code     string `json:"code,omitzero"`
}

type locators struct {
	Target string    `json:"target"`
	Best   string    `json:"best"` // "" where none finds the element alone
	All    []durable `json:"candidates"`
	Note   string    `json:"note,omitzero"`
}

var _ = declare(dispatch.Spec{
	Verb:    "locators",
	Tool:    "browser_locators",
	Title:   "Locators",
	Summary: "Selectors of an element that last, for tests, each tried on the page; never a ref.",
	Detail:  "By role and name, label, test id, placeholder, text, id and name attribute; those that go by a text with numbers come last. unique ones find this element and no other, in all frames and open shadow roots; inside frames they lead through them by >>.",
	Example: "locators e7 --as playwright",
	Codes:   onElement,
}, runLocators)

func runLocators(ctx context.Context, c *dispatch.Read, a locatorsArgs) (locators, error) {
	l, err := c.Tab().Locators(ctx, a.Selector, drive.LocatorOptions{Limit: a.Limit, As: a.As})
	if err != nil {
		return locators{}, err
	}
	note := ""
	if l.Best == nil && !l.Closed && (a.As == "selenium" || a.As == "webdriverio") {
		// Its code takes CSS and XPath alone; the element may well have a role or a label.
		if l, err = c.Tab().Locators(ctx, a.Selector, drive.LocatorOptions{Limit: a.Limit}); err != nil {
			return locators{}, err
		}
		if l.Best != nil {
			note = "no code: " + a.As + " takes CSS and XPath, and none that lasts finds this element alone; give it a data-testid"
		}
	}
	out := locators{Target: l.Line, All: []durable{}}
	for _, k := range l.Candidates {
		d := durable{Selector: k.Selector, Kind: k.Kind, Status: k.Status, Volatile: k.Volatile, Code: k.Code}
		if k.Status == drive.Ambiguous {
			d.Matches = k.Matches
		}
		out.All = append(out.All, d)
	}
	switch {
	case l.Best == nil:
		out.Note = "no selector finds this element alone: give it a data-testid"
	default:
		out.Best = l.Best.Selector
		if l.Best.Volatile {
			out.Note = "the text that it goes by holds a number: a data-testid lasts longer"
		}
	}
	if note != "" {
		out.Note = note
	}
	if l.Closed && a.As != "" {
		out.Note = "no code: the element stands in a closed shadow root, which " + a.As + " does not enter in every browser"
	}
	return out, nil
}
