// Package bidi holds our protocol types against the specification: it reads the
// CDDL of WebDriver BiDi, and its test compares every type with it.
package bidi

import (
	"fmt"
	"regexp"
	"strings"
)

// Schema is a set of CDDL rules by name, in the part of the language (RFC 8610)
// that the specification uses.
type Schema map[string]*Type

// Type is a choice between alternatives.
type Type []Alternative

// Kind says what an alternative is.
type Kind int

// The kinds of alternatives.
const (
	Name    Kind = iota // another rule, or a type that CDDL knows (text, bool, null, …)
	Text                // a string literal
	Number              // a number, or a range of them
	Map                 // {…}
	Array               // […]
	Grouped             // (…)
)

// Alternative is one alternative of a type. Value is the name, the literal or the
// range as it is written; Group is what is in the brackets.
type Alternative struct {
	Kind  Kind
	Value string
	Group *Group
}

// Group is a choice between lists of entries.
type Group [][]Entry

// Entry is a member of a map, an element of an array, or (without a key, with the
// name of a rule) the entries of another group. Occur is 0, '?', '*' or '+'. An
// entry "*text => any" has the key "*".
type Entry struct {
	Occur byte
	Key   string
	Type  Type
}

var (
	htmlComment = regexp.MustCompile(`(?s)<!--.*?-->`)
	lineComment = regexp.MustCompile(`;[^\n]*`)
	token       = regexp.MustCompile(`^(?:"[^"]*"|-?\d+(?:\.\d+)?|\.\.\.?|\.[a-z]+|=[>]|//|[A-Za-z_$@][\w.$@-]*|[=/(){}\[\]:,?*+])`)
)

// Parse adds the rules of a CDDL text to the schema.
func (s Schema) Parse(text string) error {
	text = lineComment.ReplaceAllString(htmlComment.ReplaceAllString(text, ""), "")
	p := &parser{}
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		t := token.FindString(rest)
		if t == "" {
			return fmt.Errorf("cddl: cannot read %.40q", rest)
		}
		p.tokens = append(p.tokens, t)
		rest = rest[len(t):]
	}
	for p.peek(0) != "" {
		name := p.take()
		if p.take() != "=" {
			return fmt.Errorf("cddl: no = after %s", name)
		}
		t := p.typ()
		if p.err != nil {
			return fmt.Errorf("cddl: rule %s: %w", name, p.err)
		}
		s[name] = &t
	}
	return nil
}

type parser struct {
	tokens []string
	err    error
}

func (p *parser) peek(n int) string {
	if n < len(p.tokens) {
		return p.tokens[n]
	}
	return ""
}

func (p *parser) take() string {
	t := p.peek(0)
	if t != "" {
		p.tokens = p.tokens[1:]
	}
	return t
}

func (p *parser) accept(t string) bool {
	if p.peek(0) != t {
		return false
	}
	p.take()
	return true
}

func (p *parser) typ() Type {
	t := Type{p.alternative()}
	for p.err == nil && p.accept("/") {
		t = append(t, p.alternative())
	}
	return t
}

var closing = map[string]string{"{": "}", "[": "]", "(": ")"}

func (p *parser) alternative() Alternative {
	t := p.take()
	var a Alternative
	switch {
	case t == "":
		p.err = fmt.Errorf("it ends early")
	case closing[t] != "":
		a = Alternative{Kind: map[string]Kind{"{": Map, "[": Array, "(": Grouped}[t], Group: p.group(closing[t])}
	case t[0] == '"':
		a = Alternative{Kind: Text, Value: strings.Trim(t, `"`)}
	case t[0] == '-' || t[0] >= '0' && t[0] <= '9':
		a = Alternative{Kind: Number, Value: t}
	default:
		a = Alternative{Kind: Name, Value: t}
	}
	for p.err == nil && strings.HasPrefix(p.peek(0), ".") { // a range, or a control
		if op := p.take(); strings.HasPrefix(op, "..") {
			a.Value += op + p.take()
		} else {
			p.alternative()
		}
	}
	return a
}

func (p *parser) group(end string) *Group {
	group := Group{nil}
	for p.err == nil && !p.accept(end) {
		if p.accept("//") {
			group = append(group, nil)
			continue
		}
		last := len(group) - 1
		group[last] = append(group[last], p.entry())
		p.accept(",")
	}
	return &group
}

func (p *parser) entry() Entry {
	var e Entry
	if t := p.peek(0); t == "?" || t == "*" || t == "+" {
		e.Occur = p.take()[0]
	}
	switch {
	case p.peek(1) == ":":
		e.Key = strings.Trim(p.take(), `"`)
		p.take()
	case p.peek(1) == "=>":
		e.Key = "*"
		p.take()
		p.take()
	}
	e.Type = p.typ()
	return e
}
