package dispatch

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/goccy/go-json"

	"duet/internal/fault"
	"duet/snapshot"
)

// marshal is v as JSON that a model reads: no HTML escapes.
func marshal(v any) (json.RawMessage, error) {
	return json.MarshalWithOption(v, json.DisableHTMLEscape())
}

// printable removes from a text what a person does not see and a model reads:
// control characters, bidirectional overrides, zero-width and tag characters.
// Lines and tabs stay.
func printable(s string) string {
	if plainText(s) {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	var b strings.Builder
	b.Grow(len(s))
	last := rune(0)
	for i, r := range s {
		switch {
		case r == '\n' || r == '\t' || r >= ' ' && r < 0x7F:
		case r == '\u2028' || r == '\u2029':
			r = ' '
		case unicode.IsSpace(r) && !unicode.IsControl(r):
		case snapshot.Unseen(last, s[i:]):
			continue
		}
		b.WriteRune(r)
		last = r
	}
	return b.String()
}

func plainText(s string) bool {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c >= 0x7F || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// mapStrings passes every string of a JSON text through f, member names
// included, and leaves the rest as it is.
func mapStrings(text []byte, f func(string) string) json.RawMessage {
	return mapText(text, true, f)
}

// mapValues is mapStrings without the names of members.
func mapValues(text []byte, f func(string) string) json.RawMessage {
	return mapText(text, false, f)
}

func mapText(text []byte, names bool, f func(string) string) json.RawMessage {
	var out bytes.Buffer
	out.Grow(len(text))
	for i := 0; i < len(text); {
		if text[i] != '"' {
			out.WriteByte(text[i])
			i++
			continue
		}
		end := i + 1
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end+1, len(text))
		literal := text[i:end]
		i = end
		var s string
		isName := !names && bytes.HasPrefix(bytes.TrimLeft(text[i:], " \t\r\n"), []byte(":"))
		if isName || json.Unmarshal(literal, &s) != nil {
			out.Write(literal)
			continue
		}
		if mapped := f(s); mapped != s {
			out.Write(quoted(mapped))
		} else {
			out.Write(literal)
		}
	}
	return out.Bytes()
}

// safe makes a text fit to be printed: no secret of the session, nothing that a
// person would not see. What it says of calls is in the words of tools.
func (s *Session) safe(text string) string { return s.Redact(printable(fault.Say(text, nil))) }

// Redact replaces the values that must never be printed, those of browsers that
// have ended included. Safe for concurrent use.
func (s *Session) Redact(text string) string { return s.secrets.Redact(text) }

// Address is a URL as a result shows it: without what is secret in it, and
// bounded, since a data: URL can be a whole page.
func Address(url string) string { return address(url, 300) }

func address(url string, n int) string { return bounded(snapshot.MaskAddress(url), n) }
