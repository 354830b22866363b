package drive

import (
	"context"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/lazyregexp"
	"duet/internal/pagejs"
	"duet/internal/selector"
)

// LocatorOptions say what to propose.
type LocatorOptions struct {
	Limit int    // unique ones wanted; 0 is 5
	As    string // playwright, selenium or webdriverio: the code of each; "" is none
}

// What validation says of a selector.
const (
	Unique    = "unique"    // it finds this element and no other
	Ambiguous = "ambiguous" // it finds several
	Missing   = "missing"   // it finds nothing
)

// Locator is one proposal, as the live page judged it.
type Locator struct {
	Selector string
	Kind     string // role, label, testid, placeholder, text, id, name, …
	Status   string
	Matches  int
	Volatile bool // what it goes by looks as if it changed: it holds a number or a currency
	Code     string
}

// Locators are selectors of an element that last, the best first.
type Locators struct {
	Line       string // the element as the map says it
	Match      Match  // for a ref of it
	Candidates []Locator
	Closed     bool     // it stands in a closed shadow root: there is no code
	Best       *Locator // the first unique one
}

// validations bounds how many selectors one call tries on the page.
const validations = 12

// Locators proposes selectors of an element that outlive its ref, and tries each on
// the page: by role and name, label, test id, placeholder, text, id and name
// attribute, in that order, those behind that go by what looks volatile. Never a
// ref, never a position. Inside frames a selector leads through them by >>; open
// shadow roots need none, and what stands in a closed one has no code. It changes nothing.
func (t *Tab) Locators(ctx context.Context, target string, o LocatorOptions) (Locators, error) {
	if o.Limit <= 0 {
		o.Limit = 5
	}
	e, err := t.Element(ctx, target)
	if err != nil {
		return Locators{}, err
	}
	of, err := ask(ctx, e, pagejs.Traits, e.at(), "")
	if err != nil {
		return Locators{}, err
	}
	if of.Gone != "" {
		return Locators{}, e.gone(of.Gone, of.Line)
	}
	f := &finder{tab: t, as: o.As}
	if f.frames, err = f.through(ctx, bidi.Context(e.key.Context)); err != nil {
		return Locators{}, err
	}
	key := e.key
	key.Node = of.Self.Node
	for _, h := range of.Hosts {
		f.closed = f.closed || h.Closed
		host := key
		host.Node = h.Node
		css, err := f.css(ctx, h, host, nil)
		if err != nil {
			return Locators{}, err
		}
		f.hosts = append(f.hosts, css)
	}
	out := Locators{Line: t.b.Redact(of.Line), Match: Match{Key: e.key, Stamp: e.stamp}, Closed: f.closed}
	out.Candidates, err = f.propose(ctx, of, key, o.Limit)
	for i := range out.Candidates {
		if out.Candidates[i].Status == Unique {
			out.Best = &out.Candidates[i]
			break
		}
	}
	return out, err
}

// finder tries selectors of one element.
type finder struct {
	tab    *Tab
	as     string
	frames []selector.Step // CSS of the frames on the way, outermost first
	hosts  []string        // CSS of the shadow hosts on the way; "" where one has none
	tried  int
	closed bool // one of those hosts has a closed root
}

// proposal is a selector before it is tried.
type proposal struct {
	kind     string
	steps    []selector.Step
	volatile bool
}

func (f *finder) propose(ctx context.Context, of pagejs.TraitsOf, key pagejs.NodeKey, limit int) ([]Locator, error) {
	own := proposals(of.Self)
	if f.as == "selenium" || f.as == "webdriverio" {
		own = plain(of.Self, len(of.Hosts) == 0)
	}
	slices.SortStableFunc(own, func(a, b proposal) int {
		switch {
		case a.volatile == b.volatile:
			return 0
		case a.volatile:
			return 1
		}
		return -1
	})
	var unique, other []Locator
	try := func(p proposal) error {
		if f.tried >= validations || len(unique) >= limit {
			return nil
		}
		l, err := f.try(ctx, p, key)
		switch {
		case err != nil:
			return err
		case l.Status == Unique:
			unique = append(unique, l)
		case l.Status != "" && len(other) < 2:
			other = append(other, l)
		}
		return nil
	}
	for _, p := range own {
		if err := try(p); err != nil {
			return nil, err
		}
	}
	// What is not unique by itself may be so inside something that is.
	for _, a := range of.Around {
		if len(unique) > 0 {
			break
		}
		for _, scope := range proposals(a) {
			if scope.kind == "text" || scope.kind == "label" || len(own) == 0 {
				continue
			}
			for _, p := range own[:min(2, len(own))] {
				p := proposal{kind: p.kind, volatile: p.volatile || scope.volatile, steps: append(slices.Clone(scope.steps), p.steps...)}
				if err := try(p); err != nil {
					return nil, err
				}
			}
			break
		}
	}
	return append(unique, other...), nil
}

// try asks the page what a proposal finds. One that cannot be matched has no status.
func (f *finder) try(ctx context.Context, p proposal, key pagejs.NodeKey) (Locator, error) {
	f.tried++
	chain := selector.Chain{Steps: append(slices.Clone(f.frames), p.steps...)}
	l := Locator{Selector: chain.String(), Kind: p.kind, Volatile: p.volatile}
	if again, err := selector.Parse(l.Selector); err != nil || again.String() != l.Selector {
		return Locator{}, nil
	}
	if f.tab.b.Redact(l.Selector) != l.Selector {
		return Locator{}, nil // it would show a secret
	}
	found, err := f.tab.locate(ctx, chain, 2, false)
	switch {
	case errors.Is(err, fault.InvalidArgument):
		return Locator{}, nil
	case err != nil:
		return Locator{}, err
	}
	l.Matches = found.total
	switch {
	case found.total == 0:
		l.Status = Missing
	case found.total == 1 && found.matches[0].Key == key:
		l.Status = Unique
		l.Code = f.code(p.steps)
	default:
		l.Status = Ambiguous
	}
	return l, nil
}

// css returns a CSS selector that finds the element alone, "" for none.
func (f *finder) css(ctx context.Context, t pagejs.Trait, key pagejs.NodeKey, frames []selector.Step) (string, error) {
	for _, p := range append(plain(t, false), proposal{kind: "tag", steps: []selector.Step{{Kind: selector.CSS, Value: t.Tag}}}) {
		chain := selector.Chain{Steps: append(slices.Clone(frames), p.steps...)}
		found, err := f.tab.locate(ctx, chain, 2, false)
		if errors.Is(err, fault.InvalidArgument) {
			continue
		}
		if err != nil {
			return "", err
		}
		if found.total == 1 && found.matches[0].Key == key {
			return p.steps[0].Value, nil
		}
	}
	return "", nil
}

// through returns selectors of the frames that lead to a context; none where one of
// them cannot be told apart: a selector finds its element in every frame anyway.
func (f *finder) through(ctx context.Context, c bidi.Context) ([]selector.Step, error) {
	t := f.tab
	if c == t.id {
		return nil, nil
	}
	t.b.mu.Lock()
	var way []bidi.Context // from the top's child to c
	for fr := t.b.frames[c]; fr != nil && fr.parent != ""; fr = t.b.frames[fr.parent] {
		way = append(way, fr.id)
	}
	t.b.mu.Unlock()
	slices.Reverse(way)
	tree, err := t.Tree(ctx, TreeOptions{})
	if err != nil {
		return nil, err
	}
	var steps []selector.Step
	parent := t.id
	for _, child := range way {
		d := tree.Docs[string(parent)]
		if d == nil {
			return nil, nil
		}
		node := 0
		for n, shows := range d.Frames {
			if shows == string(child) {
				node = n
			}
		}
		if node == 0 {
			return nil, nil
		}
		key := pagejs.NodeKey{Context: string(parent), Doc: d.Doc, Node: node}
		of, err := run(ctx, t, parent, pagejs.Traits, pagejs.Target{Node: node, Doc: d.Doc}, "")
		if err != nil || of.Gone != "" {
			return nil, err
		}
		css, err := f.css(ctx, of.Self, key, steps)
		if err != nil || css == "" {
			return nil, err
		}
		steps = append(steps, selector.Step{Kind: selector.CSS, Value: css})
		parent = child
	}
	return steps, nil
}

// longestValue is how long a name or text may be that a selector goes by.
const longestValue = 80

// proposals are the selectors of an element, the best kinds first.
func proposals(t pagejs.Trait) []proposal {
	var out []proposal
	add := func(kind string, by selector.Kind, value string, read bool) {
		if n := utf8.RuneCountInString(value); n > 0 && n <= longestValue {
			out = append(out, proposal{kind, []selector.Step{{Kind: by, Value: value}}, read && volatile(value)})
		}
	}
	if n := utf8.RuneCountInString(t.Name); t.Role != "" && n > 0 && n <= longestValue {
		name := t.Name
		out = append(out, proposal{"role", []selector.Step{{Kind: selector.Role, Value: t.Role, Name: &name, NameOp: "="}}, volatile(name)})
	}
	for _, l := range t.Labels {
		add("label", selector.Label, l, true)
	}
	for _, test := range t.Test {
		if test[0] == "data-testid" {
			add("testid", selector.TestID, test[1], false)
		} else {
			add("testid", selector.CSS, attribute("", test[0], test[1]), false)
		}
	}
	add("placeholder", selector.Placeholder, t.Placeholder, true)
	add("alt", selector.Alt, t.Alt, true)
	add("text", selector.Text, t.Text, true)
	if handWritten(t.ID) {
		add("id", selector.CSS, "#"+t.ID, false)
	}
	if t.Named != "" && !generated(t.Named) {
		add("name", selector.CSS, attribute(t.Tag, "name", t.Named), false)
	}
	add("title", selector.Title, t.Title, true)
	return out
}

// plain are the selectors of an element that every browser tool understands: CSS,
// and XPath for its text.
func plain(t pagejs.Trait, xpath bool) []proposal {
	var out []proposal
	add := func(kind, css, value string, read bool) {
		if n := utf8.RuneCountInString(value); n > 0 && n <= longestValue {
			out = append(out, proposal{kind, []selector.Step{{Kind: selector.CSS, Value: css}}, read && volatile(value)})
		}
	}
	for _, test := range t.Test {
		add("testid", attribute("", test[0], test[1]), test[1], false)
	}
	if handWritten(t.ID) {
		add("id", "#"+t.ID, t.ID, false)
	}
	if t.Named != "" && !generated(t.Named) {
		add("name", attribute(t.Tag, "name", t.Named), t.Named, false)
	}
	add("aria-label", attribute(t.Tag, "aria-label", t.Aria), t.Aria, true)
	add("placeholder", attribute(t.Tag, "placeholder", t.Placeholder), t.Placeholder, true)
	add("alt", attribute(t.Tag, "alt", t.Alt), t.Alt, true)
	add("title", attribute(t.Tag, "title", t.Title), t.Title, true)
	if n := utf8.RuneCountInString(t.Text); xpath && n > 0 && n <= longestValue && !strings.Contains(t.Text, `"`) {
		out = append(out, proposal{"text", []selector.Step{{Kind: selector.XPath, Value: "//" + t.Tag + `[normalize-space()="` + t.Text + `"]`}}, volatile(t.Text)})
	}
	return out
}

func attribute(tag, name, value string) string {
	return tag + "[" + name + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\a `).Replace(value) + `"]`
}

// volatile reports whether a text holds a number or a currency: it counts or costs
// something, and will not say the same tomorrow.
func volatile(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsNumber(r) || unicode.Is(unicode.Sc, r) })
}

var (
	writtenID = lazyregexp.New(`^[A-Za-z][A-Za-z0-9_-]*$`)
	madeUp    = lazyregexp.New(`(?i)^:?r[0-9a-z]*:|[0-9a-f]{8,}|\d{4,}|^(ember\d|mui-|radix-|headlessui-|react-aria|react-select-|cdk-|mat-.*-\d|ext-gen|yui_|gwt-uid|__next|:)`)
)

// handWritten reports whether an id looks like one that a person wrote.
func handWritten(id string) bool { return writtenID().MatchString(id) && !generated(id) }

func generated(name string) bool { return madeUp().MatchString(name) }
