package trace

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-json"

	"duet/artifacts"
	"duet/internal/fault"
)

// What a trace may come to. The session's own quota may end it earlier.
const (
	MaxBytes = 128 << 20
	MaxShots = 300
)

// reserved is how much of a trace's bytes the pictures and messages leave to the
// commands, so that what was done is known although what was seen is not.
const reserved = 4

// Options begin a trace.
type Options struct {
	Name        string // as its caller wrote it
	Session     string
	Duet        string
	Browser     Browser
	Screenshots bool
	Wire        bool
	MaxBytes    int64            // 0 is MaxBytes
	MaxShots    int              // 0 is MaxShots
	Now         func() time.Time // nil is time.Now
}

// Recorder writes a trace. What it is given must be fit to be printed. After Stop it
// writes nothing. Safe for concurrent use.
type Recorder struct {
	o     Options
	dir   *artifacts.Sub
	began time.Time

	mu    sync.Mutex // guards the rest; held while a line is written
	out   *artifacts.Stream
	wire  *artifacts.Stream // nil where it was not asked for, or is full
	calls int
	shots map[[sha256.Size]byte]string // pictures by what is in them
	stop  Stop                         // the counts so far
	drops map[string]*Drop             // not yet written, by what
	ended bool
}

// Begin makes the directory of a trace and writes its first line.
func Begin(files *artifacts.Dir, o Options) (*Recorder, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = MaxBytes
	}
	if o.MaxShots == 0 {
		o.MaxShots = MaxShots
	}
	dir, err := files.Sub("trace", strings.TrimPrefix(o.Name, "trace"))
	if err != nil {
		return nil, err
	}
	r := &Recorder{o: o, dir: dir, began: o.Now(), shots: map[[sha256.Size]byte]string{}, drops: map[string]*Drop{}}
	if r.out, err = dir.Create(File); err != nil {
		return nil, err
	}
	if o.Screenshots {
		err = dir.Mkdir(Shots)
	}
	if o.Wire && err == nil {
		r.wire, err = dir.Create(Wire)
	}
	if err != nil {
		return nil, errors.Join(err, r.out.Close())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	err = r.writeLocked(Start{
		Head: r.head(KindStart, r.began), Version: Version, Name: o.Name, Session: o.Session, Duet: o.Duet, Browser: o.Browser,
		Began:  r.began.UTC().Format("2006-01-02T15:04:05.000000Z07:00"),
		Policy: Policy{Screenshots: o.Screenshots, Wire: o.Wire, Bytes: o.MaxBytes},
	})
	return r, err
}

// Name is what the trace is called, and Dir where it lies.
func (r *Recorder) Name() string { return r.o.Name }

// Dir is where the trace lies.
func (r *Recorder) Dir() *artifacts.Sub { return r.dir }

// Screenshots reports whether pictures are wanted.
func (r *Recorder) Screenshots() bool { return r.o.Screenshots }

// Since is a time as a record tells it.
func (r *Recorder) Since(t time.Time) float64 { return Millis(t.Sub(r.began)) }

// Millis is a duration as a record tells it.
func Millis(d time.Duration) float64 { return math.Round(float64(d.Nanoseconds())/1000) / 1000 }

func (r *Recorder) head(k Kind, at time.Time) Head { return Head{Kind: k, At: r.Since(at)} }

// Call writes that a command begins, and returns its number; 0 once the trace has
// ended.
func (r *Recorder) Call(c Call) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return 0
	}
	r.calls++
	r.stop.Calls++
	c.Head, c.Call = r.head(KindCall, r.o.Now()), r.calls
	if len(c.Args) == 0 {
		c.Args = json.RawMessage("{}")
	}
	r.putLocked("calls", c, r.o.MaxBytes)
	return c.Call
}

// Done writes that a command has ended.
func (r *Recorder) Done(d Done) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	if !d.OK {
		r.stop.Failed++
	}
	d.Head = r.head(KindDone, r.o.Now())
	r.putLocked("calls", d, r.o.MaxBytes)
}

// Picture is what a browser drew.
type Picture struct {
	Type          string // image/png, image/jpeg
	Data          []byte
	Width, Height int
	At            time.Time
	Tab           int
}

// Shot keeps a picture. One that is the same as an earlier one is not stored again.
func (r *Recorder) Shot(call int, when string, p Picture) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return
	}
	s := Shot{
		Head: r.head(KindShot, p.At), Call: call, When: when, Type: p.Type, Width: p.Width, Height: p.Height,
		Bytes: int64(len(p.Data)), Tab: p.Tab,
	}
	sum := sha256.Sum256(p.Data)
	name, known := r.shots[sum]
	if !known {
		var err error
		if name, err = r.storeLocked(call, when, p); err != nil {
			r.dropLocked("shots", 1, fault.From(err).Error())
			s = Shot{Head: s.Head, Call: call, When: when, Tab: p.Tab, Skipped: fault.From(err).Error()}
		}
	}
	if s.Skipped == "" {
		r.shots[sum], s.File = name, name
		r.stop.Shots++
	}
	r.putLocked("shots", s, r.o.MaxBytes)
}

func (r *Recorder) storeLocked(call int, when string, p Picture) (string, error) {
	ext := "png"
	if p.Type == "image/jpeg" {
		ext = "jpg"
	}
	n := int64(len(p.Data))
	switch {
	case len(r.shots) >= r.o.MaxShots:
		return "", fault.New(fault.Quota, "the trace has %d pictures; that is the limit", len(r.shots))
	case r.stop.Bytes+n > r.roomForMessages():
		return "", fault.New(fault.Quota, "the trace is full: its limit is %d bytes", r.o.MaxBytes)
	}
	name := fmt.Sprintf("%s/%04d-%s.%s", Shots, call, when, ext)
	if err := r.dir.Write(name, p.Data); err != nil {
		return "", err
	}
	r.stop.Bytes += n
	return name, nil
}

// NoShot writes why there is no picture.
func (r *Recorder) NoShot(call int, when, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.putLocked("shots", Shot{Head: r.head(KindShot, r.o.Now()), Call: call, When: when, Skipped: why}, r.o.MaxBytes)
	}
}

// Console keeps a message of a page.
func (r *Recorder) Console(at time.Time, c Console) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c.Head = r.head(KindConsole, at)
	if !r.ended && r.putLocked("console", c, r.roomForMessages()) {
		r.stop.Console++
	}
}

// Network keeps a request that ended.
func (r *Recorder) Network(at time.Time, n Network) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n.Head = r.head(KindNetwork, at)
	if !r.ended && r.putLocked("network", n, r.roomForMessages()) {
		r.stop.Network++
	}
}

// Browser writes that a browser was started or lost.
func (r *Recorder) Browser(e BrowserEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	e.Head = r.head(KindBrowser, r.o.Now())
	if !r.ended {
		r.putLocked("calls", e, r.o.MaxBytes)
	}
}

// Drop counts what was not kept; the line comes with the next record that is.
func (r *Recorder) Drop(what string, n int, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.ended {
		r.dropLocked(what, n, why)
	}
}

func (r *Recorder) dropLocked(what string, n int, why string) {
	r.stop.Dropped += n
	if d := r.drops[what]; d != nil {
		d.Count, d.Why = d.Count+n, why
		return
	}
	r.drops[what] = &Drop{What: what, Count: n, Why: why}
}

func (r *Recorder) roomForMessages() int64 { return r.o.MaxBytes - r.o.MaxBytes/reserved }

// writeWire appends to the protocol log, and always takes all.
func (r *Recorder) writeWire(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.wire == nil || r.ended {
		return len(p), nil
	}
	var err error
	if r.stop.Bytes+int64(len(p)) > r.roomForMessages() {
		err = fault.New(fault.Quota, "the trace is full")
	} else if _, err = r.wire.Write(p); err == nil {
		r.stop.Bytes += int64(len(p))
	}
	if err != nil {
		r.dropLocked("wire", 1, fault.From(err).Error()+"; what came later is missing too")
		_ = r.wire.Close() // what was written stays
		r.wire = nil
	}
	return len(p), nil
}

type wireWriter struct{ r *Recorder }

func (w wireWriter) Write(p []byte) (int, error) { return w.r.writeWire(p) }

// Wire is where the protocol log goes; nil where it was not asked for.
func (r *Recorder) Wire() io.Writer {
	if !r.o.Wire {
		return nil
	}
	return wireWriter{r}
}

// Stop writes the last line and closes the files. A second Stop does nothing.
func (r *Recorder) Stop(why string) (Stop, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ended {
		return r.stop, nil
	}
	r.tellDropsLocked(r.o.MaxBytes + closing)
	r.stop.Head, r.stop.Why = r.head(KindStop, r.o.Now()), why
	err := r.writeLocked(r.stop)
	r.ended = true
	if r.wire != nil {
		err = errors.Join(err, r.wire.Close())
	}
	return r.stop, errors.Join(err, r.out.Close())
}

// closing is room beyond the limit for the lines that end a trace.
const closing = 64 << 10

// Counts are the counts so far.
func (r *Recorder) Counts() Stop {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stop
}

// putLocked writes a record where that leaves the file within limit, and counts it as
// dropped elsewhere.
func (r *Recorder) putLocked(what string, record any, limit int64) bool {
	r.tellDropsLocked(limit)
	err := error(fault.New(fault.Quota, "the trace is full: its limit is %d bytes", r.o.MaxBytes))
	if r.stop.Bytes < limit {
		err = r.writeLocked(record)
	}
	if err != nil {
		r.dropLocked(what, 1, fault.From(err).Error())
	}
	return err == nil
}

// tellDropsLocked writes what was dropped, where there is room for it.
func (r *Recorder) tellDropsLocked(limit int64) {
	for _, what := range slices.Sorted(maps.Keys(r.drops)) {
		d := r.drops[what]
		if r.stop.Bytes >= limit {
			return
		}
		d.Head = r.head(KindDrop, r.o.Now())
		if r.writeLocked(*d) != nil {
			return
		}
		delete(r.drops, what)
	}
}

// writeLocked appends one line by one write.
func (r *Recorder) writeLocked(record any) error {
	line, err := json.MarshalWithOption(record, json.DisableHTMLEscape())
	if err != nil {
		return fault.New(fault.Internal, "trace: a record of %T does not marshal", record).Because(err)
	}
	line = append(line, '\n')
	if _, err = r.out.Write(line); err == nil {
		r.stop.Bytes += int64(len(line))
	}
	return err
}
