package mcpserver

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Every goroutine has an owner that waits for it: none of ours is left when the
// tests are over.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		if left := leaked(); left != "" {
			fmt.Fprintln(os.Stderr, "goroutines left behind:\n"+left)
			code = 1
		}
	}
	os.Exit(code)
}

// leaked returns the stacks of our goroutines that do not end within a second.
func leaked() string {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	var left []string
	for range 100 {
		left = left[:0]
		buf := make([]byte, 1<<20)
		for g := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(g, "duet/internal/mcpserver.") && !strings.Contains(g, "mcpserver.TestMain") {
				left = append(left, g)
			}
		}
		if len(left) == 0 {
			return ""
		}
		<-tick.C
	}
	return strings.Join(left, "\n\n")
}
