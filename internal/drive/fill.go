package drive

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// FillOptions say how to fill.
type FillOptions struct {
	Submit bool // press Enter in the field afterwards
	Secret bool // the value is a secret whatever the field looks like
	Skip   bool // do not settle: a step that only enters text, in a batch
}

// FilledIn says what a fill came to.
type FilledIn struct {
	Line    string
	Matches int
	Value   string // what the field holds; empty for a secret one
	Secret  bool
	// Synthetic: the value was set by script, with events that are not trusted, since
	// the edit that a user makes came to nothing.
	Synthetic bool
	Changed   bool // the page keeps the text in a form of its own: "(555) 123-4567"
	Facts     Facts
}

// Fill waits until the field takes text and replaces its whole value as one edit,
// by the events of a paste; an empty value empties it. Fields that have no keys
// (date, time, colour, range) are set, with the events that a user causes. What the
// field then holds is read back in the same call: where it is something else than a
// reformatted value, that is EXPECT_MISMATCH, with the two. What is put into a
// secret field is remembered as a secret of the session; so is what may have been
// put into a field that was never heard of again, unless the page was seen to show
// that field's value.
func (e *Element) Fill(ctx context.Context, value string, o FillOptions) (FilledIn, error) {
	mark := e.tab.Mark()
	if o.Secret {
		e.tab.b.Remember(value)
	}
	// In a window that is not in front a field gets no focus events.
	if err := e.tab.toFront(ctx); err != nil {
		return FilledIn{}, err
	}
	// The page may act on the text, and leave by it, before it has said what field
	// that is.
	ahead := e.takeAhead(value, o)
	var told func(bool)
	if ahead != nil {
		told = ahead.told
	} else {
		told = e.tab.b.suspect(value)
	}
	defer told(false)
	var m pagejs.Filled
	err := e.until(ctx, func(ctx context.Context, pause int) (*refusal, error) {
		args := pagejs.FillArgs{Target: e.at(), Pause: pause, Keep: o.Submit, Secret: o.Secret}
		var err error
		if m, err = e.fill(ctx, args, value, ahead); err != nil {
			err = e.fillBroke(err)
			if fault.From(err).Effect != fault.None {
				told(!e.plain())
			}
			return nil, err
		}
		if m.Gone != "" {
			return nil, e.gone(m.Gone, m.Line)
		}
		told(m.Secret)
		if m.Secret { // also where it was none a moment ago
			e.tab.b.Remember(value)
		}
		e.line = m.Line
		return e.judgeFill(m, value), nil
	})
	out := FilledIn{Line: e.Line(), Matches: e.matches, Value: e.tab.b.Redact(m.Value), Secret: m.Secret || o.Secret}
	if out.Secret {
		out.Value = ""
	}
	out.Synthetic = m.Synthetic
	if err != nil {
		return out, err
	}
	var g gesture
	if m.Short {
		g.retype(value)
	}
	if !o.Submit || m.Match == "differs" || m.Vanished {
		fills := e.filledAgain(m)
		want := settleWant{mark: mark, skip: o.Skip, fills: fills}
		s, err := e.tab.settled(ctx, e.frame(), g, want)
		out.Facts = s.facts
		if err != nil {
			return out, err
		}
		out.Changed = m.Match == "alike"
		if err := e.readBack(m, value); err != nil {
			return out, err
		}
		return out, e.drifted(s, value, fills)
	}
	out.Changed = m.Match == "alike"
	g.tap(keyNames["Enter"])
	s, err := e.tab.perform(ctx, e.frame(), g.actions(), settleWant{mark: mark})
	out.Facts = s.facts
	if err != nil {
		f := fault.From(err)
		if f.Effect == fault.None {
			f = f.At(fault.InEffect, fault.Partial)
		}
		return out, f
	}
	return out, nil
}

// retype presses the last key of a text again. A field that asks for more characters
// refuses too few only where a key changed it, on a browser that takes an edit as one
// for a script's. A character that is no key of its own is left as it is.
func (g *gesture) retype(text string) {
	if last := text[len(text)-1]; last >= ' ' && last <= '~' {
		g.tap(keyNames["Backspace"])
		g.tap(string(last))
	}
}

// settled performs what comes after an edit, where there is something and no dialog has
// opened by the edit itself, and settles.
func (t *Tab) settled(ctx context.Context, c bidi.Context, g gesture, want settleWant) (settled, error) {
	if len(g.actions()) == 0 || t.Dialog() != nil {
		return t.settle(ctx, c, want)
	}
	s, err := t.perform(ctx, c, g.actions(), want)
	if f := fault.From(err); f != nil && f.Effect == fault.None {
		err = f.At(fault.InEffect, fault.Partial) // the text is in
	}
	return s, err
}

// fill asks the page to fill the field once, or takes the answer of what was sent
// ahead.
func (e *Element) fill(ctx context.Context, args pagejs.FillArgs, value string, ahead *sentFill) (pagejs.Filled, error) {
	if ahead != nil && !ahead.taken {
		ahead.taken = true
		if m, err := ahead.call.wait(ctx); err != nil || !m.Held {
			return m, err
		}
		e.tab.DropAhead() // those after it were held back too
	}
	return run(ctx, e.tab, e.frame(), pagejs.Fill, args, value)
}

// plain reports whether the last reading of the page has the element as one whose
// value may be shown.
func (e *Element) plain() bool {
	e.tab.b.mu.Lock()
	d := e.tab.docs[e.frame()]
	e.tab.b.mu.Unlock()
	if d == nil || d.Doc != e.key.Doc {
		return false
	}
	n := nodeIn(d.Kids, e.key.Node)
	return n != nil && !n.Secret && slices.Contains(fieldRoles, n.Role)
}

// fieldRoles are the roles whose value a reading says, or that it is a secret.
var fieldRoles = []string{"textbox", "searchbox", "combobox", "spinbutton"}

func nodeIn(nodes []*pagejs.Node, id int) *pagejs.Node {
	for _, n := range nodes {
		if n.ID == id {
			return n
		}
		if in := nodeIn(n.Kids, id); in != nil {
			return in
		}
	}
	return nil
}

// fillBroke judges a fill that got no answer: the text may be in.
func (e *Element) fillBroke(err error) error {
	f := fault.From(err)
	if errors.Is(err, errPrompt) || errors.Is(err, errNavigated) || errors.Is(err, errFrameGone) {
		return fault.New(fault.EffectUnknown, "fill %s: %s", e.name(), f.Message).Because(err).At(fault.InEffect, fault.Possible)
	}
	return f
}

func (e *Element) judgeFill(m pagejs.Filled, value string) *refusal {
	final := func(r *refusal) *refusal {
		r.final = true
		return r
	}
	switch {
	case m.Done:
		return nil
	case m.Kind == "" && m.First != nil:
		first := e.tab.candidate(matchOf(e.frame(), e.key.Doc, *m.First))
		r := final(refuse(fault.NotEditable, "%s takes no text; the first field in it is %s", e.name(), first))
		r.fault = r.fault.WithDetail(map[string]any{"editable": first})
		return r
	case m.Kind == "":
		r := final(refuse(fault.NotEditable, "%s takes no text", e.name()))
		switch {
		case m.Tag == "select":
			option := "OPTION"
			if short := e.tab.b.Redact(value); !m.Secret && value != "" && len(value) <= 80 && short == value {
				option = value
			}
			r.fault = r.fault.WithHint("choose one of its options: %s", fault.Call("browser_element", "action", "select", "selector", e.target, "value", option))
		case m.Type == "checkbox" || m.Type == "radio":
			r.fault = r.fault.WithHint("use %s", fault.Call("browser_element", "action", "check", "selector", e.target))
		case m.Type == "file":
			r.fault = r.fault.WithHint("use %s", fault.Call("browser_upload", "selector", e.target, "files", "FILE"))
		case strings.HasPrefix(m.Line, "slider"):
			r.fault = r.fault.WithHint("a slider of the page's own goes by keys: %s", fault.Call("browser_press", "key", "ArrowRight", "selector", e.target))
		}
		return r
	}
	if r := e.obstacle(m.Hidden, m.Disabled, m.Inert, m.Modal); r != nil {
		return r
	}
	switch {
	case m.ReadOnly:
		r := refuse(fault.NotEditable, "%s is read-only", e.name()).lasting()
		r.fault = r.fault.WithHint("a click may open what sets it: %s", fault.Call("browser_click", "selector", e.target))
		return r
	case m.Rejected:
		r := final(refuse(fault.ExpectMismatch, "%s (type %s) does not take %s; it still holds %s", e.name(), m.Type, e.shown(m, value), e.shown(m, m.Value)))
		r.fault = r.fault.WithHint("%s", forms[m.Type]).WithDetail(e.mismatch(m, value))
		return r
	case m.Lost != "":
		r := refuse(fault.NotEditable, "%s does not keep the focus; %s has it", e.name(), e.tab.b.Redact(m.Lost))
		r.fault = r.fault.At(fault.InEffect, fault.Possible)
		return r.lasting()
	}
	return refuse(fault.NotEditable, "%s cannot be filled", e.name())
}

// forms are the values that inputs without keys take.
var forms = map[string]string{
	"number": "a number such as 12.5", "range": "a number such as 70", "color": "a colour such as #00ff7f",
	"date": "YYYY-MM-DD", "month": "YYYY-MM", "week": "YYYY-Www, such as 2024-W09", "time": "HH:MM",
	"datetime-local": "YYYY-MM-DDTHH:MM",
}

// readBack judges what the field held after the edit. One that the page took away
// cannot be read: that the edit arrived is no word on what became of it.
func (e *Element) readBack(m pagejs.Filled, value string) error {
	switch {
	case m.Vanished && m.Match == "unknown":
		return fault.New(fault.EffectUnknown, "the page took %s away as the text was put in; what became of the text cannot be read", e.name()).
			WithHint("look at the page before trying again").At(fault.InEffect, fault.Possible)
	case m.Match != "differs":
		return nil
	}
	f := fault.New(fault.ExpectMismatch, "%s holds %s after filling in %s", e.name(), e.shown(m, m.Value), e.shown(m, value)).
		WithDetail(e.mismatch(m, value)).At(fault.InEffect, fault.Confirmed)
	if m.Secret || len([]rune(value)) <= 200 && len([]rune(m.Value)) <= 200 {
		f = f.Saying(f.Detail, "")
	}
	switch {
	case m.Max >= 0 && m.Max < len([]rune(value)):
		f = f.WithHint("its maxlength is %d", m.Max)
	case m.Type == "range":
		f = f.WithHint("a slider takes only what its min, max and step allow, and holds the nearest of it now")
	}
	return f
}

func (e *Element) mismatch(m pagejs.Filled, value string) any {
	if m.Secret {
		return map[string]string{"expected": secretMask, "actual": secretMask}
	}
	return map[string]string{"expected": e.tab.b.Redact(value), "actual": e.tab.b.Redact(m.Value)}
}

// shown quotes a value for a message.
func (e *Element) shown(m pagejs.Filled, value string) string {
	if m.Secret {
		return secretMask
	}
	return strconv.Quote(cut(e.tab.b.Redact(value), 200))
}

// Clear empties the field, as Fill with an empty value.
func (e *Element) Clear(ctx context.Context) (FilledIn, error) {
	return e.Fill(ctx, "", FillOptions{})
}
