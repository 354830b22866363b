package pagejs_test

import (
	"bytes"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/golden"
	"duet/internal/pagejs"
)

var hosts = regexp.MustCompile(`http://(127\.0\.0\.1|localhost):\d+`)

// stable is a document as a golden: one node a line, without what differs from
// run to run.
func stable(t testing.TB, d pagejs.Doc) string {
	t.Helper()
	d.Doc, d.Version, d.Above, d.Below = "", 0, 0, 0
	kids := d.Kids
	d.Kids = nil
	var b strings.Builder
	line := func(depth int, v any) {
		var w bytes.Buffer
		e := json.NewEncoder(&w)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
		b.WriteString(strings.Repeat("  ", depth) + hosts.ReplaceAllString(w.String(), "http://host"))
	}
	line(0, d)
	var node func(n *pagejs.Node, depth int)
	node = func(n *pagejs.Node, depth int) {
		own := *n
		own.Kids = nil
		line(depth, own)
		for _, k := range n.Kids {
			node(k, depth+1)
		}
	}
	for _, k := range kids {
		node(k, 1)
	}
	return b.String()
}

// Every page of testdata reads the same on both browsers.
func TestLiveWalk(t *testing.T) {
	pages, err := filepath.Glob("testdata/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatal(err, len(pages))
	}
	base, _ := serve(t, "testdata")
	onEach(t, func(t *testing.T, p *page) {
		for _, path := range pages {
			name := strings.TrimSuffix(filepath.Base(path), ".html")
			p.load(base + name + ".html")
			args := pagejs.WalkArgs{}
			if name == "many" {
				args.Limit = 100
			}
			first := call(p, p.tab, pagejs.Walk, args)
			got := stable(t, first)
			golden.Check(t, filepath.Join("testdata", name+".walk.txt"), got)
			if strings.Contains(got, "hush") || strings.Contains(got, "4812") { // what the secret fields of the pages hold
				t.Errorf("%s: a secret in\n%s", name, got)
			}
			args.Doc, args.Since = first.Doc, first.Version
			if again := call(p, p.tab, pagejs.Walk, args); !again.Same || again.Version != first.Version || len(again.Kids) != 0 {
				t.Errorf("%s: read again: same %v, version %d after %d", name, again.Same, again.Version, first.Version)
			}
		}
	})
}

func find(t testing.TB, kids []*pagejs.Node, name string) *pagejs.Node {
	t.Helper()
	n := search(kids, name)
	if n == nil {
		t.Fatalf("no node %q", name)
	}
	return n
}

func search(kids []*pagejs.Node, name string) *pagejs.Node {
	for _, n := range kids {
		if n.Name == name {
			return n
		}
		if found := search(n.Kids, name); found != nil {
			return found
		}
	}
	return nil
}

// Each frame element gives its context, of whatever origin its document is.
func TestLiveFrames(t *testing.T) {
	base, _ := serve(t, "testdata")
	onEach(t, func(t *testing.T, p *page) {
		p.load(base + "frames.html")
		doc := call(p, p.tab, pagejs.Walk, pagejs.WalkArgs{})
		var nodes []int
		for _, n := range doc.Kids {
			if n.Class == "frame" {
				nodes = append(nodes, n.ID)
			}
		}
		list, ok := p.raw(p.tab, pagejs.Frames.Source(), pagejs.Frames.Args(pagejs.FramesArgs{Nodes: append(nodes, 9999)})).AsList()
		if !ok || len(list) != len(nodes)+1 || len(nodes) != 5 {
			t.Fatalf("%d values for %d frames", len(list), len(nodes))
		}
		var known []bidi.Context
		for _, c := range p.frames()[0].Children {
			known = append(known, c.Context)
		}
		for i, v := range list {
			context, ok := v.AsWindow()
			if i == len(nodes) {
				if ok {
					t.Error("a number that names nothing has a window")
				}
				continue
			}
			if !ok || !slices.Contains(known, context) {
				t.Errorf("frame %d: %s %s", i, v.Type, v.Value)
				continue
			}
			inner := call(p, context, pagejs.Walk, pagejs.WalkArgs{})
			if want := i < 4; (search(inner.Kids, "In") != nil) != want {
				t.Errorf("frame %d: %s", i, stable(t, inner))
			}
		}
	})
}

// A reading is stable while the page does not change, tells each change, and
// waits for nothing where nothing happens.
func TestLiveChanges(t *testing.T) {
	base, _ := serve(t, "testdata")
	onEach(t, func(t *testing.T, p *page) {
		p.load(base + "form.html")
		last := call(p, p.tab, pagejs.Walk, pagejs.WalkArgs{})
		for _, change := range []string{"value", "checked", "text", "add", "shadow", "move"} {
			act := probe[map[string]string, string](t, "change")
			call(p, p.tab, act, map[string]string{"what": change})
			args := pagejs.WalkArgs{Doc: last.Doc, Since: last.Version, Settle: 500, Delta: true}
			answer := text(p, p.tab, pagejs.Walk, args)
			d, err := pagejs.Walk.Decode(answer)
			if err != nil {
				t.Fatal(err)
			}
			if d.Same || d.Version <= last.Version || d.Doc != last.Doc || !d.Delta {
				t.Errorf("%s: same %v, delta %v, version %d after %d", change, d.Same, d.Delta, d.Version, last.Version)
			}
			if !d.Since(&last) {
				t.Fatalf("%s: the changes do not fit: %s", change, answer)
			}
			whole := text(p, p.tab, pagejs.Walk, pagejs.WalkArgs{})
			full, err := pagejs.Walk.Decode(whole)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := stable(t, d), stable(t, full); got != want {
				t.Errorf("%s: changes make\n%s\nnot\n%s\nfrom %s", change, got, want, answer)
			}
			if change != "move" && len(answer) > len(whole)/2 {
				t.Errorf("%s: %d bytes of changes for a document of %d", change, len(answer), len(whole))
			}
			last = d
		}
		began := time.Now()
		for range 20 {
			d := call(p, p.tab, pagejs.Walk, pagejs.WalkArgs{Doc: last.Doc, Since: last.Version, Settle: 5000})
			if !d.Same {
				t.Error("an idle page changed")
			}
		}
		t.Logf("an idle reading: %v", time.Since(began)/20)
		if _, err := pagejs.Walk.Decode(text(p, p.tab, pagejs.Walk, pagejs.WalkArgs{Scope: find(t, last.Kids, "Notes").ID})); err != nil {
			t.Error(err)
		}
	})
}

// What a press really hits is told on arrival.
func TestLiveHit(t *testing.T) {
	base, _ := serve(t, "testdata")
	onEach(t, func(t *testing.T, p *page) {
		p.load(base + "hit.html")
		doc := call(p, p.tab, pagejs.Walk, pagejs.WalkArgs{})
		arm := probe[map[string]int, int](t, "arm")
		press := func(x, y float64) {
			t.Helper()
			_, err := bidi.InputPerformActions.Call(p.ctx, p.conn, bidi.InputPerformActionsParameters{Context: p.tab, Actions: bidi.List[bidi.InputSourceActions]{
				bidi.InputPointerSourceActions{ID: "mouse", Actions: bidi.List[bidi.InputPointerSourceAction]{
					bidi.InputPointerMoveAction{X: x, Y: y}, bidi.InputPointerDownAction{}, bidi.InputPointerUpAction{},
				}},
			}})
			if err != nil {
				t.Fatal(err)
			}
		}
		for _, c := range []struct {
			name string
			x, y float64
			want pagejs.Hit
		}{
			{"Plain", 50, 25, pagejs.Hit{Seen: true, Inside: true, Type: "pointerdown"}},
			{"Covered", 50, 75, pagejs.Hit{Seen: true, By: `button "Cover"`, Type: "pointerdown"}},
			{"In shadow", 50, 125, pagejs.Hit{Seen: true, Inside: true, Type: "pointerdown"}},
			{"Stopped", 50, 175, pagejs.Hit{Seen: true, Inside: true, Type: "pointerdown"}},
			{"Plain", 1000, 600, pagejs.Hit{Seen: true, Around: true, By: "html", Type: "pointerdown"}},
		} {
			token := call(p, p.tab, arm, map[string]int{"node": find(t, doc.Kids, c.name).ID})
			press(c.x, c.y)
			got := call(p, p.tab, pagejs.Walk, pagejs.WalkArgs{Hit: token, Quiet: true, Settle: 100}).Hit
			if got == nil {
				t.Fatal(c.name, "no hit")
			}
			got.Node = 0
			if !reflect.DeepEqual(*got, c.want) {
				t.Errorf("%s: %+v, want %+v", c.name, *got, c.want)
			}
		}
	})
}

// A document that is shown again is another one, also where the browser kept it:
// its numbers name nothing that they named before.
func TestLiveHistory(t *testing.T) {
	base, _ := serve(t, "testdata")
	onEach(t, func(t *testing.T, p *page) {
		p.load(base + "evidence.html")
		before := call(p, p.tab, pagejs.Walk, pagejs.WalkArgs{})
		p.load(base + "modal.html")
		if d := call(p, p.tab, pagejs.Walk, pagejs.WalkArgs{}); d.Doc == before.Doc {
			t.Error("another document has the same id")
		}
		_, err := bidi.BrowsingContextTraverseHistory.Call(p.ctx, p.conn, bidi.BrowsingContextTraverseHistoryParameters{Context: p.tab, Delta: -1})
		if err != nil {
			t.Fatal(err)
		}
		after := call(p, p.tab, pagejs.Walk, pagejs.WalkArgs{Doc: before.Doc, Since: before.Version})
		if after.Title != before.Title {
			t.Fatalf("at %q", after.Title)
		}
		if after.Doc == before.Doc || after.Same {
			t.Errorf("came back as %s, same %v", after.Doc, after.Same)
		}
	})
}

// A reading takes over rows in which nothing changed. Whatever changes, and
// however, it says what a reading says that takes over nothing.
func TestLiveKeptRows(t *testing.T) {
	base, _ := serve(t, "testdata")
	onEach(t, func(t *testing.T, p *page) {
		p.load(base + "rows.html")
		alter := probe[map[string]string, []string](t, "alter")
		last := call(p, p.tab, pagejs.Walk, pagejs.WalkArgs{})
		for _, what := range call(p, p.tab, alter, map[string]string{"what": "nothing"}) {
			call(p, p.tab, alter, map[string]string{"what": what})
			d := call(p, p.tab, pagejs.Walk, pagejs.WalkArgs{Doc: last.Doc, Since: last.Version, Delta: true})
			if !d.Since(&last) {
				t.Fatalf("%s: the changes do not fit", what)
			}
			want := call(p, p.tab, pagejs.Walk, pagejs.WalkArgs{Whole: true})
			if got, want := stable(t, d), stable(t, want); got != want {
				t.Errorf("%s: taking over makes\n%s\nnot\n%s", what, got, want)
			}
			last = d
		}
	})
}
