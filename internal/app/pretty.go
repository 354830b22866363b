package app

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/goccy/go-json"
)

// On a terminal a result that is an object is lines for a person; into a pipe and a
// file it goes as it is, for programs.

// terminal reports whether a person reads what is written.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// pretty is an answer's text for a person: its first line that is an object as
// lines of names and values, all else as it is.
func pretty(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if !strings.HasPrefix(line, "{") {
			continue
		}
		var b strings.Builder
		d := json.NewDecoder(strings.NewReader(line))
		d.UseNumber()
		if open, err := d.Token(); err != nil || open != json.Delim('{') {
			return text
		}
		if members(d, &b, "") != nil {
			return text
		}
		said := strings.TrimRight(b.String(), "\n")
		if said == "" {
			said = "done"
		}
		lines[i] = said
		break
	}
	return strings.Join(lines, "\n")
}

// members writes the rest of an object, a line for each name; ok is no news.
func members(d *json.Decoder, b *strings.Builder, indent string) error {
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return err
		}
		if name == "ok" && string(raw) == "true" && indent == "" {
			continue
		}
		fmt.Fprintf(b, "%s%v:", indent, name)
		if err := value(raw, b, indent); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

// value writes a value behind its name and ends the line. Texts keep their quotes
// where they would not be told from what is around them.
func value(raw json.RawMessage, b *strings.Builder, indent string) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	switch first := bytes.TrimSpace(raw)[0]; first {
	case '{', '[':
		if _, err := d.Token(); err != nil {
			return err
		}
		if !d.More() {
			b.WriteString(" none\n")
			return nil
		}
		b.WriteByte('\n')
		if first == '{' {
			return members(d, b, indent+"  ")
		}
		for d.More() {
			var element json.RawMessage
			if err := d.Decode(&element); err != nil {
				return err
			}
			fmt.Fprintf(b, "%s  - %s\n", indent, flat(element))
		}
	default:
		fmt.Fprintf(b, " %s\n", flat(raw))
	}
	return nil
}

// flat is a value on one line.
func flat(raw json.RawMessage) string {
	switch bytes.TrimSpace(raw)[0] {
	case '{':
		d := json.NewDecoder(bytes.NewReader(raw))
		_, _ = d.Token() // it is there
		var parts []string
		for d.More() {
			name, err := d.Token()
			var element json.RawMessage
			if err != nil || d.Decode(&element) != nil {
				return string(raw)
			}
			parts = append(parts, fmt.Sprintf("%v=%s", name, flat(element)))
		}
		return strings.Join(parts, " ")
	case '"':
		var text string
		if json.Unmarshal(raw, &text) == nil && text != "" && !strings.ContainsAny(text, " \"\\") && clip(text) == text {
			return text
		}
	}
	return string(raw)
}
