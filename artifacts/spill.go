package artifacts

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"duet/internal/env"
	"duet/internal/fault"
)

// SpillBytes is the size from which a text goes to a file: DUET_SPILL_BYTES.
func SpillBytes() int { return positive(env.SpillBytes.Int(), 2048) }

// MapBytes is the size up to which a map stays inline: DUET_MAP_BYTES.
func MapBytes() int { return positive(env.MapBytes.Int(), 8192) }

// MaxResponseBytes is the largest answer of one call: DUET_MAX_RESPONSE_BYTES.
func MaxResponseBytes() int { return positive(env.MaxResponseBytes.Int(), 32768) }

func positive(n, def int) int {
	if n <= 0 {
		return def
	}
	return n
}

// Spilled is a text that was too long: what stays inline and where all of it is.
type Spilled struct {
	Inline string // whole lines from the beginning; the first line cut where it alone is too long
	File   File
	Lines  int    // of the whole text
	Cut    string // what the text was cut at before it was written; "" is that it was not
}

// Note says where the whole text is, or all that there is of one that was cut.
func (s Spilled) Note() string {
	what := "whole text"
	if s.Cut != "" {
		what = "text cut at " + s.Cut
	}
	return fmt.Sprintf("("+what+": %s, %d bytes, %d lines; read it with %s)", s.File.Path, s.File.Bytes, s.Lines, fault.Short("browser_read", "artifact", s.File.ID))
}

// Spill writes text to a file and returns as many of its first whole lines as
// fit into inline bytes.
func (d *Dir) Spill(kind, text string, inline int) (Spilled, error) {
	f, err := d.WriteOwn(kind, "txt", []byte(text))
	if err != nil {
		return Spilled{Inline: Head(text, inline)}, err
	}
	return Spilled{Inline: Head(text, inline), File: f, Lines: countLines(text)}, nil
}

func countLines(text string) int {
	return strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
}

// Head returns the whole lines of text that fit into n bytes; a first line that
// alone is longer is cut between characters.
func Head(text string, n int) string {
	if len(text) <= n {
		return text
	}
	if cut := strings.LastIndexByte(text[:n+1], '\n'); cut > 0 {
		return text[:cut]
	}
	const mark = "…"
	n = max(n-len(mark), 0)
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + mark
}

// Slice is a part of an artifact, by lines.
type Slice struct {
	Text   string
	Offset int  // first line, from 0
	Lines  int  // lines in Text
	Total  int  // lines of the artifact
	Own    bool // they are duet's, so that none of them is a page's to choose
}

// Read returns lines of a text artifact of this session, from offset, at most
// limit of them and at most maxBytes bytes, always whole lines but for a single
// line that alone is longer. An artifact that is not text is INVALID_ARGUMENT.
func (d *Dir) Read(id string, offset, limit, maxBytes int) (Slice, error) {
	data, err := d.readAll(id)
	if err != nil {
		return Slice{}, err
	}
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return Slice{}, fault.New(fault.InvalidArgument, "artifacts: %s is not text", base(id)).
			WithHint("open the file itself, at the path that was given for it")
	}
	lines := strings.SplitAfter(strings.TrimSuffix(string(data), "\n"), "\n")
	s := Slice{Offset: min(offset, len(lines)), Total: len(lines), Own: d.isOwn(id)}
	var b strings.Builder
	for _, line := range lines[s.Offset:] {
		if s.Lines == limit || s.Lines > 0 && b.Len()+len(line) > maxBytes {
			break
		}
		b.WriteString(Head(line, maxBytes))
		s.Lines++
	}
	s.Text = strings.TrimSuffix(b.String(), "\n")
	return s, nil
}

func base(id string) string {
	if i := strings.LastIndexAny(id, `/\`); i >= 0 {
		id = id[i+1:]
	}
	return id[:min(len(id), 64)]
}
