package wirelog

import (
	"slices"
	"strings"
	"unicode/utf8"

	"duet/internal/secret"
)

// Hide keeps a value out of everything that is logged from now on, wherever it
// stands and however it is written there: what was typed as a secret comes back in what
// pages show, and in JSON within JSON. Very short values are not hidden: that would
// garble every line and hide nothing.
func (w *Writer) Hide(value string) {
	if w == nil || utf8.RuneCountInString(value) < secret.Shortest {
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
		w.seek = nil
		for _, v := range w.known {
			w.seekLocked(v)
		}
	} else {
		w.seekLocked(value)
	}
	w.rehideLocked()
}

// seekLocked adds a value to seek.
func (w *Writer) seekLocked(value string) {
	if w.seek == nil {
		w.seek = &secret.Seeker{}
	}
	w.seek = w.seek.Clone() // hidden may be it
	w.seek.Add(value)
}

// mostHidden is how many values are hidden at most: the oldest are forgotten. Of those
// that are hidden for a while, the values of the last passes are.
const (
	mostHidden = 500
	passes     = 4
)

// HideForNow is Hide for values that a page holds and soon has others for: until it was
// called with some more times.
func (w *Writer) HideForNow(values []string) {
	if w == nil {
		return
	}
	w.also.HideForNow(values)
	values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return utf8.RuneCountInString(v) < secret.Shortest })
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
	w.hidden = w.seek
	if len(w.passing) == 0 {
		return
	}
	w.hidden = &secret.Seeker{}
	if w.seek != nil {
		w.hidden = w.seek.Clone()
	}
	for _, values := range w.passing {
		for _, v := range values {
			if !slices.Contains(w.known, v) {
				w.hidden.AddPlain(v)
			}
		}
	}
}

// hideLocked replaces what Hide was told of, in the strings of a frame alone: a
// number, a word of the syntax or the name of a member that spells the same is none.
func (w *Writer) hideLocked(frame []byte) []byte {
	if w.hidden == nil {
		return frame
	}
	text := string(frame)
	if !w.hidden.Finds(text) {
		return frame
	}
	var out strings.Builder
	for text != "" {
		from := strings.IndexByte(text, '"')
		if from < 0 {
			break
		}
		from++
		end := from
		for end < len(text) && text[end] != '"' {
			if text[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end, len(text)) // a frame that breaks off ends its string
		out.WriteString(text[:from])
		held, rest := text[from:end], text[end:]
		if !strings.HasPrefix(strings.TrimLeft(rest, "\" \t\r\n"), ":") {
			held = w.hidden.ReplaceQuoted(held, Masked)
		}
		out.WriteString(held)
		if rest != "" {
			out.WriteByte('"')
			rest = rest[1:]
		}
		text = rest
	}
	out.WriteString(text)
	return []byte(out.String())
}
