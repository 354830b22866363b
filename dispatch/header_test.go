package dispatch

import "testing"

// A trace holds which header was set, and not to what.
func TestHeaderName(t *testing.T) {
	for text, want := range map[string]string{
		"header=Authorization: Bearer abc": "header=Authorization: •••", "locale=de-DE": "locale=de-DE", "a: b": "a: b", "header=X": "header=X",
		" header = X-Plain: canary": "header=X-Plain: •••", "Authorization: Bearer abc": "Authorization: •••",
	} {
		if got := headerName(text); got != want {
			t.Errorf("%q is told as %q", text, got)
		}
	}
}
