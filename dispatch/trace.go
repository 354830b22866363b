package dispatch

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"duet/artifacts"
	"duet/internal/drive"
	"duet/internal/fault"
	"duet/internal/lazyregexp"
	"duet/internal/trace"
)

// TraceOptions say what a new trace keeps.
type TraceOptions struct {
	Name        string // a bare name; "" is trace
	Screenshots bool
	Wire        bool
}

// TraceState is a trace as it is now.
type TraceState struct {
	Running bool            `json:"running"`
	Name    string          `json:"name,omitzero"`
	Path    string          `json:"path,omitzero"` // its directory
	Why     string          `json:"ended,omitzero"`
	Calls   int             `json:"calls,omitzero"`
	Failed  int             `json:"failed,omitzero"`
	Shots   int             `json:"screenshots,omitzero"`
	Console int             `json:"console,omitzero"`
	Network int             `json:"network,omitzero"`
	Dropped int             `json:"dropped,omitzero"`
	Bytes   int64           `json:"bytes,omitzero"`
	Archive *artifacts.File `json:"archive,omitzero"` // opens in Playwright's trace viewer
}

// tracing is a trace with what feeds it: calls write to rec as they begin and end,
// one goroutine a browser writes what its pages say.
type tracing struct {
	rec     *trace.Recorder
	session *Session
	judge   func(string) error // of the caller that began it; nil allows all

	// feeding is held while messages are written, and by a call while it enters text
	// that may prove to be a secret: what a page says of it waits for the verdict.
	feeding sync.Mutex
	cursor  int // the last log entry that was written; guarded by feeding
	over    int // how many requests of the browser had ended then; guarded by feeding

	mu       sync.Mutex // guards the rest
	live     *Live      // that is followed
	unfollow func()
	pumps    sync.WaitGroup
	ended    bool
}

// keptTraces is how many of its traces a session can make archives of.
const keptTraces = 16

// bareName is what a trace may be called.
var bareName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

// StartTrace begins a trace. There is one at a time: another is STATE_INVALID.
func (a *Act) StartTrace(o TraceOptions) (TraceState, error) {
	s := a.session
	if o.Name == "" {
		o.Name = "trace"
	}
	if !bareName().MatchString(o.Name) {
		return TraceState{}, fault.New(fault.InvalidArgument, "%q is no name of a trace", bounded(o.Name, 64)).
			WithHint("a name is letters, digits, dots, dashes and underscores; where the trace lies, duet chooses")
	}
	if t := s.tracing(); t != nil {
		return TraceState{}, fault.New(fault.StateInvalid, "one is running already, by the name %s", t.rec.Name()).WithHint("stop it first: %s", fault.Call("browser_trace", "action", "stop"))
	}
	options := trace.Options{Name: o.Name, Session: s.o.Name, Duet: s.o.Version, Screenshots: o.Screenshots, Wire: o.Wire}
	live := s.peek()
	if live != nil {
		options.Browser = trace.Browser{Name: live.Info.Browser, Version: live.Info.Version}
	}
	rec, err := trace.Begin(s.files, options)
	if err != nil {
		return TraceState{}, err
	}
	t := &tracing{rec: rec, session: s, judge: a.request.looking()}
	if live != nil && live.Browser != nil {
		// What came before is not of the trace.
		t.cursor = live.Browser.Log(drive.LogFilter{Limit: 1}).Cursor
		t.over = live.Browser.Requests(drive.RequestFilter{Limit: 1}).EndCount
	}
	s.mu.Lock()
	s.traces = append(s.traces, t)
	if len(s.traces) > keptTraces {
		s.traces = slices.Delete(s.traces, 0, 1)
	}
	s.mu.Unlock()
	s.trace.Store(t)
	t.follow(live)
	return t.state(), nil
}

// StopTrace ends the running trace, and makes its archive where zip says so.
func (a *Act) StopTrace(zip bool) (TraceState, error) {
	t := a.session.tracing()
	if t == nil {
		return TraceState{}, noTrace()
	}
	if err := t.end("stop"); err != nil {
		a.Note("the last line of the trace is missing: " + fault.From(err).Error())
	}
	st := t.state()
	if !zip {
		return st, nil
	}
	file, err := t.archive()
	if err != nil {
		f := fault.From(err)
		return TraceState{}, fault.New(f.Code, "the trace is stopped, and lies in %s; its archive could not be made: %s", t.rec.Dir().Path, f.Message).
			WithHint("%s", f.Hint).At(fault.InEffect, fault.Partial).Because(err)
	}
	st.Archive = &file
	return st, nil
}

// ZipTrace makes the archive of the trace of that name, of the latest where name
// is "". A running one goes on.
func (a *Act) ZipTrace(name string) (TraceState, error) {
	s := a.session
	s.mu.Lock()
	all := slices.Clone(s.traces)
	s.mu.Unlock()
	for _, t := range slices.Backward(all) {
		if name != "" && t.rec.Name() != name {
			continue
		}
		file, err := t.archive()
		if err != nil {
			return TraceState{}, err
		}
		st := t.state()
		st.Archive = &file
		return st, nil
	}
	if name != "" && len(all) > 0 {
		return TraceState{}, fault.New(fault.StateInvalid, "this session has no trace of that name").WithHint("its latest is %s", all[len(all)-1].rec.Name())
	}
	return TraceState{}, noTrace()
}

// Trace is the trace that runs, or the latest.
func (r *Read) Trace() TraceState {
	r.session.mu.Lock()
	defer r.session.mu.Unlock()
	if n := len(r.session.traces); n > 0 {
		return r.session.traces[n-1].state()
	}
	return TraceState{}
}

func noTrace() error {
	return fault.New(fault.StateInvalid, "no trace is running").WithHint("begin one: %s", fault.Call("browser_trace", "action", "start"))
}

// tracing is the trace that runs, or nil: one look at one word where there is none.
func (s *Session) tracing() *tracing { return s.trace.Load() }

// endTrace ends the running trace, if one runs.
func (s *Session) endTrace(why string) {
	if t := s.tracing(); t != nil {
		if err := t.end(why); err != nil {
			s.o.Log.Error("a trace could not be ended", "error", err.Error())
		}
	}
}

// state is what a result says of the trace.
func (t *tracing) state() TraceState {
	n := t.rec.Counts()
	return TraceState{
		Running: n.Why == "", Name: t.rec.Name(), Path: t.rec.Dir().Path, Why: n.Why, Calls: n.Calls, Failed: n.Failed, Shots: n.Shots,
		Console: n.Console, Network: n.Network, Dropped: n.Dropped, Bytes: n.Bytes,
	}
}

// end writes the last lines. A second end does nothing.
func (t *tracing) end(why string) error {
	t.mu.Lock()
	if t.ended {
		t.mu.Unlock()
		return nil
	}
	t.ended = true
	live := t.live
	t.mu.Unlock()
	t.leave()
	t.pumps.Wait()
	if live != nil {
		t.feed(live.Browser)
	}
	_, err := t.rec.Stop(why)
	t.session.trace.CompareAndSwap(t, nil)
	return err
}

// archive makes the archive as a file of the session. What has come to be a secret
// after it was written is masked in it.
func (t *tracing) archive() (artifacts.File, error) {
	dir, err := t.rec.Dir().FS()
	if err != nil {
		return artifacts.File{}, err
	}
	out, err := t.session.files.Create(strings.TrimSuffix("trace-"+strings.TrimPrefix(t.rec.Name(), "trace"), "-"), "zip")
	if err != nil {
		return artifacts.File{}, err
	}
	err = trace.Archive(out, dir, func(line []byte) []byte { return mapStrings(line, t.session.Redact) })
	err = errors.Join(err, out.Close())
	if err != nil {
		out.Remove()
		return artifacts.File{}, fault.From(err)
	}
	return out.File(), nil
}
