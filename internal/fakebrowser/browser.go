package fakebrowser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"duet/bidi"
	"duet/internal/wirelog"
)

// Options changes how a log is played.
type Options struct {
	// Collapse shortens the text of a page function to its @name, as the log has it.
	Collapse func(text string) string
	// Pairs are texts of this run, such as a temporary directory, and what stands for
	// them in the log.
	Pairs []string
	// Lenient answers a command that the log does not have next with what it has
	// later, or with an error, where otherwise the connection ends.
	Lenient bool
	// Quiet makes time pass: each arrival is delivered alone, once Quiet has returned,
	// which it does when the client has nothing left to do (synctest.Wait), and after
	// the pause that the log notes. A command must then be what the log has next, with
	// nothing due before it: the order of the log is part of what is compared.
	Quiet func()
	// Loose lets commands come before arrivals that precede them in the log, as from a
	// client that is faster than the one that was recorded. Played has the order then.
	Loose bool
}

// Browser is a bidi.Transport that plays a log. It takes each frame that the log
// has next, those without an arrival between them in any order, and then delivers
// what arrived, in the order of the log. Frames are compared byte for byte after
// masking and normalisation, without their ids; replies get the id of the command
// that was sent. A frame that does not fit ends the connection with an error that
// shows both.
type Browser struct {
	options Options
	entries []entry
	done    chan struct{} // closed by Close

	mu     sync.Mutex // guards the rest
	got    *wirelog.Normaliser
	at     int            // the first entry that is not played
	last   int            // lenient: the last entry that was matched
	outbox []due          // for Read
	ready  chan struct{}  // holds a token when outbox changed
	broken error          // the connection ended with it
	misfit error          // the first frame that did not fit
	counts map[string]int // commands so far, by method, and in all under ""
	plans  []plan         // what is to fail
	closed bool

	taken  chan struct{} // closed and renewed when Read takes something
	played wirelog.Log   // in the order in which it came to pass
	frames []string      // the commands that were taken, without their ids
}

// due is a frame, or the end of the connection, that Read has to deliver.
type due struct {
	frame []byte
	err   error
	entry *entry // of the log; nil for what is made here
}

// entry is an entry of the log as it is compared and played.
type entry struct {
	wirelog.Entry
	id     int64  // of a command or reply
	method string // of a command or event
	want   string // a command as it is compared
	pair   int    // of a command its reply, of a reply its command; -1 for none
	played bool
	pause  time.Duration // noted before it
	sentAs int64         // the id that the client gave to the command
}

// plan is a failure to come.
type plan struct {
	method string
	n      int
	err    error
}

// New returns a browser that plays a log.
func New(log wirelog.Log, o Options) *Browser {
	b := &Browser{
		options: o,
		done:    make(chan struct{}),
		got:     wirelog.NewNormaliser(o.Collapse, o.Pairs...),
		ready:   make(chan struct{}, 1),
		taken:   make(chan struct{}),
		counts:  map[string]int{},
		last:    -1,
	}
	want := wirelog.NewNormaliser(o.Collapse, o.Pairs...)
	var pause time.Duration
	for _, e := range log {
		_, closed := e.Closed()
		if e.Kind == wirelog.Note && !closed {
			if d, ok := e.Pause(); ok {
				pause = d
			}
			if o.Quiet != nil && string(e.Text) == gate {
				b.entries = append(b.entries, entry{Entry: e, pair: -1})
			}
			continue
		}
		en := entry{Entry: e, pair: -1, pause: pause}
		pause = 0
		if !closed {
			var rest []byte
			en.id, en.method, _ = wirelog.SplitID(e.Text)
			_, _, rest = wirelog.SplitID(want.Frame(e.Text))
			en.want = string(rest)
		}
		b.entries = append(b.entries, en)
	}
	b.pairUp()
	b.deliverLocked()
	return b
}

// gate is the text of the note that Gate makes.
const gate = "next"

// Gate is a note at which a browser with Quiet stops, until Proceed.
func Gate() wirelog.Entry { return wirelog.Entry{Kind: wirelog.Note, Text: []byte(gate)} }

func (e *entry) gate() bool { return e.Kind == wirelog.Note && string(e.Text) == gate }

// Proceed passes the gate that the log has next. It reports false where it has
// something else there, a command that was not sent for one.
func (b *Browser) Proceed() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.at == len(b.entries) || !b.entries[b.at].gate() {
		return false
	}
	b.entries[b.at].played = true
	b.deliverLocked()
	return true
}

// pairUp finds the reply of each command: the next one with its id. Ids may occur
// again, since a file may hold the logs of several connections.
func (b *Browser) pairUp() {
	open := map[int64]int{} // id -> command
	for i := range b.entries {
		switch e := &b.entries[i]; {
		case e.Kind == wirelog.Sent:
			open[e.id] = i
		case e.Kind == wirelog.Arrived && e.method == "":
			if command, ok := open[e.id]; ok {
				e.pair, b.entries[command].pair = command, i
				delete(open, e.id)
			}
		}
	}
}

// Read returns what the log has next, as soon as the frames before it were sent.
func (b *Browser) Read(ctx context.Context) ([]byte, error) {
	for {
		b.mu.Lock()
		broken := b.broken
		var next *due
		if len(b.outbox) > 0 {
			next = &b.outbox[0]
		}
		b.mu.Unlock()
		switch {
		case broken != nil:
			return nil, broken
		case next == nil:
			select {
			case <-b.ready:
			case <-b.done:
				return nil, io.EOF
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			continue
		}
		if err := b.pace(ctx, next.entry); err != nil {
			return nil, err
		}
		return b.take()
	}
}

// offBeat keeps what is delivered after a pause from coinciding with a timer of the
// client.
const offBeat = 7 * time.Microsecond

// pace waits, with Quiet, for the pause of an entry and for the client to be done.
func (b *Browser) pace(ctx context.Context, e *entry) error {
	if b.options.Quiet == nil {
		return nil
	}
	if e != nil && e.pause > 0 {
		timer := time.NewTimer(e.pause + offBeat)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-b.done:
			return io.EOF
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	b.options.Quiet()
	return nil
}

// take delivers what is due next.
func (b *Browser) take() ([]byte, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := b.outbox[0]
	b.outbox = b.outbox[1:]
	if next.entry != nil {
		b.passedLocked(next.entry)
	}
	close(b.taken)
	b.taken = make(chan struct{})
	b.broken = next.err
	return next.frame, next.err
}

// passedLocked notes that an entry came to pass.
func (b *Browser) passedLocked(e *entry) {
	if e.pause > 0 {
		b.played = append(b.played, wirelog.Pause(e.pause))
	}
	b.played = append(b.played, e.Entry)
}

// Played returns the entries of the log in the order in which they came to pass.
func (b *Browser) Played() wirelog.Log {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append(wirelog.Log(nil), b.played...)
}

// Rest waits until everything is delivered that comes before the next command. It
// returns early where the connection or ctx ends. It reports whether there was
// something, all of which is delivered now.
func (b *Browser) Rest(ctx context.Context) (waited bool) {
	for ; ; waited = true {
		b.mu.Lock()
		over := len(b.outbox) == 0 || b.broken != nil || b.closed
		taken := b.taken
		b.mu.Unlock()
		if over {
			return waited
		}
		select {
		case <-taken:
		case <-b.done:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// Taken returns the commands that left the client, normalised and without their ids.
func (b *Browser) Taken() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.frames...)
}

// Commands returns how many commands the client has sent.
func (b *Browser) Commands() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.counts[""]
}

// Write takes a frame of the client.
func (b *Browser) Write(_ context.Context, frame []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed || b.broken != nil {
		return io.ErrClosedPipe
	}
	id, method, _ := wirelog.SplitID(frame)
	_, _, rest := wirelog.SplitID(b.got.Frame(frame))
	b.counts[method]++
	b.counts[""]++
	failure := b.planned(method)
	if !errors.Is(failure, bidi.ErrUnsent) {
		b.frames = append(b.frames, string(rest))
	}
	if failure != nil {
		return b.failLocked(id, string(rest), failure)
	}
	if b.options.Lenient {
		b.answerLocked(id, method, string(rest))
		return nil
	}
	if i := b.nextLocked(string(rest)); i >= 0 {
		b.entries[i].played, b.entries[i].sentAs = true, id
		b.passedLocked(&b.entries[i])
		b.deliverLocked()
		return nil
	}
	b.misfit = b.describeLocked(string(rest))
	b.breakLocked(b.misfit)
	return nil
}

// Close ends the connection.
func (b *Browser) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.closed {
		b.closed = true
		close(b.done)
	}
	return nil
}

// Err returns the first frame that did not fit the log, or, when all did, whether
// the log has commands that were not sent; nil when it was played as it is.
func (b *Browser) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.misfit != nil || b.options.Lenient {
		return b.misfit
	}
	for _, e := range b.entries {
		if e.Kind == wirelog.Sent && !e.played {
			return fmt.Errorf("the log goes on, and this was not sent:\n  > %s", e.want)
		}
	}
	return nil
}
