package mcpserver

import (
	"bytes"
	"context"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progressEvery is how long a call may be silent, and how often it may speak.
const progressEvery = time.Second

// progress tells a client that a long call is alive: nothing for a call that
// ends within progressEvery, then once in each, with what the call last said of
// itself. The number is the seconds since its start, so it always grows.
type progress struct {
	send  func(params []byte) // nil: nobody asked
	token []byte              // JSON
	quit  chan struct{}
	ended chan struct{}

	mu      sync.Mutex // guards message
	message string
}

// newProgress makes the progress of a call whose request carried token; nil
// where it carried none.
func newProgress(token []byte, send func(params []byte)) *progress {
	if token == nil {
		return nil
	}
	return &progress{send: send, token: token, quit: make(chan struct{}), ended: make(chan struct{})}
}

// start begins to count and returns what the call may tell about itself; nil
// where nobody listens.
func (p *progress) start() func(done, total float64, message string) {
	if p == nil {
		return nil
	}
	go p.run()
	return func(_, _ float64, message string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.message = message
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
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-p.quit:
			return
		case <-tick.C:
		}
		p.mu.Lock()
		message := p.message
		p.mu.Unlock()
		line := concat(`{"progressToken":`, p.token, `,"progress":`, strconv.Itoa(n))
		if message != "" {
			line = concat(line, `,"message":`, []byte(encode(message)))
		}
		p.send(append(line, '}'))
	}
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

// sessionProgress is the progress of a call that came through the SDK's own
// transport.
func sessionProgress(ctx context.Context, req mcp.Request, params mcp.RequestParams) *progress {
	session, ok := req.GetSession().(*mcp.ServerSession)
	if !ok || params == nil || params.GetProgressToken() == nil {
		return nil
	}
	token := params.GetProgressToken()
	n := 0.0
	return newProgress(encode(token), func([]byte) {
		n++
		_ = session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: n})
	})
}
