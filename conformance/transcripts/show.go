package transcripts

import (
	"fmt"
	"path/filepath"
	"testing"
	"testing/synctest"

	"duet/internal/golden"
)

// bubble runs a test in virtual time.
func bubble(t *testing.T, f func(t *testing.T, quiet func())) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, synctest.Wait) })
}

// difference shows the first lines in which two texts differ.
func difference(want, got string) string { return golden.Diff(want+"\n", got+"\n") }

// recipe is the command that records the case anew.
func (c *Case) recipe() string {
	name := filepath.Base(filepath.Dir(c.Path))
	if name == "testdata" {
		name = c.Name()
	}
	return fmt.Sprintf("just record %s %s", name, c.Browser.Setup)
}
