package mcpserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"duet/dispatch"
)

func cancelLine(id string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"enough"}}`, id)
}

// waiting is a catalog whose calls of act wait for their context.
func waiting() (cat *catalog, began, ended chan string) {
	began, ended = make(chan string, 16), make(chan string, 16)
	cat = &catalog{do: func(ctx context.Context, r dispatch.Request) *dispatch.Result {
		if r.Tool != "act" {
			return nil
		}
		began <- string(r.Args)
		<-ctx.Done()
		ended <- fmt.Sprint(context.Cause(ctx))
		return &dispatch.Result{Text: "cancelled", IsError: true}
	}}
	return cat, began, ended
}

// A running call that is cancelled stops its work, and nothing is sent for it; a
// queued one never begins; the call behind them is answered.
func TestCancelIsSilent(t *testing.T) {
	cat, began, ended := waiting()
	s := serve(t, cat).hello()
	s.send(call(1, `{"n":1}`))
	s.send(call("1", `{"n":2}`)) // another id than 1
	s.send(statusCall)
	if got := <-began; got != `{"n":1}` {
		t.Fatalf("began %s", got)
	}
	s.send(cancelLine(`"1"`))
	s.send(cancelLine(`1`))
	if got := <-ended; got != errCancelled.Error() {
		t.Errorf("cause = %s", got)
	}
	if got := s.recv(); got != statusReply {
		t.Errorf("got %s", got)
	}
	if got := strings.Join(cat.began(), " "); got != `{"n":1} {}` {
		t.Errorf("calls = %s", got)
	}
	// The ids are free again, and cancelling what is over is nothing.
	s.send(cancelLine(`1`))
	s.expect(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	if rest, _ := s.end(); rest != "" {
		t.Errorf("sent for a cancelled id: %s", rest)
	}
}

// The stateless era is as silent.
func TestCancelStateless(t *testing.T) {
	cat, began, _ := waiting()
	s := serve(t, cat)
	s.send(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"act","arguments":{},` + modernMeta + `}}`)
	<-began
	s.send(cancelLine(`7`))
	s.send(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"status","arguments":{},` + modernMeta + `}}`)
	if got := s.recv(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":8,"result":`) {
		t.Errorf("got %s", got)
	}
}

// A call that ignores its cancellation still holds its place: the next one
// begins when it has really ended.
func TestNextCallWaitsForTheCancelled(t *testing.T) {
	began, release := make(chan struct{}), make(chan struct{})
	cat := &catalog{do: func(ctx context.Context, r dispatch.Request) *dispatch.Result {
		if r.Tool == "act" {
			close(began)
			<-release
		}
		return nil
	}}
	s := serve(t, cat).hello()
	s.send(call(1, `{}`))
	<-began
	s.send(cancelLine(`1`))
	s.send(statusCall)
	s.expect(`{"jsonrpc":"2.0","id":2,"method":"ping"}`, `{"jsonrpc":"2.0","id":2,"result":{}}`)
	if n := len(cat.began()); n != 1 {
		t.Errorf("%d calls began before the cancelled one ended", n)
	}
	close(release)
	if got := s.recv(); got != statusReply {
		t.Errorf("got %s", got)
	}
}

// An id that is in flight cannot be used again; the error carries no id, so
// that the running call keeps its own.
func TestDuplicateIDInFlight(t *testing.T) {
	release := make(chan struct{})
	cat := &catalog{do: func(context.Context, dispatch.Request) *dispatch.Result { <-release; return nil }}
	s := serve(t, cat).hello()
	s.send(call(5, `{}`))
	s.expect(call(5, `{}`), errorLine("null", -32600, badRequest+"id 5 is in flight"))
	s.expect(`{"jsonrpc":"2.0","id":5,"method":"ping"}`, errorLine("null", -32600, badRequest+"id 5 is in flight"))
	close(release)
	if got := s.recv(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":5,"result":`) {
		t.Errorf("got %s", got)
	}
	s.expect(`{"jsonrpc":"2.0","id":5,"method":"ping"}`, `{"jsonrpc":"2.0","id":5,"result":{}}`)
}

// The end of the stream cancels the call that runs, and the one that waits never
// begins; serving ends within two seconds.
func TestEndOfStreamCancels(t *testing.T) {
	cat, began, ended := waiting()
	s := serve(t, cat).hello()
	s.send(call(1, `{"n":1}`))
	s.send(call(2, `{"n":2}`))
	<-began
	rest, took := s.end()
	<-ended
	if took > 2*time.Second || rest != "" {
		t.Errorf("took %v, sent %q", took, rest)
	}
	if n := len(cat.began()); n != 1 {
		t.Errorf("%d calls began", n)
	}
}

// A call that ignores the end of the stream does not keep serving alive.
func TestEndOfStreamIsBounded(t *testing.T) {
	began, release := make(chan struct{}), make(chan struct{})
	t.Cleanup(func() { close(release) })
	cat := &catalog{do: func(context.Context, dispatch.Request) *dispatch.Result {
		close(began)
		<-release
		return nil
	}}
	s := serve(t, cat).hello()
	s.send(call(1, `{}`))
	<-began
	if _, took := s.end(); took > 2*time.Second {
		t.Errorf("took %v", took)
	}
}

// What a piped script sent before its end is answered.
func TestPipedScriptIsAnswered(t *testing.T) {
	in := strings.NewReader(helloLine + "\n" + readyLine + "\n" + statusCall + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	var out bytes.Buffer
	if err := ServeStdio(t.Context(), in, &out, &catalog{}, Options{}); err != nil {
		t.Fatal(err)
	}
	rest := out.String()
	for _, want := range []string{`"id":"hello"`, `"id":"good"`, `"id":2`} {
		if !strings.Contains(rest, want) {
			t.Errorf("no answer %s in %s", want, clip(rest))
		}
	}
}

// failing is a writer that always fails.
type failing struct{}

var errBroken = errors.New("broken pipe")

func (failing) Write([]byte) (int, error) { return 0, errBroken }

// Where nothing can be written, serving ends with that error.
func TestBrokenOutput(t *testing.T) {
	in := strings.NewReader(helloLine + "\n" + statusCall + "\n")
	if err := ServeStdio(t.Context(), in, failing{}, &catalog{}, Options{}); !errors.Is(err, errBroken) {
		t.Errorf("ServeStdio = %v", err)
	}
}

// A cancelled context ends serving, and the call that runs, while the stream is
// still open.
func TestContextEndsServing(t *testing.T) {
	cat, began, ended := waiting()
	inR, inW := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- ServeStdio(ctx, inR, io.Discard, cat, Options{}) }()
	for _, line := range []string{helloLine, call(1, `{}`)} {
		if _, err := io.WriteString(inW, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	<-began
	start := time.Now()
	cancel()
	if err := <-done; err != nil {
		t.Errorf("ServeStdio = %v", err)
	}
	<-ended
	if took := time.Since(start); took > time.Second {
		t.Errorf("took %v", took)
	}
	_ = inW.Close()
}
