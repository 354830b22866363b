package bidi

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"duet/internal/wirelog"
)

// maxID is the largest command id: chromedriver answers larger ones as floating
// point.
const maxID = 1<<31 - 1

// closeGrace is how long Close waits for the peer's goodbye.
const closeGrace = 500 * time.Millisecond

// Options configures a connection.
type Options struct {
	// Sink receives every event, one after another in order of arrival: an event is
	// there before the reply that followed it. It must not block, and must not call
	// into the connection.
	Sink func(Event)
	// Log receives every frame; nil logs nothing.
	Log *wirelog.Writer
	// StripVendor removes goog: and moz: members from every incoming frame, so that
	// what only works with them is seen.
	StripVendor bool
}

// Conn is one connection to a browser. It owns its transport and two goroutines,
// one that reads and one that writes, until Close or the loss of the connection.
type Conn struct {
	transport Transport
	options   Options
	life      context.Context // the only context that the transport is given
	end       context.CancelFunc
	work      sync.WaitGroup
	closing   sync.Once
	done      chan struct{}
	wake      chan struct{} // holds one token when queue may not be empty
	turn      sync.Mutex    // held while a frame is delivered: one at a time

	mu      sync.Mutex // guards the rest
	lastID  int64
	pending map[int64]*call
	queue   []*call   // submitted, not yet taken by the writer
	lost    error     // why done is closed
	heard   time.Time // when the last frame arrived
}

// call is one command under way. done is closed once, after result and err are set;
// written is closed when the frame is out, or never will be.
type call struct {
	id      int64
	method  string
	frame   []byte
	written chan struct{}
	done    chan struct{}
	result  []byte
	err     error

	sent  bool      // guarded by Conn.mu: the writer took it
	since time.Time // guarded by Conn.mu: when it was submitted
}

// NewConn starts a connection over a transport, which it owns from now on.
func NewConn(t Transport, o Options) *Conn {
	life, end := context.WithCancel(context.Background())
	c := &Conn{
		transport: t,
		options:   o,
		life:      life,
		end:       end,
		done:      make(chan struct{}),
		wake:      make(chan struct{}, 1),
		pending:   map[int64]*call{},
		heard:     time.Now(),
	}
	c.work.Go(c.read)
	c.work.Go(c.write)
	return c
}

// Done is closed when the connection is lost or closed; Err then says why.
func (c *Conn) Done() <-chan struct{} { return c.done }

// Err returns why the connection ended: ErrClosed after Close, nil while it lives.
func (c *Conn) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.lost
}

// Close ends the connection: every pending call fails with ErrClosed, and both
// goroutines have ended when it returns, after at most half a second of goodbye. It
// does not close the browser. It may be called again, but not by the sink.
func (c *Conn) Close() error {
	c.lose(ErrClosed)
	c.closing.Do(func() {
		hurry := time.AfterFunc(closeGrace, c.end)
		_ = c.transport.Close() // a peer that is gone already hears no goodbye
		hurry.Stop()
		c.end()
	})
	c.work.Wait()
	return nil
}

// Alive asks the driver for the list of tabs, which it answers while a page is
// busy and does not answer when it is wedged (session.status, which only looks like
// the better question, it answers even then). Any answer, an error too, is life;
// the error it returns is that of ctx or of the connection.
func (c *Conn) Alive(ctx context.Context) error {
	depth := int64(0)
	_, err := BrowsingContextGetTree.Call(ctx, c, BrowsingContextGetTreeParameters{MaxDepth: &depth})
	if CodeOf(err) != "" {
		return nil
	}
	return err
}

// Silent returns how long the peer has owed an answer without saying anything; 0
// where it owes none. A page that works keeps an answer back for as long as it likes:
// this alone is no sign of a dead driver, see Alive.
func (c *Conn) Silent() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.pending) == 0 {
		return 0
	}
	oldest := time.Now()
	for _, k := range c.pending {
		if k.since.Before(oldest) {
			oldest = k.since
		}
	}
	if c.heard.After(oldest) {
		oldest = c.heard
	}
	return time.Since(oldest)
}

// Heard returns when the last frame arrived, or else when the connection began.
func (c *Conn) Heard() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.heard
}

// submit queues a command for the writer and returns it. It never blocks on the
// transport.
func (c *Conn) submit(method string, params any) *call {
	call := &call{method: method, written: make(chan struct{}), done: make(chan struct{})}
	payload, err := encode(params)
	if err != nil {
		return call.refuse(&Error{Method: method, Err: err})
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost != nil {
		return call.refuse(&Error{Method: method, Err: c.lost})
	}
	call.id = c.nextIDLocked()
	call.since = time.Now()
	call.frame = frameOf(call.id, method, payload)
	c.pending[call.id] = call
	c.queue = append(c.queue, call)
	select {
	case c.wake <- struct{}{}:
	default:
	}
	return call
}

// refuse completes a call that was never queued.
func (k *call) refuse(err *Error) *call {
	k.err = err
	close(k.written)
	close(k.done)
	return k
}

// nextIDLocked returns an id that no pending call has.
func (c *Conn) nextIDLocked() int64 {
	for {
		if c.lastID++; c.lastID > maxID {
			c.lastID = 1
		}
		if _, taken := c.pending[c.lastID]; !taken {
			return c.lastID
		}
	}
}

func frameOf(id int64, method string, params []byte) []byte {
	frame := make([]byte, 0, len(method)+len(params)+48)
	frame = append(frame, `{"id":`...)
	frame = strconv.AppendInt(frame, id, 10)
	frame = append(frame, `,"method":"`...)
	frame = append(frame, method...)
	frame = append(frame, `","params":`...)
	frame = append(frame, params...)
	return append(frame, '}')
}

// forget drops a call: its frame, where the writer has not taken it, or its reply.
// It reports whether the frame may have been sent, and whether the call was still
// open; where it was not, done is closed or about to be.
func (c *Conn) forget(k *call) (sent, ours bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[k.id] != k {
		return k.sent, false
	}
	delete(c.pending, k.id)
	return k.sent, true
}

// write sends queued frames in order until the connection ends.
func (c *Conn) write() {
	for {
		k := c.takeQueued()
		if k == nil {
			select {
			case <-c.wake:
				continue
			case <-c.life.Done():
				return
			case <-c.done:
				return
			}
		}
		c.options.Log.Out(k.frame)
		err := c.transport.Write(c.life, k.frame)
		k.frame = nil
		if errors.Is(err, ErrUnsent) {
			c.unsend(k)
		} else {
			close(k.written)
		}
		if err != nil {
			c.lose(err)
			c.end()
			return
		}
	}
}

// unsend notes that the writer could not write any of a call: the loss that follows
// then says so, and closes written. Where the loss came first, it was too late for
// saying so.
func (c *Conn) unsend(k *call) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.pending[k.id] == k {
		k.sent = false
		return
	}
	close(k.written)
}

// takeQueued returns the next call that is still wanted and marks it as sent, or
// nil.
func (c *Conn) takeQueued() *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.queue) > 0 {
		k := c.queue[0]
		c.queue[0] = nil
		c.queue = c.queue[1:]
		if c.pending[k.id] == k {
			k.sent = true
			return k
		}
		close(k.written) // forgotten before it left
	}
	c.queue = nil
	return nil
}

// read delivers frames in order until the connection ends.
func (c *Conn) read() {
	for {
		frame, err := c.transport.Read(c.life)
		if err == nil {
			err = c.receive(frame)
		}
		if err != nil {
			if c.lose(err) {
				c.end() // after a loss nobody is there to say goodbye to
			}
			return
		}
	}
}

// Overhear delivers a message that the peer meant to send and did not, as where it
// writes to its log what it could not make a frame of. It comes after the frames that
// have arrived, wherever its own place was. What is no message is left out.
func (c *Conn) Overhear(message []byte) {
	if _, err := parseMessage(message); err == nil && c.Err() == nil {
		_ = c.receive(message)
	}
}

// receive delivers one frame. Its error ends the connection: after a frame that is
// not JSON nothing can be trusted.
func (c *Conn) receive(frame []byte) error {
	c.turn.Lock()
	defer c.turn.Unlock()
	c.options.Log.In(frame)
	if c.options.StripVendor {
		stripped, err := stripVendor(frame)
		if err != nil {
			return err
		}
		frame = stripped
	}
	m, err := parseMessage(frame)
	if err != nil {
		return err
	}
	c.mu.Lock()
	c.heard = time.Now()
	c.mu.Unlock()
	if m.method != "" && m.id == 0 {
		if c.options.Sink != nil {
			c.options.Sink(Event{m.method, m.params})
		}
		return nil
	}
	c.mu.Lock()
	k := c.pending[m.id]
	delete(c.pending, m.id)
	c.mu.Unlock()
	if k == nil {
		return nil // the reply of a call that was given up, or an error without an id
	}
	if m.code != "" {
		k.err = &Error{Method: k.method, Code: m.code, Message: m.text, Stacktrace: m.stacktrace, Sent: true}
	}
	k.result = m.result
	close(k.done)
	return nil
}

// lose ends every pending call with the reason and reports whether it was the
// first to give one. What was never taken by the writer was never sent.
func (c *Conn) lose(reason error) bool {
	if !c.loseOnce(reason) {
		return false
	}
	if reason != ErrClosed {
		c.options.Log.Closed(reason.Error())
	}
	return true
}

func (c *Conn) loseOnce(reason error) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost != nil {
		return false
	}
	c.lost = reason
	for _, k := range c.queue {
		if !k.sent && c.pending[k.id] != k {
			close(k.written)
		}
	}
	c.queue = nil
	for _, k := range c.pending {
		if !k.sent {
			close(k.written)
		}
		k.err = &Error{Method: k.method, Sent: k.sent, Err: reason}
		close(k.done)
	}
	clear(c.pending)
	close(c.done)
	return true
}

// Lost reports whether err says that the connection ended, rather than that the
// browser refused or a wait did.
func (c *Conn) Lost(err error) bool {
	lost := c.Err()
	return lost != nil && errors.Is(err, lost)
}
