//go:build unix

package report

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in a trace is refused at once: to open it would wait for a writer.
func TestAPipeIsNotOpened(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "trace.ndjson"), 0o600); err != nil {
		t.Skip(err)
	}
	if _, err := openFile(os.DirFS(dir), "trace.ndjson"); !errors.Is(err, fs.ErrInvalid) {
		t.Error(err)
	}
}
