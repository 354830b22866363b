package snapshot

import (
	"slices"
	"strconv"
	"strings"
	"sync"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// Ledger issues refs. One ref names one element for its whole life and a number
// never comes back: not after a navigation, in another tab, or in the next
// browser of the session. Safe for concurrent use.
type Ledger struct {
	mu    sync.Mutex // guards the rest
	last  int        // every number up to it was issued
	byKey map[pagejs.NodeKey]*issued
	byRef map[int]*issued // without those that were retired; a faded one has no node
}

// issued is a ref that was printed, with what its element stood for then.
type issued struct {
	number int
	key    pagejs.NodeKey
	stamp  string
}

// NewLedger returns a ledger that has issued nothing.
func NewLedger() *Ledger {
	return &Ledger{byKey: map[pagejs.NodeKey]*issued{}, byRef: map[int]*issued{}}
}

// Ref returns the ref of an element, a new one where it has none yet. The stamp
// says what the element stands for in the line that is being printed; the ref is
// refused once that changes, until a line has shown the change.
func (l *Ledger) Ref(key pagejs.NodeKey, stamp string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.byKey[key]
	if e == nil {
		l.last++
		e = &issued{number: l.last, key: key}
		l.byKey[key], l.byRef[l.last] = e, e
	}
	e.stamp = stamp
	return "e" + strconv.Itoa(e.number)
}

// refMark stands in a text for a ref that is not issued yet: no text of a page holds
// it.
const refMark = "\x00"

// fill puts the refs of these lines in the place of the marks of a text that is being
// shown, in order. This is what issues them.
func (l *Ledger) fill(text string, all []Line, lines []int) string {
	var b strings.Builder
	for _, i := range lines {
		before, after, _ := strings.Cut(text, refMark)
		b.WriteString(before)
		b.WriteString(l.Ref(all[i].Key, all[i].Stamp))
		text = after
	}
	b.WriteString(text)
	return b.String()
}

// refused reports whether an element has a ref that is refused until a line
// shows what the element stands for now. One that stood alone, without a stamp,
// and has others beside it by now, takes theirs: it says what it said.
func (l *Ledger) refused(key pagejs.NodeKey, stamp string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.byKey[key]
	if e == nil {
		return false
	}
	if e.stamp == "" {
		e.stamp = stamp
	}
	return e.stamp != stamp
}

// Known returns the ref of an element where one was issued, and "" otherwise.
func (l *Ledger) Known(key pagejs.NodeKey) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.byKey[key]; e != nil {
		return "e" + strconv.Itoa(e.number)
	}
	return ""
}

// Resolve returns the element of a ref and the stamp it was last shown with.
// STALE_REF says in detail.reason why there is none: no-snapshot (this session
// has shown no map), unknown-ref, document-changed. Whether the element is still
// attached and stands for the same thing only the page can tell.
func (l *Ledger) Resolve(ref string) (pagejs.NodeKey, string, error) {
	n, ok := refNumber(ref)
	if !ok {
		return pagejs.NodeKey{}, "", fault.New(fault.InvalidArgument, "%q is no ref: a ref is e and a number, such as e7", Cut(Clean(ref), 40))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.byRef[n]
	switch {
	case e == nil && l.last == 0:
		return pagejs.NodeKey{}, "", Stale(ref, "no-snapshot", "no map has been shown in this session yet")
	case e == nil && n > l.last:
		return pagejs.NodeKey{}, "", Stale(ref, "unknown-ref", "this session never issued it")
	case e == nil:
		return pagejs.NodeKey{}, "", Stale(ref, "document-changed", fault.WhyLeft)
	case e.key.Node == 0:
		return pagejs.NodeKey{}, "", Stale(ref, "detached", "it is no longer in the page")
	}
	return e.key, e.stamp, nil
}

// Issued reports whether the session has ever printed a ref.
func (l *Ledger) Issued(ref string) bool {
	n, ok := refNumber(ref)
	l.mu.Lock()
	defer l.mu.Unlock()
	return ok && n <= l.last
}

// Retire forgets the refs of documents that are no longer shown. Their numbers
// stay taken, and Resolve says what became of them.
func (l *Ledger) Retire(alive func(context, doc string) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for number, e := range l.byRef {
		if !alive(e.key.Context, e.key.Doc) {
			delete(l.byRef, number)
			delete(l.byKey, e.key)
		}
	}
}

// keptRefs is how many refs of shown documents are kept whole.
const keptRefs = 10_000

// Fade forgets of many refs the oldest of elements that a whole reading of the page
// has not any more: a page that draws itself anew all day would have more and more of
// them. Their numbers stay taken, and Resolve says that they are detached; an element
// that comes back has another ref.
func (l *Ledger) Fade(m *Map) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.byKey) <= keptRefs || m.more > 0 {
		return
	}
	read := map[pagejs.NodeKey]*issued{} // a faded ref for each document
	for key := range m.index {
		doc := pagejs.NodeKey{Context: key.Context, Doc: key.Doc}
		if read[doc] == nil {
			read[doc] = &issued{key: doc}
		}
	}
	var gone []*issued
	for key, e := range l.byKey {
		if _, there := m.index[key]; !there && read[pagejs.NodeKey{Context: key.Context, Doc: key.Doc}] != nil {
			gone = append(gone, e)
		}
	}
	slices.SortFunc(gone, func(a, b *issued) int { return a.number - b.number })
	for _, e := range gone[:min(len(gone), len(l.byKey)-keptRefs/2)] {
		delete(l.byKey, e.key)
		l.byRef[e.number] = read[pagejs.NodeKey{Context: e.key.Context, Doc: e.key.Doc}]
	}
}

// Leave retires the refs of what a page has left behind: documents that are not
// those of its tree, and those of contexts that no longer exist.
func (l *Ledger) Leave(t *pagejs.Tree, exists func(context string) bool) {
	l.Retire(func(context, doc string) bool {
		if d := t.Docs[context]; d != nil && d.Failed == "" {
			return d.Doc == doc
		}
		return exists(context)
	})
}

// Stale is the fault of a ref that names nothing any more.
func Stale(ref, reason, why string) *fault.Fault {
	return fault.New(fault.StaleRef, "%s is stale: %s", ref, why).
		WithDetail(map[string]string{"ref": ref, "reason": reason}).
		WithHint(fault.HintStale)
}

// refNumber returns the number of e7.
func refNumber(ref string) (int, bool) {
	digits, ok := strings.CutPrefix(ref, "e")
	if !ok || digits == "" || len(digits) > 9 || digits[0] == '0' {
		return 0, false
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil && n > 0
}
