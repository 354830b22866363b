package drive

import (
	"testing"

	"duet/bidi"
	"duet/internal/pagejs"
)

// A document counts once, in whichever order its commit and its first reading
// are told, and a reading of the document before it counts nothing.
func TestADocumentCountsOnce(t *testing.T) {
	id := func(s string) *bidi.Navigation { n := bidi.Navigation(s); return &n }
	fresh := func() (*Browser, *Tab) {
		b := &Browser{state: newState()}
		tab := &Tab{b: b, id: "top"}
		b.frames["top"] = &frame{id: "top", tab: tab, commits: 1}
		tab.sawDocumentLocked(&pagejs.Doc{Doc: "one"})
		b.seq++
		b.navigationStartedLocked(navigationEvent{Context: "top", Navigation: id("n"), URL: "http://x/two"})
		b.seq++
		return b, tab
	}
	commit := func(b *Browser) {
		b.navigationCommittedLocked(navigationEvent{Context: "top", Navigation: id("n"), URL: "http://x/two"})
		b.seq++
	}
	read := func(tab *Tab, doc string) { tab.sawDocumentLocked(&pagejs.Doc{Doc: doc}) }
	for name, play := range map[string]func(b *Browser, tab *Tab){
		"commit first":  func(b *Browser, tab *Tab) { commit(b); read(tab, "two") },
		"reading first": func(b *Browser, tab *Tab) { read(tab, "two"); commit(b); read(tab, "two") },
		"late reading":  func(b *Browser, tab *Tab) { commit(b); read(tab, "one"); read(tab, "two") },
	} {
		b, tab := fresh()
		play(b, tab)
		if tab.epoch != 1 || tab.doc != "two" {
			t.Errorf("%s: %d documents counted, the last is %q", name, tab.epoch, tab.doc)
		}
	}
}
