package wirelog

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"duet/internal/secret"
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
	hidden  *secret.Seeker // finds known and passing
	seek    *secret.Seeker // finds known
	known   []string       // what Hide was told, oldest first
	passing [][]string
	line    []byte // reused
	failed  bool

	suspects  []*string   // values that nobody has judged yet; "" is one that is not known
	held      []heldFrame // what arrived meanwhile
	heldBytes int

	idle atomic.Bool // nobody reads: it writes nothing, and still learns what is secret
	also *Writer     // gets everything too, with masks of its own; nil for none
}

// heldFrame is a frame that waits for a verdict on a value.
type heldFrame struct {
	direction byte // '#' for a comment
	frame     []byte
	at        time.Time
}

// NewWriter returns a log that writes to out. The first failure of out ends the
// logging, silently: a full disk must not stop a browser.
func NewWriter(out io.Writer) *Writer {
	return &Writer{out: out, start: time.Now()}
}

// NewIdle returns a log that writes nothing until To names where to.
func NewIdle() *Writer {
	w := &Writer{start: time.Now()}
	w.idle.Store(true)
	return w
}

// To makes an idle log write to out, from its next frame on, until stop is called.
// There is one out at a time.
func (w *Writer) To(out io.Writer) (stop func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.out, w.failed, w.start = out, false, time.Now()
	w.idle.Store(false)
	return func() {
		w.idle.Store(true)
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.out == out {
			w.out, w.failed, w.held, w.heldBytes = nil, true, nil, 0
		}
	}
}

// Also passes everything on to another log, which masks by its own rules. Call it
// before the first frame.
func (w *Writer) Also(other *Writer) { w.also = other }

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
	if w == nil {
		return
	}
	w.also.Note(text)
	if w.idle.Load() {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.addLocked(heldFrame{'#', []byte(text), time.Now()})
}

// Suspect holds back what is logged from now on until told says whether value is
// a secret: one that is stands in none of it, as after Hide. told can be called
// more than once; the first call counts.
func (w *Writer) Suspect(value string) (told func(secret bool)) {
	if w == nil {
		return func(bool) {}
	}
	also := w.also.Suspect(value)
	if w.secrets {
		return also
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	suspect := &value
	w.suspects = append(w.suspects, suspect)
	var once sync.Once
	return func(secret bool) {
		also(secret)
		once.Do(func() {
			if secret {
				w.Hide(value)
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			w.suspects = slices.DeleteFunc(w.suspects, func(s *string) bool { return s == suspect })
			if len(w.suspects) == 0 {
				w.letGoLocked()
			}
		})
	}
}

// mostHeld is how many bytes wait for a verdict at most.
const mostHeld = 4 << 20

// letGoLocked writes what is held back.
func (w *Writer) letGoLocked() {
	held := w.held
	w.held, w.heldBytes = nil, 0
	for _, h := range held {
		w.lineLocked(h)
	}
}

// overflowLocked makes room before there is a verdict: as if every value in question
// were a secret. Where one is not known, what is held is left out.
func (w *Writer) overflowLocked() {
	known := w.hidden
	defer func() { w.hidden = known }()
	for _, s := range w.suspects {
		if *s == "" {
			left := fmt.Sprintf("%d frames of %d bytes are left out: they may hold what is secret", len(w.held), w.heldBytes)
			w.held = []heldFrame{{'#', []byte(left), time.Now()}}
			break
		}
		with := &secret.Seeker{}
		if w.hidden != nil {
			with = w.hidden.Clone()
		}
		with.Add(*s)
		w.hidden = with
	}
	w.letGoLocked()
}

func (w *Writer) write(direction byte, frame []byte) {
	if w == nil {
		return
	}
	w.also.write(direction, frame)
	if w.idle.Load() {
		return
	}
	if !w.secrets {
		frame = Mask(frame)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.addLocked(heldFrame{direction, frame, time.Now()})
}

// addLocked writes a frame or a comment, or holds it back.
func (w *Writer) addLocked(h heldFrame) {
	if len(w.suspects) > 0 {
		h.frame = bytes.Clone(h.frame) // it is its sender's again
		w.held = append(w.held, h)
		if w.heldBytes += len(h.frame); w.heldBytes > mostHeld {
			w.overflowLocked()
		}
		return
	}
	w.lineLocked(h)
}

func (w *Writer) lineLocked(h heldFrame) {
	line := w.line[:0]
	if h.direction == '#' {
		line = append(line, "# "...)
		line = appendOneLine(line, h.frame)
	} else {
		if !w.secrets {
			h.frame = w.hideLocked(h.frame)
		}
		line = append(line, "# t="...)
		line = strconv.AppendFloat(line, h.at.Sub(w.start).Seconds(), 'f', 4, 64)
		line = append(line, '\n', h.direction, ' ')
		line = appendOneLine(line, h.frame)
	}
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
