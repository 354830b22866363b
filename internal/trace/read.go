package trace

import (
	"bufio"
	"errors"
	"io"

	"github.com/goccy/go-json"

	"duet/internal/fault"
)

// Trace is a trace as it was read. A trace whose process died has no Stop, and its
// last commands may have no Done.
type Trace struct {
	Start    Start
	Browsers []BrowserEvent
	Actions  []*Action // in order; the steps of a batch after it
	Console  []Console
	Network  []Network
	Drops    []Drop
	Stop     *Stop
	Broken   int     // lines that are no records: the last one of a process that died
	Last     float64 // the latest t of all lines
}

// Action is one command: what it was called with and what became of it.
type Action struct {
	Call
	Done   *Done // nil where it never ended
	Before *Shot // nil where none was taken
	After  *Shot
}

// longestLine is the longest line that is read.
const longestLine = 16 << 20

// Read reads the records of a trace. It fails with INVALID_ARGUMENT where the first
// line is no start of a trace that this version knows; after that it takes what it
// can read and counts what it cannot.
func Read(r io.Reader) (*Trace, error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 64<<10), longestLine)
	if !lines.Scan() {
		return nil, notTrace(lines.Err())
	}
	t := &Trace{}
	if err := json.Unmarshal(lines.Bytes(), &t.Start); err != nil || t.Start.Kind != KindStart {
		return nil, notTrace(err)
	}
	if t.Start.Version != Version {
		return nil, fault.New(fault.InvalidArgument, "trace: its version is %d; this is for version %d", t.Start.Version, Version)
	}
	byCall := map[int]*Action{}
	for lines.Scan() {
		if t.add(lines.Bytes(), byCall) != nil {
			t.Broken++
		}
	}
	if err := lines.Err(); err != nil && !errors.Is(err, bufio.ErrTooLong) {
		return nil, notTrace(err)
	}
	return t, nil
}

func notTrace(err error) error {
	return fault.New(fault.InvalidArgument, "trace: this is no trace: its first line is no start record").Because(err)
}

// add takes one line.
func (t *Trace) add(line []byte, byCall map[int]*Action) error {
	var head Head
	if err := json.Unmarshal(line, &head); err != nil {
		return err
	}
	err := t.record(head.Kind, line, byCall)
	if err == nil {
		t.Last = max(t.Last, head.At)
	}
	return err
}

func (t *Trace) record(kind Kind, line []byte, byCall map[int]*Action) error {
	switch kind {
	case KindBrowser:
		return appendTo(&t.Browsers, line)
	case KindConsole:
		return appendTo(&t.Console, line)
	case KindNetwork:
		return appendTo(&t.Network, line)
	case KindDrop:
		return appendTo(&t.Drops, line)
	case KindStop:
		t.Stop = &Stop{}
		return json.Unmarshal(line, t.Stop)
	case KindCall:
		a := &Action{}
		if err := json.Unmarshal(line, &a.Call); err != nil {
			return err
		}
		t.Actions = append(t.Actions, a)
		byCall[a.Call.Call] = a
	case KindDone:
		d := &Done{}
		if err := json.Unmarshal(line, d); err != nil {
			return err
		}
		if a := byCall[d.Call]; a != nil {
			a.Done = d
		}
	case KindShot:
		s := &Shot{}
		if err := json.Unmarshal(line, s); err != nil {
			return err
		}
		if a := byCall[s.Call]; a != nil && s.When == "before" {
			a.Before = s
		} else if a != nil {
			a.After = s
		}
	}
	return nil
}

func appendTo[T any](all *[]T, line []byte) error {
	var one T
	if err := json.Unmarshal(line, &one); err != nil {
		return err
	}
	*all = append(*all, one)
	return nil
}
