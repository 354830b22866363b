package snapshot

import (
	"testing"

	"duet/internal/pagejs"
)

// Of what a page has left behind a ledger keeps nothing but that its numbers are
// taken.
func TestRetiredRefsTakeNoRoom(t *testing.T) {
	l := NewLedger()
	for i := range 100 {
		l.Ref(pagejs.NodeKey{Context: "c", Doc: "d", Node: i + 1}, "s")
	}
	l.Retire(func(string, string) bool { return false })
	if len(l.byKey)+len(l.byRef) > 0 || !l.Issued("e100") || l.Issued("e101") {
		t.Errorf("%d keys and %d refs are kept", len(l.byKey), len(l.byRef))
	}
}
