package drive

import (
	"context"
	"errors"
	"slices"
	"strings"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// keysAtOnce is how many keys travel in one command: few enough that a deadline or
// a prompt in the middle leaves a known part typed.
const keysAtOnce = 100

// Typed says where keys went.
type Typed struct {
	Into     string // what had the focus, as the map says it; "" where nothing had
	Editable bool   // it takes text
	Secret   bool   // its text must not be shown
	Keys     int    // pressed
	// Elsewhere is what the first key went to where that is not the element that was
	// given the focus last, "" where it is, or is not known.
	Elsewhere string
	Facts     Facts
}

// Type presses the keys of a text, one by one, in whatever has the focus, in any
// frame or shadow root, and settles: a line break is Enter, a tab is Tab. Each of
// these may move the focus, so what has it is asked again before the rest. What is
// typed into a secret field is remembered as a secret of the session, and so is what the
// field holds by it. Where it breaks off, the fault says how many keys were pressed.
func (t *Tab) Type(ctx context.Context, text string) (Typed, error) {
	return t.typeText(ctx, text, false)
}

// TypeSecret is Type of a text that is a secret: the fields that it goes into are secret
// ones from then on, whatever they look like.
func (t *Tab) TypeSecret(ctx context.Context, text string) (Typed, error) {
	t.b.Remember(text)
	return t.typeText(ctx, text, true)
}

func (t *Tab) typeText(ctx context.Context, text string, secret bool) (Typed, error) {
	mark := t.Mark()
	var out Typed
	var in bidi.Context
	all := len(keystrokes(text))
	// A page may make a secret of what is typed, or move the focus into one, by the very text.
	told := t.b.suspect(text)
	defer told(false)
	line := "" // what was typed since the focus was asked for
	parts := stretches(text)
	for n, part := range parts {
		leaves := line != "" && !part.moved && (part.text == "\n" || part.text == "\t")
		if n == 0 || part.moved || leaves {
			c, focus, err := t.focusedAfter(ctx, mark, n > 0)
			if focus.Took && line != "" {
				out.Secret = true
				t.took(ctx, c, line)
			}
			if err != nil {
				out.Facts = t.Since(mark)
				return out, t.broke(out.Keys, all, err)
			}
			in = c
			if secret && focus.Editable && !focus.Secret {
				if focus, err = run(ctx, t, c, pagejs.Active, pagejs.ActiveArgs{Secret: true}, ""); err != nil {
					return out, t.broke(out.Keys, all, err)
				}
			}
			if n == 0 {
				out.Into, out.Editable = focus.Active, focus.Editable
				if err := t.toFront(ctx); err != nil {
					return out, err
				}
			}
			line = ""
			out.Secret = out.Secret || focus.Secret
			if focus.Secret && part.line != "" {
				t.b.Remember(part.line)
				t.typing(ctx, in, part.line)
			}
			out.Into = t.b.Redact(out.Into)
		}
		sent, err := t.tap(ctx, in, part.text, mark)
		out.Keys += sent
		if part.line != "" {
			line = part.line
		}
		out.Facts = t.Since(mark)
		switch d := out.Facts.Dialog; {
		case err != nil && d != nil && out.Keys == all && sent == 1:
			return out, nil // by the very last key; the facts say it
		case err != nil && d != nil:
			return out, t.broke(out.Keys, all, dialogFault(d))
		case err != nil:
			return out, t.broke(out.Keys, all, err)
		}
	}
	s, err := t.settle(ctx, in, settleWant{mark: mark})
	if s.took && line != "" {
		out.Secret = true
		t.took(ctx, in, line)
	}
	told(out.Secret)
	out.Facts = s.facts
	return out, err
}

// took remembers a text that went into something secret, whole, and what the secret
// fields of the document hold of it: the page may have spread it over several.
func (t *Tab) took(ctx context.Context, c bidi.Context, text string) {
	t.b.Remember(text)
	if t.Dialog() != nil {
		return
	}
	defer t.b.aside()()
	r, err := run(ctx, t, c, pagejs.Hidden, pagejs.ConcealedArgs{}, "")
	if err != nil {
		return
	}
	t.b.pass(slices.Concat(r.Values, r.Kept))
	for _, v := range r.Values {
		if strings.Contains(text, v) || strings.Contains(v, text) {
			t.b.Remember(v)
		}
	}
}

// stretch is a part of what is typed: keys that travel together.
type stretch struct {
	text  string
	moved bool   // the key before it may have moved the focus
	line  string // the whole text up to the next such key
}

// stretches cuts a text so that each key which may move the focus travels alone: what
// a dialog that it opens left untyped is then known.
func stretches(text string) []stretch {
	var all []stretch
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	moved := false
	if text == "" {
		return []stretch{{}}
	}
	for text != "" {
		n := strings.IndexAny(text, "\n\t")
		if n == 0 {
			all = append(all, stretch{text: text[:1], moved: moved})
			text, moved = text[1:], true
			continue
		}
		if n < 0 {
			n = len(text)
		}
		line := text[:n]
		text = text[n:]
		for part := range slices.Chunk([]rune(line), keysAtOnce) {
			all = append(all, stretch{string(part), moved, line})
			moved = false
		}
	}
	return all
}

// tap presses the keys of a text by one command and says how many it sent. Where a
// dialog held it up that is how many there may have been, at most.
func (t *Tab) tap(ctx context.Context, c bidi.Context, text string, mark Mark) (int, error) {
	var g gesture
	keys := keystrokes(text)
	if len(keys) == 0 {
		return 0, nil
	}
	for _, k := range keys {
		g.tap(k)
	}
	if err := t.input(ctx, c, g.actions(), mark); err != nil {
		if t.Since(mark).Dialog != nil {
			return len(keys), err
		}
		return 0, err
	}
	return len(keys), nil
}

// focusedAfter is focused; after a key that may have led to another document it
// waits for that.
func (t *Tab) focusedAfter(ctx context.Context, mark Mark, key bool) (bidi.Context, pagejs.Focused, error) {
	c, focus, err := t.focused(ctx)
	if key && (errors.Is(err, errNavigated) || errors.Is(err, errTransient)) {
		if _, err := t.settle(ctx, t.id, settleWant{mark: mark, parsed: true}); err != nil {
			return c, focus, err
		}
		return t.focused(ctx)
	}
	return c, focus, err
}

// broke is the fault of typing that broke off, and of typing that a dialog came upon:
// the keys that it held up may be among those that were pressed.
func (t *Tab) broke(sent, all int, err error) error {
	f := fault.From(err)
	switch {
	case sent == 0:
		return f
	case f.Code == fault.BrowserLost:
		return f.After()
	case f.Code == fault.DialogOpen:
		return fault.New(fault.PartialEffect, "typing broke off after at most %d of %d keys: %s", sent, all, f.Message).
			WithHint("answer the dialog, then look at what was typed").
			WithDetail(map[string]int{"sent_at_most": sent, "keys": all}).At(fault.InEffect, fault.Partial)
	}
	return fault.New(fault.PartialEffect, "typing broke off after about %d of %d keys: %s", sent, all, f.Message).
		WithDetail(map[string]int{"sent": sent, "keys": all}).At(fault.InEffect, fault.Partial)
}

// CheckKey is the error that Press has for a key that does not exist.
func CheckKey(key string) error {
	_, err := parseChord(key)
	return err
}

// EntersText reports whether pressing a key enters text into a field.
func EntersText(key string) bool {
	c, err := parseChord(key)
	return err == nil && c.text() != ""
}

// CheckOneKey is CheckKey for Key, which takes no modifiers.
func CheckOneKey(key string) error {
	_, _, err := keyOf(key)
	return err
}

// Press presses one key, with modifiers held around it, in whatever has the focus,
// and settles: Enter, a, Control+A, Control++, ControlOrMeta+a. No modifier is left
// down. A key that does not exist is INVALID_ARGUMENT, and nothing is pressed. What a
// secret field holds by it is remembered as a secret of the session.
func (t *Tab) Press(ctx context.Context, key string) (Typed, error) {
	c, err := parseChord(key)
	if err != nil {
		return Typed{}, err
	}
	var g gesture
	g.down(c.held...)
	g.tap(c.key)
	g.up(c.held...)
	return t.keys(ctx, &g, c.text())
}

// Key presses a key and leaves it down, or releases it.
func (t *Tab) Key(ctx context.Context, key string, down bool) (Typed, error) {
	k, _, err := keyOf(key)
	if err != nil {
		return Typed{}, err
	}
	var g gesture
	text := ""
	if down {
		g.down(k)
		text = chord{key: k}.text()
	} else {
		g.up(k)
	}
	return t.keys(ctx, &g, text)
}

// keys does what one key does; text is what that enters.
func (t *Tab) keys(ctx context.Context, g *gesture, text string) (Typed, error) {
	mark := t.Mark()
	c, out, err := t.keyTarget(ctx)
	if err != nil {
		return out, err
	}
	secret := text != "" && t.typing(ctx, c, text)
	if text != "" && !secret {
		defer t.b.aside()() // the field may become secret by it
	}
	s, err := t.perform(ctx, c, g.actions(), settleWant{mark: mark})
	if s.took && text != "" && !secret {
		secret = t.typing(ctx, c, "") // by what it holds now
	}
	out.Secret = out.Secret || secret
	out.Keys, out.Facts, out.Elsewhere = 1, s.facts, t.b.Redact(s.later.Keyed)
	return out, err
}

// keyTarget is the context that keys go to. A tab without frames has one, and
// nothing is asked.
func (t *Tab) keyTarget(ctx context.Context) (bidi.Context, Typed, error) {
	if len(t.kids(t.id)) == 0 {
		return t.id, Typed{}, nil
	}
	c, focus, err := t.focused(ctx)
	return c, Typed{Into: t.b.Redact(focus.Active), Editable: focus.Editable, Secret: focus.Secret}, err
}
