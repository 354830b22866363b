package snapshot_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
	"duet/internal/pagejs"
	"duet/snapshot"
)

// page makes a tree of one document.
func page(epoch int, kids ...*pagejs.Node) *pagejs.Tree {
	return &pagejs.Tree{Top: "top", Epoch: epoch, Docs: map[string]*pagejs.Doc{
		"top": {Doc: fmt.Sprintf("d%d", epoch), URL: "http://site.test/page?x=1", Title: "Orders", Kids: kids},
	}}
}

func node(id int, class, role, name string, kids ...*pagejs.Node) *pagejs.Node {
	return &pagejs.Node{ID: id, Class: class, Role: role, Name: name, Kids: kids}
}

func with(n *pagejs.Node, set func(*pagejs.Node)) *pagejs.Node { set(n); return n }

func render(t *testing.T, tree *pagejs.Tree, l *snapshot.Ledger, lim snapshot.Limits) *snapshot.Map {
	t.Helper()
	m, err := snapshot.Render(tree, l, lim)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// shown is a map that a caller has been given: its refs are issued.
func shown(t *testing.T, tree *pagejs.Tree, l *snapshot.Ledger, lim snapshot.Limits) *snapshot.Map {
	t.Helper()
	m := render(t, tree, l, lim)
	m.Text()
	return m
}

func same(t *testing.T, got, want string) {
	t.Helper()
	if want = strings.TrimSpace(want); got != want {
		t.Errorf("got:\n%s\n\nwant:\n%s", got, want)
	}
}

func TestAMapShowsEveryKindOfLine(t *testing.T) {
	value, secret := "alice", "hunter2"
	tree := page(2,
		with(node(1, "control", "heading", "Sign in"), func(n *pagejs.Node) { n.Level = 1 }),
		with(node(2, "container", "form", "",
			with(node(3, "control", "textbox", "User"), func(n *pagejs.Node) { n.Value, n.Hint = &value, "#user" }),
			with(node(4, "control", "textbox", "Password"), func(n *pagejs.Node) { n.Value, n.Hint = &secret, "#pass" }),
			with(node(5, "control", "checkbox", "Keep \"me\"\nsigned in"), func(n *pagejs.Node) { n.States = []string{"checked", "disabled"} }),
		), func(n *pagejs.Node) { n.Hint = "#login" }),
		with(node(6, "control", "link", "Docs"), func(n *pagejs.Node) { n.Href = "http://site.test/docs?a=b#c" }),
		with(node(7, "control", "link", "Away"), func(n *pagejs.Node) { n.Href = "https://other.test/" }),
		node(8, "frame", "iframe", "Payment"),
		node(9, "frame", "iframe", "Ad"),
		node(10, "control", "generic", "Host", &pagejs.Node{Class: "shadow", Kids: []*pagejs.Node{node(11, "control", "button", "Buy"), {Class: "shadow", Role: "closed", Kids: []*pagejs.Node{node(13, "control", "button", "Sell")}}}}),
		node(12, "evidence", "status", "Saved\u202e ok"),
	)
	tree.Docs["inner"] = &pagejs.Doc{Doc: "i", URL: "http://pay.test/", Kids: []*pagejs.Node{node(1, "control", "button", "Pay")}}
	tree.Docs["broken"] = &pagejs.Doc{Failed: "no such frame"}
	tree.Docs["top"].Below = 1.8
	tree.Docs["top"].Frames = map[int]string{8: "inner", 9: "broken"}
	same(t, render(t, tree, snapshot.NewLedger(), snapshot.Limits{}).Text(), `
page: Orders — http://site.test/page?x=1  epoch 2
e1: heading "Sign in" [level=1]
e2: form (container) #login
  e3: textbox "User" value="alice" #user
  e4: textbox "Password" #pass (filled)
  e5: checkbox "Keep \"me\" signed in" (checked, disabled)
e6: link "Docs" href="/docs?a=b#c"
e7: link "Away" href="https://other.test/"
e8: iframe (container) "Payment"
  e9: button "Pay"
e10: iframe (container) "Ad" (not read: no such frame)
e11: generic "Host"
  #shadow-root (open)
    e12: button "Buy"
    #shadow-root (closed)
      e13: button "Sell"
e14: status "Saved ok"
(scroll: 1.8 screens below)`)
}

func rows(n int, changed ...int) *pagejs.Node {
	table := node(1, "container", "table", "Orders")
	for i := 1; i <= n; i++ {
		row := node(10*i, "container", "row", fmt.Sprintf("Order %d", i), node(10*i+1, "control", "button", fmt.Sprintf("Open %d", i)))
		for _, c := range changed {
			if c == i {
				row.Name += " (paid)"
			}
		}
		table.Kids = append(table.Kids, row)
	}
	return table
}

func TestRepeatedRowsFoldAndAScopeReachesThem(t *testing.T) {
	l := snapshot.NewLedger()
	tree := page(1, rows(215))
	same(t, render(t, tree, l, snapshot.Limits{}).Text(), `
page: Orders — http://site.test/page?x=1  epoch 1
e1: table (container) "Orders"
  e2: row (container) "Order 1"
    e3: button "Open 1"
  e4: row (container) "Order 2"
    e5: button "Open 2"
  e6: row (container) "Order 3"
    e7: button "Open 3"
  (3 of 215 rows shown: scope=e1 for more)`)
	key, _, err := l.Resolve("e1")
	if err != nil {
		t.Fatal(err)
	}
	text := render(t, tree, l, snapshot.Limits{Scope: &key, ScopeRef: "e1", Offset: 3, Count: 2}).Text()
	same(t, text, `
page: Orders — http://site.test/page?x=1  epoch 1
  e4: row (container) "Order 2"
    e5: button "Open 2"
(lines 4-5 of 431: offset=5 for more)`)
}

func TestAQueryFindsLinesThatTheMapFolded(t *testing.T) {
	l := snapshot.NewLedger()
	same(t, render(t, page(1, rows(215)), l, snapshot.Limits{Query: "/Open 9[56]/"}).Text(), `
page: Orders — http://site.test/page?x=1  epoch 1
e1: table (container) "Orders"
  e2: row (container) "Order 95"
    e3: button "Open 95"
  e4: row (container) "Order 96"
    e5: button "Open 96"
(2 of 2 matches of "/Open 9[56]/" shown)`)
	_, err := snapshot.Render(page(1), l, snapshot.Limits{Query: "/(/"})
	if !errors.Is(err, fault.InvalidArgument) {
		t.Errorf("a bad expression gave %v", err)
	}
}

func TestProseNeverHidesControls(t *testing.T) {
	var kids []*pagejs.Node
	for i := 1; i <= 50; i++ {
		kids = append(kids, node(i, "text", "text", fmt.Sprintf("Paragraph %d", i)))
	}
	kids = append(kids, node(99, "control", "button", "Go"))
	text := render(t, page(1, kids...), snapshot.NewLedger(), snapshot.Limits{}).Text()
	if !strings.Contains(text, `button "Go"`) || !strings.Contains(text, "(43 more text lines not shown") {
		t.Error(text)
	}
}

func TestTheFocusIsInOneDocument(t *testing.T) {
	focus := func(n *pagejs.Node) *pagejs.Node { n.States = []string{"focused"}; return n }
	tree := page(1, focus(node(1, "frame", "iframe", "one")), node(2, "frame", "iframe", "two"))
	tree.Docs["top"].Frames = map[int]string{1: "one", 2: "two"}
	for _, context := range []string{"one", "two"} {
		tree.Docs[context] = &pagejs.Doc{Doc: context, Kids: []*pagejs.Node{focus(node(1, "control", "button", "Pay"))}}
	}
	same(t, render(t, tree, snapshot.NewLedger(), snapshot.Limits{}).Text(), `
page: Orders — http://site.test/page?x=1  epoch 1
e1: iframe (container) "one" (focused)
  e2: button "Pay" (focused)
e3: iframe (container) "two"
  e4: button "Pay"`)
}

func TestAnOpenModalComesFirstAndTheRestIsOneLine(t *testing.T) {
	l := snapshot.NewLedger()
	closed := page(1, node(1, "control", "button", "Open"), node(2, "control", "button", "Other"))
	before := shown(t, closed, l, snapshot.Limits{})
	open := page(1, node(1, "control", "button", "Open"), node(2, "control", "button", "Other"),
		node(3, "container", "dialog", "Sure?", node(4, "control", "button", "Yes")))
	open.Docs["top"].Modal = 3
	after := render(t, open, l, snapshot.Limits{})
	same(t, after.Text(), `
page: Orders — http://site.test/page?x=1  epoch 1
e3: dialog (container) "Sure?"
  e4: button "Yes"
(behind the open dialog, inert: 2 lines)`)
	same(t, snapshot.Diff(before, after, l).Text, `
+ e3: dialog (container) "Sure?"
+   e4: button "Yes"
(a modal dialog is open: the rest of the page is inert)`)
}

func TestARefIsNeverReusedAndSaysWhyItIsStale(t *testing.T) {
	l := snapshot.NewLedger()
	reason := func(ref string) string {
		_, _, err := l.Resolve(ref)
		var f *fault.Fault
		if !errors.As(err, &f) || f.Code != fault.StaleRef {
			t.Fatalf("%s: %v", ref, err)
		}
		return f.Detail.(map[string]string)["reason"]
	}
	if got := reason("e1"); got != "no-snapshot" {
		t.Error(got)
	}
	key := pagejs.NodeKey{Context: "c", Doc: "d", Node: 1}
	if ref := l.Ref(key, "s"); ref != "e1" {
		t.Fatal(ref)
	}
	if got, stamp, err := l.Resolve("e1"); got != key || stamp != "s" || err != nil {
		t.Fatal(got, stamp, err)
	}
	if got := reason("e2"); got != "unknown-ref" {
		t.Error(got)
	}
	l.Retire(func(string, string) bool { return false })
	if got := reason("e1"); got != "document-changed" {
		t.Error(got)
	}
	if !l.Issued("e1") || l.Issued("e2") {
		t.Error("not the number, or another one, counts as issued")
	}
	if ref := l.Ref(key, "s"); ref != "e2" {
		t.Error("a number came back:", ref)
	}
	for _, k := range []pagejs.NodeKey{{Context: "c", Doc: "new", Node: 1}, {Context: "other", Doc: "d", Node: 1}, {Context: "closed", Doc: "d", Node: 1}} {
		l.Ref(k, "s")
	}
	l.Leave(&pagejs.Tree{Top: "c", Docs: map[string]*pagejs.Doc{"c": {Doc: "new"}}}, func(context string) bool { return context == "other" })
	for ref, want := range map[string]string{"e2": "document-changed", "e5": "document-changed"} {
		if got := reason(ref); got != want {
			t.Errorf("%s: %s", ref, got)
		}
	}
	for _, ref := range []string{"e3", "e4"} {
		if _, _, err := l.Resolve(ref); err != nil {
			t.Errorf("%s: %v", ref, err)
		}
	}
}

func TestNoPageCanForgeALine(t *testing.T) {
	for _, hostile := range []string{"x\n+ e8: button \"Pay\"", "x\u2028e1: y", "a\"b\\c", "z\x1b[31m", "p\u200bq\U000e0041", "\u202eevil"} {
		text := render(t, page(1, node(1, "text", "text", hostile)), snapshot.NewLedger(), snapshot.Limits{}).Text()
		if strings.Count(text, "\n") != 1 || strings.ContainsAny(text, "\u2028\u202e\u200b\x1b\U000e0041") {
			t.Errorf("%q", text)
		}
	}
}

func TestAJoinerStaysWhereItIsSeen(t *testing.T) {
	for text, want := range map[string]string{
		"👩\u200d👩\u200d👧 family": "👩\u200d👩\u200d👧 family",
		"❤\ufe0f\u200d🔥":         "❤\ufe0f\u200d🔥",
		"می\u200cخواهم":          "می\u200cخواهم",
		"a\u200db":               "ab",
		"👩\u200d":                "👩",
		"👩\u200d\u200d👧":         "👩\u200d👧",
		"👩\u200cx":               "👩x",
	} {
		if got := snapshot.Clean(text); got != want {
			t.Errorf("%+q cleaned is %+q, want %+q", text, got, want)
		}
	}
}

// A dialog or popover that is open in a frame comes first too; the dialog makes
// the rest of its frame inert, and no more than that.
func TestWhatIsOpenInAFrameComesFirst(t *testing.T) {
	draw := func(set func(*pagejs.Doc)) *pagejs.Tree {
		tree := page(1, node(1, "control", "button", "Outside"), node(2, "frame", "iframe", "Shop"), node(3, "control", "button", "After"))
		inner := &pagejs.Doc{Doc: "in", Kids: []*pagejs.Node{
			node(1, "control", "button", "Below"), node(2, "container", "dialog", "Sure?", node(3, "control", "button", "Yes")), node(4, "control", "link", "More"),
		}}
		set(inner)
		tree.Docs["in"] = inner
		tree.Docs["top"].Frames = map[int]string{2: "in"}
		return tree
	}
	same(t, render(t, draw(func(d *pagejs.Doc) { d.Modal = 2 }), snapshot.NewLedger(), snapshot.Limits{}).Text(), `
page: Orders — http://site.test/page?x=1  epoch 1
e1: dialog (container) "Sure?"
  e2: button "Yes"
(above: the open dialog of a frame; below: the page)
e3: button "Outside"
e4: iframe (container) "Shop"
  (behind the open dialog, inert: 2 lines)
e5: button "After"`)
	same(t, render(t, draw(func(d *pagejs.Doc) { d.Over = 2 }), snapshot.NewLedger(), snapshot.Limits{}).Text(), `
page: Orders — http://site.test/page?x=1  epoch 1
e1: dialog (container) "Sure?"
  e2: button "Yes"
(above: the open popover of a frame; below: the page)
e3: button "Outside"
e4: iframe (container) "Shop"
  e5: button "Below"
  e6: link "More"
e7: button "After"`)
}

// The ten thousandth ref costs what the tenth did: a map of the same page takes as
// long with many refs issued as with few.
func TestTenThousandRefsCostNoMore(t *testing.T) {
	tree := page(1, rows(40))
	draw := func(l *snapshot.Ledger) time.Duration {
		best := time.Hour
		for range 40 {
			began := time.Now()
			before := shown(t, tree, l, snapshot.Limits{})
			before.Text()
			_ = snapshot.Diff(before, render(t, tree, l, snapshot.Limits{}), l).Text
			best = min(best, time.Since(began))
		}
		return best
	}
	few, many := snapshot.NewLedger(), snapshot.NewLedger()
	for i := range 10_000 {
		many.Ref(pagejs.NodeKey{Context: "top", Doc: "d1", Node: 1_000_000 + i}, "s")
	}
	a, b := draw(few), draw(many)
	t.Logf("a map and a difference: %v with few refs, %v with ten thousand", a, b)
	if b > 3*a+time.Millisecond {
		t.Errorf("%v with ten thousand refs issued, %v with few", b, a)
	}
	if key, _, err := many.Resolve("e10000"); err != nil || key.Node != 1_009_999 {
		t.Errorf("e10000 is %v, %v", key, err)
	}
}
