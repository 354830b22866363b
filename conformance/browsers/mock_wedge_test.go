//go:build linux

package browsers

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// With mocks a driver that answers nothing any more is noticed within five seconds,
// whatever the call's own patience, and the next call works.
func TestADriverThatStopsIsNoticedWithMocks(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		if !strings.HasPrefix(s.name, "chrome") {
			t.Skip("no driver stands between")
		}
		base := site(t)
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": base + "/main.html"})
		c.ok("browser_mock", map[string]any{"action": "block", "pattern": "**/nothing/**"})
		driver, found := find(below(c.cmd.Process.Pid), "driver")
		if !found {
			t.Fatal("no driver")
		}
		if err := syscall.Kill(driver.pid, syscall.SIGSTOP); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		r := c.call("browser_wait", map[string]any{"kind": "text", "target": "never there", "timeout_ms": 30000})
		took := time.Since(began)
		if r.code() != "BROWSER_LOST" || !strings.Contains(r.Text, "mocks") {
			t.Errorf("after %v: %s", took, r.Text)
		}
		if t.Logf("noticed after %v", took); took > 5*time.Second {
			t.Errorf("noticed after %v", took)
		}
		c.ok("browser_navigate", map[string]any{"url": base + "/main.html"})
		if text := c.ok("browser_mock", nil); !strings.Contains(text, "none") {
			t.Errorf("the new browser has mocks: %s", text)
		}
	})
}
