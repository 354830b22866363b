package drive

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// Checked says what check or uncheck came to.
type Checked struct {
	Line    string
	Matches int
	State   string // true or false, as read back
	Changed bool   // it was not so before
	Facts   Facts
}

// Check makes a checkbox, radio button or switch checked, or unchecked, by pressing
// it where it is not so yet, and reads the state back: one that does not take is
// EXPECT_MISMATCH. A radio button cannot be unchecked, and what has no such state is
// STATE_INVALID.
func (e *Element) Check(ctx context.Context, on bool) (Checked, error) {
	want := strconv.FormatBool(on)
	var out Checked
	// A mixed box may need two presses.
	for range 2 {
		m, err := e.measured(ctx)
		if err != nil {
			return out, err
		}
		out.Line, out.Matches, out.State = e.Line(), e.matches, m.Checked
		switch {
		case m.Checked == "" || m.Tag == "option":
			f := fault.New(fault.StateInvalid, "%s cannot be checked: it is no checkbox, radio button or switch", e.name()).
				At(fault.BeforeEffect, fault.None)
			if m.Tag == "label" {
				f = f.WithHint("a label cannot be checked itself: label=TEXT, with its text, is what it labels")
			}
			return out, f
		case m.Checked == want:
			return out, nil
		case !on && (m.Type == "radio" || m.Role == "radio" || m.Role == "menuitemradio"):
			return out, fault.New(fault.StateInvalid, "%s is a radio button: choose another one of its group instead", e.name()).
				At(fault.BeforeEffect, fault.None)
		}
		c, err := e.Click(ctx, ClickOptions{})
		out.Facts = c.Facts
		if err != nil {
			return out, err
		}
		out.Changed = true
		if out.Facts.Dialog != nil || out.Facts.Closed {
			out.State = ""
			return out, nil // there is nothing to ask; the facts say so
		}
		e.known = true // its row may say something else for being checked
		r, err := e.read(ctx, pagejs.ReadArgs{What: "state"})
		switch {
		case errors.Is(err, fault.StaleRef):
			// The press arrived; what it led to took the element away, or drew it anew.
			again, err := run(ctx, e.tab, e.frame(), pagejs.Again, pagejs.AgainArgs{Doc: e.key.Doc, Line: e.line}, "")
			if out.State = again.Checked; err != nil || !again.Found {
				return out, fault.New(fault.EffectUnknown, "%s was pressed, and the page took it away; whether it is checked cannot be read", e.name()).
					WithHint("look at the page before trying again").At(fault.InEffect, fault.Possible)
			}
			if again.Checked == want {
				return out, nil
			}
			return out, e.uncheckable(out.State, want)
		case err != nil:
			return out, fault.From(err).At(fault.Observation, fault.Confirmed)
		}
		out.State = r.Checked
		if r.Checked == want {
			return out, nil
		}
		if m.Checked != "mixed" {
			break
		}
	}
	return out, e.uncheckable(out.State, want)
}

// uncheckable is the fault of a press that did not lead to the state wanted.
func (e *Element) uncheckable(now, want string) *fault.Fault {
	return fault.New(fault.ExpectMismatch, "%s is still checked=%s after pressing it", e.name(), now).
		WithDetail(map[string]string{"expected": want, "actual": now}).At(fault.InEffect, fault.Confirmed)
}

// measured looks at the element, without a pointer and without judging it.
func (e *Element) measured(ctx context.Context) (pagejs.Measured, error) {
	var m pagejs.Measured
	err := e.until(ctx, func(ctx context.Context, pause int) (*refusal, error) {
		var err error
		if m, err = ask(ctx, e, pagejs.Measure, pagejs.MeasureArgs{Target: e.at(), Pause: pause}, ""); err != nil {
			return nil, err
		}
		if m.Gone != "" {
			return nil, e.gone(m.Gone, m.Line)
		}
		e.line = m.Line
		return nil, nil
	})
	return m, err
}

// Choice says which options of a select element to choose. Together they are the
// whole choice: a multiple select loses what is not named.
type Choice struct {
	Any     []string // by value or, where no value fits, by label
	Values  []string
	Labels  []string
	Indexes []int // from 0
}

// Chosen says what select came to.
type Chosen struct {
	Line    string
	Matches int
	Options []pagejs.Option // what is chosen now; masked where Secret
	Secret  bool            // it must not be shown
	Changed bool
	Facts   Facts
}

// Select chooses options of a select element, with the events that a user causes,
// and reads them back. An option that is not there is NO_MATCH with those that are. What
// is chosen in a secret field is remembered as a secret of the session; what it offers
// is none.
func (e *Element) Select(ctx context.Context, c Choice) (Chosen, error) {
	mark := e.tab.Mark()
	var m pagejs.Selected
	err := e.until(ctx, func(ctx context.Context, pause int) (*refusal, error) {
		// The choice, and what the page makes of it, may prove to be a secret.
		defer e.tab.b.aside()()
		var err error
		args := pagejs.SelectArgs{Target: e.at(), Pause: pause, Any: c.Any, Values: c.Values, Labels: c.Labels, Indexes: c.Indexes}
		if m, err = run(ctx, e.tab, e.frame(), pagejs.Select, args, ""); err != nil {
			err = e.fillBroke(err)
			if fault.From(err).Effect != fault.None && !e.plain() {
				e.chose(c, nil)
			}
			return nil, err
		}
		if m.Secret && m.Done {
			e.chose(c, m.Now)
			for i := range m.Now {
				m.Now[i] = pagejs.Option{Value: secretMask, Label: secretMask}
			}
		}
		if m.Gone != "" {
			return nil, e.gone(m.Gone, m.Line)
		}
		e.line = m.Line
		return e.judgeSelect(m, c), nil
	})
	out := Chosen{Line: e.Line(), Matches: e.matches, Options: m.Now, Secret: m.Secret, Changed: m.Changed}
	if err != nil {
		return out, err
	}
	s, err := e.tab.settle(ctx, e.frame(), settleWant{mark: mark})
	out.Facts = s.facts
	if err == nil && m.Vanished {
		return out, fault.New(fault.EffectUnknown, "the page took %s away as it was chosen from; what became of the choice cannot be read", e.name()).
			WithHint("look at the page before trying again").At(fault.InEffect, fault.Possible)
	}
	if err == nil && !m.Held {
		return out, fault.New(fault.ExpectMismatch, "%s did not keep the choice: chosen now is %s", e.name(), e.tab.b.Redact(options(m.Now))).
			At(fault.InEffect, fault.Confirmed)
	}
	return out, err
}

// chose remembers a choice in a secret field: what was asked for, and what is chosen.
func (e *Element) chose(c Choice, now []pagejs.Option) {
	for _, v := range slices.Concat(c.Any, c.Values, c.Labels) {
		e.tab.b.Remember(v)
	}
	for _, o := range now {
		e.tab.b.Remember(o.Value)
		e.tab.b.Remember(o.Label)
	}
}

func (e *Element) judgeSelect(m pagejs.Selected, c Choice) *refusal {
	if m.Done {
		return nil
	}
	if m.Tag != "select" {
		r := refuse(fault.NotEditable, "%s is no select element", e.name())
		r.fault = r.fault.WithHint("a list of the page's own opens by a click: %s; then click the option", fault.Call("browser_click", "selector", e.target))
		r.final = true
		return r
	}
	if r := e.obstacle(m.Hidden, m.Disabled, m.Inert, m.Modal); r != nil {
		return r
	}
	n := len(c.Any) + len(c.Values) + len(c.Labels) + len(c.Indexes)
	switch {
	case m.Missing != "":
		// Options may still be loading.
		r := refuse(fault.NoMatch, "%s has no option %s", e.name(), strconv.Quote(m.Missing)).lasting()
		r.fault = r.fault.WithHint("options: %s", e.tab.b.Redact(options(m.Options))).WithDetail(map[string]any{"options": m.Options})
		return r
	case n != 1 && !m.Multiple:
		r := refuse(fault.InvalidArgument, "%s takes one option, not %d", e.name(), n)
		r.final = true
		return r
	case m.Barred != "":
		r := refuse(fault.NotEnabled, "option %s of %s is disabled", strconv.Quote(m.Barred), e.name()).lasting()
		r.fault = r.fault.WithHint("choose another one, or fill in first what it waits for")
		return r
	}
	return refuse(fault.NotEnabled, "%s cannot be changed", e.name())
}

func options(os []pagejs.Option) string {
	if len(os) == 0 {
		return "none"
	}
	parts := make([]string, len(os))
	for i, o := range os {
		parts[i] = strconv.Quote(o.Label)
		if o.Value != o.Label {
			parts[i] += " (" + strconv.Quote(o.Value) + ")"
		}
	}
	return strings.Join(parts, ", ")
}
