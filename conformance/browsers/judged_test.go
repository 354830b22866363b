package browsers

import (
	"os"
	"path/filepath"
	"testing"
)

// A page with a frame of a file that the caller may not open is printed no more than it
// is read, and nothing is set for it; what leads away from it is done.
func TestPageNotForTheCallerIsNotPrinted(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		dir := t.TempDir()
		allowed := filepath.Join(dir, "allowed")
		if err := os.Mkdir(allowed, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"allowed/a.html": `<!doctype html><title>a</title><iframe src="../other.html"></iframe>`, "other.html": `<!doctype html><title>o</title>another one's`} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
			if err := os.Chmod(d, 0o755); err != nil { // the browser may run as another user
				t.Fatal(err)
			}
		}
		c := serve(t, s, "--allow-file", allowed)
		c.ok("browser_navigate", map[string]any{"url": "file://" + filepath.Join(allowed, "a.html")})
		for _, args := range []map[string]any{{"action": "pdf"}, {"action": "viewport", "target": "500x400"}, {"action": "emulate"}} {
			if r := c.call("browser_page", args); r.code() != "URL_BLOCKED" {
				t.Errorf("%v: %s", args, r.Text)
			}
		}
		if r := c.call("browser_screenshot", nil); r.code() != "URL_BLOCKED" {
			t.Errorf("screenshot: %s", r.Text)
		}
		c.ok("browser_page", map[string]any{"action": "list"})
		c.ok("browser_page", map[string]any{"action": "open"})
	})
}
