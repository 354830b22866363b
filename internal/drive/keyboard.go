package drive

import (
	"context"
	"slices"

	"duet/bidi"
	"duet/internal/fault"
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
	Facts    Facts
}

// Type presses the keys of a text, one by one, in whatever has the focus, in any
// frame or shadow root, and settles: a line break is Enter, a tab is Tab. What is
// typed into a secret field is remembered as a secret of the session. Where it breaks
// off, the fault says how many keys were pressed.
func (t *Tab) Type(ctx context.Context, text string) (Typed, error) {
	keys := keystrokes(text)
	mark := t.Mark()
	c, focus, err := t.focused(ctx)
	if err != nil {
		return Typed{}, err
	}
	out := Typed{Editable: focus.Editable, Secret: focus.Secret}
	if focus.Secret {
		t.b.Remember(text)
	}
	out.Into = t.b.Redact(focus.Active)
	if err := t.toFront(ctx); err != nil {
		return out, err
	}
	for part := range slices.Chunk(keys, keysAtOnce) {
		var g gesture
		for _, k := range part {
			g.tap(k)
		}
		if err := t.input(ctx, c, g.actions(), mark); err != nil {
			out.Facts = t.Since(mark)
			if out.Facts.Dialog != nil {
				out.Keys += len(part)
				return out, t.broke(out.Keys, len(keys), "a dialog opened")
			}
			f := fault.From(err)
			if out.Keys > 0 {
				f = f.After()
			}
			if out.Keys > 0 && f.Code != fault.BrowserLost {
				return out, t.broke(out.Keys, len(keys), f.Message)
			}
			return out, err
		}
		out.Keys += len(part)
	}
	s, err := t.settle(ctx, c, settleWant{mark: mark})
	out.Facts = s.facts
	return out, err
}

// broke is the fault of typing that broke off; all keys sent is none.
func (t *Tab) broke(sent, all int, why string) error {
	if sent >= all {
		return nil
	}
	return fault.New(fault.PartialEffect, "typing broke off after about %d of %d keys: %s", sent, all, why).
		WithDetail(map[string]int{"sent": sent, "keys": all}).At(fault.InEffect, fault.Partial)
}

// Press presses one key, with modifiers held around it, in whatever has the focus,
// and settles: Enter, a, Control+A, Control++, ControlOrMeta+a. No modifier is left
// down. A key that does not exist is INVALID_ARGUMENT, and nothing is pressed.
func (t *Tab) Press(ctx context.Context, key string) (Typed, error) {
	c, err := parseChord(key)
	if err != nil {
		return Typed{}, err
	}
	var g gesture
	g.down(c.held...)
	g.tap(c.key)
	g.up(c.held...)
	return t.keys(ctx, &g, 1)
}

// Key presses a key and leaves it down, or releases it.
func (t *Tab) Key(ctx context.Context, key string, down bool) (Typed, error) {
	k, _, err := keyOf(key)
	if err != nil {
		return Typed{}, err
	}
	var g gesture
	if down {
		g.down(k)
	} else {
		g.up(k)
	}
	return t.keys(ctx, &g, 1)
}

func (t *Tab) keys(ctx context.Context, g *gesture, n int) (Typed, error) {
	mark := t.Mark()
	c, out, err := t.keyTarget(ctx)
	if err != nil {
		return out, err
	}
	s, err := t.perform(ctx, c, g.actions(), settleWant{mark: mark})
	out.Keys, out.Facts = n, s.facts
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
