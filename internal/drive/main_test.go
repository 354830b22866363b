package drive

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMain fails where a test leaves a goroutine of ours behind.
func TestMain(m *testing.M) {
	code := m.Run()
	closeLive()
	if left := leaked(5 * time.Second); left != "" {
		fmt.Fprintf(os.Stderr, "goroutines left behind:\n%s\n", left)
		code = max(code, 1)
	}
	os.Exit(code)
}

// leaked returns the stacks of goroutines that run code of duet, once they had
// their time to end.
func leaked(patience time.Duration) string {
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		left := ours()
		if left == "" {
			return ""
		}
		select {
		case <-tick.C:
		case <-deadline.C:
			return left
		}
	}
}

func ours() string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	var left []string
	for _, g := range strings.Split(string(buf), "\n\n") {
		if strings.Contains(g, "duet/") && !strings.Contains(g, "drive.TestMain") {
			left = append(left, g)
		}
	}
	return strings.Join(left, "\n\n")
}
