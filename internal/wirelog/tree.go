package wirelog

import (
	"bytes"
	"errors"

	"github.com/goccy/go-json"
)

// node is a JSON value whose order of members and whose spelling of numbers and
// strings are kept, so that what is not changed is written as it was.
type node struct {
	kind  byte     // '{', '[' or 0 for a scalar
	raw   []byte   // a scalar's text
	names []string // of an object's members
	keys  [][]byte // the same as they are spelled
	items []*node
}

var errSyntax = errors.New("not JSON")

const maxDepth = 10_000

// parse reads one value.
func parse(data []byte) (*node, error) {
	p := parser{data: data}
	n, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if p.space(); p.at != len(data) {
		return nil, errSyntax
	}
	return n, nil
}

type parser struct {
	data []byte
	at   int
}

func (p *parser) space() {
	for p.at < len(p.data) && bytes.IndexByte([]byte(" \t\r\n"), p.data[p.at]) >= 0 {
		p.at++
	}
}

// next skips white space and takes the byte that follows, which is 0 at the end.
func (p *parser) next() byte {
	if p.space(); p.at == len(p.data) {
		return 0
	}
	p.at++
	return p.data[p.at-1]
}

func (p *parser) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, errSyntax
	}
	p.space()
	start := p.at
	switch p.next() {
	case '{':
		return p.object(depth)
	case '[':
		return p.array(depth)
	case '"':
		p.at = start
		raw, err := p.text()
		return &node{raw: raw}, err
	case 0:
		return nil, errSyntax
	}
	for p.at < len(p.data) && bytes.IndexByte([]byte(" \t\r\n,:{}[]\""), p.data[p.at]) < 0 {
		p.at++
	}
	return &node{raw: p.data[start:p.at]}, nil
}

// text takes a string with its quotes.
func (p *parser) text() ([]byte, error) {
	if p.space(); p.at == len(p.data) || p.data[p.at] != '"' {
		return nil, errSyntax
	}
	for i := p.at + 1; i < len(p.data); i++ {
		switch p.data[i] {
		case '\\':
			i++
		case '"':
			raw := p.data[p.at : i+1]
			p.at = i + 1
			return raw, nil
		}
	}
	return nil, errSyntax
}

func (p *parser) object(depth int) (*node, error) {
	n := &node{kind: '{'}
	if p.space(); p.at < len(p.data) && p.data[p.at] == '}' {
		p.at++
		return n, nil
	}
	for {
		raw, err := p.text()
		if err != nil {
			return nil, err
		}
		if p.next() != ':' {
			return nil, errSyntax
		}
		item, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		n.names = append(n.names, unquote(raw))
		n.keys = append(n.keys, raw)
		n.items = append(n.items, item)
		switch p.next() {
		case ',':
		case '}':
			return n, nil
		default:
			return nil, errSyntax
		}
	}
}

func (p *parser) array(depth int) (*node, error) {
	n := &node{kind: '['}
	if p.space(); p.at < len(p.data) && p.data[p.at] == ']' {
		p.at++
		return n, nil
	}
	for {
		item, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, item)
		switch p.next() {
		case ',':
		case ']':
			return n, nil
		default:
			return nil, errSyntax
		}
	}
}

func unquote(raw []byte) string {
	if bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return string(raw)
	}
	return s
}

func quote(s string) []byte {
	raw, err := json.MarshalWithOption(s, json.DisableHTMLEscape())
	if err != nil {
		return []byte(`""`) // no string fails to encode
	}
	return raw
}

// append writes the value without white space between its tokens.
func (n *node) append(out []byte) []byte {
	switch n.kind {
	case '{':
		out = append(out, '{')
		for i, item := range n.items {
			if i > 0 {
				out = append(out, ',')
			}
			out = append(append(out, n.keys[i]...), ':')
			out = item.append(out)
		}
		return append(out, '}')
	case '[':
		out = append(out, '[')
		for i, item := range n.items {
			if i > 0 {
				out = append(out, ',')
			}
			out = item.append(out)
		}
		return append(out, ']')
	}
	return append(out, n.raw...)
}

// member returns the named member of an object, or nil.
func (n *node) member(name string) *node {
	if n.kind == '{' {
		for i, have := range n.names {
			if have == name {
				return n.items[i]
			}
		}
	}
	return nil
}

// text returns a string's value.
func (n *node) text() (string, bool) {
	if n == nil || n.kind != 0 || len(n.raw) == 0 || n.raw[0] != '"' {
		return "", false
	}
	return unquote(n.raw), true
}

// is reports whether the value is the string.
func (n *node) is(s string) bool {
	have, ok := n.text()
	return ok && have == s
}

// drop removes a member of an object.
func (n *node) drop(name string) {
	for i, have := range n.names {
		if have == name {
			n.names = append(n.names[:i], n.names[i+1:]...)
			n.keys = append(n.keys[:i], n.keys[i+1:]...)
			n.items = append(n.items[:i], n.items[i+1:]...)
			return
		}
	}
}

// walk calls f for each value with the name of the member that holds it, directly
// or as an element of a list, and then for what it contains.
func (n *node) walk(name string, f func(name string, n *node)) {
	f(name, n)
	for i, item := range n.items {
		if n.kind == '{' {
			item.walk(n.names[i], f)
		} else {
			item.walk(name, f)
		}
	}
}
