package snapshot

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Clean returns page text as it may stand in an answer: one line, white space
// folded, without control characters, bidirectional overrides, zero-width and
// tag characters, so that no page can forge a line or hide text in one. A joiner
// stays where it makes one sign of two.
func Clean(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	space := false
	last := rune(0)
	for i, r := range s {
		switch {
		case unicode.IsSpace(r) || r == '\u2028' || r == '\u2029':
			space = b.Len() > 0
			continue
		case Unseen(last, s[i:]):
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

// Unseen reports whether the first character of rest, after the character last, is
// one that a model reads and a person does not see.
func Unseen(last rune, rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return invisible(r) && !joins(last, r, rest)
}

// joined are the scripts whose letters take another shape by a joiner beside them.
var joined = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Mongolian, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
	unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
}

// joins reports whether a joiner at the beginning of rest, after last, is part of
// what a person sees: inside an emoji, or between letters of a script that joins.
func joins(last, r rune, rest string) bool {
	if r != '\u200d' && r != '\u200c' {
		return false
	}
	next, _ := utf8.DecodeRuneInString(rest[utf8.RuneLen(r):])
	if unicode.In(last, joined...) {
		return unicode.In(next, joined...)
	}
	return r == '\u200d' && emoji(last) && emoji(next)
}

func emoji(r rune) bool {
	return r != utf8.RuneError && unicode.Is(unicode.So, r) || r == '\ufe0f' || r == '\u20e3' || r >= 0x1F3FB && r <= 0x1F3FF
}

// invisible reports whether a character can be read by a model and not by a person.
func invisible(r rune) bool {
	switch {
	case r == utf8.RuneError:
		return false
	case r == 0xAD, r == 0x34F, r == 0x61C, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5, r == 0x180E,
		r == 0x3164, r == 0xFEFF, r == 0xFFA0,
		r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F,
		r >= 0xFFF0 && r <= 0xFFFB, r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return unicode.IsControl(r)
}

// Quote returns cleaned page text inside quotes, quotes and backslashes escaped.
func Quote(s string) string {
	s = Clean(s)
	if !strings.ContainsAny(s, `"\`) {
		return `"` + s + `"`
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// Cut returns at most n characters of s; a cut one ends in an ellipsis that
// counts as one of them.
func Cut(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count == n-1 {
			return strings.TrimRight(s[:i], " ") + "…"
		}
		count++
	}
	return s
}
