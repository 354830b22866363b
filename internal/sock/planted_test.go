//go:build unix

package sock

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"duet/internal/fault"
)

// A link in the place of the daemon's log is not followed, and told as what it is.
func TestPlantedLog(t *testing.T) {
	dir := t.TempDir()
	log, aim := filepath.Join(dir, "daemon.log"), filepath.Join(dir, "aim")
	if err := os.Symlink(aim, log); err != nil {
		t.Skip(err)
	}
	err := spawn(t.Context(), Place{Root: dir, Dir: dir, Log: log}, []string{"daemon", "serve"})
	if !errors.Is(err, fault.StateInvalid) || !strings.Contains(err.Error(), "symbolic link") {
		t.Errorf("spawn: %v", err)
	}
	if _, err := os.Stat(aim); err == nil {
		t.Error("the link was followed")
	}
}
