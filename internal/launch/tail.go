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
	// undelivered finds in a line a message that the child did not deliver; nil: there
	// are no such lines. What it finds is neither kept nor copied: pages say what is in it.
	undelivered func(line string) (message []byte, ok bool)

	mu    sync.Mutex // guards the rest
	to    func(message []byte)
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
		most := 4096
		if more && t.undelivered != nil && isUndelivered(line) {
			most = undeliveredBytes
		}
		if more { // what is longer than that is cut
			var long strings.Builder
			long.WriteString(line)
			for more && err == nil {
				part, more, err = in.ReadLine()
				if long.Len() < most {
					long.Write(part)
				}
			}
			line = long.String()
		}
		if !t.deliver(line) {
			t.add(line)
		}
	}
}

// deliver hands on what the child did not, where a line tells of it, and reports
// whether it does.
func (t *tail) deliver(line string) bool {
	if t.undelivered == nil || !isUndelivered(line) {
		return false
	}
	t.mu.Lock()
	to := t.to
	t.mu.Unlock()
	if message, ok := t.undelivered(line); ok && to != nil {
		to(message)
	}
	return true
}

// overhear names who gets what the child does not deliver.
func (t *tail) overhear(to func(message []byte)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.to = to
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
			l = strings.ToValidUTF8(l[:200], "") + "…"
		}
		b.WriteString(l)
	}
	return b.String()
}
