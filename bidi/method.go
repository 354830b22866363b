package bidi

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-json"
)

// Command is one command of the protocol: its name, and the types of what it takes
// and answers.
type Command[P, R any] struct{ Method string }

// Call sends the command and waits for its reply. The end of ctx ends the wait and
// forgets the reply; the connection lives on. It fails with an *Error, whose Sent
// is false when ctx ended before the frame was handed to the transport.
func (m Command[P, R]) Call(ctx context.Context, c *Conn, p P) (R, error) {
	if ctx.Err() != nil {
		var zero R
		return zero, &Error{Method: m.Method, Err: context.Cause(ctx)}
	}
	return (&Pending[R]{conn: c, call: c.submit(m.Method, p)}).Wait(ctx)
}

// sendBound is how long Send waits for a peer that takes nothing.
const sendBound = 5 * time.Second

// Send writes the command and returns once its frame is written, or has failed, or
// the peer has taken nothing for five seconds (the frame is then still due),
// without waiting for the reply: commands sent so travel in order and overlap. A
// failure is what Wait returns. A reply that nobody waits for is kept until the
// connection ends, or until Forget.
func (m Command[P, R]) Send(c *Conn, p P) *Pending[R] {
	call := c.submit(m.Method, p)
	bound := time.NewTimer(sendBound)
	defer bound.Stop()
	select {
	case <-call.written:
	case <-bound.C:
	}
	return &Pending[R]{conn: c, call: call}
}

// Pending is a command whose reply is due.
type Pending[R any] struct {
	conn *Conn
	call *call
}

// Done is closed when the reply, or the loss of the connection, is there: Wait then
// returns at once.
func (p *Pending[R]) Done() <-chan struct{} { return p.call.done }

// Wait returns the reply. The end of ctx ends the wait and forgets the reply, which
// is dropped when it comes; where both are there, the reply wins.
func (p *Pending[R]) Wait(ctx context.Context) (R, error) {
	var result R
	select {
	case <-p.call.done:
	default:
		select {
		case <-p.call.done:
		case <-ctx.Done():
			if sent, ours := p.conn.forget(p.call); ours {
				return result, &Error{Method: p.call.method, Sent: sent, Err: context.Cause(ctx)}
			}
			<-p.call.done // it was answered in the meantime
		}
	}
	if p.call.err != nil {
		return result, p.call.err
	}
	if len(p.call.result) == 0 {
		return result, nil
	}
	if err := json.Unmarshal(p.call.result, &result); err != nil {
		return result, &Error{Method: p.call.method, Sent: true, Err: fmt.Errorf("decode result: %w", err)}
	}
	return result, nil
}

// Forget drops the reply when it comes. It is for commands whose outcome nobody
// will ask for.
func (p *Pending[R]) Forget() { p.conn.forget(p.call) }

// EventType is one event of the protocol: its name, and the type of what it
// carries.
type EventType[T any] struct{ Method string }

// Decode returns what the event carries. It fails when e is another event or does
// not fit the type.
func (t EventType[T]) Decode(e Event) (T, error) {
	var params T
	if e.Method != t.Method {
		return params, fmt.Errorf("%s: got event %s", t.Method, e.Method)
	}
	if err := json.Unmarshal(e.Params, &params); err != nil {
		return params, fmt.Errorf("%s: decode event: %w", t.Method, err)
	}
	return params, nil
}

// Method describes a command or event that the package declares.
type Method struct {
	Name   string
	Event  bool
	Params reflect.Type // what a command takes or an event carries
	Result reflect.Type // what a command answers; nil for an event
}

var declared []Method

// Methods returns every declared command and event, sorted by name.
func Methods() []Method {
	all := slices.Clone(declared)
	slices.SortFunc(all, func(a, b Method) int { return strings.Compare(a.Name, b.Name) })
	return all
}

func command[P, R any](method string) Command[P, R] {
	declared = append(declared, Method{Name: method, Params: reflect.TypeFor[P](), Result: reflect.TypeFor[R]()})
	return Command[P, R]{method}
}

func event[T any](method string) EventType[T] {
	declared = append(declared, Method{Name: method, Event: true, Params: reflect.TypeFor[T]()})
	return EventType[T]{method}
}
