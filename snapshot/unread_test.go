package snapshot_test

import (
	"strings"
	"testing"

	"duet/internal/pagejs"
	"duet/snapshot"
)

// What a reading did not reach is not said to be gone: the tail of one that was cut
// short, and a frame that gave no answer. What is gone before that is said.
func TestWhatWasNotReadIsNotGone(t *testing.T) {
	items := func(from, to int) []*pagejs.Node {
		var out []*pagejs.Node
		for id := from; id <= to; id++ {
			out = append(out, node(id, "control", "button", "B"+string(rune('a'+id))))
		}
		return out
	}
	l := snapshot.NewLedger()
	before := shown(t, page(1, items(1, 10)...), l, snapshot.Limits{})
	tail := page(1, append(items(1, 2), items(4, 7)...)...)
	tail.Docs["top"].More = 3
	d := snapshot.Diff(before, render(t, tail, l, snapshot.Limits{}), l)
	if !strings.HasPrefix(d.Text, "- e3: button \"Bd\"") || strings.Count(d.Text, "- e") != 1 || !strings.Contains(d.Text, "3 elements of the page not compared") {
		t.Errorf("cut short:\n%s", d.Text)
	}
	whole := page(1, append(items(1, 2), items(4, 7)...)...)
	if d := snapshot.Diff(before, render(t, whole, l, snapshot.Limits{}), l); strings.Count(d.Text, "- e") != 4 {
		t.Errorf("read whole:\n%s", d.Text)
	}

	framed := func(inner *pagejs.Doc) *pagejs.Tree {
		tree := page(1, append(items(1, 9), node(20, "frame", "iframe", "Ad"))...)
		tree.Docs["f"] = inner
		tree.Docs["top"].Frames = map[int]string{20: "f"}
		return tree
	}
	l = snapshot.NewLedger()
	before = shown(t, framed(&pagejs.Doc{Doc: "i", Kids: items(1, 3)}), l, snapshot.Limits{})
	d = snapshot.Diff(before, render(t, framed(&pagejs.Doc{Failed: "no answer"}), l, snapshot.Limits{}), l)
	if strings.Contains(d.Text, "- e") || !strings.Contains(d.Text, "not read") {
		t.Errorf("a frame that hangs:\n%s", d.Text)
	}
}
