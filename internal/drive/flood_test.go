package drive

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"duet/internal/fault"
)

// A driver that still delivers lives, however late it answers: the call ends at its
// deadline and names the flood.
func TestAFloodIsNoDeadDriver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		entry := fmt.Sprintf(`{"type":"console","level":"info","text":"x","method":"log","timestamp":%d,"source":{"realm":"r","context":"t1"}}`, time.Now().UnixMilli()-4000)
		tab, w := begun(t, "chrome", func(w *wire, c command) {})
		go func() {
			for range 200 {
				w.event("log.entryAdded", entry)
				pause(t.Context(), 50*time.Millisecond)
			}
		}()
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
		defer stop()
		start := time.Now()
		_, err := tab.Tree(ctx, TreeOptions{})
		if took := time.Since(start); !errors.Is(err, fault.Timeout) || took > 2*time.Second+floodWindow {
			t.Errorf("%v after %v", err, took)
		}
		if err == nil || !strings.Contains(err.Error(), " log messages and 0 requests in 200 ms; what it delivers now was logged 6.") {
			t.Error(err)
		}
		if tab.b.LostErr() != nil {
			t.Error(tab.b.LostErr())
		}
	})
}
