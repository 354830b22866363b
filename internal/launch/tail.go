package launch

import (
	"bufio"
	"io"
	"strings"
	"sync"
)

const tailLines = 20 // of output that a failure can quote

// tail reads a child's output: it keeps the last lines, copies all to a writer
// and lets one reader wait for a line. The output is always read to its end, or
// the child would block.
type tail struct {
	copy io.Writer // may be nil

	mu    sync.Mutex // guards the rest
	lines []string
	match func(string) (string, bool)
	found chan string // receives what match returned, once
	ended chan struct{}
}

// newTail makes a tail whose found channel gets the first line that match accepts.
func newTail(w io.Writer, match func(string) (string, bool)) *tail {
	return &tail{copy: w, match: match, found: make(chan string, 1), ended: make(chan struct{})}
}

// read consumes r to its end and closes it.
func (t *tail) read(r io.ReadCloser) {
	defer r.Close()
	defer close(t.ended)
	in := bufio.NewReaderSize(r, 4096)
	for {
		part, more, err := in.ReadLine()
		if err != nil {
			return
		}
		line := string(part)
		for more && err == nil { // what is longer than the buffer is cut
			part, more, err = in.ReadLine()
			if len(line) < 4096 {
				line += string(part)
			}
		}
		t.add(line)
	}
}

func (t *tail) add(line string) {
	if t.copy != nil {
		_, _ = io.WriteString(t.copy, line+"\n")
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if strings.TrimSpace(line) == "" {
		return
	}
	if len(t.lines) == tailLines {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
	t.lines = append(t.lines, line)
	if t.match != nil {
		if s, ok := t.match(line); ok {
			t.found <- s
			t.match = nil
		}
	}
}

// text returns the lines that are kept.
func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines, "\n")
}

// last returns up to n of the last lines, as one line.
func (t *tail) last(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	from := max(0, len(t.lines)-n)
	var b strings.Builder
	for i, l := range t.lines[from:] {
		if i > 0 {
			b.WriteString(" | ")
		}
		if l = strings.Join(strings.Fields(l), " "); len(l) > 200 {
			l = l[:200] + "…"
		}
		b.WriteString(l)
	}
	return b.String()
}
