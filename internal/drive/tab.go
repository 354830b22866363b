package drive

import (
	"context"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// Tab is what a user sees as a tab: its documents come and go, its number stays.
// Safe for concurrent use; its verbs are meant to be called one after another.
type Tab struct {
	b      *Browser
	id     bidi.Context
	number int
	opener int // number of the tab that opened it, 0 for none
	opened int // event that told of it

	// Browser.mu guards the rest.
	ours    bool   // Open opened it, or it was there from the start; no page did
	closed  int    // event that told of its end
	moved   int    // last change of the address within a document
	began   string // the address with which it came
	blanked bool   // the caller had it show an empty page, which so is one to go back to
	turned  int    // last event that may have changed its history, in any frame
	later   int    // documents known to follow the one shown in its history, unless turned since laterAt
	laterAt int
	acted   int          // epoch and 1 of the document in which a script of ours did what a person does, until touch; or 0
	actedIn bidi.Context // the frame that it ran in
	epoch   int          // documents shown before this one
	doc     string       // registry id of the document shown, once a reading told
	gone    string       // registry id of the document shown before it
	observe bool         // the caller of the running verb looks at the page afterwards
	reading *reading
	docs    map[bidi.Context]*pagejs.Doc // last whole reading of each frame
	silent  map[bidi.Context]bool        // frames that did not answer the last time
	held    []held                       // commands that wait for a dialog's answer
	filled  filledIn
	ahead   []*sentFill // fills that were sent and not taken yet, oldest first
	turn    int         // number of the last fill that was sent ahead
	refused *invalidity // what a submission found not valid last
	pointer *Point      // where it was led last, in the tab's viewport; nil before that
	gripped *grip       // a mouse button that is down
	repair  int         // of a popup's context: repairDue, repairing, or 0
}

// Number is the tab's number: from 1, never reused.
func (t *Tab) Number() int { return t.number }

// URL is the address shown, as events told it. It asks the browser nothing.
func (t *Tab) URL() string {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.urlLocked()
}

func (t *Tab) urlLocked() string {
	if f := t.b.frames[t.id]; f != nil {
		return f.url
	}
	return ""
}

// Epoch counts the documents that the tab has shown, the first is 1. A document
// that comes back from history counts again.
func (t *Tab) Epoch() int {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.epoch + 1
}

// Closed reports whether the tab is gone.
func (t *Tab) Closed() bool {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.closed != 0
}

// Browser is the browser that the tab belongs to.
func (t *Tab) Browser() *Browser { return t.b }

// Observe says whether the caller of the next verb looks at the page afterwards:
// then the reading that settles the verb carries the tree, and Tree answers from
// it without a round trip.
func (t *Tab) Observe(on bool) {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	t.observe = on
	t.reading = nil
}

// forget drops the reading that Tree would answer from: the page may have changed.
func (t *Tab) forget() {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	t.reading = nil
}

// newDocumentLocked records that another document is shown.
func (t *Tab) newDocumentLocked() {
	t.epoch++
	if t.doc != "" {
		t.gone = t.doc
	}
	t.doc = ""
	t.reading = nil
}

// sawDocumentLocked records what a reading of the top frame told: a document that
// history brought back, or an address that changed within it, may be told by
// nothing else.
func (t *Tab) sawDocumentLocked(d *pagejs.Doc) {
	if d.Doc != "" && d.Doc == t.gone {
		return // read before the document went, answered after
	}
	f := t.b.frames[t.id]
	moved := f != nil && d.URL != "" && f.url != d.URL
	switch t.doc {
	case d.Doc:
		if moved {
			t.moved = t.b.seq
		}
	case "":
		t.doc = d.Doc
	default:
		// The document may be read before its commit is told: it counts once.
		if f != nil && f.nav != nil && f.nav.committed == 0 && !f.nav.over() {
			f.nav.read = true
		}
		t.newDocumentLocked()
		t.doc = d.Doc
	}
	if moved {
		f.url = d.URL
	}
}

func (t *Tab) closedFault() *fault.Fault {
	return fault.New(fault.StateInvalid, "tab %d is closed", t.number).
		WithHint("list the tabs (%s), and select one (%s)", fault.Call("browser_page", "action", "list"), fault.Call("browser_page", "action", "select", "target", "TAB")).Because(errTabClosed)
}

// fronts is how often a tab is brought to the front while others open.
const fronts = 3

// toFront makes the tab the one that the browser shows where another one is: input
// and screenshots need it. It costs nothing where the tab is in front already.
func (t *Tab) toFront(ctx context.Context) error {
	front := false
	err := t.b.await(ctx, func() bool {
		front = t.b.front == t
		return t.repair == 0
	})
	if err != nil {
		return fault.From(err)
	}
	if front {
		return nil
	}
	for range fronts {
		t.b.mu.Lock()
		before := t.b.seq
		t.b.mu.Unlock()
		if _, err := bidi.BrowsingContextActivate.Call(ctx, t.b.conn, bidi.BrowsingContextActivateParameters{Context: t.id}); err != nil {
			if ctx.Err() != nil {
				return t.b.verdict(ctx, "bring the tab to the front", fault.BeforeEffect, fault.None)
			}
			return wireFault("bring the tab to the front", err).At(fault.BeforeEffect, fault.None)
		}
		// A tab that opened meanwhile may be in front of this one by now.
		t.b.mu.Lock()
		undisturbed := t.b.fronted <= before
		if undisturbed {
			t.b.front = t
		}
		t.b.mu.Unlock()
		if undisturbed {
			break
		}
	}
	return nil
}
