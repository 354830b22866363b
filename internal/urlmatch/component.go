package urlmatch

import (
	"regexp"
	"strconv"
	"strings"
)

// partKind is the kind of a part of a pattern string.
// https://urlpattern.spec.whatwg.org/#parts
type partKind int

const (
	partFixed partKind = iota
	partRegexp
	partSegment // up to the next delimiter
	partFull    // anything
)

type part struct {
	kind                  partKind
	prefix, value, suffix string
	modifier              string // "", ?, * or +
}

// componentOptions are how the pattern string of one part of a URL is read.
type componentOptions struct {
	delimiter, prefix string // one character, or none
	encode            func(string) (string, error)
}

// compileComponent makes a regular expression of the pattern string of one part.
func compileComponent(pattern string, o componentOptions) (*regexp.Regexp, error) {
	tokens, err := tokenize([]rune(pattern), false)
	if err != nil {
		return nil, err
	}
	p := &componentParser{options: o, tokens: tokens, names: map[string]bool{}}
	if err := p.parse(); err != nil {
		return nil, err
	}
	r, err := regexp.Compile(expression(p.parts, o))
	if err != nil {
		return nil, errorf("a group is no regular expression that is supported (no look-around, no back-references)")
	}
	return r, nil
}

// componentParser is the algorithm "parse a pattern string".
type componentParser struct {
	options componentOptions
	tokens  []token
	at      int
	parts   []part
	fixed   string // text that is not a part yet
	names   map[string]bool
	unnamed int
}

func (p *componentParser) take(kinds ...tokenKind) *token {
	for _, k := range kinds {
		if t := &p.tokens[p.at]; t.kind == k {
			p.at++
			return t
		}
	}
	return nil
}

func (p *componentParser) parse() error {
	for {
		char := p.take(tokenChar)
		name := p.take(tokenName)
		group := p.group(name)
		switch {
		case name != nil || group != nil:
			prefix := valueOf(char)
			if prefix != "" && prefix != p.options.prefix {
				p.fixed += prefix
				prefix = ""
			}
			if err := p.flush(); err != nil {
				return err
			}
			if err := p.add(prefix, name, group, "", p.take(tokenModifier, tokenAsterisk)); err != nil {
				return err
			}
			continue
		case char != nil:
			p.fixed += char.value
			continue
		}
		if escaped := p.take(tokenEscaped); escaped != nil {
			p.fixed += escaped.value
			continue
		}
		if p.take(tokenOpen) != nil {
			prefix := p.text()
			name := p.take(tokenName)
			group := p.group(name)
			suffix := p.text()
			if p.take(tokenClose) == nil {
				return errorf("a { is not closed")
			}
			if err := p.add(prefix, name, group, suffix, p.take(tokenModifier, tokenAsterisk)); err != nil {
				return err
			}
			continue
		}
		if err := p.flush(); err != nil {
			return err
		}
		if p.take(tokenEnd) == nil {
			return errorf("%q does not belong there", p.tokens[p.at].value)
		}
		return nil
	}
}

// group takes a regular expression, or a wildcard where there is no name.
func (p *componentParser) group(name *token) *token {
	if t := p.take(tokenRegexp); t != nil || name != nil {
		return t
	}
	return p.take(tokenAsterisk)
}

func (p *componentParser) text() string {
	var b strings.Builder
	for t := p.take(tokenChar, tokenEscaped); t != nil; t = p.take(tokenChar, tokenEscaped) {
		b.WriteString(t.value)
	}
	return b.String()
}

func valueOf(t *token) string {
	if t == nil {
		return ""
	}
	return t.value
}

// flush makes a part of the text that is not one yet.
func (p *componentParser) flush() error {
	if p.fixed == "" {
		return nil
	}
	value, err := p.options.encode(p.fixed)
	p.fixed = ""
	p.parts = append(p.parts, part{kind: partFixed, value: value})
	return err
}

func (p *componentParser) add(prefix string, name, group *token, suffix string, modifier *token) error {
	mod := valueOf(modifier)
	if name == nil && group == nil && mod == "" {
		p.fixed += prefix
		return nil
	}
	if err := p.flush(); err != nil {
		return err
	}
	if name == nil && group == nil {
		if prefix == "" {
			return nil
		}
		value, err := p.options.encode(prefix)
		p.parts = append(p.parts, part{kind: partFixed, value: value, modifier: mod})
		return err
	}
	out := part{kind: partSegment, modifier: mod}
	switch {
	case group == nil || group.kind == tokenRegexp && group.value == segment(p.options):
	case group.kind == tokenAsterisk || group.value == ".*":
		out.kind = partFull
	default:
		out.kind, out.value = partRegexp, group.value
	}
	key := strconv.Itoa(p.unnamed)
	if name != nil {
		key = name.value
	} else {
		p.unnamed++
	}
	if p.names[key] {
		return errorf("the name %s stands twice", key)
	}
	p.names[key] = true
	var err error
	if out.prefix, err = p.options.encode(prefix); err != nil {
		return err
	}
	out.suffix, err = p.options.encode(suffix)
	p.parts = append(p.parts, out)
	return err
}

// segment matches up to the next delimiter.
func segment(o componentOptions) string {
	if o.delimiter == "" {
		return "(?s:.)+?"
	}
	return "[^" + regexp.QuoteMeta(o.delimiter) + "]+?"
}

// expression is the algorithm "generate a regular expression".
func expression(parts []part, o componentOptions) string {
	var b strings.Builder
	b.WriteString("^")
	for _, p := range parts {
		if p.kind == partFixed {
			b.WriteString("(?:" + regexp.QuoteMeta(p.value) + ")" + p.modifier)
			continue
		}
		value := p.value
		switch p.kind {
		case partSegment:
			value = segment(o)
		case partFull:
			value = ".*"
		}
		prefix, suffix := regexp.QuoteMeta(p.prefix), regexp.QuoteMeta(p.suffix)
		switch {
		case p.prefix == "" && p.suffix == "":
			b.WriteString("(?:" + value + ")" + p.modifier)
		case p.modifier == "" || p.modifier == "?":
			b.WriteString("(?:" + prefix + "(?:" + value + ")" + suffix + ")" + p.modifier)
		default:
			b.WriteString("(?:" + prefix + "(?:" + value + ")(?:" + suffix + prefix + "(?:" + value + "))*" + suffix + ")")
			if p.modifier == "*" {
				b.WriteString("?")
			}
		}
	}
	return b.String() + "$"
}
