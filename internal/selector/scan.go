package selector

import (
	"strconv"
	"strings"
)

// scanCode reads CSS or XPath up to a ">>" that stands outside quotes and
// brackets. CSS knows the backslash, XPath does not.
func scanCode(s string, css bool) (value, tail string, more bool, err error) {
	var open []byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case css && c == '\\':
			i++
		case c == '"' || c == '\'':
			end := endOfQuote(s, i, css)
			if end < 0 {
				return "", "", false, bad("a quote is not closed", "")
			}
			i = end
		case c == '(' || c == '[':
			open = append(open, c)
		case c == ')' || c == ']':
			if len(open) == 0 || (open[len(open)-1] == '(') != (c == ')') {
				return "", "", false, bad("an unexpected "+strconv.Quote(string(c)), "")
			}
			open = open[:len(open)-1]
		case c == '>' && len(open) == 0 && strings.HasPrefix(s[i:], ">>"):
			return strings.TrimSpace(s[:i]), s[i+2:], true, nil
		}
	}
	if len(open) > 0 {
		return "", "", false, bad("a "+strconv.Quote(string(open[len(open)-1]))+" is not closed", "")
	}
	return strings.TrimSpace(s), "", false, nil
}

// endOfQuote returns the index of the quote that closes the one at i, or -1.
func endOfQuote(s string, i int, escapes bool) int {
	for j := i + 1; j < len(s); j++ {
		switch {
		case escapes && s[j] == '\\':
			j++
		case s[j] == s[i]:
			return j
		}
	}
	return -1
}

// scanValue reads a text value: quoted, or up to ">>".
func scanValue(s string) (value, tail string, more bool, err error) {
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		value, rest, err := scanQuoted(s)
		if err != nil {
			return "", "", false, err
		}
		rest = strings.TrimSpace(rest)
		if rest == "" {
			return value, "", false, nil
		}
		if tail, ok := strings.CutPrefix(rest, ">>"); ok {
			return value, tail, true, nil
		}
		return "", "", false, bad("there is text after the closing quote", "quote the whole value; \\\" is a quote inside it")
	}
	value, tail, more = strings.Cut(s, ">>")
	return strings.TrimSpace(value), tail, more, nil
}

// scanQuoted reads the quoted string that s begins with.
func scanQuoted(s string) (value, rest string, err error) {
	end := endOfQuote(s, 0, true)
	if end < 0 {
		return "", "", bad("a quote is not closed", "a value that begins with a quote is quoted as a whole")
	}
	var b strings.Builder
	for i := 1; i < end; i++ {
		if s[i] == '\\' && i+1 < end {
			i++
		}
		b.WriteByte(s[i])
	}
	return b.String(), s[end+1:], nil
}

// scanRole reads role, and role[name=…] or role[name*=…].
func scanRole(s string) (step Step, tail string, more bool, err error) {
	end := 0
	for end < len(s) && (s[end] == '-' || s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z') {
		end++
	}
	step = Step{Kind: Role, Value: strings.ToLower(s[:end])}
	if step.Value == "" {
		return step, "", false, bad("role has no value", "write role=button or role=button[name=Save]")
	}
	rest := strings.TrimSpace(s[end:])
	if strings.HasPrefix(rest, "[") {
		if rest, err = scanName(rest[1:], &step); err != nil {
			return step, "", false, err
		}
		rest = strings.TrimSpace(rest)
	}
	if rest == "" {
		return step, "", false, nil
	}
	if tail, ok := strings.CutPrefix(rest, ">>"); ok {
		return step, tail, true, nil
	}
	return step, "", false, bad(strconv.Quote(rest)+" after the role", "write role=button[name=Save]")
}

// scanName reads what stands after "[": name, an operator, a value and "]".
func scanName(s string, step *Step) (rest string, err error) {
	s = strings.TrimSpace(s)
	word := s
	if i := strings.IndexAny(s, "=*]"); i >= 0 {
		word = s[:i]
	}
	if name := strings.TrimSpace(word); name != "name" {
		return "", bad("a role cannot be narrowed by "+strconv.Quote(name), "allowed: [name=…] and [name*=…]")
	}
	s = strings.TrimSpace(s[len(word):])
	switch {
	case strings.HasPrefix(s, "*="):
		step.NameOp, s = "*=", s[2:]
	case strings.HasPrefix(s, "="):
		step.NameOp, s = "=", s[1:]
	default:
		return "", bad("name needs = or *= and a value", "allowed: [name=…] and [name*=…]")
	}
	s = strings.TrimSpace(s)
	var name string
	if s != "" && (s[0] == '"' || s[0] == '\'') {
		if name, s, err = scanQuoted(s); err != nil {
			return "", err
		}
		s = strings.TrimSpace(s)
		if !strings.HasPrefix(s, "]") {
			return "", bad("the ] after the name is missing", "")
		}
		step.Name = &name
		return s[1:], nil
	}
	end := endOfName(s)
	if end < 0 {
		return "", bad("the ] after the name is missing", "")
	}
	name = strings.TrimSpace(s[:end])
	if len(name) > 2 && name[0] == '/' && strings.HasSuffix(strings.TrimSuffix(name, "i"), "/") {
		return "", bad("a name is no regular expression", "[name*=…] is a part of it; a name between slashes is written in quotes")
	}
	if name == "" {
		return "", bad("the name is empty", `for an element without a name write [name=""]`)
	}
	step.Name = &name
	return s[end+1:], nil
}

// endOfName returns the index of the bracket that closes an unquoted name: the
// first one after which the step ends, so that names may hold brackets.
func endOfName(s string) int {
	for i := 0; i < len(s); i++ {
		if s[i] != ']' {
			continue
		}
		if rest := strings.TrimSpace(s[i+1:]); rest == "" || strings.HasPrefix(rest, ">>") {
			return i
		}
	}
	return -1
}
