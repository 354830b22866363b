package snapshot

import (
	"fmt"
	"strings"
	"testing"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

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
