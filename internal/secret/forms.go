package secret

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Shortest is the length in characters below which a value is no secret: masking
// "1" everywhere would garble every text and hide nothing.
const Shortest = 4

// shortestPart is the length of the shortest part of a longer base64 text that is
// taken for a value's.
const shortestPart = 6

// Encoded are the forms, besides those in which a Seeker finds a value, in which
// programs pass it on: in the name of a file, in hexadecimal digits, and in base64, alone
// or as a part of what was encoded with it. Forms of fewer than Shortest characters, and
// those that are the value itself, are left out. A digest is no form: it does not give
// the value back.
func Encoded(value string) []string {
	all := []string{strings.Map(nameable, value)}
	all = append(all, inHex(value)...)
	all = append(all, inBase64(value)...)
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(all, func(v string) bool { return v == value || utf8.RuneCountInString(v) < Shortest })
}

// nameable is a character as browsers have it in the name of a file.
func nameable(r rune) rune {
	if strings.ContainsRune(`"*/:<>?\|~`, r) {
		return '_'
	}
	return r
}

// plainly are the characters that every encoder escapes, by a letter where it can.
var plainly = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\t': `\t`, '\r': `\r`}

func escaped(value string, which func(rune) bool, format string) string {
	var b strings.Builder
	for _, r := range value {
		short, must := plainly[r]
		switch {
		case which(r):
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, format, unit)
			}
		case must:
			b.WriteString(short)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// inHex are the bytes of a value in hexadecimal digits.
func inHex(value string) []string {
	small := fmt.Sprintf("%x", value)
	return []string{small, strings.ToUpper(small)}
}

// inBase64 are the value, as it is and as JSON has it, in base64, and for each place that it can have within
// what was encoded, such as user:password, the characters that are its own alone.
func inBase64(value string) []string {
	all := base64Of(value)
	none := func(rune) bool { return false }
	markup := func(r rune) bool { return strings.ContainsRune("<>&", r) }
	for _, json := range []string{escaped(value, none, ""), escaped(value, markup, `\u%04x`), strings.ReplaceAll(escaped(value, none, ""), "/", `\/`)} {
		if json != value {
			all = append(all, base64Of(json)...)
		}
	}
	return all
}

func base64Of(value string) []string {
	var all []string
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		whole := e.EncodeToString([]byte(value))
		all = append(all, whole, strings.TrimRight(whole, "="))
		for before := range 3 {
			text := e.EncodeToString(append(make([]byte, before), value...))
			first, end := (before*8+5)/6, (before+len(value))*8/6
			if part := text[first:end]; len(part) >= shortestPart {
				all = append(all, part)
			}
		}
	}
	return all
}
