package bidi_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"duet/bidi"
	"duet/internal/wirelog"
)

// peer is the other end of a connection: a test takes what was sent and says what
// arrives.
type peer struct {
	sent    chan string // frames, in order
	arrive  chan string
	failure error // Read returns it when arrive is closed
	hold    chan struct{}
	ended   chan struct{}
	once    sync.Once
}

// connect returns a connection and its peer. The connection is closed at the end.
func connect(t *testing.T, o bidi.Options) (*bidi.Conn, *peer) {
	t.Helper()
	p := &peer{sent: make(chan string, 4096), arrive: make(chan string, 4096), failure: io.EOF, ended: make(chan struct{})}
	c := bidi.NewConn(p, o)
	t.Cleanup(func() { _ = c.Close() })
	return c, p
}

func (p *peer) Read(ctx context.Context) ([]byte, error) {
	select {
	case frame, ok := <-p.arrive:
		if !ok {
			return nil, p.failure
		}
		return []byte(frame), nil
	case <-p.ended:
		return nil, net("closed here")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *peer) Write(ctx context.Context, frame []byte) error {
	if p.hold != nil {
		select {
		case <-p.hold:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	p.sent <- string(frame)
	return nil
}

func (p *peer) Close() error {
	p.once.Do(func() { close(p.ended) })
	return nil
}

type net string

func (n net) Error() string { return string(n) }

// take returns the next frame that was sent, and its id.
func (p *peer) take(t *testing.T) (frame string, id int64) {
	t.Helper()
	select {
	case frame = <-p.sent:
	case <-time.After(30 * time.Second):
		t.Fatal("no frame was sent")
	}
	id, _, _ = wirelog.SplitID([]byte(frame))
	return frame, id
}

func (p *peer) reply(id int64, result string) {
	p.arrive <- fmt.Sprintf(`{"type":"success","id":%d,"result":%s}`, id, result)
}

// soon bounds what must not take long.
func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// failure returns the *bidi.Error in err.
func failure(t *testing.T, err error) *bidi.Error {
	t.Helper()
	var e *bidi.Error
	if !errors.As(err, &e) {
		t.Fatalf("err = %v, want a *bidi.Error", err)
	}
	return e
}

func contains(t *testing.T, got, want string) {
	t.Helper()
	if !strings.Contains(got, want) {
		t.Errorf("got %s\nwant it to contain %s", got, want)
	}
}
