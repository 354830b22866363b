package mcpserver

import (
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/goccy/go-json"
)

// maxDepth is how deep arrays and objects may nest in one line.
const maxDepth = 1000

var (
	errEmpty   = errors.New("the line is empty")
	errNotUTF8 = errors.New("the line is not UTF-8")
	errDeep    = fmt.Errorf("the line nests deeper than %d", maxDepth)
)

// checkJSON reports whether b is exactly one JSON value, in UTF-8 and not too
// deep. It is stricter than most decoders: what a decoder would forgive, two
// decoders forgive differently.
func checkJSON(b []byte) error {
	if !utf8.Valid(b) {
		return errNotUTF8
	}
	s := scanner{b: b}
	s.space()
	if s.i == len(b) {
		return errEmpty
	}
	if err := s.value(0); err != nil {
		return err
	}
	s.space()
	if s.i < len(b) {
		return s.unexpected("after the value")
	}
	return nil
}

// scanner walks over JSON text. Its methods leave i behind what they accepted.
type scanner struct {
	b []byte
	i int
}

func (s *scanner) unexpected(where string) error {
	if s.i >= len(s.b) {
		return errors.New("the line ends inside a JSON value")
	}
	return fmt.Errorf("unexpected character %s at byte %d", where, s.i)
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

func (s *scanner) peek() byte {
	if s.i < len(s.b) {
		return s.b[s.i]
	}
	return 0
}

func (s *scanner) value(depth int) error {
	switch c := s.peek(); {
	case c == '{':
		return s.container(depth+1, '}', true)
	case c == '[':
		return s.container(depth+1, ']', false)
	case c == '"':
		return s.text()
	case c == '-' || c >= '0' && c <= '9':
		return s.number()
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	}
	return s.unexpected("for a value")
}

// container accepts an object or an array, from its opening bracket on.
func (s *scanner) container(depth int, end byte, object bool) error {
	if depth > maxDepth {
		return errDeep
	}
	s.i++
	s.space()
	if s.peek() == end {
		s.i++
		return nil
	}
	for {
		if object {
			if s.peek() != '"' {
				return s.unexpected("for a member")
			}
			if err := s.text(); err != nil {
				return err
			}
			s.space()
			if s.peek() != ':' {
				return s.unexpected("behind a member's name")
			}
			s.i++
			s.space()
		}
		if err := s.value(depth); err != nil {
			return err
		}
		s.space()
		switch s.peek() {
		case ',':
			s.i++
			s.space()
		case end:
			s.i++
			return nil
		default:
			return s.unexpected("behind a value")
		}
	}
}

func (s *scanner) text() error {
	for s.i++; s.i < len(s.b); s.i++ {
		switch c := s.b[s.i]; {
		case c == '"':
			s.i++
			return nil
		case c == '\\':
			s.i++
			if err := s.escape(); err != nil {
				return err
			}
		case c < 0x20:
			return s.unexpected("in a string")
		}
	}
	return s.unexpected("")
}

// escape accepts what follows a backslash; i ends on its last byte.
func (s *scanner) escape() error {
	switch s.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return nil
	case 'u':
		for range 4 {
			s.i++
			if c := s.peek(); !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
				return s.unexpected("in an escape")
			}
		}
		return nil
	}
	return s.unexpected("in an escape")
}

func (s *scanner) number() error {
	if s.peek() == '-' {
		s.i++
	}
	if s.peek() == '0' {
		s.i++
	} else if !s.digits() {
		return s.unexpected("in a number")
	}
	if s.peek() == '.' {
		s.i++
		if !s.digits() {
			return s.unexpected("in a number")
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.i++
		if c := s.peek(); c == '+' || c == '-' {
			s.i++
		}
		if !s.digits() {
			return s.unexpected("in a number")
		}
	}
	return nil
}

func (s *scanner) digits() bool {
	from := s.i
	for s.peek() >= '0' && s.peek() <= '9' {
		s.i++
	}
	return s.i > from
}

func (s *scanner) word(w string) error {
	if len(s.b)-s.i < len(w) || string(s.b[s.i:s.i+len(w)]) != w {
		return s.unexpected("for a value")
	}
	s.i += len(w)
	return nil
}

// errTwice is a member that an object has more than once.
type errTwice string

func (e errTwice) Error() string { return "member " + strconv.Quote(string(e)) + " occurs twice" }

// members returns the members of an object that checkJSON accepted, names
// decoded, values as they stand. A name that occurs twice is an errTwice: which
// of the two counts is what decoders disagree on.
func members(object []byte) (map[string][]byte, error) {
	s := scanner{b: object}
	s.space()
	s.i++ // {
	all := make(map[string][]byte, 4)
	for s.space(); s.peek() != '}'; s.space() {
		if s.peek() == ',' {
			s.i++
			s.space()
		}
		from := s.i
		_ = s.text()
		name, err := unquote(object[from:s.i])
		if err != nil {
			return nil, err
		}
		s.space()
		s.i++ // :
		s.space()
		from = s.i
		_ = s.value(0)
		if _, ok := all[name]; ok {
			return nil, errTwice(name)
		}
		all[name] = object[from:s.i]
	}
	return all, nil
}

// unquote decodes a JSON string; it fails on anything else.
func unquote(quoted []byte) (string, error) {
	if len(quoted) < 2 || quoted[0] != '"' {
		return "", errors.New("not a string")
	}
	inner := quoted[1 : len(quoted)-1]
	for _, c := range inner {
		if c == '\\' {
			var s string
			err := json.Unmarshal(quoted, &s)
			return s, err
		}
	}
	return string(inner), nil
}

// isObject reports whether a value that checkJSON accepted is an object.
func isObject(value []byte) bool { return len(value) > 0 && value[0] == '{' }
