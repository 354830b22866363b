package drive

import (
	"errors"
	"testing"

	"duet/internal/fault"
)

// Only an element that left the page still shown answers the question whether it is
// there; a ref of another document, or of something that changed, is no answer.
func TestOnlyWhatLeftThePageIsNotThere(t *testing.T) {
	for reason, want := range map[string]bool{"detached": true, "document-changed": false, "changed": false} {
		if got := LeftPage(stale(reason, "e7")); got != want {
			t.Errorf("%s: %v, want %v", reason, got, want)
		}
	}
	for _, err := range []error{nil, errors.New("detached"), fault.New(fault.NoMatch, "no"), fault.New(fault.StaleRef, "no snapshot")} {
		if LeftPage(err) {
			t.Errorf("%v is taken for an element that left", err)
		}
	}
	if f := fault.New(fault.NavigationFailed, "no"); !f.Retryable() || f.Lasts().Retryable() {
		t.Error("a reason that lasts is retried, or one that passes is not")
	}
}
