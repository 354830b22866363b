package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type expectArgs struct {
	What      string  `json:"what" arg:"" enum:"visible,hidden,text,value,url,title,count,checked,no-errors" cli:"What is compared."`
	Selector  string  `json:"selector,omitzero" arg:"" maxlen:"8192" cli:"Ref or selector; url, title and no-errors take none."`
	Expected  *string `json:"expected,omitzero" arg:"" maxlen:"8192" help:"The whole; checked: true, false or mixed." cli:"The whole of what it is to be; for checked: true, false or mixed; for count a number."`
	Contains  string  `json:"contains,omitzero" maxlen:"8192" help:"Or a part." cli:"A part of what it is to be."`
	Since     int     `json:"since,omitzero" min:"0" help:"no-errors: after this logCursor." cli:"For no-errors: only those after this logCursor."`
	TimeoutMS *int    `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

// verdict is an expectation that holds.
type verdict struct {
	OK      bool   `json:"ok"`
	Actual  string `json:"actual,omitzero"` // where it is not what was asked for, word for word
	Matches int    `json:"matches,omitzero"`
	Errors  *int   `json:"errors,omitzero"`
	Cursor  int    `json:"logCursor,omitzero"`
}

var _ = declare(dispatch.Spec{
	Verb:    "expect",
	Tool:    "browser_expect",
	Title:   "Expect",
	Summary: "Assert, waiting until it holds; fails with EXPECT_MISMATCH and what was there.",
	Detail:  "visible and hidden ask for any visible match; text compares the visible text, white space folded; count counts matches, visible or not. no-errors does not wait: it fails for console errors and uncaught exceptions since the launch, or since the logCursor given.",
	Example: "expect text '#result' --contains Welcome",
	Awaits:  true,
	Codes:   onRef.and(fault.Ambiguous, fault.ExpectMismatch, fault.StateInvalid),
}, runExpect)

func runExpect(ctx context.Context, c *dispatch.Read, a expectArgs) (verdict, error) {
	if err := a.settle(); err != nil {
		return verdict{}, err
	}
	if a.What == "no-errors" {
		return expectNoErrors(ctx, c, a)
	}
	e := &expectation{c: c, a: a}
	if err := e.wait(ctx); err != nil {
		return verdict{}, e.failure(ctx, err)
	}
	out := verdict{OK: true, Matches: severalOf(e.matches)}
	if a.Contains != "" {
		out.Actual = shorten(e.actual, longestActual)
	}
	return out, nil
}

// wait looks until it holds; without time it looks once.
func (e *expectation) wait(ctx context.Context) error {
	if e.c.Timeout() == 0 {
		ok, _, err := e.look(ctx)
		if err == nil && !ok {
			err = fault.New(fault.Timeout, "it was not so")
		}
		return err
	}
	// Nothing follows it: it may use its time to the end.
	waited, cancel := context.WithTimeout(ctx, max(e.c.Timeout(), shortestWait))
	defer cancel()
	return e.c.Yield(waited, func(ctx context.Context) error {
		return e.c.Tab().Until(ctx, e.String(), e.a.What != "url", e.look)
	})
}

// longestActual is how much is shown of what was there.
const longestActual = 300

// settle refuses what does not go together, and fills in what may be left out.
func (a *expectArgs) settle() error {
	whole := a.What == "url" || a.What == "title"
	if whole && a.Selector != "" && a.Expected == nil && a.Contains == "" {
		expected := a.Selector // duet expect url ADDRESS
		a.Selector, a.Expected = "", &expected
	}
	if a.What == "checked" && a.Expected == nil {
		yes := "true"
		a.Expected = &yes
	}
	compares := whole || a.What == "text" || a.What == "value"
	wants := func(what string) error {
		return fault.New(fault.InvalidArgument, "%s %s", a.What, what)
	}
	switch {
	case a.What != "no-errors" && a.Since != 0:
		return wants("takes no " + fault.Arg("since"))
	case (whole || a.What == "no-errors") && a.Selector != "":
		return wants("takes no " + fault.Arg("selector"))
	case !whole && a.What != "no-errors" && a.What != "text" && a.Selector == "":
		return wants("needs " + fault.Arg("selector"))
	case compares && (a.Expected == nil) == (a.Contains == ""):
		return wants("needs " + fault.Arg("expected") + " or " + fault.Arg("contains") + ", one of them")
	case !compares && a.Contains != "":
		return wants("takes no " + fault.Arg("contains"))
	case !compares && a.What != "count" && a.What != "checked" && a.Expected != nil:
		return wants("takes nothing to compare with")
	}
	if a.What == "count" {
		if a.Expected == nil {
			return wants("needs " + fault.Arg("expected") + ", a number")
		}
		if n, err := strconv.Atoi(*a.Expected); err != nil || n < 0 {
			return wants("needs " + fault.Arg("expected") + ", a number")
		}
	}
	if a.What == "checked" && *a.Expected != "true" && *a.Expected != "false" && *a.Expected != "mixed" {
		return fault.New(fault.InvalidArgument, "checked cannot be %s; it is true, false or mixed", strconv.Quote(shorten(*a.Expected, 80)))
	}
	if a.What == "text" && a.Selector == "" {
		a.Selector = "body"
	}
	return nil
}

// expectation is what is compared at each look.
type expectation struct {
	c       *dispatch.Read
	a       expectArgs
	looked  bool
	actual  string
	missing error // why there is nothing to compare: no match
	matches int
	issued  *dispatch.Sight // of a ref: it is followed through what it becomes
}

// String says what is expected, for messages.
func (e *expectation) String() string {
	parts := []string{e.a.What}
	if e.a.Selector != "" {
		parts = append(parts, "of", e.a.Selector)
	}
	switch {
	case e.a.Contains != "":
		parts = append(parts, "to contain", strconv.Quote(shorten(e.a.Contains, longestActual)))
	case e.a.Expected != nil:
		parts = append(parts, "to be", strconv.Quote(shorten(*e.a.Expected, longestActual)))
	}
	return strings.Join(parts, " ")
}

// look reads what is there and compares.
func (e *expectation) look(ctx context.Context) (bool, string, error) {
	ok, actual, err := e.read(ctx)
	if errors.Is(err, fault.NoMatch) {
		e.looked, e.actual, e.missing = true, "no match", err
		return e.a.What == "hidden", e.actual, nil
	}
	if err != nil {
		return false, "", err
	}
	e.looked, e.actual, e.missing = true, actual, nil
	return ok, strconv.Quote(shorten(actual, 80)), nil
}

func (e *expectation) read(ctx context.Context) (ok bool, actual string, err error) {
	tab := e.c.Tab()
	switch e.a.What {
	case "visible", "hidden", "count":
		f, err := tab.Find(ctx, e.a.Selector, 1)
		if err != nil {
			if e.a.What != "visible" && drive.LeftPage(err) { // for good
				f, err = drive.Found{}, nil
			} else {
				return false, "", err
			}
		}
		e.matches = f.Visible
		switch e.a.What {
		case "count":
			e.matches = 0
			actual = strconv.Itoa(f.Total)
			return actual == *e.a.Expected && f.Silent == "", seenOf(actual, f), nil
		case "visible":
			return f.Visible > 0, matchesOf(f), nil
		}
		return f.Visible == 0 && f.Silent == "", matchesOf(f), nil
	case "url":
		actual = tab.URL()
		return e.same(actual, false), dispatch.MaskQuery(actual), nil
	case "title":
		actual, err = tab.Title(ctx)
		return e.same(actual, true), actual, err
	}
	el := e.issued
	if el == nil {
		found, err := tab.Element(ctx, e.a.Selector)
		if err != nil {
			return false, "", err
		}
		if el = &found; found.Issued() {
			e.issued = el
		}
	}
	e.matches = el.Matches()
	switch e.a.What {
	case "text":
		t, err := el.Text(ctx)
		actual := strings.TrimSpace(t.Text)
		return e.same(actual, true), actual, err
	case "value":
		t, err := el.Value(ctx)
		switch {
		case err != nil:
			return false, "", err
		case t.Secret:
			return false, "", fault.New(fault.StateInvalid, "the value of a secret field is not compared").
				WithHint("expect what the page makes of it")
		case !t.Present:
			return false, "", fault.New(fault.StateInvalid, "%s has no value", e.a.Selector).WithHint("expect its text: %s", fault.Call("browser_expect", "what", "text", "selector", e.a.Selector, "contains", "TEXT"))
		}
		return e.same(t.Text, false), t.Text, nil
	}
	s, err := el.State(ctx)
	if err == nil && s.Checked == "" {
		err = uncheckable(s, e.a.Selector)
	}
	return s.Checked == *e.a.Expected, s.Checked, err
}

// same compares with what was asked for, in which secrets are replaced as they are
// in what was read.
func (e *expectation) same(actual string, fold bool) bool {
	wanted, part := e.a.Contains, true
	if e.a.Expected != nil {
		wanted, part = *e.a.Expected, false
	}
	wanted = e.c.Redact(wanted)
	if fold {
		wanted, actual = folded(wanted), folded(actual)
	}
	if part {
		return strings.Contains(actual, wanted)
	}
	return actual == wanted
}

// folded is a text with each run of white space as one space.
func folded(s string) string { return strings.Join(strings.Fields(s), " ") }

func matchesOf(f drive.Found) string {
	switch {
	case f.Total == 0:
		return seenOf("no match", f)
	case f.Visible == 0:
		return seenOf(fmt.Sprintf("%d in the page, none visible", f.Total), f)
	}
	return seenOf(fmt.Sprintf("%d visible", f.Visible), f)
}

// seenOf is what was seen, and what was not.
func seenOf(actual string, f drive.Found) string {
	if f.Silent == "" {
		return actual
	}
	return actual + ", and " + dispatch.MaskQuery(f.Silent)
}

// mismatch is the evidence of a failure.
type mismatch struct {
	What     string `json:"what"`
	Selector string `json:"selector,omitzero"`
	Expected string `json:"expected,omitzero"`
	Contains string `json:"contains,omitzero"`
	Actual   string `json:"actual"`
	Matches  int    `json:"matches,omitzero"`
	Near     any    `json:"near,omitzero"`
}

// failure is EXPECT_MISMATCH where something was there to compare at the deadline;
// what ended the wait otherwise is said as it is.
func (e *expectation) failure(ctx context.Context, err error) error {
	if !errors.Is(err, fault.Timeout) || !e.looked {
		return err
	}
	d := mismatch{What: e.a.What, Selector: e.a.Selector, Contains: e.a.Contains, Actual: shorten(e.actual, longestActual), Matches: e.matches}
	switch e.a.What {
	case "visible", "hidden":
		d.Expected = e.a.What
	default:
		if e.a.Expected != nil {
			d.Expected = *e.a.Expected
		}
	}
	hint := ""
	if e.missing == nil && strings.HasPrefix(e.actual, "no match") {
		_, e.missing = e.c.Tab().Element(ctx, e.a.Selector) // which says what is near
	}
	if e.missing != nil && errors.Is(e.missing, fault.NoMatch) {
		d.Matches, hint = 0, fault.From(e.missing).Hint
	}
	actual := strconv.Quote(shorten(d.Actual, 80))
	if e.missing != nil && errors.Is(e.missing, fault.NoMatch) {
		actual = shorten(d.Actual, 200) // words of ours, and no text of the page: which frames did not answer, too
	}
	if hint == "" && e.a.Expected != nil && *e.a.Expected != "" && strings.Contains(e.actual, *e.a.Expected) && slices.Contains([]string{"text", "url", "title", "value"}, e.a.What) {
		hint = "it is a part of what is there: give it as " + fault.Arg("contains")
	}
	told := "; actual: " + actual
	f := fault.New(fault.ExpectMismatch, "expected %s, not within %d ms%s", e, e.c.Timeout().Milliseconds(), told).At(fault.BeforeEffect, fault.None)
	if shorten(d.Actual, 80) == d.Actual && d.Matches <= 1 {
		f = f.Saying(d, told)
	} else {
		f = f.WithDetail(d)
	}
	if hint != "" {
		f = f.WithHint("%s", hint)
	}
	return f
}

// expectNoErrors decides once every error that was caused before it is counted.
func expectNoErrors(ctx context.Context, c *dispatch.Read, a expectArgs) (verdict, error) {
	unsure := c.Sync(ctx)
	l := c.Errors(a.Since)
	if !l.Any() {
		if unsure != nil {
			f := fault.From(unsure)
			return verdict{}, fault.New(f.Code, "whether there were errors is not known: %s", f.Message).
				WithHint("%s", f.Hint).At(fault.BeforeEffect, fault.None).Because(unsure)
		}
		none := 0
		return verdict{OK: true, Errors: &none, Cursor: l.Cursor}, nil
	}
	var texts, quoted []string
	for _, e := range l.First {
		texts = append(texts, shorten(e.Text, 200))
		quoted = append(quoted, strconv.Quote(shorten(e.Text, 200)))
	}
	said := strings.Join(quoted, "; ")
	if more := l.Count - len(l.First); more > 0 {
		said += fmt.Sprintf("; +%d more", more)
	}
	count := strconv.Itoa(l.Count)
	if l.AtLeast {
		count = fmt.Sprintf("at least %d", l.Count+1)
	}
	return verdict{}, fault.New(fault.ExpectMismatch, "expected no errors, and there are %s: %s", count, said).
		WithHint("%s shows them", fault.Call("browser_logs", "kind", "error", "since", strconv.Itoa(a.Since))).
		WithDetail(map[string]any{"what": a.What, "expected": "0", "actual": count, "errors": texts, "logCursor": l.Cursor}).
		At(fault.BeforeEffect, fault.None)
}
