package mcpserver

import "sync"

// fifo lets calls start one after the other, in the order in which their tickets
// were taken, and hands out their replies in that order. One channel a ticket:
// waking all that wait for each turn costs the square of the backlog.
type fifo struct {
	reply func(line []byte) // called with mu held; must not block

	mu    sync.Mutex // guards the rest and the tickets
	queue []*ticket
}

// ticket is the place of one call in the order.
type ticket struct {
	turn chan struct{} // closed when every earlier call has been answered
	done bool
	line []byte // the reply, nil for none
}

// take returns the next ticket.
func (f *fifo) take() *ticket {
	t := &ticket{turn: make(chan struct{})}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.queue = append(f.queue, t)
	if len(f.queue) == 1 {
		close(t.turn)
	}
	return t
}

// finish ends a call; its reply goes out when those before it have. A nil reply
// is none. Only the first finish of a ticket counts.
func (f *fifo) finish(t *ticket, line []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if t.done {
		return
	}
	t.done, t.line = true, line
	for len(f.queue) > 0 && f.queue[0].done {
		if f.queue[0].line != nil {
			f.reply(f.queue[0].line)
		}
		f.queue[0] = nil
		f.queue = f.queue[1:]
		if len(f.queue) > 0 {
			close(f.queue[0].turn)
		}
	}
}

// length returns how many calls have not been answered.
func (f *fifo) length() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.queue)
}
