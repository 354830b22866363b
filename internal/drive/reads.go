package drive

import (
	"context"
	"strings"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// textLimit is how many characters a read brings at most where none are given.
const textLimit = 100_000

// ReadText is a text as it was read.
type ReadText struct {
	Text    string // secrets replaced, cut at the limit
	Total   int    // characters there are
	Present bool   // there is such an attribute, or the element has a value
	Secret  bool   // it must not be shown: Text is empty
	Filled  bool   // a secret field that holds something
	Line    string
}

// State is what an element is now.
type State struct {
	Visible  bool
	Enabled  bool
	Editable bool
	Focused  bool
	Secret   bool   // it is a secret field, or an option of one: which is chosen is not told
	Checked  string // true, false, mixed; "" where it has no such state
	States   []string
	Role     string
	Name     string
	Line     string
}

// read runs a reading function: it waits for nothing and changes nothing. Of a ref
// whose node stands for something else by now it reads nothing; an element that was
// read once is followed through what it becomes.
func (e *Element) read(ctx context.Context, args pagejs.ReadArgs) (pagejs.ReadAnswer, error) {
	args.Target = e.at()
	if e.known {
		args.Stamp = ""
	}
	if args.Limit <= 0 {
		args.Limit = textLimit
	}
	r, err := ask(ctx, e, pagejs.Read, args, "")
	if err != nil {
		return r, err
	}
	if r.Gone != "" {
		return r, e.gone(r.Gone, r.Line)
	}
	e.line, e.known = r.Line, true
	return r, nil
}

func (e *Element) text(ctx context.Context, args pagejs.ReadArgs) (ReadText, error) {
	r, err := e.read(ctx, args)
	b := e.tab.b
	return ReadText{
		Text: b.Redact(r.Text), Total: r.Total, Present: r.Present, Secret: r.Secret, Filled: r.Filled, Line: b.Redact(r.Line),
	}, err
}

// Text returns the visible text, at most limit characters of it (0 is 100,000); of the
// element of a frame, that of the document which it shows.
func (e *Element) Text(ctx context.Context, limit int) (ReadText, error) {
	r, err := e.text(ctx, pagejs.ReadArgs{What: "text", Limit: limit})
	if err != nil || r.Total > 0 || r.Secret || !strings.HasPrefix(r.Line, "iframe") {
		return r, err
	}
	body, err := e.tab.Element(ctx, e.target+" >> css=body")
	if err != nil {
		return r, err
	}
	if shows, err := e.tab.frameOf(ctx, e.frame(), e.key.Doc, e.key.Node); err != nil || shows != body.frame() {
		return r, fault.New(fault.StateInvalid, "read the text of %s: the selector leads into another frame", e.name()).
			WithHint("name one frame by its ref").Because(err)
	}
	in, err := body.text(ctx, pagejs.ReadArgs{What: "text", Limit: limit})
	in.Line = r.Line
	return in, err
}

// Attr returns an attribute.
func (e *Element) Attr(ctx context.Context, name string, limit int) (ReadText, error) {
	return e.text(ctx, pagejs.ReadArgs{What: "attr", Name: name, Limit: limit})
}

// Value returns the current value of a form control, of editable content, or of a
// widget that states one.
func (e *Element) Value(ctx context.Context, limit int) (ReadText, error) {
	return e.text(ctx, pagejs.ReadArgs{What: "value", Limit: limit})
}

// State returns what the element is now.
func (e *Element) State(ctx context.Context) (State, error) {
	r, err := e.read(ctx, pagejs.ReadArgs{What: "state"})
	b := e.tab.b
	return State{
		Visible: r.Visible, Enabled: r.Enabled, Editable: r.Editable, Focused: r.Focused, Checked: r.Checked, Secret: r.Secret,
		States: r.States, Role: r.Role, Name: b.Redact(r.Name), Line: b.Redact(r.Line),
	}, err
}

// Box returns the bounding box in the viewport of the element's document.
func (e *Element) Box(ctx context.Context) (pagejs.Box, error) {
	r, err := e.read(ctx, pagejs.ReadArgs{What: "box"})
	return r.Box, err
}

// match is the element as a row of Find.
func (e *Element) match(ctx context.Context) (Match, error) {
	s, err := e.State(ctx)
	if err != nil {
		return Match{}, err
	}
	t, err := e.text(ctx, pagejs.ReadArgs{What: "text", Limit: 80}) // a frame as the element that it is
	if err != nil {
		return Match{}, err
	}
	return Match{
		Key: e.key, Stamp: e.stamp, Role: s.Role, Name: s.Name, Text: t.Text, Line: s.Line, Visible: s.Visible,
	}, nil
}
