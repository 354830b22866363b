package mcpserver

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
)

// bytesOf reads as many bytes as it is told, all the same.
type bytesOf struct {
	b    byte
	left int
}

func (r *bytesOf) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), r.left)
	for i := range p[:n] {
		p[i] = r.b
	}
	r.left -= n
	return n, nil
}

// Lines come without their ends; the last needs none.
func TestLines(t *testing.T) {
	long := strings.Repeat("y", 3*bufferBytes)
	r := newLineReader(strings.NewReader("a\n\r\nb\r\n" + long + "\n" + strings.Repeat("z", MaxLine+1) + "\nc\rd\nlast"))
	var got []string
	for {
		line, err := r.next()
		if errors.Is(err, errLong) {
			got = append(got, "LONG")
			continue
		}
		if err != nil {
			break
		}
		got = append(got, string(line))
	}
	if want := []string{"a", "", "b", long, "LONG", "c\rd", "last"}; !equal(got, want) {
		t.Errorf("lines = %.200q", got)
	}
}

func equal(a, b []string) bool {
	return strings.Join(a, "\n|") == strings.Join(b, "\n|") && len(a) == len(b)
}

// A line of 64 MiB costs no more memory than one of 1 MiB.
func TestEndlessLineIsBounded(t *testing.T) {
	r := newLineReader(io.MultiReader(&bytesOf{'x', 64 << 20}, strings.NewReader("\nnext\n")))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := r.next(); !errors.Is(err, errLong) {
		t.Fatalf("next = %v", err)
	}
	line, err := r.next()
	if string(line) != "next" || err != nil {
		t.Fatalf("next = %q, %v", line, err)
	}
	runtime.ReadMemStats(&after)
	if grew := after.TotalAlloc - before.TotalAlloc; grew > MaxLine+64<<10 {
		t.Errorf("allocated %d bytes", grew)
	}
}

// What the reader hands out is not overwritten by what comes next.
func TestLinesAreOwned(t *testing.T) {
	for _, n := range []int{10, bufferBytes + 1, MaxLine/2 + bufferBytes, MaxLine} {
		one, two := strings.Repeat("1", n), strings.Repeat("2", n)
		r := newLineReader(strings.NewReader(one + "\n" + two + "\n"))
		a, _ := r.next()
		b, _ := r.next()
		if string(a) != one || string(b) != two {
			t.Errorf("lines of %d bytes run into each other", n)
		}
	}
}

// FuzzLine: whatever comes, there is at most one answer a line, and the parts
// that are taken from a line are parts of it.
func FuzzLine(f *testing.F) {
	for _, h := range hostile {
		if len(h.line) < 10000 {
			f.Add([]byte(h.line))
		}
	}
	f.Add([]byte(helloLine + "\n" + statusCall + "\r\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newLineReader(bytes.NewReader(data))
		for {
			line, err := r.next()
			if err != nil {
				if !errors.Is(err, io.EOF) && !errors.Is(err, errLong) {
					t.Fatalf("next = %v", err)
				}
				break
			}
			m, no := parse(line)
			if m != nil && no != nil {
				t.Fatal("both a message and a refusal")
			}
			if m != nil && m.rawID != nil && !bytes.Contains(line, m.rawID) {
				t.Fatalf("id %s is not in the line", m.rawID)
			}
			if m != nil && m.params != nil && checkJSON(m.params) != nil {
				t.Fatalf("params %s", m.params)
			}
		}
	})
}
