package snapshot_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-json"

	"duet/internal/golden"
	"duet/internal/pagejs"
	"duet/snapshot"
)

// recorded is a document as the live tests of pagejs recorded it on both
// browsers: one node a line, indented by its depth.
func recorded(t *testing.T, path string) *pagejs.Tree {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := &pagejs.Doc{}
	var open []*pagejs.Node
	for i, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		body := strings.TrimLeft(line, " ")
		if body == "" {
			continue
		}
		if i == 0 {
			if err := json.Unmarshal([]byte(body), d); err != nil {
				t.Fatal(err)
			}
			continue
		}
		n := &pagejs.Node{}
		if err := json.Unmarshal([]byte(body), n); err != nil {
			t.Fatalf("%s: line %d: %v", path, i+1, err)
		}
		depth := (len(line) - len(body)) / 2
		open = append(open[:depth-1], n)
		if depth == 1 {
			d.Kids = append(d.Kids, n)
		} else {
			open[depth-2].Kids = append(open[depth-2].Kids, n)
		}
	}
	d.Doc = "d"
	return &pagejs.Tree{Top: "top", Epoch: 1, Docs: map[string]*pagejs.Doc{"top": d}}
}

// What both browsers were recorded to answer for a page is its map.
func TestRecordedPagesAsMaps(t *testing.T) {
	paths, err := filepath.Glob("../internal/pagejs/testdata/*.walk.txt")
	if err != nil || len(paths) == 0 {
		t.Fatal(err, "no recorded pages")
	}
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".walk.txt")
		t.Run(name, func(t *testing.T) {
			text := render(t, recorded(t, path), snapshot.NewLedger(), snapshot.Limits{}).Text()
			golden.Check(t, filepath.Join("testdata", name+".map.txt"), text+"\n")
		})
	}
}

// Every note that a map or a difference can carry, as a caller reads it.
func TestEveryNote(t *testing.T) {
	var out strings.Builder
	say := func(what, text string) { fmt.Fprintf(&out, "## %s\n%s\n\n", what, text) }
	list := func(n int, class, role string, from int) []*pagejs.Node {
		var kids []*pagejs.Node
		for i := range n {
			kids = append(kids, node(from+i, class, role, fmt.Sprintf("%s %d", role, i+1)))
		}
		return kids
	}
	show := func(what string, tree *pagejs.Tree, lim snapshot.Limits) {
		say(what, render(t, tree, snapshot.NewLedger(), lim).Text())
	}
	show("rows fold", page(1, rows(30)), snapshot.Limits{})
	show("each class has its budget", page(1, append(append(append(list(3, "control", "link", 1), list(3, "evidence", "status", 10)...), list(3, "text", "text", 20)...), list(2, "control", "button", 30)...)...),
		snapshot.Limits{Semantic: 2, Evidence: 1, Text: 1})
	show("deeper than asked", page(1, rows(2)), snapshot.Limits{Depth: 2})
	show("a slice", page(1, rows(30)), snapshot.Limits{Offset: 4, Count: 2})
	show("a slice beyond the end", page(1, rows(2)), snapshot.Limits{Offset: 40, Count: 2})
	show("a query", page(1, rows(30)), snapshot.Limits{Query: "open 1", Count: 2})
	show("a query that matches nothing", page(1, rows(2)), snapshot.Limits{Query: "/^never$/"})
	show("what can be acted on", page(1, rows(2), node(90, "text", "text", "prose")), snapshot.Limits{Interactive: true})

	cut := page(1, with(node(1, "container", "list", "Long", list(2, "control", "button", 2)...), func(n *pagejs.Node) { n.More = 4000 }))
	show("a very large page", cut, snapshot.Limits{})
	show("a part of one", cut, snapshot.Limits{Count: 1})
	failed := page(1, node(1, "frame", "iframe", "Ad"), node(2, "frame", "iframe", "Late"))
	failed.Docs["ad"] = &pagejs.Doc{Failed: "no answer within 2s"}
	failed.Docs["top"].Frames = map[int]string{1: "ad"}
	show("frames that were not read", failed, snapshot.Limits{})
	gone := page(1)
	gone.Docs["top"].Failed = "no answer"
	show("a page that was not read", gone, snapshot.Limits{})
	for _, s := range [][2]float64{{0, 1.8}, {2, 0}, {1.5, 3}} {
		tree := page(1)
		tree.Docs["top"].Above, tree.Docs["top"].Below = s[0], s[1]
		show("scrolled", tree, snapshot.Limits{})
	}
	open := page(1, node(1, "control", "button", "Menu"), node(2, "container", "group", "", node(3, "control", "button", "Cut")), node(4, "evidence", "status", "idle"))
	open.Docs["top"].Over = 2
	show("an open popover", open, snapshot.Limits{})
	closed := page(1, node(1, "control", "button", "Delete"))
	modal := page(1, node(1, "control", "button", "Delete"), node(2, "container", "dialog", "Sure?", node(3, "control", "button", "Yes")))
	modal.Docs["top"].Modal = 2
	show("an open modal dialog", modal, snapshot.Limits{})

	diff := func(what string, before, after *pagejs.Tree) {
		l := snapshot.NewLedger()
		say(what, snapshot.Diff(render(t, before, l, snapshot.Limits{}), render(t, after, l, snapshot.Limits{}), l).Text)
	}
	diff("a dialog opens", closed, modal)
	diff("a dialog closes", modal, closed)
	diff("nothing changed", closed, closed)
	diff("nothing changed in what is read", cut, cut)
	many := func(n int, name string) *pagejs.Tree {
		kids := list(n, "item", "listitem", 1)
		for _, k := range kids {
			k.Name += name
		}
		return page(1, append(append(kids, list(60, "control", "link", 1000)...), node(999, "evidence", "status", "last"+name))...)
	}
	diff("more changes than are told, the status first", many(50, ""), many(50, " new"))
	diff("more than half is new", page(1, list(20, "control", "button", 1)...), page(1, append(list(20, "control", "button", 101), list(12, "evidence", "status", 201)...)...))
	diff("shorter than the diff", page(1, list(12, "control", "button", 1)...), page(1, node(1, "control", "button", "button 1")))
	golden.Check(t, filepath.Join("testdata", "notes.txt"), out.String())
}

// A ref is refused after its element came to stand for something else, until the
// change was sent: rendering a map that nobody is sent does not count.
func TestARefHoldsForWhatWasSent(t *testing.T) {
	l := snapshot.NewLedger()
	row := func(stamp string) *pagejs.Tree {
		return page(1, with(node(1, "control", "button", "Pay"), func(n *pagejs.Node) { n.Stamp = stamp }), node(2, "evidence", "status", stamp))
	}
	before := shown(t, row("one"), l, snapshot.Limits{})
	_ = before.Text()
	stamp := func() string {
		_, s, err := l.Resolve("e1")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	after := render(t, row("two"), l, snapshot.Limits{})
	if got := stamp(); got != "one" {
		t.Errorf("a map that was not sent shows %q", got)
	}
	same(t, snapshot.Diff(before, after, l).Text, "~ e1: button \"Pay\"\n~ e2: status \"two\"")
	if got := stamp(); got != "two" {
		t.Errorf("after the diff the ref stands for %q", got)
	}
}
