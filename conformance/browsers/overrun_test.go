//go:build linux

package browsers

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A download that does not end is ended where it passes the session's share, says so,
// and leaves nothing behind; the disk never holds much more than the share meanwhile.
func TestEndlessDownload(t *testing.T) {
	block := make([]byte, 1<<20)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/endless" {
			fmt.Fprint(w, "<!doctype html><title>t</title><a id=a href=endless>get</a><p id=p>x")
			return
		}
		w.Header().Set("Content-Disposition", "attachment; filename=endless.bin")
		for range 600 { // where it cannot be ended it ends, long after the share
			if _, err := w.Write(block); err != nil {
				return
			}
			<-time.After(3 * time.Millisecond) // a network, not a memory
		}
	}))
	t.Cleanup(site.Close)
	each(t, func(t *testing.T, s setup) {
		tmp, dir := passableDir(t), t.TempDir()
		c := serveWith(t, s, []string{"TMPDIR=" + tmp, "DUET_ARTIFACTS_DIR=" + dir})
		size := func() (bytes int64) {
			for _, at := range []string{tmp, dir} {
				_ = filepath.WalkDir(at, func(path string, e fs.DirEntry, err error) error {
					if info, err := os.Lstat(path); err == nil && strings.Contains(filepath.Base(path), "endless") {
						bytes += info.Sys().(*syscall.Stat_t).Blocks * 512 // a file that was cut may have holes
					}
					return nil
				})
			}
			return bytes
		}
		c.ok("browser_navigate", map[string]any{"url": site.URL})
		told := c.ok("browser_click", map[string]any{"selector": "#a"})
		most := int64(0)
		for began := time.Now(); !strings.Contains(told, "canceled (QUOTA: ") && time.Since(began) < 60*time.Second; {
			most = max(most, size())
			told += c.ok("browser_click", map[string]any{"selector": "#p"})
		}
		if !strings.Contains(told, `download: "endless.bin" canceled (QUOTA: it would pass the session's share for downloads, 134217728 bytes)`) {
			t.Errorf("told as %.600s", told)
		}
		left := size()
		for began := time.Now(); left > 0 && time.Since(began) < 10*time.Second; left = size() { // the browser removes it in its own time
			c.ok("browser_click", map[string]any{"selector": "#p"})
		}
		if left > 0 || most > 400<<20 {
			t.Errorf("%d bytes are left, and %d were there at most", left, most)
		}
	})
}
