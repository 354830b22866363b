package snapshot

import (
	"fmt"
	"strings"
	"testing"

	"duet/internal/fault"
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

// A page that draws itself anew all day makes no ledger grow for ever: the refs of
// what it took away fade, the oldest first, and still say what became of them.
func TestRefsOfAPageThatDrawsItselfAnewFade(t *testing.T) {
	l := NewLedger()
	draw := func(from int) *Map {
		doc := &pagejs.Doc{Doc: "d", URL: "http://x/", Ready: "complete"}
		for i := range 50 {
			doc.Kids = append(doc.Kids, &pagejs.Node{ID: from + i, Class: "control", Role: []string{"button", "link"}[i%2], Name: "b"})
		}
		doc.Kids = append(doc.Kids, &pagejs.Node{ID: 1_000_000, Class: "control", Role: "button", Name: "stays"})
		m, err := Render(&pagejs.Tree{Top: "c", Docs: map[string]*pagejs.Doc{"c": doc}, Epoch: 1}, l, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		l.Fade(m)
		m.Text()
		return m
	}
	most := 0
	for i := range 1000 {
		draw(1 + 50*i)
		most = max(most, len(l.byKey))
	}
	if most > keptRefs+60 {
		t.Errorf("%d refs were kept", most)
	}
	_, _, err := l.Resolve("e1")
	if err == nil || !strings.Contains(fmt.Sprint(fault.From(err).Detail), "detached") || !l.Issued("e1") {
		t.Errorf("a faded ref: %v", err)
	}
	if _, _, err := l.Resolve("e51"); err != nil {
		t.Errorf("what stays on the page: %v", err)
	}
	l.Retire(func(string, string) bool { return false })
	if len(l.byKey)+len(l.byRef) > 0 {
		t.Errorf("%d keys and %d refs are kept", len(l.byKey), len(l.byRef))
	}
}
