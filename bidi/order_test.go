package bidi_test

import (
	"errors"
	"fmt"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"duet/bidi"
)

const rounds = 1000

// An event that arrived before a reply is known to the sink before the reply is
// known to its caller.
func TestAnEventPrecedesTheReplyThatFollowedIt(t *testing.T) {
	var seen atomic.Int64
	c, p := connect(t, bidi.Options{Sink: func(bidi.Event) { seen.Add(1) }})
	var answering sync.WaitGroup
	defer answering.Wait()
	answering.Go(func() {
		for range rounds {
			_, id := p.take(t)
			p.arrive <- `{"type":"event","method":"browsingContext.load","params":{}}`
			p.reply(id, `{}`)
		}
	})
	for i := range int64(rounds) {
		if _, err := bidi.SessionStatus.Call(soon(t), c, bidi.EmptyParams{}); err != nil {
			t.Fatal(err)
		}
		if got := seen.Load(); got != i+1 {
			t.Fatalf("round %d: the sink has seen %d events", i, got)
		}
	}
}

// A reply that was read before the connection was lost reaches its caller, however
// close the loss follows.
func TestAReplyBeforeTheLossIsDelivered(t *testing.T) {
	for range rounds {
		c, p := connect(t, bidi.Options{})
		pending := bidi.SessionStatus.Send(c, bidi.EmptyParams{})
		_, id := p.take(t)
		p.reply(id, `{"ready":true,"message":"m"}`)
		close(p.arrive)
		if got, err := pending.Wait(soon(t)); err != nil || got.Message != "m" {
			t.Fatalf("Wait = %+v, %v", got, err)
		}
		<-c.Done()
		_ = c.Close()
	}
}

// A call that races Close ends once, with its reply or with ErrClosed, and no event
// follows Close.
func TestAReplyRacingClose(t *testing.T) {
	for range rounds {
		var closed, late atomic.Bool
		c, p := connect(t, bidi.Options{Sink: func(bidi.Event) { late.Store(closed.Load()) }})
		pending := bidi.SessionStatus.Send(c, bidi.EmptyParams{})
		_, id := p.take(t)
		var racing sync.WaitGroup
		racing.Go(func() {
			p.reply(id, `{"ready":true,"message":"m"}`)
			p.arrive <- `{"type":"event","method":"browsingContext.load","params":{}}`
		})
		racing.Go(func() {
			_ = c.Close()
			closed.Store(true)
		})
		got, err := pending.Wait(soon(t))
		if err == nil && got.Message != "m" || err != nil && !errors.Is(err, bidi.ErrClosed) {
			t.Fatalf("Wait = %+v, %v", got, err)
		}
		racing.Wait()
		if late.Load() {
			t.Fatal("an event came after Close")
		}
	}
}

// Frames leave in the order of Send, and replies in any order find their callers.
func TestCommandsArePipelined(t *testing.T) {
	c, p := connect(t, bidi.Options{})
	var pending []*bidi.Pending[bidi.SessionStatusResult]
	for range 50 {
		pending = append(pending, bidi.SessionStatus.Send(c, bidi.EmptyParams{}))
	}
	var ids []int64
	for i := range pending {
		_, id := p.take(t)
		if ids = append(ids, id); i > 0 && id != ids[i-1]+1 {
			t.Fatalf("ids %v are not in order", ids)
		}
	}
	for i := len(ids) - 1; i >= 0; i-- {
		p.reply(ids[i], fmt.Sprintf(`{"ready":true,"message":"%d"}`, i))
	}
	for i, waiting := range pending {
		if got, err := waiting.Wait(soon(t)); err != nil || got.Message != strconv.Itoa(i) {
			t.Errorf("reply %d = %+v, %v", i, got, err)
		}
	}
}

// What the peer printed instead of sending it reaches the sink like an event, or its
// caller like a reply; what is no message ends nothing.
func TestWhatIsOverheardIsDelivered(t *testing.T) {
	var seen atomic.Int64
	c, p := connect(t, bidi.Options{Sink: func(e bidi.Event) {
		if e.Method == "log.entryAdded" {
			seen.Add(1)
		}
	}})
	c.Overhear([]byte(`{"type":"event","method":"log.entryAdded","params":{"text":"a\ud800b"},"goog:channel":"/1/bidi"}`))
	c.Overhear([]byte(`no message`))
	c.Overhear([]byte(`{"type":`))
	if seen.Load() != 1 {
		t.Errorf("the sink has seen %d events", seen.Load())
	}
	pending := bidi.SessionStatus.Send(c, bidi.EmptyParams{})
	_, id := p.take(t)
	c.Overhear(fmt.Appendf(nil, `{"type":"success","id":%d,"result":{"ready":true,"message":"\udc00"}}`, id))
	if got, err := pending.Wait(soon(t)); err != nil || !got.Ready {
		t.Errorf("Wait = %+v, %v", got, err)
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c.Overhear([]byte(`{"type":"event","method":"log.entryAdded","params":{}}`))
	if seen.Load() != 1 {
		t.Error("an event came after Close")
	}
}
