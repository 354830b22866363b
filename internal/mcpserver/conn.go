package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxQueued is how many calls may wait for their turn on one stream.
	maxQueued = 8192
	// drainTime is how long what had been received may go on after the stream
	// ended, so that a piped script gets its answers.
	drainTime = 250 * time.Millisecond
)

var errCancelled = errors.New("cancelled by the client")

// conn is one stream of lines as the SDK's connection. It answers by itself what
// must not reach the SDK, gives every tools/call its ticket while reading, and
// keeps silent about what was cancelled.
type conn struct {
	lines  <-chan lineOrErr
	outbox *outbox
	fifo   *fifo
	closed chan struct{}
	once   sync.Once
	// finished is closed when Read has returned its last: the stream ended, or c was closed.
	finished chan struct{}

	mu        sync.Mutex // guards the rest, and the entries
	inFlight  map[jsonrpc.ID]*entry
	byExtra   map[*mcp.RequestExtra]*entry
	handshake bool          // an initialize was received and not refused
	idle      chan struct{} // not nil while the end of the stream waits; closed when nothing is in flight
}

// entry is a request that has no reply yet.
type entry struct {
	rawID     []byte
	method    string
	ticket    *ticket // of a tools/call
	extra     *mcp.RequestExtra
	modern    bool
	token     []byte // the progress token as it came; nil where there is none
	cancelled bool
	cancel    context.CancelCauseFunc // set once the handler has begun
}

type lineOrErr struct {
	line []byte
	err  error
}

func newConn(in io.Reader, out io.Writer) *conn {
	c := &conn{
		outbox:   newOutbox(out),
		closed:   make(chan struct{}),
		finished: make(chan struct{}),
		inFlight: map[jsonrpc.ID]*entry{},
		byExtra:  map[*mcp.RequestExtra]*entry{},
	}
	c.fifo = &fifo{reply: c.outbox.put}
	lines := make(chan lineOrErr)
	c.lines = lines
	go func() {
		r := newLineReader(in)
		for {
			line, err := r.next()
			select {
			case lines <- lineOrErr{line, err}:
			case <-c.closed:
				return
			}
			if err != nil && !errors.Is(err, errLong) {
				return
			}
		}
	}()
	return c
}

// Connect makes c its own transport: it is connected once.
func (c *conn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID returns "": a stream is no session that could be named.
func (c *conn) SessionID() string { return "" }

// Close ends reading. What was written goes out.
func (c *conn) Close() error {
	c.once.Do(func() {
		close(c.closed)
		c.outbox.close()
	})
	return nil
}

// Read returns the next message that is for the SDK. Called from one goroutine.
func (c *conn) Read(ctx context.Context) (jsonrpc.Message, error) {
	msg, err := c.read(ctx)
	if err != nil {
		close(c.finished)
	}
	return msg, err
}

func (c *conn) read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		c.outbox.wait()
		select {
		case <-c.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, io.EOF
		case l := <-c.lines:
			switch {
			case errors.Is(l.err, errLong):
				c.refuse(refuse(nil, jsonrpc.CodeParseError, "parse error: "+l.err.Error()))
			case l.err != nil:
				c.drain(ctx)
				return nil, io.EOF
			default:
				if req := c.accept(l.line); req != nil {
					return req, nil
				}
			}
		}
	}
}

// drain gives what is in flight a moment to end.
func (c *conn) drain(ctx context.Context) {
	c.mu.Lock()
	if len(c.inFlight) == 0 {
		c.mu.Unlock()
		return
	}
	c.idle = make(chan struct{})
	idle := c.idle
	c.mu.Unlock()
	timer := time.NewTimer(drainTime)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	case <-ctx.Done():
	case <-c.closed:
	}
}

// accept looks at one line. It returns the request where the SDK is to have it.
func (c *conn) accept(line []byte) *jsonrpc.Request {
	m, no := parse(line)
	if no != nil {
		c.refuse(no)
		return nil
	}
	switch {
	case m == nil || m.answer: // nothing was asked of the client
		return nil
	case m.rawID == nil:
		return c.notified(m)
	}
	return c.requested(m)
}

func (c *conn) notified(m *message) *jsonrpc.Request {
	switch m.method {
	case "notifications/cancelled":
		if raw := m.member["requestId"]; raw != nil {
			if id, _, err := readID(raw); err == nil {
				c.cancel(id)
			}
		}
	case "notifications/initialized":
		return &jsonrpc.Request{Method: m.method, Params: m.params}
	}
	return nil
}

// cancel stops a request and silences its reply. An initialize cannot be
// cancelled; an id that is not in flight is nobody.
func (c *conn) cancel(id jsonrpc.ID) {
	c.mu.Lock()
	e := c.inFlight[id]
	if e == nil || e.method == "initialize" {
		c.mu.Unlock()
		return
	}
	e.cancelled = true
	cancel := e.cancel
	c.mu.Unlock()
	if cancel != nil {
		cancel(errCancelled)
	}
}

func (c *conn) requested(m *message) *jsonrpc.Request {
	e := &entry{rawID: m.rawID, method: m.method}
	c.mu.Lock()
	no := c.admitLocked(m, e)
	if no == nil {
		c.inFlight[m.id] = e
	}
	c.mu.Unlock()
	if no != nil {
		c.refuse(no)
		return nil
	}
	if m.method == "tools/call" {
		// Only this goroutine takes tickets, so their order is that of the lines.
		e.ticket = c.fifo.take()
		if no := checkCall(m); no != nil {
			c.settle(m.id, encodeError(m.rawID, no.err))
			return nil
		}
	}
	e.extra = &mcp.RequestExtra{}
	c.mu.Lock()
	c.byExtra[e.extra] = e
	c.mu.Unlock()
	return &jsonrpc.Request{ID: m.id, Method: m.method, Params: m.params, Extra: e.extra}
}

// admitLocked says what is wrong with a request in the present state.
func (c *conn) admitLocked(m *message, e *entry) *refusal {
	if _, ok := c.inFlight[m.id]; ok {
		// Its id is the other one's: an error that carries it would end that call.
		return refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("invalid request: id %s is in flight", m.rawID))
	}
	if !served[m.method] {
		return refuse(m.rawID, jsonrpc.CodeMethodNotFound, fmt.Sprintf("method not found: %q", m.method))
	}
	if v, ok := m.meta[mcp.MetaKeyProtocolVersion]; ok {
		version, err := unquote(v)
		if err != nil {
			return refuse(m.rawID, jsonrpc.CodeInvalidParams, "invalid params: _meta: protocol version must be a string")
		}
		e.modern = version >= firstModern
		if !e.modern && !c.handshake {
			return unsupported(m.rawID, version)
		}
	}
	if m.method == "tools/call" && c.fifo.length() >= maxQueued {
		return refuse(m.rawID, codeBusy, fmt.Sprintf("busy: %d calls are waiting already", maxQueued))
	}
	e.token = progressToken(m.meta)
	switch {
	case e.modern, m.method == "ping", m.method == "server/discover":
		return nil
	case m.method == "subscriptions/listen":
		return refuse(m.rawID, jsonrpc.CodeMethodNotFound, "method not found: it needs protocol "+firstModern)
	case m.method == "initialize" && c.handshake:
		return refuse(m.rawID, jsonrpc.CodeInvalidRequest, "invalid request: initialize was received before")
	case m.method == "initialize":
		c.handshake = true
	case !c.handshake:
		return refuse(m.rawID, jsonrpc.CodeInvalidRequest, fmt.Sprintf("invalid request: %s before initialize", m.method))
	}
	return nil
}

// checkCall looks at the params of a tools/call as far as every tool shares them.
func checkCall(m *message) *refusal {
	name, ok := m.member["name"]
	if !ok {
		return refuse(m.rawID, jsonrpc.CodeInvalidParams, "invalid params: name is missing")
	}
	if _, err := unquote(name); err != nil {
		return refuse(m.rawID, jsonrpc.CodeInvalidParams, "invalid params: name must be a string")
	}
	if args, ok := m.member["arguments"]; ok && !isObject(args) {
		return refuse(m.rawID, jsonrpc.CodeInvalidParams, "invalid params: arguments must be an object")
	}
	return nil
}

func (c *conn) refuse(no *refusal) { c.outbox.put(encodeError(no.rawID, no.err)) }

// Write sends a message of the SDK: a reply in its call's turn, or not at all
// where the call was cancelled; anything else as it is.
func (c *conn) Write(_ context.Context, msg jsonrpc.Message) error {
	if err := c.outbox.failure(); err != nil {
		return err
	}
	resp, ok := msg.(*jsonrpc.Response)
	if !ok {
		line, err := jsonrpc.EncodeMessage(msg)
		if err != nil {
			return err
		}
		c.outbox.put(line)
		return nil
	}
	c.mu.Lock()
	e := c.inFlight[resp.ID]
	if e != nil && e.method == "initialize" && resp.Error != nil && !e.modern {
		c.handshake = false // it may be tried again
	}
	c.mu.Unlock()
	if e == nil {
		return nil
	}
	if resp.Error != nil {
		c.settle(resp.ID, encodeError(e.rawID, wireError(resp.Error)))
	} else {
		c.settle(resp.ID, encodeResult(e.rawID, resp.Result))
	}
	return nil
}

// settle ends a request with its reply.
func (c *conn) settle(id jsonrpc.ID, line []byte) {
	c.mu.Lock()
	e := c.inFlight[id]
	delete(c.inFlight, id)
	delete(c.byExtra, e.extra)
	if e.cancelled {
		line = nil
	}
	if e.ticket != nil {
		c.fifo.finish(e.ticket, line)
	} else if line != nil {
		c.outbox.put(line)
	}
	if c.idle != nil && len(c.inFlight) == 0 {
		close(c.idle)
		c.idle = nil
	}
	c.mu.Unlock()
}

// begin finds the request that a handler was called for, and arms its
// cancellation; nil for a notification.
func (c *conn) begin(req mcp.Request, cancel context.CancelCauseFunc) *entry {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.byExtra[req.GetExtra()]
	if e == nil {
		return nil
	}
	e.cancel = cancel
	if e.cancelled {
		cancel(errCancelled)
	}
	return e
}

// progress sends a progress notification of a request, unless it was cancelled.
func (c *conn) progress(e *entry, params []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e.cancelled {
		return
	}
	c.outbox.put(concat(`{"jsonrpc":"2.0","method":"notifications/progress","params":`, params, `}`))
}
