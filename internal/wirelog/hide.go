package wirelog

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// shortest is the length in characters below which a value is not hidden.
const shortest = 4

// Hide keeps a value out of everything that is logged from now on, wherever it
// stands: what was typed as a secret comes back in what pages show. The value is
// known in the spellings that JSON gives it, within a text that is itself JSON too.
// Very short values are not hidden: that would garble every line and hide nothing.
func (w *Writer) Hide(value string) {
	if w == nil || utf8.RuneCountInString(value) < shortest {
		return
	}
	w.also.Hide(value)
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.Contains(w.known, value) {
		return
	}
	w.known = append(w.known, value)
	if len(w.known) > mostHidden {
		w.known = slices.Delete(w.known, 0, len(w.known)-mostHidden+mostHidden/10) // some at once: it takes time
		w.rehideLocked()
		return
	}
	w.addHiddenLocked(value)
}

// mostHidden is how many values are hidden at most: the oldest are forgotten. Of those
// that are hidden for a while, the values of the last passes are.
const (
	mostHidden = 10_000
	passes     = 4
)

// HideForNow is Hide for values that a page holds and soon has others for: until it was
// called with some more times.
func (w *Writer) HideForNow(values []string) {
	if w == nil {
		return
	}
	w.also.HideForNow(values)
	values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return utf8.RuneCountInString(v) < shortest })
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(values) == 0 || slices.ContainsFunc(w.passing, func(p []string) bool { return slices.Equal(p, values) }) {
		return
	}
	w.passing = append(w.passing, values)
	if len(w.passing) > passes {
		w.passing = slices.Delete(w.passing, 0, 1)
	}
	w.rehideLocked()
}

// rehideLocked makes hidden anew.
func (w *Writer) rehideLocked() {
	w.hidden = nil
	seen := map[string]bool{}
	for _, values := range append(slices.Clone(w.passing), w.known) {
		for _, v := range values {
			for _, s := range spellings(v) {
				if !seen[s] {
					seen[s] = true
					w.hidden = append(w.hidden, []byte(s))
				}
			}
		}
	}
	slices.SortStableFunc(w.hidden, func(a, b []byte) int { return len(b) - len(a) })
}

func (w *Writer) addHiddenLocked(value string) {
	if utf8.RuneCountInString(value) < shortest {
		return
	}
	for _, s := range spellings(value) {
		if !slices.ContainsFunc(w.hidden, func(h []byte) bool { return string(h) == s }) {
			w.hidden = append(w.hidden, []byte(s))
		}
	}
	// Longest first: a part must not uncover the whole.
	slices.SortStableFunc(w.hidden, func(a, b []byte) int { return len(b) - len(a) })
}

// hideLocked replaces what Hide was told of, in the strings of a frame alone: a
// number, a word of the syntax or the name of a member that spells the same is none.
func (w *Writer) hideLocked(frame []byte) []byte {
	if len(w.hidden) == 0 || !bytes.Contains(frame, cutMark) && !slices.ContainsFunc(w.hidden, func(h []byte) bool {
		return bytes.Contains(frame, h[:min(len(h), hiddenHead)])
	}) {
		return frame
	}
	out := make([]byte, 0, len(frame))
	for len(frame) > 0 {
		from := bytes.IndexByte(frame, '"')
		if from < 0 {
			break
		}
		from++
		end := from
		for end < len(frame) && frame[end] != '"' {
			if frame[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end, len(frame)) // a frame that breaks off ends its string
		out = append(out, frame[:from]...)
		text, rest := frame[from:end], frame[end:]
		if !bytes.HasPrefix(bytes.TrimLeft(rest, "\" \t\r\n"), []byte(":")) {
			text = w.hideTextLocked(text)
		}
		out = append(out, text...)
		if len(rest) > 0 {
			out, rest = append(out, '"'), rest[1:]
		}
		frame = rest
	}
	return append(out, frame...)
}

// hideTextLocked is hideLocked for what stands within the quotes of one string.
func (w *Writer) hideTextLocked(text []byte) []byte {
	for _, h := range w.hidden {
		text = bytes.ReplaceAll(text, h, []byte(Masked))
		if len(h) > longHidden {
			text = hideCut(text, h)
		}
	}
	if bytes.Contains(text, cutMark) {
		text = w.hideHeadsLocked(text)
	}
	return text
}

// cutMark stands where a page function cut a text.
var cutMark = []byte("…")

// hideHeadsLocked replaces what a cut has left of a value before the mark.
func (w *Writer) hideHeadsLocked(text []byte) []byte {
	parts := bytes.Split(text, cutMark)
	for i, part := range parts[:len(parts)-1] {
		longest := 0
		for _, h := range w.hidden {
			for n := min(len(h)-1, len(part)); n > longest && n >= 4; n-- {
				if bytes.HasSuffix(part, h[:n]) {
					longest = n
				}
			}
		}
		if longest > 0 {
			parts[i] = append(bytes.Clone(part[:len(part)-longest]), Masked...)
		}
	}
	return bytes.Join(parts, cutMark)
}

// Of a value longer than longHidden bytes a frame may hold the beginning alone,
// where a page function cut it; so many bytes of it, or more, are taken for that.
const (
	longHidden = 40
	hiddenHead = 16
)

// hideCut replaces what begins as the value does, as far as it goes on so.
func hideCut(frame, value []byte) []byte {
	i := bytes.Index(frame, value[:hiddenHead])
	if i < 0 {
		return frame
	}
	var out []byte
	for ; i >= 0; i = bytes.Index(frame, value[:hiddenHead]) {
		n := hiddenHead
		for n < len(value) && i+n < len(frame) && frame[i+n] == value[n] {
			n++
		}
		for n > 1 && frame[i+n-1] == '\\' { // an escape is not cut in two
			n--
		}
		out = append(append(out, frame[:i]...), Masked...)
		frame = frame[i+n:]
	}
	return append(out, frame...)
}

// spellings are the ways in which a value can stand in a frame: escaped once, as a
// member, twice, as a member of what a page function answers, and more often where
// that was JSON itself. Some encoders
// escape < for the sake of HTML.
func spellings(value string) []string {
	once := escaped(value, false)
	all := []string{once}
	for range nestings {
		all = append(all, escaped(all[len(all)-1], false))
	}
	if strings.ContainsAny(value, "<>&") {
		html := escaped(value, true)
		all = append(all, html, escaped(html, false), strings.ReplaceAll(escaped(once, false), "<", `\u003C`), strings.ReplaceAll(once, "<", `\u003C`))
	}
	return all
}

// nestings is how many quotes a value may stand in besides those of its member.
const nestings = 3

// escaped is a text as it stands within the quotes of JSON.
func escaped(s string, html bool) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || html && strings.ContainsRune("<>&", r):
			b.WriteString(`\u00`)
			if r < 0x10 {
				b.WriteByte('0')
			}
			b.WriteString(strconv.FormatInt(int64(r), 16))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
