package report

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-json"

	"duet/snapshot"
)

// plain makes a text of a page fit to be looked at: characters that nobody sees, or
// that turn the order of what is read, stand there by their numbers. Lines stay
// lines. At most limit bytes are kept.
func plain(s string, limit int) string {
	s = cut(strings.ToValidUTF8(s, "\uFFFD"), limit)
	if !unseen(s) {
		return s
	}
	var b strings.Builder
	last := rune(0)
	for i, r := range s {
		if hidden(last, r, s[i:]) {
			fmt.Fprintf(&b, "⟨U+%04X⟩", r)
		} else {
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

func hidden(last, r rune, rest string) bool {
	return r != '\n' && r != '\t' && (r >= 0x80 || r < 0x20 || r == 0x7F) && snapshot.Unseen(last, rest)
}

func unseen(s string) bool {
	last := rune(0)
	for i, r := range s {
		if hidden(last, r, s[i:]) {
			return true
		}
		last = r
	}
	return false
}

// cut keeps the beginning of a text and says how much it leaves out.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := limit
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return fmt.Sprintf("%s… (%d bytes more)", s[:n], len(s)-n)
}

// short is a text of one line.
func short(s string, limit int) string {
	return plain(strings.Join(strings.Fields(s), " "), limit)
}

// pretty is JSON for people: a text as it is, everything else indented.
func pretty(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "{}" || string(raw) == "null" {
		return ""
	}
	var text string
	if raw[0] == '"' && json.Unmarshal(raw, &text) == nil {
		return plain(text, maxText)
	}
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return plain(string(raw), maxText)
	}
	return plain(b.String(), maxText)
}

// script is a value as a block of JSON in a page: there is no < in it, so that
// nothing in it ends the block or opens another.
func script(v any) ([]byte, error) {
	b, err := json.MarshalWithOption(v, json.DisableHTMLEscape())
	if err != nil {
		return nil, err
	}
	return bytes.ReplaceAll(b, []byte("<"), []byte(`\u003c`)), nil
}
