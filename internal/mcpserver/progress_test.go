package mcpserver

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"duet/dispatch"
)

// A long call with a token reports once a second, growing, and is silent after
// its reply; without a token, or within a second, there is nothing.
func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := 3500 * time.Millisecond
		cat := &catalog{do: func(_ context.Context, r dispatch.Request) *dispatch.Result {
			if r.Tool != "act" {
				return nil
			}
			if r.Progress != nil {
				r.Progress(0, 0, "starting \"it\"")
				time.AfterFunc(1500*time.Millisecond, func() { r.Progress(5, 10, "half") })
			}
			<-time.After(long)
			return nil
		}}
		s := serve(t, cat).hello()
		withToken := func(token string) string {
			return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"act","_meta":{"progressToken":` + token + `}}}`
		}
		s.send(withToken(`"t\u0031"`))
		for _, want := range []string{
			`{"progressToken":"t\u0031","progress":1,"message":"starting \"it\""}`,
			`{"progressToken":"t\u0031","progress":5,"total":10,"message":"half"}`,
			`{"progressToken":"t\u0031","progress":5.05,"total":10,"message":"half"}`,
		} {
			if got := s.recv(); got != `{"jsonrpc":"2.0","method":"notifications/progress","params":`+want+`}` {
				t.Errorf("got %s\nwant %s", got, want)
			}
		}
		if got := s.recv(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"result"`) {
			t.Errorf("got %s", got)
		}
		for _, token := range []string{`null`, `{}`, `1.5`} { // no tokens
			s.send(withToken(token))
			if got := s.recv(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"result"`) {
				t.Errorf("token %s: %s", token, got)
			}
		}
		long = 900 * time.Millisecond
		s.send(withToken(`7`))
		if got := s.recv(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":1,"result"`) {
			t.Errorf("short call: %s", got)
		}
		if rest, _ := s.end(); rest != "" {
			t.Errorf("after the reply: %s", rest)
		}
	})
}
