package fakebrowser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

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
	outbox [][]byte       // for Read
	ready  chan struct{}  // holds a token when outbox or broken changed
	broken error          // Read returns it when outbox is empty
	misfit error          // the first frame that did not fit
	counts map[string]int // commands so far, by method, and in all under ""
	plans  []plan         // what is to fail
	closed bool
}

// entry is an entry of the log as it is compared and played.
type entry struct {
	wirelog.Entry
	id     int64  // of a command or reply
	method string // of a command or event
	want   string // a command as it is compared
	pair   int    // of a command its reply, of a reply its command; -1 for none
	played bool
	sentAs int64 // the id that the client gave to the command
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
		counts:  map[string]int{},
		last:    -1,
	}
	want := wirelog.NewNormaliser(o.Collapse, o.Pairs...)
	for _, e := range log {
		_, closed := e.Closed()
		if e.Kind == wirelog.Note && !closed {
			continue
		}
		en := entry{Entry: e, pair: -1}
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
		if len(b.outbox) > 0 {
			frame := b.outbox[0]
			b.outbox = b.outbox[1:]
			b.mu.Unlock()
			return frame, nil
		}
		err := b.broken
		b.mu.Unlock()
		if err != nil {
			return nil, err
		}
		select {
		case <-b.ready:
		case <-b.done:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
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
	if failure := b.planned(method); failure != nil {
		return b.failLocked(id, string(rest), failure)
	}
	if b.options.Lenient {
		b.answerLocked(id, method, string(rest))
		return nil
	}
	if i := b.nextLocked(string(rest)); i >= 0 {
		b.entries[i].played, b.entries[i].sentAs = true, id
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

// nextLocked returns the command of the log that may come now and equals the frame,
// or -1.
func (b *Browser) nextLocked(frame string) int {
	for i := b.at; i < len(b.entries) && b.entries[i].Kind == wirelog.Sent; i++ {
		if !b.entries[i].played && b.entries[i].want == frame {
			return i
		}
	}
	return -1
}

// deliverLocked delivers what the log has up to the next command that was not sent.
func (b *Browser) deliverLocked() {
	for ; b.at < len(b.entries); b.at++ {
		e := &b.entries[b.at]
		if e.Kind == wirelog.Sent {
			if !e.played {
				return
			}
			continue
		}
		if !e.played {
			b.playLocked(e)
		}
	}
}

// playLocked delivers one entry that arrived.
func (b *Browser) playLocked(e *entry) {
	e.played = true
	if reason, closed := e.Closed(); closed {
		b.breakLocked(errors.New(reason))
		return
	}
	b.got.Frame(e.Text) // its identifiers are known from now on
	frame := e.Text
	if e.method == "" {
		if e.pair < 0 {
			return // the reply of a command that the log does not have
		}
		frame = wirelog.WithID(frame, b.entries[e.pair].sentAs)
	}
	b.pushLocked(frame)
}

func (b *Browser) pushLocked(frame []byte) {
	b.outbox = append(b.outbox, frame)
	b.wakeLocked()
}

func (b *Browser) breakLocked(err error) {
	b.broken = err
	b.wakeLocked()
}

func (b *Browser) wakeLocked() {
	select {
	case b.ready <- struct{}{}:
	default:
	}
}

// describeLocked says how a frame does not fit.
func (b *Browser) describeLocked(frame string) error {
	for _, e := range b.entries[b.at:] {
		if e.Kind == wirelog.Sent && !e.played {
			return fmt.Errorf("the client sent what the log does not have next\n  want > %s\n  got  > %s", e.want, frame)
		}
	}
	return fmt.Errorf("the client sent more than the log has\n  got  > %s", frame)
}
