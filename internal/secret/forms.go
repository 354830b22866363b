package secret

import (
	"encoding/base64"
	"fmt"
	"net/url"
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

// Encoded are the forms, besides itself, in which programs pass a value on: in an
// address, in markup, in the name of a file, with characters escaped as JSON may have
// them, in hexadecimal digits, and in base64, alone or as a part of what was encoded with it. Forms of
// fewer than Shortest characters, and those that are the value itself, are left out.
// A digest is no form: it does not give the value back.
func Encoded(value string) []string {
	all := append(inAddresses(value), strings.Map(nameable, value))
	all = append(all, inMarkup(value)...)
	all = append(all, inJSON(value)...)
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

// inMarkup are the ways in which a value can stand in markup: as browsers write text
// and attributes, older ones with < in the latter, and as programs do.
func inMarkup(value string) []string {
	if !strings.ContainsAny(value, `&<>"'`) {
		return nil
	}
	var all []string
	for _, angles := range [][]string{{"<", "&lt;", ">", "&gt;"}, {"<", "&#60;", ">", "&#62;"}, {}} {
		for _, double := range []string{`"`, "&quot;", "&#34;", "&#x22;"} {
			for _, single := range []string{"'", "&#39;", "&#039;", "&#x27;", "&apos;"} {
				r := append([]string{"&", "&amp;", `"`, double, "'", single}, angles...)
				all = append(all, strings.NewReplacer(r...).Replace(value))
			}
		}
	}
	return all
}

// inAddresses are the ways in which a value can stand in an address: as scripts
// and as the browser's own address parser encode it, in a query or in a path.
func inAddresses(value string) []string {
	const unreserved = "-_.~!*'()"
	once := percent(value, unreserved)
	return []string{
		percent(once, unreserved), lowerHex(percent(lowerHex(once), unreserved)), url.QueryEscape(url.QueryEscape(value)), // an address within an address
		url.QueryEscape(value), url.PathEscape(value),
		once,                                     // encodeURIComponent
		percent(value, unreserved+";/?:@&=+$,#"), // encodeURI
		percent(value, unreserved+"/:@&=+$,;%[]|\\^`{}?"),                         // a query as it was written
		percent(strings.ReplaceAll(value, "\\", "/"), unreserved+"/:@&=+$,;%[]|"), // a path as it was written
		lowerHex(once), // as other programs write it
	}
}

// percent encodes all bytes of a value but letters, digits and what is to stay.
func percent(value, stay string) string {
	var b strings.Builder
	for i := range len(value) {
		c := value[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte(stay, c) >= 0 {
			b.WriteByte(c)
			continue
		}
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}

// lowerHex is a percent-encoded text with small letters in its escapes.
func lowerHex(text string) string {
	out := []byte(text)
	for i := 0; i+2 < len(out); i++ {
		if out[i] == '%' {
			copy(out[i+1:i+3], strings.ToLower(string(out[i+1:i+3])))
		}
	}
	return string(out)
}

// inJSON are a value within the quotes of JSON, as encoders write it that escape more
// than they must: what is beyond ASCII, what means something in markup, or all of it;
// each with small hexadecimal digits and with capitals.
func inJSON(value string) []string {
	markup := func(r rune) bool { return strings.ContainsRune("<>&", r) }
	quotes := func(r rune) bool { return strings.ContainsRune("<>&\"'+`", r) }
	beyond := func(r rune) bool { return r >= 0x80 }
	var all []string
	for _, which := range []func(rune) bool{
		beyond, markup, quotes,
		func(r rune) bool { return beyond(r) || markup(r) },
		func(r rune) bool { return beyond(r) || quotes(r) },
		func(rune) bool { return true },
	} {
		all = append(all, escaped(value, which, `\u%04x`), escaped(value, which, `\u%04X`))
	}
	plain := escaped(value, func(rune) bool { return false }, "")
	for _, form := range append(all, plain) {
		if strings.Contains(value, "/") {
			all = append(all, strings.ReplaceAll(form, "/", `\/`))
		}
	}
	return append(all, plain)
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

// inHex are the bytes of a value in hexadecimal digits, bare and each escaped as in an
// address.
func inHex(value string) []string {
	small := fmt.Sprintf("%x", value)
	var address strings.Builder
	for i := 0; i < len(small); i += 2 {
		address.WriteString("%" + small[i:i+2])
	}
	return []string{small, strings.ToUpper(small), address.String(), strings.ToUpper(address.String())}
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
