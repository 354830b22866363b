package mcpserver

import (
	"io"
	"sync"
)

// outbox is the one writer of a stream. Lines are queued and written by a
// goroutine of its own, so that a peer which does not read never keeps us from
// reading: its cancellations must get through. Safe for concurrent use.
type outbox struct {
	out  io.Writer
	done chan struct{} // closed when nothing will be written any more

	mu      sync.Mutex // guards the rest
	pending []byte
	spare   []byte
	room    *sync.Cond // signalled when pending shrank, or err or closed was set
	more    *sync.Cond // signalled when pending grew or closed was set
	closed  bool
	err     error
}

// maxPending is how many bytes may wait for a peer that does not read before
// the next call has to.
const maxPending = 16 << 20

func newOutbox(out io.Writer) *outbox {
	o := &outbox{out: out, done: make(chan struct{})}
	o.room, o.more = sync.NewCond(&o.mu), sync.NewCond(&o.mu)
	go o.run()
	return o
}

// put queues one line; it adds the line end. It never blocks.
func (o *outbox) put(line []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed || o.err != nil {
		return
	}
	o.pending = append(append(o.pending, line...), '\n')
	o.more.Signal()
}

// wait blocks while too much is pending.
func (o *outbox) wait() {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.pending) > maxPending && o.err == nil && !o.closed {
		o.room.Wait()
	}
}

// close lets the writer end once what is pending has been written; done tells.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.more.Broadcast()
	o.room.Broadcast()
}

func (o *outbox) run() {
	defer close(o.done)
	o.mu.Lock()
	defer o.mu.Unlock()
	for {
		for len(o.pending) == 0 && !o.closed {
			o.more.Wait()
		}
		if len(o.pending) == 0 {
			return
		}
		batch := o.pending
		o.pending, o.spare = o.spare[:0], nil
		o.mu.Unlock()
		_, err := o.out.Write(batch)
		o.mu.Lock()
		if cap(batch) <= bufferBytes { // a big one is not kept
			o.spare = batch
		}
		if err != nil {
			o.err, o.pending = err, nil
			o.room.Broadcast()
			return
		}
		o.room.Broadcast()
	}
}

// failure returns the error that ended writing, if one did.
func (o *outbox) failure() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}
