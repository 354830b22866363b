package tools

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"duet/dispatch"
	"duet/internal/fault"
)

type findArgs struct {
	Selector string `json:"selector" arg:"" maxlen:"8192" cli:"Ref such as e7, or selector."`
	All      bool   `json:"all,omitzero" help:"Every match, not the first alone."`
	Limit    int    `json:"limit,omitzero" min:"1" max:"500" default:"20" cli:"How many are listed, with --all."`
	Offset   int    `json:"offset,omitzero" min:"0" cli:"Leave out so many of the first."`
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

	first bool // only the first was asked for
}

var _ = declare(dispatch.Spec{
	Verb:    "find",
	Tool:    "browser_find",
	Title:   "Find",
	Summary: "Elements that a selector matches now, with refs, text and visibility.",
	Example: "find 'role=row' --all",
	Codes:   onRef,
}, runFind)

func runFind(ctx context.Context, c *dispatch.Read, a findArgs) (found, error) {
	look := c.Tab().Find
	if !a.All {
		a.Limit = 1
		look = c.Tab().FindSeen // the first is the one that an action would take
	}
	f, err := look(ctx, a.Selector, a.Offset+a.Limit)
	if err != nil {
		return found{}, err
	}
	c.Unasked(f)
	out := found{Total: f.Total, Visible: f.Visible, Offset: a.Offset, Elements: []foundElement{}}
	for _, m := range f.Matches[min(a.Offset, len(f.Matches)):] {
		e := foundElement{Ref: c.Ref(m), Line: m.Line, Tag: m.Tag, Visible: m.Visible, Where: m.Where}
		if !strings.Contains(m.Line, m.Text) {
			e.Text = m.Text
		}
		out.Elements = append(out.Elements, e)
	}
	out.More, out.first = max(0, f.Total-a.Offset-len(out.Elements)), !a.All
	return out, nil
}

// Text implements dispatch.Texter: a line for each element.
func (f found) Text() string {
	lines := []string{fmt.Sprintf("total: %d, visible: %d", f.Total, f.Visible)}
	for _, e := range f.Elements {
		line := e.Ref + ": " + e.Line
		if e.Text != "" {
			line += " text=" + strconv.Quote(e.Text)
		}
		if !e.Visible {
			line += " (not visible)"
		}
		if e.Where != "" {
			line += " in " + strconv.Quote(e.Where)
		}
		lines = append(lines, line)
	}
	switch {
	case f.More > 0 && f.first:
		lines = append(lines, fmt.Sprintf("(%d more: %s)", f.More, fault.More("browser_find", "all", "true")))
	case f.More > 0:
		lines = append(lines, fmt.Sprintf("(%d more: %s)", f.More, fault.More("browser_find", "offset", strconv.Itoa(f.Offset+len(f.Elements)))))
	}
	return strings.Join(lines, "\n")
}
