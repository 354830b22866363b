package bidi

import (
	"bytes"
	"errors"

	"github.com/goccy/go-json"
)

// errSyntax ends a scan of text that is not JSON.
var errSyntax = errors.New("malformed JSON")

// maxDepth bounds the nesting of an incoming frame.
const maxDepth = 10_000

// skipSpace returns the position of the next byte that is not white space.
func skipSpace(data []byte, i int) int {
	for i < len(data) && (data[i] == ' ' || data[i] == '\n' || data[i] == '\t' || data[i] == '\r') {
		i++
	}
	return i
}

// skipString returns the position after the string that starts at i.
func skipString(data []byte, i int) (int, error) {
	if i >= len(data) || data[i] != '"' {
		return 0, errSyntax
	}
	for i++; ; {
		n := bytes.IndexByte(data[i:], '"')
		if n < 0 {
			return 0, errSyntax
		}
		i += n
		slashes := 0
		for data[i-1-slashes] == '\\' {
			slashes++
		}
		i++
		if slashes%2 == 0 {
			return i, nil
		}
	}
}

// skipValue returns the position after the value that starts at i. It matches
// brackets and strings only: what lies between them is judged by whoever decodes
// it.
func skipValue(data []byte, i int) (int, error) {
	if i >= len(data) {
		return 0, errSyntax
	}
	switch data[i] {
	case '"':
		return skipString(data, i)
	case '{', '[':
	default:
		start := i
		for i < len(data) && !bytes.ContainsRune(delimiters, rune(data[i])) {
			i++
		}
		if i == start {
			return 0, errSyntax
		}
		return i, nil
	}
	depth := 0
	for i < len(data) {
		switch data[i] {
		case '"':
			end, err := skipString(data, i)
			if err != nil {
				return 0, err
			}
			i = end
			continue
		case '{', '[':
			if depth++; depth > maxDepth {
				return 0, errSyntax
			}
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1, nil
			}
		}
		i++
	}
	return 0, errSyntax
}

// delimiters end a number, true, false or null.
var delimiters = []byte(",:{}[]\" \t\r\n")

// members calls f for each member of the object in data, with its name unquoted
// and its value as it stands. The values are slices of data. An error of f ends it.
func members(data []byte, f func(name, value []byte) error) error {
	i := skipSpace(data, 0)
	if i >= len(data) || data[i] != '{' {
		return errSyntax
	}
	i = skipSpace(data, i+1)
	if i < len(data) && data[i] == '}' {
		return trailing(data, i+1)
	}
	for {
		end, err := skipString(data, i)
		if err != nil {
			return err
		}
		name := data[i+1 : end-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			var s string
			if err := json.Unmarshal(data[i:end], &s); err != nil {
				return errSyntax
			}
			name = []byte(s)
		}
		if i = skipSpace(data, end); i >= len(data) || data[i] != ':' {
			return errSyntax
		}
		i = skipSpace(data, i+1)
		if end, err = skipValue(data, i); err != nil {
			return err
		}
		if err := f(name, data[i:end]); err != nil {
			return err
		}
		if i = skipSpace(data, end); i >= len(data) {
			return errSyntax
		}
		switch data[i] {
		case ',':
			i = skipSpace(data, i+1)
		case '}':
			return trailing(data, i+1)
		default:
			return errSyntax
		}
	}
}

// trailing reports text after the end of a value.
func trailing(data []byte, i int) error {
	if skipSpace(data, i) != len(data) {
		return errSyntax
	}
	return nil
}

// elements calls f for each element of the array in data, as it stands.
func elements(data []byte, f func(value []byte) error) error {
	i := skipSpace(data, 0)
	if i >= len(data) || data[i] != '[' {
		return errSyntax
	}
	i = skipSpace(data, i+1)
	if i < len(data) && data[i] == ']' {
		return trailing(data, i+1)
	}
	for {
		end, err := skipValue(data, i)
		if err != nil {
			return err
		}
		if err := f(data[i:end]); err != nil {
			return err
		}
		if i = skipSpace(data, end); i >= len(data) {
			return errSyntax
		}
		switch data[i] {
		case ',':
			i = skipSpace(data, i+1)
		case ']':
			return trailing(data, i+1)
		default:
			return errSyntax
		}
	}
}
