package bidi

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"

	"github.com/coder/websocket"
)

// Transport carries frames, one JSON text each. Read and Write are each called by
// one goroutine at a time, with the lifetime of the connection as their context,
// never that of a call. Close ends both; the frame that Read returns belongs to the
// caller.
type Transport interface {
	Read(ctx context.Context) ([]byte, error)
	Write(ctx context.Context, frame []byte) error
	Close() error
}

// defaultReadLimit is the largest incoming frame: screenshots and page texts of
// several megabytes are ordinary.
const defaultReadLimit = 64 << 20

// DialOptions changes how Dial connects.
type DialOptions struct {
	ReadLimit int64 // bytes of the largest incoming frame; 0 is 64 MiB
}

// Dial connects to a browser's WebSocket address (ws://…). The context bounds the
// handshake only.
func Dial(ctx context.Context, url string, o DialOptions) (Transport, error) {
	conn, _, err := websocket.Dial(ctx, url, &websocket.DialOptions{
		CompressionMode: websocket.CompressionDisabled,
		HTTPClient:      &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, DialContext: dialPrompt}},
	})
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", url, err)
	}
	return newSocket(conn, o.ReadLimit), nil
}

// dialPrompt connects, and acknowledges what comes without delay. A browser that
// sends an event and then a reply as two small packets (Firefox does) holds the
// second back until the first is acknowledged (RFC 896): each such pair would cost
// the 40 ms for which a receiver may wait (RFC 1122, section 4.2.3.2).
func dialPrompt(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		if raw, err := tcp.SyscallConn(); err == nil {
			return &promptConn{Conn: conn, raw: raw}, nil
		}
	}
	return conn, nil
}

// promptConn is a connection that acknowledges each read at once.
type promptConn struct {
	net.Conn
	raw syscall.RawConn
}

func (c *promptConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	_ = c.raw.Control(acknowledge)
	return n, err
}

// Accept is the server half of a transport: it upgrades a request of a client that
// dials us as if we were a browser. It answers a request that is no upgrade, or
// that a web page sent, with an HTTP error.
func Accept(w http.ResponseWriter, r *http.Request) (Transport, error) {
	if r.Header.Get("Origin") != "" {
		http.Error(w, "web pages may not connect", http.StatusForbidden)
		return nil, fmt.Errorf("accept %s: the request has an origin", r.URL.Path)
	}
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		return nil, fmt.Errorf("accept %s: %w", r.URL.Path, err)
	}
	return newSocket(conn, 0), nil
}

// socket is a Transport over a WebSocket. scratch is the reader's: frames arrive in
// pieces of unknown number, so they are gathered there and copied out once.
type socket struct {
	conn    *websocket.Conn
	scratch bytes.Buffer
}

// keepScratch is the largest scratch buffer that is kept for the next frame.
const keepScratch = 1 << 20

func newSocket(conn *websocket.Conn, readLimit int64) *socket {
	if readLimit <= 0 {
		readLimit = defaultReadLimit
	}
	conn.SetReadLimit(readLimit)
	return &socket{conn: conn}
}

func (s *socket) Read(ctx context.Context) ([]byte, error) {
	for {
		kind, r, err := s.conn.Reader(ctx)
		if err != nil {
			return nil, plain(err)
		}
		s.scratch.Reset()
		if _, err := s.scratch.ReadFrom(r); err != nil {
			return nil, plain(err)
		}
		if kind != websocket.MessageText {
			continue // the protocol has no binary messages
		}
		if s.scratch.Cap() <= keepScratch {
			return bytes.Clone(s.scratch.Bytes()), nil
		}
		frame := s.scratch.Bytes()
		s.scratch = bytes.Buffer{}
		return frame, nil
	}
}

func (s *socket) Write(ctx context.Context, frame []byte) error {
	return plain(s.conn.Write(ctx, websocket.MessageText, frame))
}

// Close says goodbye and waits for the peer's, which the reader sees; it takes up
// to five seconds where the peer is silent, unless the reader's context ends first.
func (s *socket) Close() error {
	return plain(s.conn.Close(websocket.StatusNormalClosure, ""))
}

// plain shortens the library's errors, which name every layer they came through.
func plain(err error) error {
	if err == nil {
		return nil
	}
	if status := websocket.CloseStatus(err); status != -1 {
		return &CloseError{Code: int(status), text: err.Error()}
	}
	return trimmed{err}
}

// trimmed prints an error without the library's prefixes.
type trimmed struct{ error }

func (t trimmed) Error() string {
	s := t.error.Error()
	for _, prefix := range []string{"failed to get reader: ", "failed to read frame header: ", "failed to write msg: "} {
		s = strings.TrimPrefix(s, prefix)
	}
	return "websocket: " + s
}

func (t trimmed) Unwrap() error { return t.error }

// CloseError is the peer's goodbye: it ended the connection on purpose.
type CloseError struct {
	Code int // RFC 6455, section 7.4
	text string
}

// Error names the status.
func (e *CloseError) Error() string {
	return fmt.Sprintf("the browser closed the connection (status %d)", e.Code)
}
