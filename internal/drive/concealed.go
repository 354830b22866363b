package drive

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"duet/bidi"
	"duet/internal/pagejs"
)

// Bounds of asking a page for what it hides: documents, and time.
const (
	concealedFrames = 64
	concealedBound  = time.Second
)

// shortestHidden is the length below which nothing of a script's value is masked.
const shortestHidden = 4

// wholeForms is how many values of hidden fields are masked in every form that they
// can be passed on in; the others are not in those that Encoded has.
const wholeForms = 100

// hidden is what the fields of a page hold that is never shown.
type hidden struct {
	Secrets
	plain []string // those that are not masked in every form
	more  bool     // there is more than was told: nothing can be vouched for
}

// add takes what one document told.
func (h *hidden) add(r pagejs.Concealed) {
	h.more = h.more || r.More || len(h.order)+len(r.Values)+wholeForms > mostSecrets
	if h.more {
		return
	}
	for _, v := range slices.Concat(r.Values, r.Kept[:min(len(r.Kept), wholeForms)]) {
		h.Remember(v)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, v := range r.Kept[min(len(r.Kept), wholeForms):] {
		h.plain = append(h.plain, v)
		h.seekerLocked().AddPlain(v)
	}
}

// Redact replaces what is hidden in a text, or the text where that is not known.
func (h *hidden) Redact(text string) string {
	if h.more && utf8.RuneCountInString(text) >= shortestHidden {
		return secretMask
	}
	return h.Secrets.Redact(text)
}

// RedactJSON is Redact for a JSON text, which stays one.
func (h *hidden) RedactJSON(text []byte) []byte { return redactJSON(text, h.redactQuoted, h.number) }

func (h *hidden) redactQuoted(text string) string {
	if h.more && utf8.RuneCountInString(text) >= shortestHidden {
		return secretMask
	}
	return h.Secrets.redactQuoted(text)
}

func (h *hidden) number(text string) bool {
	return h.more && len(text) >= shortestHidden || h.Secrets.number(text) || slices.ContainsFunc(h.plain, func(v string) bool { return isNumber(v, text) })
}

// aside keeps the protocol log back, until it is called, for an answer with values
// that must be hidden in it first.
func (b *Browser) aside() (over func()) {
	if b.hold == nil {
		return func() {}
	}
	told := b.hold("")
	return func() { told(false) }
}

// concealed returns what the fields of the tab's documents hold that is never shown.
// A frame that does not answer soon is passed over; the page itself must answer.
func (t *Tab) concealed(ctx context.Context) (*hidden, error) {
	soon, stop := context.WithTimeout(ctx, concealedBound)
	defer stop()
	defer t.b.aside()()
	frames := []bidi.Context{t.id}
	for i := 0; i < len(frames) && len(frames) < concealedFrames; i++ {
		frames = append(frames, t.kids(frames[i])...)
	}
	s := hidden{more: len(frames) >= concealedFrames} // further ones are not looked for
	frames = frames[:min(len(frames), concealedFrames)]
	if err := t.pierce(ctx, frames); err != nil {
		return nil, err
	}
	calls := make([]*pageCall[pagejs.ConcealedArgs, pagejs.Concealed], 0, concealedFrames)
	for _, c := range frames {
		calls = append(calls, begin(t, c, pagejs.Hidden, pagejs.ConcealedArgs{}, ""))
	}
	var held []string
	for i, c := range calls {
		within := soon
		if i == 0 {
			within = ctx
		}
		r, err := c.wait(within)
		switch {
		case err != nil && i == 0:
			return nil, err
		case err != nil:
			continue
		}
		s.add(r)
		held = append(append(held, r.Values...), r.Kept...)
	}
	t.b.pass(held)
	return &s, nil
}

// pass hides values in what of the protocol log is held back by aside.
func (b *Browser) pass(values []string) {
	if b.passing != nil {
		b.passing(values)
	}
}

// typing remembers what a secret field that has the focus will hold once a key with
// this text is pressed, in the place of what it held before: a password typed key by
// key is one secret, and its first letters none. It reports whether there is such a field.
func (t *Tab) typing(ctx context.Context, c bidi.Context, text string) bool {
	if t.Dialog() != nil {
		return false
	}
	defer t.b.aside()()
	r, err := run(ctx, t, c, pagejs.Hidden, pagejs.ConcealedArgs{Focused: true}, "")
	if err != nil || !r.Secret {
		return false // what is wrong with the page is said by the press
	}
	t.b.pass([]string{r.Before, r.After})
	value := r.Before + text + r.After
	known := slices.Contains(t.b.kept().told(), value)
	t.b.mu.Lock()
	before := t.b.typed
	t.b.typed = ""
	if !known {
		t.b.typed = value
	}
	t.b.mu.Unlock()
	if before != "" && before == r.Before+r.After {
		t.b.kept().forget(before)
	}
	t.b.Remember(value)
	return true
}

// forget undoes Remember.
func (s *Secrets) forget(value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.order = slices.DeleteFunc(s.order, func(v string) bool { return v == value })
	s.seek = nil
}

// RedactJSON is Redact for a JSON text, which stays one: in its strings, and for
// numbers that are a value as a whole.
func (s *Secrets) RedactJSON(text []byte) []byte { return redactJSON(text, s.redactQuoted, s.number) }

// number reports whether a number is a value as a whole: that of a text of digits has
// lost the noughts before it.
func (s *Secrets) number(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.order, func(v string) bool { return isNumber(v, text) })
}

// isNumber reports whether a value, as a number, is written as text.
func isNumber(value, text string) bool {
	return value == text || len(text) >= shortestHidden && strings.TrimLeft(value, "0") == text
}

func redactJSON(text []byte, redact func(string) string, secret func(number string) bool) []byte {
	out := make([]byte, 0, len(text))
	for len(text) > 0 {
		switch c := text[0]; {
		case c == '"':
			end := 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end, len(text))
			out = append(append(out, '"'), redact(string(text[1:end]))...)
			text = text[end:]
			if len(text) > 0 {
				out, text = append(out, '"'), text[1:]
			}
		case c == '-' || c >= '0' && c <= '9':
			end := bytes.IndexFunc(text, func(r rune) bool {
				return !(r >= '0' && r <= '9' || r == '-' || r == '+' || r == '.' || r == 'e' || r == 'E')
			})
			if end < 0 {
				end = len(text)
			}
			if secret(string(text[:end])) {
				out = strconv.AppendQuote(out, secretMask)
			} else {
				out = append(out, text[:end]...)
			}
			text = text[end:]
		default:
			out, text = append(out, c), text[1:]
		}
	}
	return out
}

// text is the text that a key enters when it is pressed with these keys held, ""
// for none.
func (c chord) text() string {
	for _, held := range c.held {
		if held != keyNames["Shift"] && held != keyNames["ShiftRight"] {
			return ""
		}
	}
	if utf8.RuneCountInString(c.key) != 1 {
		return ""
	}
	if r, _ := utf8.DecodeRuneInString(c.key); r >= 0xE000 && r <= 0xF8FF {
		return ""
	}
	return c.key
}
