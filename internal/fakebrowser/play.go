package fakebrowser

import (
	"bytes"

	"duet/internal/wirelog"
)

// TB is the part of testing.TB that Play needs.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Errorf(format string, args ...any)
	Cleanup(func())
}

// Play returns a browser that plays the text of a log, and fails the test at its
// end unless the client sent what the log has, all of it and nothing else.
func Play(t TB, text []byte, o Options) *Browser {
	t.Helper()
	log, err := wirelog.Parse(bytes.NewReader(text))
	if err != nil {
		t.Fatalf("%v", err)
	}
	b := New(log, o)
	t.Cleanup(func() {
		if err := b.Err(); err != nil {
			t.Errorf("%v", err)
		}
	})
	return b
}
