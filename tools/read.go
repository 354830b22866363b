package tools

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type readArgs struct {
	Selector  string `json:"selector,omitzero" arg:"" maxlen:"8192" help:"Default: body." cli:"Ref such as e7, or selector. Default: body."`
	Field     string `json:"field,omitzero" enum:"text,attr,value,visible,enabled,checked,exists" default:"text" cli:"What is read."`
	Name      string `json:"name,omitzero" maxlen:"256" help:"Attribute." cli:"Name of the attribute."`
	Artifact  string `json:"artifact,omitzero" maxlen:"4096" help:"Instead: a file from an earlier answer." cli:"Read this file of an earlier answer instead."`
	Offset    int    `json:"offset,omitzero" min:"0" help:"Artifact line." cli:"Of an artifact: leave out so many of the first lines."`
	Limit     int    `json:"limit,omitzero" min:"1" max:"10000" default:"200" help:"Lines." cli:"Of an artifact: how many lines."`
	TimeoutMS *int   `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

// readCharacters is how much drive reads of a text where no limit is given.
const readCharacters = 100_000

// reading is what was read. Text says the same: a text of several lines as lines
// that begin with "text:".
type reading struct {
	Selector string `json:"selector,omitzero"`
	Field    string `json:"field,omitzero"`
	Value    any    `json:"value"` // a text, true or false, "mixed", or null for an attribute that is not there
	Secret   bool   `json:"secret,omitzero"`
	Filled   bool   `json:"filled,omitzero"` // the secret field holds something
	Matches  int    `json:"matches,omitzero"`
	Cut      int    `json:"characters,omitzero"` // that there are, where not all were read
}

var _ = declare(dispatch.Spec{
	Verb: "read",
	Verbs: []dispatch.Verb{
		{Name: "text", Summary: "Print an element's visible text.", Preset: map[string]string{"field": "text"}, Drop: []string{"name", "artifact", "offset", "limit"}, Raw: "value"},
		{Name: "attr", Aliases: []string{"attribute"}, Summary: "Print an attribute.", Preset: map[string]string{"field": "attr"}, Drop: []string{"artifact", "offset", "limit"}, Args: []string{"selector", "name"}, Needs: []string{"selector", "name"}, Example: "attr e7 href", Raw: "value"},
		{Name: "value", Summary: "Print the value of a field.", Preset: map[string]string{"field": "value"}, Drop: []string{"name", "artifact", "offset", "limit"}, Needs: []string{"selector"}, Example: "value e4", Raw: "value"},
		{Name: "is", Summary: "Print whether an element is visible, enabled, checked or there; a no is exit status 1.", Drop: []string{"name", "artifact", "offset", "limit"}, Args: []string{"field", "selector"},
			Needs: []string{"field", "selector"}, Only: map[string][]string{"field": {"visible", "enabled", "checked", "exists"}}, Example: "is visible e7", Raw: "value"},
	},
	Tool:    "browser_read",
	Title:   "Read",
	Summary: "Read an element's text, attribute, value or state, or a slice of an artifact.",
	Detail:  "Values of secret fields are never read. Reading waits for nothing. An attribute that is not there is null. That, and a state that is false or mixed, is exit status 1 on the command line.",
	Example: "read '#total'",
	Profile: dispatch.Core,
	Value:   true,
	Codes:   onElement.and(fault.StateInvalid),
}, runRead, dispatch.FailWhen(func(r dispatch.Texter) bool { return lacking(r) }))

// lacking reports whether the answer is a no: an attribute that is not there (an empty
// one is), or a state that is not so.
func lacking(answer dispatch.Texter) bool {
	r, ok := answer.(reading)
	switch {
	case !ok || r.Secret:
		return false
	case r.Field == "attr":
		return r.Value == nil
	case r.Field == "text", r.Field == "value":
		return false
	}
	return r.Value != true
}

func runRead(ctx context.Context, c *dispatch.Read, a readArgs) (dispatch.Texter, error) {
	if a.Artifact != "" {
		if a.Selector != "" || a.Name != "" {
			return nil, fault.New(fault.InvalidArgument, "give %s or %s, not both", fault.Arg("selector"), fault.Arg("artifact"))
		}
		return readArtifact(c, a)
	}
	if (a.Field == "attr") != (a.Name != "") {
		return nil, fault.New(fault.InvalidArgument, "%s goes with %s, which needs it", fault.Arg("name"), fault.With("browser_read", "field", "attr"))
	}
	if a.Offset > 0 || a.Limit != sliceLines {
		return nil, fault.New(fault.InvalidArgument, "%s and %s go with %s", fault.Arg("offset"), fault.Arg("limit"), fault.Arg("artifact"))
	}
	if a.Selector == "" && a.Field == "text" {
		a.Selector = "body"
	}
	if a.Selector == "" {
		return nil, fault.New(fault.InvalidArgument, "%s is missing", fault.Arg("selector"))
	}
	return readElement(ctx, c, a)
}

func readElement(ctx context.Context, c *dispatch.Read, a readArgs) (dispatch.Texter, error) {
	out := reading{Selector: a.Selector, Field: a.Field}
	if a.Field == "exists" {
		n, err := c.Count(ctx, a.Selector)
		out.Value = n > 0
		return out, err
	}
	el, err := c.Tab().Element(ctx, a.Selector)
	if err != nil {
		return nil, err
	}
	out.Matches = severalOf(el.Matches())
	var t drive.ReadText
	switch a.Field {
	case "text":
		t, err = el.Text(ctx)
	case "attr":
		t, err = el.Attr(ctx, a.Name)
		t.Text = dispatch.MaskNamed(t.Text) // of an address, as the map does
	case "value":
		t, err = el.Value(ctx)
	default:
		s, err := el.State(ctx)
		if err != nil {
			return nil, err
		}
		out.Value, err = stateOf(s, a)
		return out, err
	}
	if err != nil {
		return nil, err
	}
	if a.Field == "value" && !t.Present {
		return nil, fault.New(fault.StateInvalid, "%s has no value", a.Selector).WithHint("read its text: %s", fault.Call("browser_read", "selector", a.Selector, "field", "text"))
	}
	out.Secret, out.Filled = t.Secret, t.Filled
	if t.Present || a.Field == "text" {
		out.Value = t.Text
	}
	if t.Total > readCharacters && !t.Secret {
		out.Cut = t.Total
	}
	return out, nil
}

// stateOf is one state of an element as a value.
func stateOf(s drive.State, a readArgs) (any, error) {
	switch a.Field {
	case "visible":
		return s.Visible, nil
	case "enabled":
		return s.Enabled, nil
	}
	switch s.Checked {
	case "true", "false":
		return s.Checked == "true", nil
	case "":
		return nil, uncheckable(s, a.Selector)
	}
	return s.Checked, nil
}

// uncheckable says why an element has no checked state to tell.
func uncheckable(s drive.State, selector string) error {
	if s.Secret {
		return fault.New(fault.StateInvalid, "%s: which option of a secret field is chosen is not told", selector)
	}
	return fault.New(fault.StateInvalid, "%s is nothing that can be checked", selector)
}

// CutAt implements dispatch.Partial.
func (r reading) CutAt() string {
	if r.Cut == 0 {
		return ""
	}
	return fmt.Sprintf("100,000 of %d characters", r.Cut)
}

// Text implements dispatch.Texter.
func (r reading) Text() string {
	head := []string{}
	if r.Secret {
		head = append(head, fmt.Sprintf("secret: the value is not shown (filled: %t)", r.Filled))
	}
	if r.Matches > 0 {
		head = append(head, fmt.Sprintf("matches: %d, this is the first", r.Matches))
	}
	if r.Cut > 0 {
		head = append(head, fmt.Sprintf("characters: %d, these are the first", r.Cut))
	}
	switch v := r.Value.(type) {
	case string:
		if !r.Secret {
			head = append(head, textLines(v))
		}
	case nil:
		head = append(head, "null")
	default:
		head = append(head, fmt.Sprint(v))
	}
	return strings.Join(head, "\n")
}

// textLines is a text of the page as lines that cannot be taken for ours.
func textLines(s string) string {
	lines := strings.Split(strings.ReplaceAll(s, "\r", ""), "\n")
	for i, line := range lines {
		if line != "" || len(lines) == 1 {
			lines[i] = "text: " + line
		}
	}
	return strings.Join(lines, "\n")
}

// slice is a part of an artifact.
type slice struct {
	Artifact string `json:"artifact"`
	Offset   int    `json:"offset"`
	Lines    int    `json:"lines"`
	Total    int    `json:"total"`
	Content  string `json:"text"`
}

// sliceLines is the default of limit.
const sliceLines = 200

// sliceBytes bounds a slice: well within what stays inline.
const sliceBytes = 6000

func readArtifact(c *dispatch.Read, a readArgs) (dispatch.Texter, error) {
	s, err := c.Artifacts().Read(a.Artifact, a.Offset, a.Limit, sliceBytes)
	if err != nil {
		return nil, err
	}
	out := slice{a.Artifact, s.Offset, s.Lines, s.Total, s.Text}
	if !s.Own { // what a page or server sent, not what was printed
		out.Content, out.Lines = quotedLines(s.Text, s.Lines)
	}
	return out, nil
}

// quotedLines is lines of somebody else as lines that cannot be taken for ours, as
// many of them as fit, but one.
func quotedLines(text string, lines int) (string, int) {
	text = textLines(text)
	for len(text) > sliceBytes && lines > 1 {
		text = text[:strings.LastIndexByte(text, '\n')]
		lines--
	}
	return text, lines
}

// Text implements dispatch.Texter.
func (s slice) Text() string {
	head := fmt.Sprintf("(lines %d-%d of %d", s.Offset+1, s.Offset+s.Lines, s.Total)
	if s.Offset+s.Lines < s.Total {
		head += ": " + fault.More("browser_read", "offset", strconv.Itoa(s.Offset+s.Lines)) + " for more"
	}
	return head + ")\n" + s.Content
}

// Inline implements dispatch.Inliner.
func (s slice) Inline() {}
