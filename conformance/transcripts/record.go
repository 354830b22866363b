package transcripts

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"duet/bidi"
	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/launch"
	"duet/internal/wirelog"
)

// Options of the set-ups whose driver is not the usual one: Firefox by itself makes
// its session over BiDi, which is part of what is recorded.
var drivers = map[string]string{"firefox": "none"}

const (
	// notable is the shortest wait for a frame that a transcript notes. What is shorter
	// is added to the next wait, so that a deadline is as far as it was.
	notable = 15 * time.Millisecond
	// calm is how long no frame comes before the next call is made: what a call set
	// off belongs to it.
	calm = 250 * time.Millisecond
	// restless is how long calm is waited for.
	restless = 3 * time.Second
	// attempts is how often a case is recorded where what came does not replay.
	// Where an event and a decision of the client cross, the decision may have been
	// made with or without it, and the order of the frames does not tell.
	attempts = 3
)

// tape is the raw log of a recording, with the time of its last line.
type tape struct {
	mu   sync.Mutex // guards the rest
	text bytes.Buffer
	last time.Time
}

func (t *tape) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = time.Now()
	return t.text.Write(p)
}

// settle waits until the tape stands still.
func (t *tape) settle(ctx context.Context) {
	ctx, stop := context.WithTimeout(ctx, restless)
	defer stop()
	for {
		t.mu.Lock()
		left := calm - time.Since(t.last)
		t.mu.Unlock()
		timer := time.NewTimer(left)
		select {
		case <-timer.C:
			if left <= 0 {
				return
			}
		case <-ctx.Done():
			timer.Stop()
			return
		}
	}
}

// live is a case that is run on a real browser.
type live struct {
	tape     tape
	log      *wirelog.Writer
	setup    string
	profile  Profile
	pairs    []string // texts of this run, and what transcripts have for them
	mu       sync.Mutex
	browsers []*launch.Process
}

// open starts a browser.
func (l *live) open(files func() (string, error)) dispatch.Opener {
	return func(ctx context.Context, _ func(string)) (*dispatch.Live, error) {
		downloads, err := files()
		if err != nil {
			return nil, err
		}
		p, err := launch.Start(ctx, launch.Options{Browser: l.setup, Driver: drivers[l.setup], DownloadDir: downloads})
		if err != nil {
			return nil, err
		}
		at := p.Endpoint()
		l.profile.Setup, l.profile.Name, l.profile.Session = l.setup, at.Browser, at.SessionExists
		if !at.SessionExists {
			l.profile.Capabilities = at.Capabilities
		}
		l.mu.Lock()
		l.browsers = append(l.browsers, p)
		l.pairs = append(l.pairs, p.DownloadDir(), "$artifacts/downloads")
		l.mu.Unlock()
		wire, err := bidi.Dial(ctx, at.URL, bidi.DialOptions{})
		if err != nil {
			_ = p.Close(ctx)
			return nil, err
		}
		live, err := attach(ctx, wire, l.log, drive.Info{
			Browser: at.Browser, SessionExists: at.SessionExists, Capabilities: at.Capabilities, DownloadDir: p.DownloadDir(),
			PierceClosed: l.profile.PierceClosed,
		}, p.Close)
		if err != nil {
			_ = p.Close(ctx)
			return nil, err
		}
		live.Lend = func(path string) (string, error) {
			lent, err := p.Lend(path)
			l.mu.Lock()
			defer l.mu.Unlock()
			l.pairs = append(l.pairs, lent, "$pages"+strings.TrimPrefix(path, pagesDir()))
			return lent, err
		}
		return live, nil
	}
}

// kill ends the browser's processes as a crash does.
func (l *live) kill() {
	l.mu.Lock()
	defer l.mu.Unlock()
	killBrowser()
}

// run performs the calls of a case on a real browser and returns what came, as a
// transcript has it.
func (c *Case) run(t testing.TB, setup, dir string) (*Case, error) {
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	at := serve(t)
	l := &live{setup: setup, profile: Profile{PierceClosed: c.Browser.PierceClosed}}
	l.log = wirelog.NewWriter(&l.tape)
	var s *stage
	s = newStage(dir, pagesDir(), l.open(func() (string, error) { return s.files.Downloads() }))
	defer func() { _ = s.session.Close(context.WithoutCancel(ctx)) }()
	if path, err := s.files.Path(); err == nil {
		l.pairs = append(l.pairs, path, "$artifacts")
	}
	l.pairs = append(l.pairs, pagesDir(), "$pages", "127.0.0.1"+at, "127.0.0.1"+port, "localhost"+at, "localhost"+port)
	translate := strings.NewReplacer("127.0.0.1"+port, "127.0.0.1"+at, "localhost"+port, "localhost"+at)
	out := &Case{Path: c.Path, About: c.About, Calls: slices.Clone(c.Calls)}
	for i, k := range c.Calls {
		out.Calls[i].Wire = nil
		if i > 0 {
			l.log.Note(gateText)
		}
		text := ""
		if k.Tool == crash {
			l.kill()
		} else {
			var err error
			if _, text, err = s.do(ctx, k, translate); err != nil {
				return nil, fmt.Errorf("call %d (%s %s): %w in\n%s", i+1, k.Tool, k.Args, err, strings.Join(s.shown, "\n"))
			}
		}
		l.tape.settle(ctx)
		l.mu.Lock()
		// The longest first: one path may begin with another.
		out.Calls[i].Result = normal(text, l.sorted()...)
		l.mu.Unlock()
	}
	l.tape.mu.Lock()
	defer l.tape.mu.Unlock()
	out.Browser = l.profile
	return out, l.split(out, l.tape.text.Bytes())
}

// sorted are the pairs with the longest text first.
func (l *live) sorted() []string {
	type pair struct{ text, name string }
	var pairs []pair
	for i := 0; i < len(l.pairs); i += 2 {
		if l.pairs[i] != "" {
			pairs = append(pairs, pair{l.pairs[i], l.pairs[i+1]})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return len(b.text) - len(a.text) })
	var out []string
	for _, p := range pairs {
		out = append(out, p.text, p.name)
	}
	return out
}

const gateText = "call"

// split gives each call its part of the log, normalised, with the pauses that matter.
func (l *live) split(c *Case, raw []byte) error {
	log, err := wirelog.Parse(bytes.NewReader(raw))
	if err != nil {
		return err
	}
	n := wirelog.NewNormaliser(collapse, l.sorted()...).Tidy()
	call := 0
	var last, pause, owed time.Duration
	for _, e := range log {
		if at, ok := e.At(); ok {
			pause, last = at-last, at
			continue
		}
		if e.Kind == wirelog.Note && string(e.Text) == gateText {
			call++
			continue
		}
		k := &c.Calls[call]
		if e.Kind == wirelog.Note {
			if reason, closed := e.Closed(); closed {
				e.Text = []byte(strings.Replace(string(e.Text), reason, "the browser is gone", 1))
			}
			k.Wire = append(k.Wire, e)
			continue
		}
		if e.Kind == wirelog.Arrived {
			if owed += pause; owed >= notable && len(k.Wire) > 0 {
				noted := owed.Round(time.Millisecond * 5)
				k.Wire = append(k.Wire, wirelog.Pause(noted))
				owed -= noted
			}
		}
		k.Wire = append(k.Wire, wirelog.Entry{Kind: e.Kind, Text: n.Frame(e.Text)})
	}
	return nil
}

// Record runs the case on a real browser and returns it as recorded: what replays
// exactly, with each frame where a client has it that is as fast as can be.
func (c *Case) Record(t *testing.T, setup string) (*Case, error) {
	t.Helper()
	var failed error
	for n := range attempts {
		got, err := c.run(t, setup, t.TempDir())
		if failed = err; err == nil {
			if failed = got.exact(t); failed == nil {
				return got, nil
			}
		}
		t.Logf("recording %d of %s on %s does not replay: %v", n+1, c.Name(), setup, failed)
	}
	return nil, failed
}

// exact puts the frames into the order that a replay has them in, and reports
// where it does not replay. A client that is as fast as can be decides before an
// event that follows a reply at once; where the recorded one had seen the event, it
// is put before that reply, which comes to the same.
func (c *Case) exact(t *testing.T) error {
	asRecorded := make([]wirelog.Log, len(c.Calls))
	for i := range c.Calls {
		asRecorded[i] = c.Calls[i].Wire
	}
	moved := make([]int, len(c.Calls))
	for {
		at, wires, err := c.attempt(t, playing{loose: true})
		if err == nil {
			for i := range c.Calls {
				c.Calls[i].Wire = wires[i]
			}
			break
		}
		if moved[at]++; moved[at] > 2 {
			return err
		}
		c.Calls[at].Wire = eventsFirst(asRecorded[at], moved[at] == 2)
	}
	for range 3 {
		if _, _, err := c.attempt(t, playing{}); err != nil {
			return err
		}
	}
	return nil
}

// attempt replays the case and returns the call that does not fit.
func (c *Case) attempt(t *testing.T, o playing) (at int, wires []wirelog.Log, failed error) {
	bubble(t, func(t *testing.T, quiet func()) {
		got := c.play(t.Context(), t.TempDir(), quiet, o)
		wires = got.wires
		for i, answer := range got.answers {
			if d := difference(c.Calls[i].Result, answer); d != "" && failed == nil {
				at, failed = i, fmt.Errorf("the answer differs\n%s", d)
			}
		}
		if got.misfit != nil && failed == nil {
			at, failed = got.at, got.misfit
		}
	})
	if failed != nil {
		failed = fmt.Errorf("call %d (%s %s): %w", at+1, c.Calls[at].Tool, c.Calls[at].Args, failed)
	}
	return at, wires, failed
}

// eventsFirst moves the events that follow a reply at once before it: those that a
// command follows, or all.
func eventsFirst(log wirelog.Log, all bool) wirelog.Log {
	var out, run wirelog.Log
	flush := func(followed bool) {
		if followed || all {
			slices.SortStableFunc(run, func(a, b wirelog.Entry) int { return weight(a) - weight(b) })
		}
		out, run = append(out, run...), nil
	}
	for _, e := range log {
		if e.Kind == wirelog.Arrived {
			run = append(run, e)
			continue
		}
		flush(e.Kind == wirelog.Sent)
		out = append(out, e)
	}
	flush(false)
	return out
}

// weight is 0 for events and 1 for replies.
func weight(e wirelog.Entry) int {
	if _, method, _ := wirelog.SplitID(e.Text); method != "" {
		return 0
	}
	return 1
}

// Live runs the case on a real browser and fails the test where an answer is not
// the recorded one.
func (c *Case) Live(t *testing.T, setup string) {
	t.Helper()
	got, err := c.run(t, setup, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Calls {
		if d := difference(c.Calls[i].Result, got.Calls[i].Result); d != "" {
			t.Errorf("%s, call %d (%s %s): the answer differs\n%s", c.Path, i+1, c.Calls[i].Tool, c.Calls[i].Args, d)
		}
	}
}
