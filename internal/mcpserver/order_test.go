package mcpserver

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/goccy/go-json"

	"duet/dispatch"
)

// A thousand pipelined calls begin and are answered in the order of their lines,
// one at a time, also where some of them are refused.
func TestPipelinedCallsKeepTheirOrder(t *testing.T) {
	const n = 1000
	var running atomic.Int32
	cat := &catalog{do: func(context.Context, dispatch.Request) *dispatch.Result {
		if running.Add(1) != 1 {
			t.Error("two calls at once")
		}
		for range 3 {
			runtime.Gosched()
		}
		running.Add(-1)
		return nil
	}}
	s := serve(t, cat).hello()
	go func() {
		for i := range n {
			line := call(i, fmt.Sprintf(`{"n":%d}`, i))
			if i%10 == 9 {
				line = strings.Replace(line, `"act"`, `"nope"`, 1)
			}
			if i%10 == 8 {
				line = strings.Replace(line, `"arguments":{`, `"arguments":[{`, 1)
				line = strings.Replace(line, `}}}`, `}]}}`, 1)
			}
			_, _ = io.WriteString(s.in, line+"\n")
		}
	}()
	for i := range n {
		var reply struct {
			ID    int             `json:"id"`
			Error json.RawMessage `json:"error"`
		}
		if err := json.Unmarshal([]byte(s.recv()), &reply); err != nil {
			t.Fatal(err)
		}
		if reply.ID != i || (reply.Error != nil) != (i%10 >= 8) {
			t.Fatalf("answer %d has id %d, error %s", i, reply.ID, reply.Error)
		}
	}
	began := cat.began()
	at := 0
	for i := range n {
		if i%10 >= 8 {
			continue
		}
		if began[at] != fmt.Sprintf(`{"n":%d}`, i) {
			t.Fatalf("call %d began with %s", at, began[at])
		}
		at++
	}
}

// A client that writes everything before it reads anything does not hang.
func TestNobodyReads(t *testing.T) {
	text := strings.Repeat("x", 1000)
	cat := &catalog{do: func(context.Context, dispatch.Request) *dispatch.Result { return &dispatch.Result{Text: text} }}
	s := serve(t, cat).hello()
	for i := range 2000 {
		s.send(call(i, `{}`))
	}
	for i := range 2000 {
		if got := s.recv(); !strings.HasPrefix(got, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,`, i)) {
			t.Fatalf("answer %d: %s", i, clip(got))
		}
	}
}

// ping and tools/list are answered while a call runs.
func TestOthersOvertakeACall(t *testing.T) {
	release := make(chan struct{})
	cat := &catalog{do: func(context.Context, dispatch.Request) *dispatch.Result { <-release; return nil }}
	s := serve(t, cat).hello()
	s.send(call(1, `{}`))
	s.expect(`{"jsonrpc":"2.0","id":2,"method":"ping"}`, `{"jsonrpc":"2.0","id":2,"result":{}}`)
	s.send(`{"jsonrpc":"2.0","id":3,"method":"tools/list"}`)
	if got := s.recv(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":3,"result":{"tools":[`) {
		t.Errorf("tools/list: %s", got)
	}
	close(release)
	if got := s.recv(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,`) {
		t.Errorf("call: %s", got)
	}
}

// A call that panics costs its own result, and says that it is our defect.
func TestPanicIsOneResult(t *testing.T) {
	cat := &catalog{do: func(_ context.Context, r dispatch.Request) *dispatch.Result {
		if r.Tool == "act" {
			panic("boom")
		}
		return nil
	}}
	s := serve(t, cat).hello()
	s.send(call(1, `{}`))
	if got := s.recv(); !strings.Contains(got, `"isError":true`) || !strings.Contains(got, `"code":"INTERNAL"`) {
		t.Errorf("panic: %s", got)
	}
	s.expect(statusCall, statusReply)
}

// What a model reads has no HTML escapes, and big results are whole.
func TestResultTextIsVerbatim(t *testing.T) {
	text := `<a href="x">&</a>` + strings.Repeat("é", 16<<10) + "\u2028"
	cat := &catalog{do: func(context.Context, dispatch.Request) *dispatch.Result {
		return &dispatch.Result{Text: text, IsError: true}
	}}
	s := serve(t, cat).hello()
	s.send(call(1, `{}`))
	got := s.recv()
	var reply struct {
		Result struct {
			Content []struct{ Type, Text string }
			IsError bool `json:"isError"`
		}
	}
	if err := json.Unmarshal([]byte(got), &reply); err != nil {
		t.Fatal(err)
	}
	if r := reply.Result; len(r.Content) != 1 || r.Content[0].Text != text || !r.IsError {
		t.Errorf("result: %s", clip(got))
	}
	if !strings.Contains(got, `<a href=\"x\">&</a>`) {
		t.Errorf("escaped: %s", clip(got))
	}
}

func BenchmarkCall32KiB(b *testing.B) {
	text := strings.Repeat("a line of text\n", 32<<10/15)
	cat := &catalog{do: func(context.Context, dispatch.Request) *dispatch.Result { return &dispatch.Result{Text: text} }}
	s := serve(b, cat).hello()
	b.ReportAllocs()
	for b.Loop() {
		s.send(statusCall)
		s.recv()
	}
}
