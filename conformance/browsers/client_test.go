//go:build linux

package browsers

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	json "github.com/goccy/go-json"
)

// client is an MCP client on the stdio of a duet process.
type client struct {
	t      *testing.T
	cmd    *exec.Cmd
	in     io.WriteCloser
	lines  chan []byte
	stderr *buffer
	id     int
	exited chan struct{}
}

type buffer struct {
	mu sync.Mutex // guards b
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// result is what a tool call answered.
type result struct {
	Text       string
	Structured json.RawMessage
	IsError    bool
	Error      *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	}
}

// code returns the fault code of an error result, "" where there is none.
func (r result) code() string {
	var s struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	_ = json.Unmarshal(r.Structured, &s)
	return s.Error.Code
}

// serve starts duet mcp and shakes hands.
func serve(t *testing.T, s setup, extra ...string) *client {
	t.Helper()
	return serveWith(t, s, nil, extra...)
}

// serveWith is serve with more environment.
func serveWith(t *testing.T, s setup, environment []string, extra ...string) *client {
	t.Helper()
	c := &client{t: t, stderr: &buffer{}, lines: make(chan []byte, 64), exited: make(chan struct{})}
	c.cmd = exec.Command(duet, append(append([]string{"mcp"}, s.args...), extra...)...)
	c.cmd.Dir = t.TempDir()
	c.cmd.Env = append(append(os.Environ(), "DUET_ARTIFACTS_DIR="+t.TempDir()), environment...)
	c.cmd.Stderr = c.stderr
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	read := make(chan struct{})
	go c.read(out, read)
	go func() { <-read; _ = c.cmd.Wait(); close(c.exited) }()
	t.Cleanup(c.close)
	c.request("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "live", "version": "1"}})
	c.send(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"})
	return c
}

func (c *client) read(out io.Reader, done chan struct{}) {
	defer close(done)
	defer close(c.lines)
	r := bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			c.lines <- line
		}
		if err != nil {
			return
		}
	}
}

func (c *client) send(message map[string]any) {
	b, err := json.Marshal(message)
	if err != nil {
		c.t.Fatal(err)
	}
	_, _ = c.in.Write(append(b, '\n'))
}

// request sends a request and waits for its answer.
func (c *client) request(method string, params map[string]any) json.RawMessage {
	c.t.Helper()
	c.id++
	id := strconv.Itoa(c.id)
	c.send(map[string]any{"jsonrpc": "2.0", "id": c.id, "method": method, "params": params})
	limit := time.NewTimer(90 * time.Second)
	defer limit.Stop()
	for {
		select {
		case line, ok := <-c.lines:
			if !ok {
				c.t.Fatalf("%s: duet ended; stderr:\n%s", method, c.stderr)
			}
			var m struct {
				ID json.RawMessage `json:"id"`
			}
			if err := json.Unmarshal(line, &m); err != nil {
				c.t.Fatalf("stdout carries %q", line)
			}
			if string(m.ID) == id {
				return line
			}
		case <-limit.C:
			c.t.Fatalf("%s: no answer in 90 s; stderr:\n%s", method, c.stderr)
		}
	}
}

// call calls a tool. It fails the test on a protocol error only.
func (c *client) call(tool string, args map[string]any) result {
	c.t.Helper()
	if args == nil {
		args = map[string]any{}
	}
	line := c.request("tools/call", map[string]any{"name": tool, "arguments": args})
	var m struct {
		Result struct {
			Content []struct {
				Type string `json:"type"`
				Text string `json:"text"`
			} `json:"content"`
			StructuredContent json.RawMessage `json:"structuredContent"`
			IsError           bool            `json:"isError"`
		} `json:"result"`
		Error *struct {
			Code    int             `json:"code"`
			Message string          `json:"message"`
			Data    json.RawMessage `json:"data"`
		} `json:"error"`
	}
	if err := json.Unmarshal(line, &m); err != nil {
		c.t.Fatalf("%s: %v in %s", tool, err, line)
	}
	var texts []string
	for _, part := range m.Result.Content {
		texts = append(texts, part.Text)
	}
	return result{strings.Join(texts, "\n"), m.Result.StructuredContent, m.Result.IsError, m.Error}
}

// ok calls a tool that must succeed and returns its text.
func (c *client) ok(tool string, args map[string]any) string {
	c.t.Helper()
	r := c.call(tool, args)
	if r.IsError || r.Error != nil {
		c.t.Fatalf("%s %v: %s %v", tool, args, r.Text, r.Error)
	}
	return r.Text
}

// ref returns the ref of the first line that holds all the words.
func (c *client) ref(text string, words ...string) string {
	c.t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimLeft(line, " +~")
		ref, rest, ok := strings.Cut(line, ": ")
		if !ok || !strings.HasPrefix(ref, "e") {
			continue
		}
		all := true
		for _, w := range words {
			all = all && strings.Contains(rest, w)
		}
		if all {
			return ref
		}
	}
	c.t.Fatalf("no line with %q in:\n%s", words, text)
	return ""
}

// close ends the client's side and waits for duet.
func (c *client) close() {
	_ = c.in.Close()
	select {
	case <-c.exited:
	case <-time.After(15 * time.Second):
		_ = c.cmd.Process.Kill()
		c.t.Errorf("duet did not end within 15 s of its client; stderr:\n%s", c.stderr)
	}
}
