package secret

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// character is one that stands in a text, with its end there.
type character struct {
	r   rune
	end int
}

// deepestEncoded is how often an escape may be escaped.
const deepestEncoded = 8

// charactersAt are the characters that can be meant by what stands at a place: itself,
// and what it is an escape of.
func charactersAt(text string, i int) []character {
	if i >= len(text) {
		return nil
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	all := append(make([]character, 0, 4), character{r, i + size})
	if _, ok := backslash(text, i); ok {
		all = append(all, unescaped(text, i)...)
	}
	for _, c := range all {
		switch c.r {
		case '%':
			all = append(all, percents(text, c.end)...)
		case '&':
			all = append(all, entities(text, c.end)...)
		}
	}
	return all
}

// backslash is where one ends that stands at a place, percent-encoded or not.
func backslash(text string, i int) (end int, ok bool) {
	switch {
	case i >= len(text):
		return i, false
	case strings.HasPrefix(text[i:], `\u005c`), strings.HasPrefix(text[i:], `\u005C`):
		return i + 6, true
	case text[i] == '\\':
		return i + 1, true
	case text[i] != '%':
		return i, false
	}
	i = again(text, i+1)
	return i + 2, strings.HasPrefix(text[i:], "5C") || strings.HasPrefix(text[i:], "5c")
}

// longestRun is how much of a run of one character is looked at, or the time that a text
// takes would grow with its square.
const longestRun = 32

// backslashes is where a run of them ends.
func backslashes(text string, i int) int {
	for range longestRun {
		end, ok := backslash(text, i)
		if !ok {
			break
		}
		i = end
	}
	return i
}

// letters are the characters that an escape names by a letter.
var letters = map[byte]rune{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

// unescaped is what a backslash, or a run of them, can make of what follows.
func unescaped(text string, i int) []character {
	i = backslashes(text, i)
	if i >= len(text) {
		return nil
	}
	one := func(c character, ok bool) []character {
		if !ok {
			return nil
		}
		return []character{c}
	}
	switch c := text[i]; {
	case c == 'u':
		return one(unicodeEscape(text, i+1))
	case c == 'x':
		r, ok := hexadecimal(text, i+1, 2)
		return one(character{r, i + 3}, ok)
	case letters[c] != 0:
		return one(character{letters[c], i + 1}, true)
	case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z':
		return nil
	case c == '%':
		return append(percents(text, i+1), character{'%', i + 1})
	}
	r, size := utf8.DecodeRuneInString(text[i:])
	return one(character{r, i + size}, true)
}

// unicodeEscape is the character whose number stands after the u of an escape, in two
// escapes where it takes two units.
func unicodeEscape(text string, i int) (character, bool) {
	if strings.HasPrefix(text[i:], "{") {
		digits, _, ok := strings.Cut(text[i+1:min(len(text), i+8)], "}")
		n, err := strconv.ParseUint(digits, 16, 21)
		return character{rune(n), i + len(digits) + 2}, ok && err == nil
	}
	r, ok := hexadecimal(text, i, 4)
	if !ok || !utf16.IsSurrogate(r) {
		return character{r, i + 4}, ok
	}
	i += 4
	i = backslashes(text, i)
	if !strings.HasPrefix(text[i:], "u") {
		return character{}, false
	}
	i++
	low, ok := hexadecimal(text, i, 4)
	return character{utf16.DecodeRune(r, low), i + 4}, ok
}

func hexadecimal(text string, i, digits int) (rune, bool) {
	if i+digits > len(text) {
		return 0, false
	}
	var n rune
	for _, c := range []byte(text[i : i+digits]) {
		switch {
		case c >= '0' && c <= '9':
			n = n<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			n = n<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			n = n<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return n, true
}

// percents are the characters that a percent sign begins, which stands before i: in
// UTF-8, in Latin-1, and as scripts once wrote them, escaped as often as may be.
func percents(text string, i int) []character {
	var all []character
	for range deepestEncoded {
		all = append(all, percentsOnce(text, i)...)
		if !strings.HasPrefix(text[i:], "25") {
			break
		}
		i += 2
	}
	return all
}

func percentsOnce(text string, i int) []character {
	if strings.HasPrefix(text[i:], "u") {
		if r, ok := hexadecimal(text, i+1, 4); ok {
			return []character{{r, i + 5}}
		}
		return nil
	}
	one, ok := hexadecimal(text, i, 2)
	if !ok {
		return nil
	}
	i += 2
	all := []character{{one, i}}
	bytes := []byte{byte(one)}
	for !utf8.FullRune(bytes) {
		if i >= len(text) || text[i] != '%' {
			return all
		}
		j := again(text, i+1)
		more, ok := hexadecimal(text, j, 2)
		if !ok {
			return all
		}
		bytes, i = append(bytes, byte(more)), j+2
	}
	if r, size := utf8.DecodeRune(bytes); size == len(bytes) && size > 1 {
		all = append(all, character{r, i})
	}
	return all
}

// again is where an escape goes on whose percent sign was escaped itself.
func again(text string, i int) int {
	for range deepestEncoded {
		if !strings.HasPrefix(text[i:], "25") || len(text) < i+4 {
			break
		}
		if _, ok := hexadecimal(text, i+2, 2); !ok && text[i+2] != 'u' {
			break
		}
		i += 2
	}
	return i
}

// longestEntity bounds the name of a character in markup.
const longestEntity = 10

// entities are the characters that an ampersand begins in markup, which stands before i.
func entities(text string, i int) []character {
	var all []character
	for range deepestEncoded {
		name, _, ok := strings.Cut(text[i:min(len(text), i+longestEntity)], ";")
		if !ok || name == "" || strings.ContainsAny(name, "& \\\"") {
			break
		}
		i += len(name) + 1
		if r, size := utf8.DecodeRuneInString(html.UnescapeString("&" + name + ";")); size > 0 && !(r == '&' && name != "amp" && !strings.HasPrefix(name, "#")) {
			all = append(all, character{r, i})
		}
		if name != "amp" {
			break
		}
	}
	return all
}
