package snapshot_test

import (
	"errors"
	"strings"
	"testing"

	"duet/internal/fault"
	"duet/internal/pagejs"
	"duet/snapshot"
)

func TestADiffReachesIntoFoldedRows(t *testing.T) {
	l := snapshot.NewLedger()
	before := shown(t, page(1, rows(300), node(2, "evidence", "status", "idle")), l, snapshot.Limits{})
	after := render(t, page(1, rows(300, 200), node(2, "evidence", "status", "done")), l, snapshot.Limits{})
	same(t, snapshot.Diff(before, after, l).Text, `
~ e9: row (container) "Order 200 (paid)"
~ e8: status "done"`)
}

func TestADiffTellsGoneNewChangedAndRecreated(t *testing.T) {
	l := snapshot.NewLedger()
	old := page(1,
		node(1, "control", "button", "Save"), node(2, "control", "button", "Gone"),
		node(3, "container", "list", "Tasks", node(4, "control", "checkbox", "One")), node(5, "evidence", "status", "1 task"),
		node(8, "container", "region", "Old", node(9, "control", "button", "Inner")))
	before := shown(t, old, l, snapshot.Limits{})
	after := render(t, page(1,
		node(6, "control", "button", "Save"),
		node(3, "container", "list", "Tasks", node(4, "control", "checkbox", "One"), node(7, "container", "listitem", "Two", node(10, "control", "button", "Delete"))),
		node(5, "evidence", "status", "2 tasks")), l, snapshot.Limits{})
	same(t, snapshot.Diff(before, after, l).Text, `
- e2: button "Gone"
- e6: region "Old" and 1 line in it
~ e1→e8: button "Save"
+ e9: listitem (container) "Two"
+   e10: button "Delete"
~ e5: status "2 tasks"`)
	if again := snapshot.Diff(after, after, l); !again.Same || again.Text != "(no a11y changes)" {
		t.Errorf("no change gave %+v", again)
	}
}

func TestTheFocusIsToldOnlyWhereNothingElseChanged(t *testing.T) {
	l := snapshot.NewLedger()
	focus := func(n *pagejs.Node) *pagejs.Node { n.States = []string{"focused"}; return n }
	one := shown(t, page(1, focus(node(1, "control", "button", "A")), node(2, "control", "button", "B"), node(3, "evidence", "status", "x")), l, snapshot.Limits{})
	two := render(t, page(1, node(1, "control", "button", "A"), focus(node(2, "control", "button", "B")), node(3, "evidence", "status", "x")), l, snapshot.Limits{})
	three := render(t, page(1, focus(node(1, "control", "button", "A")), node(2, "control", "button", "B"), node(3, "evidence", "status", "y")), l, snapshot.Limits{})
	same(t, snapshot.Diff(one, two, l).Text, `~ e2: button "B" (focused)`)
	same(t, snapshot.Diff(two, three, l).Text, `~ e3: status "y"`)
}

func TestAMoveIsAChange(t *testing.T) {
	l := snapshot.NewLedger()
	a, b, c := node(1, "text", "listitem", "A"), node(2, "text", "listitem", "B"), node(3, "text", "listitem", "C")
	before := shown(t, page(1, a, b, c), l, snapshot.Limits{})
	after := render(t, page(1, b, c, a), l, snapshot.Limits{})
	same(t, snapshot.Diff(before, after, l).Text, `~ e1: listitem "A" (moved behind e3: listitem "C")`)
	first := render(t, page(1, c, a, b), l, snapshot.Limits{})
	same(t, snapshot.Diff(before, first, l).Text, `~ e3: listitem "C" (moved to the front)`)
}

// What moves into something else is told, and not what it passed by: also into what was
// empty, into what holds something, and beside what came or went.
func TestAMoveSaysWhereTo(t *testing.T) {
	region := func(id int, name string, kids ...*pagejs.Node) *pagejs.Node {
		n := node(id, "container", "region", name)
		n.Kids = kids
		return n
	}
	card, stay, note := node(3, "control", "button", "Card"), node(4, "control", "button", "Stay"), node(6, "text", "text", "drop here")
	added := node(9, "control", "button", "New")
	again := node(8, "control", "button", "Card")
	for _, c := range []struct {
		before, after []*pagejs.Node
		want          string
	}{
		{[]*pagejs.Node{region(1, "Left", card), region(2, "Right")}, []*pagejs.Node{region(1, "Left"), region(2, "Right", card)},
			`~ e2: button "Card" (moved into e3: region "Right")`},
		{[]*pagejs.Node{region(1, "Left", stay, card), region(2, "Right", note)}, []*pagejs.Node{region(1, "Left", stay), region(2, "Right", note, card)},
			`~ e3: button "Card" (moved into e4: region "Right")`},
		{[]*pagejs.Node{region(1, "Left", card), region(2, "Right")}, []*pagejs.Node{region(1, "Left", added), region(2, "Right", card)},
			"+ e4: button \"New\"\n~ e2: button \"Card\" (moved into e3: region \"Right\")"},
		{[]*pagejs.Node{region(1, "Left", card), stay}, []*pagejs.Node{region(1, "Left"), stay, card},
			`~ e2: button "Card" (moved out, to the top)`},
		{[]*pagejs.Node{region(1, "Left", card), region(2, "Right")}, []*pagejs.Node{region(1, "Left"), region(2, "Right", again)},
			`~ e2→e4: button "Card" (moved into e3: region "Right")`},
		{[]*pagejs.Node{region(1, "Left", card, stay)}, []*pagejs.Node{region(1, "Left", region(7, "Wrap", card, stay))},
			`+ e4: region (container) "Wrap"`},
	} {
		l := snapshot.NewLedger()
		before := shown(t, page(1, c.before...), l, snapshot.Limits{})
		same(t, snapshot.Diff(before, render(t, page(1, c.after...), l, snapshot.Limits{}), l).Text, c.want)
	}
}

func TestAWholeMapSaysWhy(t *testing.T) {
	l := snapshot.NewLedger()
	one := shown(t, page(1, node(1, "control", "button", "Go")), l, snapshot.Limits{})
	for _, c := range []struct {
		before *snapshot.Map
		after  *snapshot.Map
		why    string
	}{
		{nil, one, "first look"},
		{one, render(t, page(2, node(1, "control", "button", "Go")), l, snapshot.Limits{}), "navigation"},
	} {
		if d := snapshot.Diff(c.before, c.after, l); !d.Full || d.Reason != c.why || !strings.Contains(d.Text, "(full map: "+c.why+")") {
			t.Errorf("%+v, want %s", d, c.why)
		}
	}
}

// A difference of a part tells what changed there, and nothing else.
func TestADiffOfAPart(t *testing.T) {
	l := snapshot.NewLedger()
	draw := func(name, task, status string, more ...*pagejs.Node) *pagejs.Tree {
		list := node(2, "container", "list", "Tasks", node(3, "control", "button", task), node(4, "container", "listitem", "Deep", node(5, "control", "button", task+" deep")))
		list.Kids = append(list.Kids, more...)
		return page(1, node(1, "control", "button", name), list, node(6, "evidence", "status", status))
	}
	before := shown(t, draw("Save", "One", "idle"), l, snapshot.Limits{})
	before.Text()
	list := pagejs.NodeKey{Context: "top", Doc: "d1", Node: 2}
	now := draw("Saved", "Two", "done", node(7, "control", "button", "New"))
	for _, c := range []struct {
		lim  snapshot.Limits
		want string
	}{
		{snapshot.Limits{Scope: &list, ScopeRef: "e2"}, "+ e7: button \"New\"\n~ e3: button \"Two\"\n~ e5: button \"Two deep\""},
		{snapshot.Limits{Scope: &list, ScopeRef: "e2", Depth: 2}, "+ e7: button \"New\"\n~ e3: button \"Two\""},
		{snapshot.Limits{Query: "deep"}, "~ e5: button \"Two deep\""},
		{snapshot.Limits{Query: "/Sav|idle/"}, "~ e1: button \"Saved\"\n~ e6: status \"done\""},
		{snapshot.Limits{Query: "nowhere"}, "(no a11y changes in that part)"},
	} {
		after := render(t, now, l, c.lim)
		d, err := snapshot.DiffWithin(before, after, l, c.lim)
		if err != nil {
			t.Fatal(err)
		}
		if d.Text != c.want && !d.Full {
			t.Errorf("%+v: got\n%s\nwant\n%s", c.lim, d.Text, c.want)
		} else if d.Full {
			t.Logf("%+v: full, %s", c.lim, d.Reason)
		}
	}
	if _, err := snapshot.DiffWithin(before, before, l, snapshot.Limits{Query: "/(/"}); !errors.Is(err, fault.InvalidArgument) {
		t.Errorf("a bad expression gave %v", err)
	}
}
