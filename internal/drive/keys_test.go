package drive

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-json"

	"duet/internal/fault"
)

// A chord is modifiers around one key, as a keyboard gives it.
func TestParseChord(t *testing.T) {
	const shift, control, alt = "\uE008", "\uE009", "\uE00A"
	for in, want := range map[string]string{
		"Enter":                   "\uE006",
		"enter":                   "\uE006",
		"Return":                  "\uE006",
		"esc":                     "\uE00C",
		"a":                       "a",
		"A":                       "A",
		"é":                       "é",
		"😀":                       "😀",
		"+":                       "+",
		"Space":                   " ",
		" ":                       " ",
		"Control+a":               control + " a",
		"Control+A":               control + " A",
		"Ctrl+Shift+K":            control + " " + shift + " K",
		"Control++":               control + " +",
		"Shift+a":                 shift + " A",
		"Shift+1":                 shift + " !",
		"Shift+Tab":               shift + " \uE004",
		"Alt+F4":                  alt + " \uE034",
		"Control+Shift+ArrowLeft": control + " " + shift + " \uE012",
	} {
		c, err := parseChord(in)
		if got := strings.Join(append(c.held, c.key), " "); err != nil || got != want {
			t.Errorf("%q = %q, %v, want %q", in, got, err, want)
		}
	}
	for _, in := range []string{"", "Foo", "Control+Foo", "a+b", "Enter+a", "\uE009", "ab", "\n"} {
		if _, err := parseChord(in); !errors.Is(err, fault.InvalidArgument) {
			t.Errorf("%q = %v, want INVALID_ARGUMENT", in, err)
		}
	}
}

// Typed text is one key a code point; line breaks and tabs are keys; nothing in it
// can press a special key or send half a character.
func TestKeystrokes(t *testing.T) {
	for in, want := range map[string][]string{
		"aB":       {"a", "B"},
		"a😀":       {"a", "😀"},
		"a\r\nb":   {"a", "\uE006", "b"},
		"\t":       {"\uE004"},
		"x\uE009":  {"x", "\uFFFD"},
		"\x00\x1b": {},
		"\xff":     {"\uFFFD"},
	} {
		if got := keystrokes(in); !slices.Equal(got, want) {
			t.Errorf("%q = %q, want %q", in, got, want)
		}
	}
}

// Devices act in step: modifiers are down before the button and up after it.
func TestGesture(t *testing.T) {
	for name, c := range map[string]struct {
		build func(*gesture)
		want  string
	}{
		"click": {func(g *gesture) {
			g.move(Point{X: 10.5, Y: 20})
			g.press(0, 1)
		}, `[{"type":"pointer","id":"mouse","parameters":{"pointerType":"mouse"},"actions":[{"type":"pointerMove","x":10.5,"y":20},{"type":"pointerDown","button":0},{"type":"pointerUp","button":0}]}]`},
		"double right click with a modifier": {func(g *gesture) {
			g.down("\uE009")
			g.move(Point{X: 1, Y: 2})
			g.press(2, 2)
			g.up("\uE009")
		}, `[{"type":"key","id":"keyboard","actions":[{"type":"keyDown","value":"\uE009"},{"type":"pause"},{"type":"pause"},{"type":"pause"},{"type":"pause"},{"type":"pause"},{"type":"keyUp","value":"\uE009"}]},{"type":"pointer","id":"mouse","parameters":{"pointerType":"mouse"},"actions":[{"type":"pause"},{"type":"pointerMove","x":1,"y":2},{"type":"pointerDown","button":2},{"type":"pointerUp","button":2},{"type":"pointerDown","button":2},{"type":"pointerUp","button":2},{"type":"pause"}]}]`},
		"chord": {func(g *gesture) {
			g.down("\uE009", "\uE008")
			g.tap("K")
			g.up("\uE009", "\uE008")
		}, `[{"type":"key","id":"keyboard","actions":[{"type":"keyDown","value":"\uE009"},{"type":"keyDown","value":"\uE008"},{"type":"keyDown","value":"K"},{"type":"keyUp","value":"K"},{"type":"keyUp","value":"\uE008"},{"type":"keyUp","value":"\uE009"}]}]`},
		"wheel": {func(g *gesture) { g.turn(Point{X: 3, Y: 4}, 0, -300) },
			`[{"type":"wheel","id":"wheel","actions":[{"type":"scroll","x":3,"y":4,"deltaX":0,"deltaY":-300}]}]`},
	} {
		var g gesture
		c.build(&g)
		got, err := json.Marshal(g.actions())
		want := strings.NewReplacer(`\uE009`, "\uE009", `\uE008`, "\uE008").Replace(c.want)
		if err != nil || string(got) != want {
			t.Errorf("%s:\n got %s\nwant %s (%v)", name, got, want, err)
		}
	}
}
