package snapshot

import (
	"strings"
	"testing"

	"duet/internal/pagejs"
)

// Of what a page has left behind a ledger keeps nothing but that its numbers are
// taken.
func TestRetiredRefsTakeNoRoom(t *testing.T) {
	l := NewLedger()
	for i := range 100 {
		l.Ref(pagejs.NodeKey{Context: "c", Doc: "d", Node: i + 1}, "s")
	}
	l.Retire(func(string, string) bool { return false })
	if len(l.byKey)+len(l.byRef) > 0 || !l.Issued("e100") || l.Issued("e101") {
		t.Errorf("%d keys and %d refs are kept", len(l.byKey), len(l.byRef))
	}
}

// What is drawn and not shown issues nothing: no number is taken and none of its refs
// counts as known. A page that holds the mark of a ref moves none.
func TestOnlyShownLinesAreIssued(t *testing.T) {
	l := NewLedger()
	draw := func(names ...string) *Map {
		doc := &pagejs.Doc{Doc: "d", URL: "http://x/", Title: "T" + refMark, Ready: "complete"}
		for i, name := range names {
			doc.Kids = append(doc.Kids, &pagejs.Node{ID: i + 1, Class: "control", Role: "button", Name: name})
		}
		m, err := Render(&pagejs.Tree{Top: "c", Docs: map[string]*pagejs.Doc{"c": doc}, Epoch: 1}, l, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	names := []string{"a" + refMark + ": x", "b", "c", "d", "e", "f"}
	if draw(names...); l.Issued("e1") {
		t.Error("a map that nobody was shown issued refs")
	}
	before := draw(names...)
	if got := before.Text(); !strings.Contains(got, "\ne1: button \"a: x\"\ne2: button \"b\"") || strings.Contains(got, refMark) || l.Issued("e7") {
		t.Errorf("the map that is shown:\n%q", got)
	}
	after := draw(append(names[:6:6], "g", "h")...)
	in, err := DiffWithin(before, after, l, Limits{Query: "h"})
	if err != nil || in.Text != "+ e7: button \"h\"" || l.Issued("e8") {
		t.Errorf("a diff that tells one of two new lines: %v\n%s", err, in.Text)
	}
}

// An element that stood alone takes the stamp that it gets with its neighbours: it
// has not changed by that, and is refused once it changes.
func TestAStampThatComesLaterIsTaken(t *testing.T) {
	l := NewLedger()
	key := pagejs.NodeKey{Context: "c", Doc: "d", Node: 1}
	ref := l.Ref(key, "")
	if l.refused(key, "v0") {
		t.Error("refused for neighbours that came")
	}
	if _, stamp, err := l.Resolve(ref); err != nil || stamp != "v0" {
		t.Errorf("stamp %q, %v", stamp, err)
	}
	if !l.refused(key, "v1") {
		t.Error("not refused once it stands for something else")
	}
}
