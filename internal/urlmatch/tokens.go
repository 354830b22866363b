package urlmatch

import "unicode"

// tokenKind is the kind of a token of a pattern string.
// https://urlpattern.spec.whatwg.org/#tokens
type tokenKind int

const (
	tokenChar tokenKind = iota
	tokenOpen
	tokenClose
	tokenRegexp
	tokenName
	tokenEscaped
	tokenModifier // ? or +
	tokenAsterisk
	tokenEnd
	tokenInvalid
)

type token struct {
	kind  tokenKind
	index int // in characters
	value string
}

// tokenize takes a pattern string apart. With lenient a character that does not fit
// is a token of its own, otherwise an error.
func tokenize(chars []rune, lenient bool) ([]token, error) {
	var tokens []token
	for i := 0; i < len(chars); {
		t, next, err := tokenAt(chars, i)
		if err != nil {
			if !lenient {
				return nil, err
			}
			t, next = token{tokenInvalid, i, string(chars[i])}, i+1
		}
		tokens = append(tokens, t)
		i = next
	}
	return append(tokens, token{tokenEnd, len(chars), ""}), nil
}

func tokenAt(chars []rune, i int) (token, int, error) {
	switch c := chars[i]; c {
	case '*':
		return token{tokenAsterisk, i, "*"}, i + 1, nil
	case '+', '?':
		return token{tokenModifier, i, string(c)}, i + 1, nil
	case '{':
		return token{tokenOpen, i, "{"}, i + 1, nil
	case '}':
		return token{tokenClose, i, "}"}, i + 1, nil
	case '\\':
		if i+1 == len(chars) {
			return token{}, 0, errorf("a \\ at the end escapes nothing")
		}
		return token{tokenEscaped, i, string(chars[i+1])}, i + 2, nil
	case ':':
		end := i + 1
		for end < len(chars) && inName(chars[end], end == i+1) {
			end++
		}
		if end == i+1 {
			return token{}, 0, errorf("a : at position %d has no name behind it", i)
		}
		return token{tokenName, i, string(chars[i+1 : end])}, end, nil
	case '(':
		return regexpAt(chars, i)
	default:
		return token{tokenChar, i, string(c)}, i + 1, nil
	}
}

func inName(r rune, first bool) bool {
	if r == '$' || r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) {
		return true
	}
	return !first && (unicode.IsDigit(r) || unicode.In(r, unicode.Mn, unicode.Mc, unicode.Pc) || r == '\u200c' || r == '\u200d')
}

// regexpAt reads a group of a regular expression.
func regexpAt(chars []rune, start int) (token, int, error) {
	depth, i := 1, start+1
	for ; i < len(chars); i++ {
		c := chars[i]
		switch {
		case c > 0x7f:
			return token{}, 0, errorf("a group holds %q, which is not ASCII", c)
		case c == '?' && i == start+1:
			return token{}, 0, errorf("a group at position %d begins with ?", start)
		case c == '\\':
			if i+1 == len(chars) || chars[i+1] > 0x7f {
				return token{}, 0, errorf("a \\ in a group escapes nothing")
			}
			i++
		case c == ')':
			depth--
		case c == '(':
			depth++
			if i+1 == len(chars) || chars[i+1] != '?' {
				return token{}, 0, errorf("a group holds another that captures; write (?:…)")
			}
		}
		if depth == 0 {
			break
		}
	}
	if depth != 0 {
		return token{}, 0, errorf("the group at position %d is not closed", start)
	}
	value := string(chars[start+1 : i])
	if value == "" {
		return token{}, 0, errorf("the group at position %d is empty", start)
	}
	return token{tokenRegexp, start, value}, i + 1, nil
}
