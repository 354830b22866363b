package report

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"duet/internal/trace"
)

// A whole map is marked against the one before, where it is of the same document.
func TestCompared(t *testing.T) {
	before := []string{"page: A — http://a.test/  epoch 2", "e1: main (container)", `  e2: button "Buy"`, `  e3: status "empty"`, `  e4: link "Help"`, "(scroll: 1.0 screens below)"}
	after := []string{"page: A — http://a.test/  epoch 2", "e1: main (container)", `  e3: status "1 thing"`, `  e4: link "Help"`, `  e9: button "Pay"`}
	want := []string{"#page: A — http://a.test/  epoch 2", " e1: main (container)", `-  e2: button "Buy"`, `~  e3: status "1 thing"`, `   e4: link "Help"`, `+  e9: button "Pay"`}
	if d := cmp.Diff(want, compared(before, after)); d != "" {
		t.Error(d)
	}
}

// What a caller was told is taken apart: the map or the difference, and what happened.
func TestMaps(t *testing.T) {
	m := mapper{last: map[seen]whole{}}
	act := func(observation string) *trace.Action {
		return &trace.Action{Done: &trace.Done{OK: true, Tab: 1, Observation: observation}}
	}
	first, events := m.of(0, act("page: A — http://a.test/  epoch 2  (full map: first look)\ne1: button \"Buy\"\nerrors: 0 (logCursor 1)"))
	if want := (&pageMap{Kind: mapFull, Why: "first look", Lines: "#page: A — http://a.test/  epoch 2\n e1: button \"Buy\"", Base: -1, Than: -1}); cmp.Diff(want, first) != "" || events != nil {
		t.Errorf("%s%v", cmp.Diff(want, first), events)
	}
	delta, events := m.of(1, act("+   e2: status \"done\"\n~ e1→e3: button \"Buy\"\n(no modal dialog any more: the whole page can be used)\nerrors: 2 (logCursor 4)\npopup: tab 2 http://b.test/"))
	if want := (&pageMap{Kind: mapDelta, Lines: "+  e2: status \"done\"\n~e1→e3: button \"Buy\"\n!(no modal dialog any more: the whole page can be used)", Base: 0, Than: -1}); cmp.Diff(want, delta) != "" {
		t.Error(cmp.Diff(want, delta))
	}
	if d := cmp.Diff([]string{"errors: 2 (logCursor 4)", "popup: tab 2 http://b.test/"}, events); d != "" {
		t.Error(d)
	}
	if nothing, _ := m.of(2, act("errors: 0 (logCursor 4)\ndialog open: alert \"hello\"")); nothing != nil {
		t.Errorf("a map where a dialog was open: %v", nothing)
	}
	again := act("")
	again.Verb, again.Args, again.Done.Result = "snapshot", []byte(`{}`), []byte(`"page: A — http://a.test/  epoch 2\ne1: button \"Sell\""`)
	whole, _ := m.of(3, again)
	if want := (&pageMap{Kind: mapFull, Lines: "#page: A — http://a.test/  epoch 2\n~e1: button \"Sell\"", Base: -1, Than: 0}); cmp.Diff(want, whole) != "" {
		t.Error(cmp.Diff(want, whole))
	}
	again.Args = []byte(`{"query":"Sell"}`)
	if part, _ := m.of(4, again); part.Than != -1 {
		t.Errorf("a part is marked against a whole: %v", part)
	}
	other := act("+ e8: status \"x\"\nerrors: 0 (logCursor 1)")
	other.Caller = "another"
	if delta, _ := m.of(5, other); delta.Base != -1 {
		t.Errorf("another caller's difference stands on this caller's map: %v", delta)
	}
}

// A line says what an action was about, and nothing that was typed.
func TestWhat(t *testing.T) {
	for _, c := range []struct{ verb, target, args, want string }{
		{"click", "e7", `{"selector":"e7"}`, "e7"},
		{"open", "", `{"url":"http://a.test/"}`, "http://a.test/"},
		{"fill", "e2", `{"selector":"e2","value":"••• (9 characters)"}`, "e2"},
		{"check", "e2", `{"action":"check","selector":"e2"}`, "e2"},
		{"expect", "e4", `{"what":"text","selector":"e4","expected":"2 things"}`, "text e4"},
		{"dialog", "", `{"action":"accept","text":"•••"}`, "accept •••"},
		{"press", "", `{"key":"Enter"}`, "Enter"},
		{"batch", "", `{"steps":["browser_fill"]}`, ""},
		{"tabs", "", `null`, ""},
	} {
		a := &trace.Action{Call: trace.Call{Verb: c.verb, Target: c.target, Args: []byte(c.args)}}
		if got := what(a); got != c.want {
			t.Errorf("what(%s %s) = %q, want %q", c.verb, c.args, got, c.want)
		}
	}
}

// Pauses are folded, the order of times stays, and the ends are 0 and 1.
func TestFold(t *testing.T) {
	scale, pauses := fold([]stretch{{0, 100}, {200, 300}, {60_000, 60_100}}, 60_200)
	if len(pauses) != 1 || pauses[0][2] != 59_700 {
		t.Errorf("pauses = %v, want the minute alone", pauses)
	}
	last := [2]float64{-1, -1}
	for _, k := range scale {
		if k[0] < last[0] || k[1] < last[1] {
			t.Errorf("the scale is not rising: %v", scale)
		}
		last = k
	}
	if scale[0][1] != 0 || last != [2]float64{60_200, 1} {
		t.Errorf("the scale goes from %v to %v", scale[0], last)
	}
	if pauses[0][1]-pauses[0][0] > 0.4 {
		t.Errorf("the pause takes %v of the line", pauses[0][1]-pauses[0][0])
	}
	if scale, pauses := fold(nil, 500); len(scale)+len(pauses) > 0 {
		t.Errorf("an empty trace has a scale: %v %v", scale, pauses)
	}
}

func TestPlain(t *testing.T) {
	for in, want := range map[string]string{
		"two\nlines\tand a tab": "two\nlines\tand a tab",
		"a\u202eb\x1b[31m":      "a⟨U+202E⟩b⟨U+001B⟩[31m",
		"\xffbroken":            "\uFFFDbroken",
		"👩\u200d💻 é":            "👩\u200d💻 é",
	} {
		if got := plain(in, 1000); got != want {
			t.Errorf("plain(%q) = %q, want %q", in, got, want)
		}
	}
	if got := plain("grüße", 4); got != "gr… (5 bytes more)" && got != "grü… (3 bytes more)" {
		t.Errorf("cut inside a character: %q", got)
	}
}

// No text ends the block that it stands in.
func TestScript(t *testing.T) {
	got, err := script(map[string]string{"</script><!--": "\u2028</SCRIPT "})
	if err != nil || strings.Contains(string(got), "<") {
		t.Errorf("%s, %v", got, err)
	}
}

// The pictures of a page have a limit in bytes.
func TestAlbum(t *testing.T) {
	l := album{known: map[string]int{"old.png": 0}, all: make([]picture, 1), bytes: maxPictures}
	if n, why := l.take(&trace.Shot{File: "old.png"}); n != 0 || why != "" {
		t.Errorf("a known picture: %d %q", n, why)
	}
	for data, want := range map[string]string{
		"\x89PNG\r\n\x1a\n…": "image/png", "\xff\xd8\xff\xe0": "image/jpeg", "RIFF1234WEBPVP8 ": "image/webp", "<svg/>": "", "": "", "GIF89a": "",
	} {
		if got := kindOf([]byte(data)); got != want {
			t.Errorf("kindOf(%q) = %q, want %q", data, got, want)
		}
	}
}

// A thing that a few of are said with their number.
func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{plural(1, "record"), "1 record"}, {plural(2, "record"), "2 records"}, {sentence("the log is full"), "The log is full."},
		{lasted(12), "12 ms"}, {lasted(34_500), "34.5 s"}, {lasted(61_000), "1 min 1 s"}, {lasted(3_720_000), "1 h 2 min"},
	} {
		if c.got != c.want {
			t.Errorf("%s, want %s", fmt.Sprintf("%q", c.got), fmt.Sprintf("%q", c.want))
		}
	}
}
