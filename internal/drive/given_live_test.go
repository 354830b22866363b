package drive

import (
	"strings"
	"testing"
	"time"

	"duet/internal/pagejs"
)

// A field that a secret was put into is a secret one from then on, also where the value
// is too short to be masked wherever it stands, and whatever the field looks like.
func TestFieldsThatSecretsWerePutInto(t *testing.T) {
	pages := site{"/": `<title>S</title><label>Area <textarea id=area></textarea></label><label>Line <input id=line></label>
<div id=rich contenteditable role=textbox aria-label=Rich></div><iframe srcdoc="<label>Inner <input id=inner></label>"></iframe>`}
	eachBrowser(t, pages, func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		el := func(target string) *Element {
			t.Helper()
			e, err := tab.Element(deadline(t, 5*time.Second), target)
			if err != nil {
				t.Fatalf("%s: %s", target, explain(err))
			}
			return e
		}
		hidden := func(target, value string) {
			t.Helper()
			for what, read := range map[string]func() (ReadText, error){
				"text":  func() (ReadText, error) { return el(target).Text(deadline(t, 5*time.Second), 0) },
				"value": func() (ReadText, error) { return el(target).Value(deadline(t, 5*time.Second), 0) },
			} {
				if r, err := read(); err != nil || strings.Contains(r.Text, value) {
					t.Errorf("%s of %s: %+v, %s", what, target, r, explain(err))
				}
			}
			tree, err := tab.Tree(deadline(t, 5*time.Second), TreeOptions{Fresh: true})
			if err != nil {
				t.Fatal(explain(err))
			}
			found := false
			var look func([]*pagejs.Node)
			look = func(nodes []*pagejs.Node) {
				for _, n := range nodes {
					found = found || n.Filled
					if n.Value != nil && strings.Contains(*n.Value, value) || strings.Contains(n.Name, value) {
						t.Errorf("%s: the map says %q %v", target, n.Name, n.Value)
					}
					look(n.Kids)
				}
			}
			for _, d := range tree.Docs {
				look(d.Kids)
			}
			if !found {
				t.Errorf("%s: no field is filled", target)
			}
			matches, err := tab.Find(deadline(t, 5*time.Second), target, 0)
			if err != nil || len(matches.Matches) != 1 || strings.Contains(matches.Matches[0].Text+matches.Matches[0].Line, value) {
				t.Errorf("find %s: %+v, %s", target, matches, explain(err))
			}
		}
		for _, target := range []string{"#area", "#rich", "iframe >> #inner"} {
			r, err := el(target).Fill(deadline(t, 5*time.Second), "zq9", FillOptions{Secret: true})
			if err != nil || !r.Secret {
				t.Fatalf("fill %s: %+v, %s", target, r, explain(err))
			}
			hidden(target, "zq9")
		}
		if _, err := el("#line").Focus(deadline(t, 5*time.Second)); err != nil {
			t.Fatal(explain(err))
		}
		if r, err := tab.TypeSecret(deadline(t, 5*time.Second), "zk7"); err != nil || !r.Secret {
			t.Fatalf("type: %+v, %s", r, explain(err))
		}
		hidden("#line", "zk7")
		// What is put in later is hidden too, until the document goes.
		if _, err := el("#line").Fill(deadline(t, 5*time.Second), "zp5", FillOptions{}); err != nil {
			t.Fatal(explain(err))
		}
		hidden("#line", "zp5")
		open(t, tab, base+"/")
		if r, err := el("#line").Fill(deadline(t, 5*time.Second), "zp6", FillOptions{}); err != nil || r.Value != "zp6" {
			t.Errorf("another document: %+v, %s", r, explain(err))
		}
	})
}
