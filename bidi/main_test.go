package bidi_test

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestMain fails when a goroutine of a connection outlives the tests.
func TestMain(m *testing.M) {
	status := m.Run()
	if left := leaked(); status == 0 && left != "" {
		fmt.Fprintf(os.Stderr, "goroutines were left behind:\n%s\n", left)
		status = 1
	}
	os.Exit(status)
}

// leaked returns the stacks of goroutines of this package that do not end within
// two seconds.
func leaked() string {
	deadline := time.After(2 * time.Second)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		var left []string
		buf := make([]byte, 1<<20)
		for _, stack := range strings.Split(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
			if strings.Contains(stack, "bidi.(*Conn)") || strings.Contains(stack, "websocket.(*Conn)") {
				left = append(left, stack)
			}
		}
		if len(left) == 0 {
			return ""
		}
		select {
		case <-tick.C:
		case <-deadline:
			return strings.Join(left, "\n\n")
		}
	}
}
