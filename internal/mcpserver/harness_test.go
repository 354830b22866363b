package mcpserver

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/goccy/go-json"

	"duet/dispatch"
)

// catalog is a Catalog whose calls a test decides on.
type catalog struct {
	do func(context.Context, dispatch.Request) *dispatch.Result

	mu    sync.Mutex
	calls []string // arguments of the calls that began, in order
}

func (c *catalog) Tools() []dispatch.ToolInfo {
	return []dispatch.ToolInfo{
		{Name: "act", Title: "Act", Description: "Acts.", Destructive: true, OpenWorld: true,
			Schema: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer","description":"<b> & co"}},"additionalProperties":false}`)},
		{Name: "status", Title: "Status", Description: "Tells.", ReadOnly: true, Idempotent: true,
			Schema: json.RawMessage(`{"type":"object","additionalProperties":false}`)},
	}
}

func (c *catalog) Do(ctx context.Context, r dispatch.Request) *dispatch.Result {
	if r.Tool != "act" && r.Tool != "status" {
		return &dispatch.Result{ArgError: &dispatch.ArgError{
			Message: `unknown tool "` + r.Tool + `"`,
			Data:    dispatch.ArgData{Tool: r.Tool, Rule: "unknown_tool", Allowed: []string{"act", "status"}, DidYouMean: "status"},
		}}
	}
	c.mu.Lock()
	c.calls = append(c.calls, string(r.Args))
	c.mu.Unlock()
	if c.do != nil {
		if res := c.do(ctx, r); res != nil {
			return res
		}
	}
	return &dispatch.Result{Text: "ok " + string(r.Args), Structured: json.RawMessage(`{"result":{"ok":true}}`)}
}

func (c *catalog) began() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.calls...)
}

// stream is a client at the other end of ServeStdio.
type stream struct {
	t    testing.TB
	in   *io.PipeWriter
	out  *bufio.Reader
	done chan error
}

// serve starts a server for a test and ends it with the test.
func serve(t testing.TB, cat dispatch.Catalog) *stream {
	t.Helper()
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	s := &stream{t: t, in: inW, out: bufio.NewReaderSize(outR, 4<<20), done: make(chan error, 1)}
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		s.done <- ServeStdio(ctx, inR, outW, cat, Options{Name: "duet", Version: "1"})
		_ = outW.Close()
	}()
	t.Cleanup(func() {
		cancel()
		_ = inW.Close()
		_ = inR.Close()
		_, _ = io.Copy(io.Discard, outR)
	})
	return s
}

const (
	helloLine   = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	readyLine   = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	modernMeta  = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	patience    = 10 * time.Second
	statusCall  = `{"jsonrpc":"2.0","id":"good","method":"tools/call","params":{"name":"status","arguments":{}}}`
	statusReply = `{"jsonrpc":"2.0","id":"good","result":{"content":[{"type":"text","text":"ok {}"}],"structuredContent":{"result":{"ok":true}},"isError":false}}`
)

// hello makes the handshake.
func (s *stream) hello() *stream {
	s.t.Helper()
	s.send(helloLine)
	if got := s.recv(); !strings.Contains(got, `"protocolVersion":"2025-11-25"`) {
		s.t.Fatalf("initialize answered %s", got)
	}
	s.send(readyLine)
	return s
}

func (s *stream) send(line string) { s.raw(line + "\n") }

func (s *stream) raw(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.in, text); err != nil {
		s.t.Fatalf("send: %v", err)
	}
}

func (s *stream) recv() string {
	s.t.Helper()
	line, err := s.out.ReadString('\n')
	if err != nil {
		s.t.Fatalf("recv: %v after %q", err, line)
	}
	return strings.TrimSuffix(line, "\n")
}

// expect sends a line and compares the answer.
func (s *stream) expect(line, want string) {
	s.t.Helper()
	s.send(line)
	if got := s.recv(); got != want {
		s.t.Errorf("%s\n got %s\nwant %s", clip(line), clip(got), clip(want))
	}
}

// end closes the input and returns what still came, and how long serving took to end.
func (s *stream) end() (rest string, took time.Duration) {
	s.t.Helper()
	start := time.Now()
	_ = s.in.Close()
	b, _ := io.ReadAll(s.out)
	if err := <-s.done; err != nil {
		s.t.Errorf("ServeStdio = %v", err)
	}
	return string(b), time.Since(start)
}

func clip(s string) string {
	if len(s) > 300 {
		return fmt.Sprintf("%s… (%d bytes)", s[:300], len(s))
	}
	return s
}

func call(id any, args string) string {
	raw, _ := json.Marshal(id)
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"act","arguments":%s}}`, raw, args)
}
