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

// A document that is stopped halfway ends in the name of the navigation that stopped
// it, also where that one has been cancelled, as by becoming a download: it has not
// arrived. The document of a failure has.
func TestTheEndOfTheDocumentBefore(t *testing.T) {
	id := bidi.Navigation("n")
	for _, c := range []struct {
		failed, reason, shows, was string
		arrived                    bool
	}{
		{"before", "NS_BINDING_ABORTED", "http://x/slow", "http://x/slow", false},
		{"never", "", "http://x/slow", "http://x/slow", false},
		{"never", "", "http://x/slow", "http://x/", false},
		{"before", "NS_ERROR_CONNECTION_REFUSED", "http://x/file", "http://x/slow", true},
	} {
		b := &Browser{state: newState()}
		b.quirks.StrayContent = true
		b.frames["top"] = &frame{id: "top", tab: &Tab{b: b, id: "top"}, commits: 1, url: c.was}
		named := func(handle func(navigationEvent), id bidi.Navigation, url, message string) {
			b.seq++
			handle(navigationEvent{Context: "top", Navigation: &id, URL: url, Message: message})
		}
		event := func(handle func(navigationEvent), url, message string) { named(handle, id, url, message) }
		if c.was != c.shows { // the document before has hardly begun
			named(b.navigationStartedLocked, "slow", "http://x/slow", "")
			named(b.navigationFailedLocked, "slow", "http://x/slow", "NS_BINDING_ABORTED")
		}
		event(b.navigationStartedLocked, "http://x/file", "")
		if c.failed == "before" {
			event(b.navigationFailedLocked, "http://x/file", c.reason)
		}
		event(b.contentLoadedLocked, c.shows, "")
		if n := b.navigations[id]; n.arrived() != c.arrived {
			t.Errorf("%s, failed %s its end (%s): arrived is %v", c.shows, c.failed, c.reason, n.arrived())
		}
	}
}
