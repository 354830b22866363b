package dispatch

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"duet/artifacts"
	"duet/internal/drive"
	"duet/internal/env"
	"duet/internal/fault"
	"duet/internal/profile"
	"duet/snapshot"
)

// Options make a session.
type Options struct {
	Name   string         // "" is the default session
	Open   Opener         // starts its browser, at the first call that needs one
	Files  *artifacts.Dir // nil is a new one in the usual place
	States *profile.Store // where saved states are kept; nil is nowhere
	Limits Limits
	Log    *slog.Logger // for defects; nil drops them
	// Uploads are the directories that files may be uploaded from, besides the
	// session's artifacts.
	Uploads []string
	Version string // of duet, for status and defect reports
	// Quitted is told that a caller ended the browser, or would have: what the next
	// one is to be is open again. It may be nil.
	Quitted func()
}

// Limits bound calls and answers. Zero fields are the usual values.
type Limits struct {
	Timeout     time.Duration // of a call that names none; DUET_TIMEOUT
	Launch      time.Duration // of starting a browser; 60 s
	Queue       int           // calls that may wait; one more is BUSY; 64
	SpillBytes  int
	MapBytes    int
	MaxResponse int
}

func (l Limits) orDefaults() Limits {
	if l.Timeout <= 0 {
		l.Timeout = time.Duration(max(env.Timeout.Int(), 0)) * time.Millisecond
	}
	if l.Launch <= 0 {
		l.Launch = time.Minute
	}
	set := func(n *int, def int) {
		if *n <= 0 {
			*n = def
		}
	}
	set(&l.Queue, 64)
	set(&l.SpillBytes, artifacts.SpillBytes())
	set(&l.MapBytes, artifacts.MapBytes())
	set(&l.MaxResponse, artifacts.MaxResponseBytes())
	return l
}

// Live is a running browser, as the Opener hands it over.
type Live struct {
	Browser *drive.Browser
	Close   func(context.Context) error // ends browser and connection; idempotent
	Done    <-chan struct{}             // closed when the browser or the connection is gone
	Lost    func() error                // why, once Done is closed: a BROWSER_LOST fault
	Info    Info
	// Lend makes a file readable for the browser, which may run as another user,
	// and returns the path to give it; nil where that is the path itself.
	Lend func(path string) (string, error)
	// Wire writes the protocol log to out too, masked, until stop is called; nil where
	// there is none.
	Wire func(out io.Writer) (stop func())
}

// Info says what runs, for status.
type Info struct {
	Browser string `json:"browser"`
	Version string `json:"version,omitzero"`
	Driver  string `json:"driver,omitzero"`
	Note    string `json:"note,omitzero"` // what is not as it should be: no sandbox
	// PierceClosed: closed shadow roots are read as open ones are.
	PierceClosed bool `json:"pierce_closed,omitzero"`
}

// Opener starts or attaches to a browser. note is told what it is doing. A
// failure is a fault, LAUNCH_FAILED as a rule, and is not remembered: the next
// call tries again.
type Opener func(ctx context.Context, note func(string)) (*Live, error)

// Session is one browser with its queue: calls run one at a time, in the order
// in which they came. The browser starts at the first call that needs it; after
// it was lost, the next such call starts another. Safe for concurrent use.
type Session struct {
	o       Options
	files   *artifacts.Dir
	ledger  *snapshot.Ledger
	secrets drive.Secrets
	slot    chan struct{} // one place: who has sent into it works
	queued  atomic.Int32

	// retired is the epoch of each tab whose earlier documents' refs are forgotten;
	// touched with the slot held.
	retired map[*drive.Tab]int

	led ledTo // touched with the slot held

	trace atomic.Pointer[tracing] // that runs; nil where none does

	mu     sync.Mutex // guards the rest; held for moments only
	live   *Live
	closed bool
	noted  *Live          // whose note was told
	used   *Live          // that a call had
	before *drive.Browser // the last one, whose log the next continues
	seen   baselines      // touched with the slot held
	starts int
	ending []<-chan struct{} // closed each when a browser that was lost has ended
	since  time.Time         // of the browser
	last   time.Time         // end of the last call
	traces []*tracing
}

// NewSession makes a session. It starts nothing.
func NewSession(o Options) *Session {
	o.Limits = o.Limits.orDefaults()
	if o.Files == nil {
		o.Files = artifacts.New(artifacts.Options{Session: o.Name})
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Session{o: o, files: o.Files, ledger: snapshot.NewLedger(), slot: make(chan struct{}, 1)}
}

// Name returns the session's name.
func (s *Session) Name() string { return s.o.Name }

// take waits for the slot. Senders of a channel are served in the order of
// their arrival, so the queue is first in, first out.
func (s *Session) take(ctx context.Context) error {
	select {
	case s.slot <- struct{}{}:
		return nil
	default:
	}
	if n := s.queued.Add(1); int(n) > s.o.Limits.Queue {
		s.queued.Add(-1)
		return fault.New(fault.Busy, "%d calls already wait for this session", n-1).WithHint("wait for an answer before the next call")
	}
	defer s.queued.Add(-1)
	return s.await(ctx)
}

// retake takes the slot for a call that had it and gave it back: it is under way,
// so that no limit of the queue can turn it away.
func (s *Session) retake(ctx context.Context) error {
	s.queued.Add(1)
	defer s.queued.Add(-1)
	return s.await(ctx)
}

func (s *Session) await(ctx context.Context) error {
	select {
	case s.slot <- struct{}{}:
		return nil
	case <-ctx.Done():
		return fault.From(context.Cause(ctx))
	}
}

func (s *Session) give() { <-s.slot }

// browser returns the running browser, starting one where none runs. The slot
// is held. A browser that was lost since the last call is named once: fresh
// commands get a new one and say so, others fail with BROWSER_LOST.
func (s *Session) browser(ctx context.Context, fresh bool, note func(string)) (*Live, string, error) {
	live, err := s.running()
	if live != nil || errors.Is(err, fault.StateInvalid) {
		return live, "", err
	}
	if err != nil && !fresh {
		return nil, "", hinted(fault.From(err))
	}
	told := ""
	if err != nil {
		told = "the browser was lost (" + err.Error() + "); this is a new one"
	}
	ctx, cancel := context.WithTimeoutCause(ctx, s.o.Limits.Launch,
		fault.New(fault.LaunchFailed, "the browser did not start within %v", s.o.Limits.Launch).WithHint("run: duet doctor"))
	defer cancel()
	if note == nil {
		note = func(string) {}
	}
	// Its profile, and the memory, may be what the next one needs.
	if err := s.ended(ctx); err != nil {
		return nil, "", err
	}
	live, err = s.o.Open(ctx, note)
	if err != nil {
		if ctx.Err() != nil {
			return nil, "", fault.From(context.Cause(ctx))
		}
		return nil, "", err
	}
	return s.adopt(live, told)
}

// adopt makes a browser that has just started the session's, unless the session
// was closed meanwhile.
func (s *Session) adopt(live *Live, told string) (*Live, string, error) {
	s.mu.Lock()
	closed := s.closed
	if !closed {
		s.live, s.since = live, time.Now()
		s.starts++
	}
	s.mu.Unlock()
	if closed {
		end(live)
		return nil, "", errClosed()
	}
	s.wire(live)
	if t := s.tracing(); t != nil {
		t.started(live)
	}
	return live, told, nil
}

// running returns the browser if it runs. Where it was lost and nobody was told
// yet, that is the error, once.
func (s *Session) running() (*Live, error) {
	s.mu.Lock()
	live, closed := s.live, s.closed
	s.mu.Unlock()
	switch {
	case closed:
		return nil, errClosed()
	case live == nil || !live.gone():
		return live, nil
	}
	err := live.lost() // may take a moment: nobody else is to wait for it
	if err == nil {
		err = fault.New(fault.BrowserLost, "the browser ended")
	}
	s.drop(live)
	return nil, err
}

// gone reports whether the browser has ended.
func (l *Live) gone() bool { return isClosed(l.Done) }

// drop makes a lost browser no longer the session's. What is left of it, driver and
// profile, ends aside: its caller is told at once, and the next start waits for it,
// which must find it here from the moment that the session has no browser.
func (s *Session) drop(live *Live) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live != live {
		return
	}
	over := make(chan struct{})
	s.live, s.ending = nil, append(s.ending, over)
	go func() {
		defer close(over)
		end(live)
	}()
}

// ended waits until nothing is left of the browsers that were lost, or ctx ends.
func (s *Session) ended(ctx context.Context) error {
	for {
		s.mu.Lock()
		s.ending = slices.DeleteFunc(s.ending, isClosed)
		if len(s.ending) == 0 {
			s.mu.Unlock()
			return nil
		}
		next := s.ending[0]
		s.mu.Unlock()
		select {
		case <-next:
		case <-ctx.Done():
			return fault.From(context.Cause(ctx))
		}
	}
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// quit ends the browser and keeps the session: the next call starts another.
// It reports whether one ran. The slot is held by the caller.
func (s *Session) quit(ctx context.Context) (bool, error) {
	s.mu.Lock()
	live := s.live
	s.live = nil
	s.mu.Unlock()
	if s.o.Quitted != nil {
		s.o.Quitted()
	}
	if live == nil {
		return false, nil
	}
	if t := s.tracing(); t != nil {
		t.leave()
	}
	return true, live.Close(ctx)
}

// Close ends the session and its browser. Calls that run fail with BROWSER_LOST,
// those that wait and later ones with STATE_INVALID. Idempotent.
func (s *Session) Close(ctx context.Context) error {
	s.mu.Lock()
	live := s.live
	s.live, s.closed = nil, true
	s.mu.Unlock()
	if t := s.tracing(); t != nil {
		t.leave()
	}
	var err error
	if live != nil {
		err = live.Close(ctx)
	}
	err = errors.Join(err, s.ended(ctx))
	s.endTrace("end")
	return errors.Join(err, s.files.Close())
}

// Activity reports whether a browser runs, how many calls run or wait, and when
// the last one ended: what an idle exit needs to know.
func (s *Session) Activity() (running bool, calls int, last time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.live != nil && !s.live.gone(), len(s.slot) + int(s.queued.Load()), s.last
}

// endBound is how long ending a browser that nobody waits for may take.
const endBound = 15 * time.Second

func end(live *Live) {
	ctx, cancel := context.WithTimeout(context.Background(), endBound)
	defer cancel()
	live.Close(ctx)
}

func errClosed() error {
	return fault.New(fault.StateInvalid, "the session has ended")
}
