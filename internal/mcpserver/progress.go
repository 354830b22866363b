package mcpserver

import (
	"bytes"
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressEvery is how long a call may be silent, and how often it may speak,
// where Options say nothing.
const progressEvery = time.Second

// progress tells a client that a long call is alive: nothing for a call that
// ends within an interval, then once in each, with what the call last said of
// itself. The number always grows, also where the call has nothing new to say.
type progress struct {
	every time.Duration
	send  func(at, total float64, message string)
	quit  chan struct{}
	ended chan struct{}

	mu      sync.Mutex // guards what the call last said
	done    float64
	total   float64
	message string
}

// newProgress makes the progress of a call; every 0 is the default.
func newProgress(every time.Duration, send func(at, total float64, message string)) *progress {
	if every <= 0 {
		every = progressEvery
	}
	return &progress{every: every, send: send, quit: make(chan struct{}), ended: make(chan struct{})}
}

// start begins to count and returns what the call may tell about itself; nil
// where nobody listens.
func (p *progress) start() func(done, total float64, message string) {
	if p == nil {
		return nil
	}
	go p.run()
	return func(done, total float64, message string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.done, p.total, p.message = done, total, message
	}
}

// stop ends it: nothing is sent after stop has returned.
func (p *progress) stop() {
	if p == nil {
		return
	}
	close(p.quit)
	<-p.ended
}

func (p *progress) run() {
	defer close(p.ended)
	tick := time.NewTicker(p.every)
	defer tick.Stop()
	last := 0.0
	for {
		select {
		case <-p.quit:
			return
		case <-tick.C:
		}
		p.mu.Lock()
		done, total, message := p.done, p.total, p.message
		p.mu.Unlock()
		switch {
		case done > last:
			last = done
		case total > last: // creep towards it without arriving
			last += (total - last) / 100
		default:
			last++
		}
		if total < last {
			total = 0
		}
		p.send(last, total, message)
	}
}

// lineProgress is the progress of a call of a stream; nil where nobody asked.
func (c *conn) lineProgress(e *entry, every time.Duration) *progress {
	if e.token == nil {
		return nil
	}
	return newProgress(every, func(at, total float64, message string) {
		params := concat(`{"progressToken":`, e.token, `,"progress":`, strconv.FormatFloat(at, 'f', -1, 64))
		if total > 0 {
			params = concat(params, `,"total":`, strconv.FormatFloat(total, 'f', -1, 64))
		}
		if message != "" {
			params = concat(params, `,"message":`, encode(message))
		}
		c.progress(e, concat(params, "}"))
	})
}

// sessionProgress is the progress of a call that came through the SDK's own
// transport.
func sessionProgress(ctx context.Context, req mcp.Request, every time.Duration) *progress {
	params, ok := req.GetParams().(mcp.RequestParams)
	if !ok || params.GetProgressToken() == nil {
		return nil
	}
	session, ok := req.GetSession().(*mcp.ServerSession)
	if !ok {
		return nil
	}
	return newProgress(every, func(at, total float64, message string) {
		_ = session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: params.GetProgressToken(), Progress: at, Total: total, Message: message,
		})
	})
}

// progressToken returns the token of a request's _meta as it came: a string or
// an integer; nil for none and for anything else.
func progressToken(meta map[string][]byte) []byte {
	raw, ok := meta["progressToken"]
	if !ok {
		return nil
	}
	if _, _, err := readID(raw); err != nil {
		return nil
	}
	return bytes.Clone(raw)
}
