package tools

import (
	"context"

	"duet/dispatch"
)

type findArgs struct {
	Selector string `json:"selector" arg:"" maxlen:"8192"`
	All      bool   `json:"all,omitzero" help:"Every match, not the first alone."`
	Limit    int    `json:"limit,omitzero" min:"1" max:"500" default:"20"`
	Offset   int    `json:"offset,omitzero" min:"0" max:"100000"`
}

type foundElement struct {
	Ref     string `json:"ref"`
	Line    string `json:"line"` // as the map would say it
	Tag     string `json:"tag,omitzero"`
	Text    string `json:"text,omitzero"` // where the line does not say it
	Visible bool   `json:"visible"`
	Where   string `json:"where,omitzero"`
}

type found struct {
	Total    int            `json:"total"`
	Visible  int            `json:"visible"`
	Elements []foundElement `json:"elements"`
	Offset   int            `json:"offset,omitzero"`
	More     int            `json:"more,omitzero"` // matches after these
}

var _ = declare(dispatch.Spec{
	Verb:    "find",
	Tool:    "browser_find",
	Title:   "Find",
	Summary: "Elements that a selector matches now, with refs, text and visibility.",
	Example: "find 'role=row' --all",
}, runFind)

func runFind(ctx context.Context, c *dispatch.Read, a findArgs) (found, error) {
	if !a.All {
		a.Limit = 1
	}
	f, err := c.Tab().Find(ctx, a.Selector, a.Offset+a.Limit)
	if err != nil {
		return found{}, err
	}
	out := found{Total: f.Total, Visible: f.Visible, Offset: a.Offset, Elements: []foundElement{}}
	for _, m := range f.Matches[min(a.Offset, len(f.Matches)):] {
		e := foundElement{Ref: c.Ref(m), Line: m.Line, Tag: m.Tag, Visible: m.Visible, Where: m.Where}
		if m.Text != m.Name {
			e.Text = m.Text
		}
		out.Elements = append(out.Elements, e)
	}
	if a.All {
		out.More = max(0, f.Total-a.Offset-len(out.Elements))
	}
	return out, nil
}
