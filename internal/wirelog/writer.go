package wirelog

import (
	"io"
	"strconv"
	"sync"
	"time"
)

// Writer writes frames as lines: "> {…}" for one that was sent, "< {…}" for one
// that arrived, each after a comment with the seconds since the log began. Frames
// are masked unless Secrets was called. It is safe for concurrent use, and a nil
// Writer writes nothing.
type Writer struct {
	mu      sync.Mutex // guards the rest
	out     io.Writer
	start   time.Time
	secrets bool
	hidden  [][]byte // what Hide was told, longest first
	line    []byte   // reused
	failed  bool
}

// NewWriter returns a log that writes to out. The first failure of out ends the
// logging, silently: a full disk must not stop a browser.
func NewWriter(out io.Writer) *Writer {
	return &Writer{out: out, start: time.Now()}
}

// Secrets leaves secrets unmasked. Call it before the first frame.
func (w *Writer) Secrets() { w.secrets = true }

// Out logs a frame that was sent.
func (w *Writer) Out(frame []byte) { w.write('>', frame) }

// In logs a frame that arrived.
func (w *Writer) In(frame []byte) { w.write('<', frame) }

// Closed logs that the peer ended the connection.
func (w *Writer) Closed(reason string) { w.Note(closedNote + reason) }

// Note logs a comment.
func (w *Writer) Note(text string) {
	if w != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.putLocked(append(appendOneLine([]byte("# "), []byte(text)), '\n'))
	}
}

func (w *Writer) write(direction byte, frame []byte) {
	if w == nil {
		return
	}
	if !w.secrets {
		frame = Mask(frame)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.secrets {
		frame = w.hideLocked(frame)
	}
	line := append(w.line[:0], "# t="...)
	line = strconv.AppendFloat(line, time.Since(w.start).Seconds(), 'f', 4, 64)
	line = append(line, '\n', direction, ' ')
	line = appendOneLine(line, frame)
	line = append(line, '\n')
	w.line = line
	w.putLocked(line)
}

func (w *Writer) putLocked(lines []byte) {
	if w.failed {
		return
	}
	if _, err := w.out.Write(lines); err != nil {
		w.failed = true
	}
}

// appendOneLine appends a frame, which may hold line ends between its tokens but,
// being JSON, none within a string.
func appendOneLine(line, frame []byte) []byte {
	for _, b := range frame {
		if b == '\n' || b == '\r' {
			b = ' '
		}
		line = append(line, b)
	}
	return line
}
