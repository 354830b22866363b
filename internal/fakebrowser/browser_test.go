package fakebrowser_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"duet/bidi"
	"duet/internal/fakebrowser"
	"duet/internal/wirelog"
)

const navigate = `
# recorded with ids of its own
< {"type":"event","method":"browsingContext.contextCreated","params":{"context":"$ctx1","url":"about:blank"}}
> {"id":41,"method":"browsingContext.navigate","params":{"context":"$ctx1","url":"http://127.0.0.1:$port1/"}}
< {"type":"event","method":"browsingContext.load","params":{"context":"$ctx1","navigation":"$nav1","url":"http://127.0.0.1:$port1/"}}
< {"type":"success","id":41,"result":{"navigation":"$nav1","url":"http://127.0.0.1:$port1/"}}
> {"id":42,"method":"session.status","params":{}}
> {"id":43,"method":"browser.getUserContexts","params":{}}
< {"type":"success","id":43,"result":{"userContexts":[]}}
< {"type":"success","id":42,"result":{"ready":false,"message":"m"}}
`

func parse(t *testing.T, text string) wirelog.Log {
	t.Helper()
	log, err := wirelog.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return log
}

// connect plays a browser to a connection and notes the events.
func connect(t *testing.T, b *fakebrowser.Browser) (*bidi.Conn, func() []string) {
	var mu sync.Mutex
	var events []string
	c := bidi.NewConn(b, bidi.Options{Sink: func(e bidi.Event) {
		mu.Lock()
		defer mu.Unlock()
		events = append(events, e.Method)
	}})
	t.Cleanup(func() { _ = c.Close() })
	return c, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), events...)
	}
}

func goTo(t *testing.T, c *bidi.Conn, url string) error {
	_, err := bidi.BrowsingContextNavigate.Call(t.Context(), c, bidi.BrowsingContextNavigateParameters{Context: "$ctx1", URL: url})
	return err
}

// A log is played as it is: events in their places, replies with the ids of the
// client, a run of commands in any order.
func TestPlay(t *testing.T) {
	b := fakebrowser.Play(t, []byte(navigate), fakebrowser.Options{})
	c, events := connect(t, b)
	if err := goTo(t, c, "http://127.0.0.1:45678/"); err != nil {
		t.Fatal(err)
	}
	if got := events(); len(got) != 2 || got[1] != "browsingContext.load" {
		t.Errorf("events = %v", got)
	}
	users := bidi.BrowserGetUserContexts.Send(c, bidi.EmptyParams{})
	status := bidi.SessionStatus.Send(c, bidi.EmptyParams{})
	if got, err := status.Wait(t.Context()); err != nil || got.Message != "m" {
		t.Errorf("status = %+v, %v", got, err)
	}
	if _, err := users.Wait(t.Context()); err != nil {
		t.Error(err)
	}
}

// A frame that the log does not have ends the connection and is shown, beside the
// one that was due.
func TestAnUnexpectedFrame(t *testing.T) {
	b := fakebrowser.New(parse(t, navigate), fakebrowser.Options{})
	c, _ := connect(t, b)
	if err := goTo(t, c, "http://127.0.0.1:45678/other"); err == nil {
		t.Fatal("the browser took it")
	}
	for _, want := range []string{"want > ", "/other", `$port1/"`} {
		if err := b.Err(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Err = %v, want it to contain %s", err, want)
		}
	}
}

// What was not sent is named.
func TestAnUnfinishedLog(t *testing.T) {
	b := fakebrowser.New(parse(t, navigate), fakebrowser.Options{})
	c, _ := connect(t, b)
	if err := goTo(t, c, "http://127.0.0.1:45678/"); err != nil {
		t.Fatal(err)
	}
	if err := b.Err(); err == nil || !strings.Contains(err.Error(), "session.status") {
		t.Errorf("Err = %v", err)
	}
}

// A failed command fails as planned, causes nothing, and the rest goes on.
func TestFailNth(t *testing.T) {
	lost := errors.New("connection reset")
	for _, test := range []struct {
		name string
		err  error
		then func(t *testing.T, c *bidi.Conn, err error, events []string)
	}{
		{"refused", &bidi.Error{Code: bidi.CodeNoSuchFrame, Message: "gone"}, func(t *testing.T, c *bidi.Conn, err error, events []string) {
			if bidi.CodeOf(err) != bidi.CodeNoSuchFrame || len(events) != 1 {
				t.Errorf("navigate = %v, events %v", err, events)
			}
			if got, err := bidi.SessionStatus.Call(t.Context(), c, bidi.EmptyParams{}); err != nil || got.Message != "m" {
				t.Errorf("status = %+v, %v", got, err)
			}
			if _, err := bidi.StorageGetCookies.Call(t.Context(), c, bidi.StorageGetCookiesParameters{}); bidi.CodeOf(err) != bidi.CodeUnknownError {
				t.Errorf("a command that the log lacks = %v", err)
			}
		}},
		{"lost", lost, func(t *testing.T, c *bidi.Conn, err error, _ []string) {
			if !errors.Is(err, lost) || c.Err() != lost {
				t.Errorf("navigate = %v, connection %v", err, c.Err())
			}
		}},
		{"silent", fakebrowser.ErrSilent, func(t *testing.T, c *bidi.Conn, err error, _ []string) {
			if !errors.Is(err, context.DeadlineExceeded) || c.Err() != nil {
				t.Errorf("navigate = %v, connection %v", err, c.Err())
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := fakebrowser.New(parse(t, navigate), fakebrowser.Options{})
				b.FailNth("browsingContext.navigate", 1, test.err)
				c, events := connect(t, b)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				_, err := bidi.BrowsingContextNavigate.Call(ctx, c, bidi.BrowsingContextNavigateParameters{Context: "$ctx1", URL: "http://127.0.0.1:1234/"})
				test.then(t, c, err, events())
				_ = c.Close()
			})
		})
	}
}

// The end of the connection is part of a log.
func TestALogThatEnds(t *testing.T) {
	b := fakebrowser.Play(t, []byte("> {\"id\":1,\"method\":\"browser.close\",\"params\":{}}\n# closed: EOF\n"), fakebrowser.Options{})
	c, _ := connect(t, b)
	if _, err := bidi.BrowserClose.Call(t.Context(), c, bidi.EmptyParams{}); err == nil {
		t.Error("the call was answered")
	}
	<-c.Done()
}

// A log is served over a real socket to a client that makes its own session.
func TestServe(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	log := parse(t, "# "+fakebrowser.CapabilitiesNote([]byte(`{"browserName":"chrome"}`))+"\n"+navigate)
	go func() { served <- fakebrowser.Serve(ctx, l, log, fakebrowser.Options{}) }()
	transport, err := bidi.Dial(ctx, "ws://"+l.Addr().String()+"/session", bidi.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := bidi.NewConn(transport, bidi.Options{})
	session, err := bidi.SessionNew.Call(ctx, c, bidi.SessionNewParameters{})
	if err != nil || session.Capabilities.BrowserName != "chrome" {
		t.Errorf("session.new = %+v, %v", session, err)
	}
	if err := goTo(t, c, "http://127.0.0.1:45678/"); err != nil {
		t.Error(err)
	}
	if _, err := bidi.BrowserClose.Call(ctx, c, bidi.EmptyParams{}); err != nil {
		t.Error(err)
	}
	_ = c.Close()
	stop()
	if err := <-served; err != nil {
		t.Errorf("Serve = %v", err)
	}
}
