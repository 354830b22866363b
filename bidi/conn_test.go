package bidi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"duet/bidi"
	"duet/internal/wirelog"
)

var errLate = errors.New("too late")

// A deadline ends the wait with its cause, drops the reply that comes later, and
// leaves the connection as it was.
func TestADeadlineForgetsTheReply(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := connect(t, bidi.Options{})
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, errLate)
		defer cancel()
		_, err := bidi.SessionStatus.Call(ctx, c, bidi.EmptyParams{})
		if e := failure(t, err); !e.Sent || !errors.Is(err, errLate) {
			t.Errorf("Call = %v, Sent %v", err, e.Sent)
		}
		_, id := p.take(t)
		p.reply(id, `{"ready":true,"message":"late"}`)
		pending := bidi.SessionStatus.Send(c, bidi.EmptyParams{})
		_, id = p.take(t)
		p.reply(id, `{"ready":true,"message":"good"}`)
		if got, err := pending.Wait(t.Context()); err != nil || got.Message != "good" {
			t.Errorf("the next call = %+v, %v", got, err)
		}
		_ = c.Close()
	})
}

// A browser that never answers a command, as Chrome does when its result holds a
// lone surrogate and Firefox for a javascript: URL, costs that command its deadline
// and no other one anything.
func TestACommandWithoutReplyHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := connect(t, bidi.Options{})
		silent := bidi.ScriptEvaluate.Send(c, bidi.ScriptEvaluateParameters{Expression: `'\ud800'`, Target: bidi.ScriptContextTarget{Context: "c"}})
		p.take(t)
		for range 3 {
			pending := bidi.SessionStatus.Send(c, bidi.EmptyParams{})
			_, id := p.take(t)
			p.reply(id, `{}`)
			if _, err := pending.Wait(t.Context()); err != nil {
				t.Error(err)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := silent.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Wait = %v", err)
		}
		_ = c.Close()
	})
}

// Alive tells a driver that answers from one that is wedged: it asks for the tree of
// contexts, never for the status, and takes an error as a sign of life.
func TestAliveAsksWhatAWedgedDriverCannotAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := connect(t, bidi.Options{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := c.Alive(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Alive of a wedged driver = %v", err)
		}
		frame, _ := p.take(t)
		contains(t, frame, `"method":"browsingContext.getTree"`)

		p.arrive <- `{"type":"error","id":2,"error":"unknown error","message":"busy"}`
		if err := c.Alive(t.Context()); err != nil {
			t.Errorf("Alive = %v", err)
		}
		_ = c.Close()
	})
}

// Silent is how long an answer has been owed since the last word, Heard when that was.
func TestSilenceIsMeasuredWhileAnAnswerIsOwed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := connect(t, bidi.Options{})
		pass := func(d time.Duration) {
			t.Helper()
			<-time.After(d)
			synctest.Wait()
		}
		silent := func(want time.Duration) {
			t.Helper()
			if got := c.Silent(); got != want {
				t.Errorf("silent for %v, want %v", got, want)
			}
		}
		pass(time.Second)
		silent(0)
		pending := bidi.SessionStatus.Send(c, bidi.EmptyParams{})
		_, id := p.take(t)
		pass(2 * time.Second)
		silent(2 * time.Second)
		p.arrive <- `{"type":"event","method":"log.entryAdded","params":{}}`
		pass(time.Second)
		silent(time.Second)
		heard := c.Heard()
		p.reply(id, `{}`)
		if _, err := pending.Wait(t.Context()); err != nil || c.Heard().Sub(heard) != time.Second {
			t.Errorf("heard %v later: %v", c.Heard().Sub(heard), err)
		}
		silent(0)
		_ = c.Close()
	})
}

// A call whose context is over before it starts sends nothing and says so; so does
// one whose frame still waits for a transport that takes nothing.
func TestWhatWasNotSentSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := connect(t, bidi.Options{})
		over, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := bidi.SessionStatus.Call(over, c, bidi.EmptyParams{})
		if e := failure(t, err); e.Sent || !errors.Is(err, context.Canceled) {
			t.Errorf("Call = %v, Sent %v", err, e.Sent)
		}

		p.hold = make(chan struct{}) // the driver reads nothing any more
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		first := make(chan error, 1)
		go func() {
			_, err := bidi.SessionStatus.Call(ctx, c, bidi.EmptyParams{})
			first <- err
		}()
		synctest.Wait()
		_, err = bidi.BrowserClose.Call(ctx, c, bidi.EmptyParams{})
		if e := failure(t, err); e.Sent {
			t.Errorf("the call behind a stuck one = %v, Sent %v", err, e.Sent)
		}
		if e := failure(t, <-first); !e.Sent {
			t.Errorf("the stuck call = %v, Sent %v: part of it may be out", e, e.Sent)
		}
		close(p.hold)
		synctest.Wait()
		if frame, _ := p.take(t); !strings.Contains(frame, "session.status") || len(p.sent) != 0 {
			t.Errorf("sent %s and %d more: a call that was given up must not leave", frame, len(p.sent))
		}
		_ = c.Close()
	})
}

// The loss of the socket fails every pending call at once, with the reason.
func TestTheLossOfTheSocketFailsEveryCall(t *testing.T) {
	c, p := connect(t, bidi.Options{})
	p.failure = net("connection reset")
	var pending []*bidi.Pending[bidi.SessionStatusResult]
	for range 20 {
		pending = append(pending, bidi.SessionStatus.Send(c, bidi.EmptyParams{}))
	}
	close(p.arrive)
	for _, waiting := range pending {
		_, err := waiting.Wait(soon(t))
		if e := failure(t, err); !e.Sent || !errors.Is(err, p.failure) {
			t.Errorf("Wait = %v, Sent %v", err, e.Sent)
		}
	}
	<-c.Done()
	if c.Err() != p.failure {
		t.Errorf("Err = %v", c.Err())
	}
	_, err := bidi.SessionStatus.Call(soon(t), c, bidi.EmptyParams{})
	if e := failure(t, err); e.Sent || !c.Lost(err) {
		t.Errorf("a call after the loss = %v, Sent %v", err, e.Sent)
	}
}

// Close fails what is pending with ErrClosed, may be repeated, and leaves nothing.
func TestClose(t *testing.T) {
	c, _ := connect(t, bidi.Options{})
	pending := bidi.SessionStatus.Send(c, bidi.EmptyParams{})
	for range 2 {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := pending.Wait(soon(t)); !errors.Is(err, bidi.ErrClosed) {
		t.Errorf("Wait = %v", err)
	}
}

// A refusal carries the protocol's code and message.
func TestARefusal(t *testing.T) {
	c, p := connect(t, bidi.Options{})
	pending := bidi.BrowsingContextNavigate.Send(c, bidi.BrowsingContextNavigateParameters{Context: "gone", URL: "about:blank"})
	_, id := p.take(t)
	p.arrive <- fmt.Sprintf(`{"type":"error","id":%d,"error":"no such frame","message":"gone not found","stacktrace":"s"}`, id)
	_, err := pending.Wait(soon(t))
	if e := failure(t, err); e.Code != bidi.CodeNoSuchFrame || e.Message != "gone not found" || !e.Sent {
		t.Errorf("err = %+v", e)
	}
	if want := "browsingContext.navigate: no such frame: gone not found"; err.Error() != want {
		t.Errorf("err = %q, want %q", err, want)
	}
}

// Ids come back as chromedriver writes them, and what belongs to nobody is dropped:
// a reply to an unknown id, an error without one.
func TestRepliesThatAreOddlyNumbered(t *testing.T) {
	c, p := connect(t, bidi.Options{})
	pending := bidi.SessionStatus.Send(c, bidi.EmptyParams{})
	p.arrive <- `{"type":"error","error":"invalid argument","message":"no id"}`
	p.arrive <- `{"type":"error","id":null,"error":"invalid argument","message":"null"}`
	p.arrive <- `{"type":"success","id":2147483648.0,"result":{}}`
	p.arrive <- `{"type":"success","id":9.007199254740991e+15,"result":{}}`
	p.arrive <- ` { "result" : {"ready":true,"message":"m"} , "id" : 1.0 , "goog:x" : [ ] }`
	if got, err := pending.Wait(soon(t)); err != nil || got.Message != "m" {
		t.Errorf("Wait = %+v, %v", got, err)
	}
}

// A frame that is not JSON ends the connection: nothing after it can be trusted.
func TestAFrameThatIsNotJSON(t *testing.T) {
	c, p := connect(t, bidi.Options{})
	pending := bidi.SessionStatus.Send(c, bidi.EmptyParams{})
	p.arrive <- `{"id":1,"result":`
	if _, err := pending.Wait(soon(t)); err == nil {
		t.Error("Wait succeeded")
	}
	contains(t, c.Err().Error(), "malformed JSON")
}

// A result that does not fit its type fails its call and nothing else.
func TestAResultOfTheWrongType(t *testing.T) {
	c, p := connect(t, bidi.Options{})
	pending := bidi.SessionStatus.Send(c, bidi.EmptyParams{})
	_, id := p.take(t)
	p.reply(id, `{"ready":"perhaps"}`)
	_, err := pending.Wait(soon(t))
	contains(t, failure(t, err).Error(), "session.status: decode result")
	if c.Err() != nil {
		t.Error("the connection ended")
	}
}

// Vendor members vanish at every level when they are to be stripped.
func TestVendorMembersAreStripped(t *testing.T) {
	events := make(chan bidi.Event, 1)
	_, p := connect(t, bidi.Options{StripVendor: true, Sink: func(e bidi.Event) { events <- e }})
	p.arrive <- `{"type":"event","goog:channel":1,"method":"network.fetchError","params":{"request":{"goog:resourceType":"XHR","list":[{"moz:x":{"a":1},"b":2}, 3],"url":"goog:not a member"},"moz:y":[]}}`
	got := <-events
	if want := `{"request":{"list":[{"b":2},3],"url":"goog:not a member"}}`; string(got.Params) != want {
		t.Errorf("params = %s\nwant     %s", got.Params, want)
	}
}

// The log has both directions, masked, in the order of the wire, and the loss.
func TestTheLog(t *testing.T) {
	var text bytes.Buffer
	c, p := connect(t, bidi.Options{Log: wirelog.NewWriter(&text)})
	pending := bidi.InputPerformActions.Send(c, bidi.InputPerformActionsParameters{
		Context: "c",
		Actions: []bidi.InputSourceActions{bidi.InputKeySourceActions{ID: "k", Actions: []bidi.InputKeySourceAction{
			bidi.InputKeyDownAction{Value: "p"}, bidi.InputKeyUpAction{Value: "p"},
		}}},
	})
	_, id := p.take(t)
	p.reply(id, `{}`)
	if _, err := pending.Wait(soon(t)); err != nil {
		t.Fatal(err)
	}
	close(p.arrive)
	<-c.Done()
	_ = c.Close()
	log, err := wirelog.Parse(&text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range log {
		if !strings.HasPrefix(string(e.Text), "t=") {
			got = append(got, string(e.Kind)+" "+string(e.Text))
		}
	}
	want := []string{
		`> {"id":1,"method":"input.performActions","params":{"context":"c","actions":[{"type":"key","id":"k","actions":[{"type":"keyDown","value":"•••"},{"type":"keyUp","value":"•••"}]}]}}`,
		`< {"type":"success","id":1,"result":{}}`,
		`# closed: EOF`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("log:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// An input that opened a dialog stays pending until the dialog is answered: its
// event arrives, and the answer goes out, while the input waits.
func TestADialogIsAnsweredWhileTheInputWaits(t *testing.T) {
	opened := make(chan bidi.Event, 1)
	c, p := connect(t, bidi.Options{Sink: func(e bidi.Event) { opened <- e }})
	press := bidi.InputPerformActions.Send(c, bidi.InputPerformActionsParameters{Context: "c"})
	_, pressID := p.take(t)
	p.arrive <- `{"type":"event","method":"browsingContext.userPromptOpened","params":{"context":"c","handler":"ignore","message":"m","type":"prompt","defaultValue":""}}`
	prompt, err := bidi.BrowsingContextUserPromptOpened.Decode(<-opened)
	if err != nil || prompt.Type != bidi.BrowsingContextUserPromptTypePrompt || prompt.DefaultValue == nil {
		t.Fatalf("prompt = %+v, %v", prompt, err)
	}
	answer := bidi.BrowsingContextHandleUserPrompt.Send(c, bidi.BrowsingContextHandleUserPromptParameters{Context: "c", Accept: new(true)})
	_, answerID := p.take(t)
	p.reply(answerID, `{}`)
	if _, err := answer.Wait(soon(t)); err != nil {
		t.Error(err)
	}
	select {
	case <-press.Done():
		t.Error("the input is over already")
	default:
	}
	p.reply(pressID, `{}`)
	if _, err := press.Wait(soon(t)); err != nil {
		t.Error(err)
	}
}

// A peer that takes nothing holds Send for a moment only: the caller's wait then
// ends by its own deadline, and the frame goes out when the peer takes it.
func TestSendDoesNotWaitForAPeerThatTakesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, p := connect(t, bidi.Options{})
		p.hold = make(chan struct{})
		began := time.Now()
		pending := bidi.SessionStatus.Send(c, bidi.EmptyParams{})
		if took := time.Since(began); took > 10*time.Second {
			t.Errorf("Send took %v", took)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := pending.Wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Wait = %v", err)
		}
		close(p.hold)
		p.take(t)
		_ = c.Close()
	})
}
