package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// wire is a browser of a few lines: answer is called with each command and sends
// what it likes.
type wire struct {
	answer func(w *wire, c command)

	out  chan []byte
	done chan struct{}
	once sync.Once
}

type command struct {
	ID     int             `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

func newWire(answer func(*wire, command)) *wire {
	return &wire{answer: answer, out: make(chan []byte, 1000), done: make(chan struct{})}
}

func (w *wire) Read(ctx context.Context) ([]byte, error) {
	select {
	case f := <-w.out:
		return f, nil
	case <-w.done:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (w *wire) Write(_ context.Context, frame []byte) error {
	var c command
	if err := json.Unmarshal(frame, &c); err != nil {
		return err
	}
	w.answer(w, c)
	return nil
}

func (w *wire) Close() error {
	w.once.Do(func() { close(w.done) })
	return nil
}

func (w *wire) reply(c command, result string) {
	w.out <- []byte(fmt.Sprintf(`{"type":"success","id":%d,"result":%s}`, c.ID, result))
}

func (w *wire) fail(c command, code, message string) {
	w.out <- []byte(fmt.Sprintf(`{"type":"error","id":%d,"error":%q,"message":%q}`, c.ID, code, message))
}

func (w *wire) event(method, params string) {
	w.out <- []byte(fmt.Sprintf(`{"type":"event","method":%q,"params":%s}`, method, params))
}

// doc answers a page function with a document.
func (w *wire) doc(c command, doc string) {
	text, _ := json.Marshal(doc)
	w.reply(c, fmt.Sprintf(`{"type":"success","realm":"r","result":{"type":"string","value":%s}}`, text))
}

const emptyDoc = `{"doc":"d1","url":"http://x/","title":"X","ready":"complete","ver":1}`

// started answers what New sends; false where the command is another one.
func (w *wire) started(c command) bool {
	switch c.Method {
	case "browsingContext.getTree":
		w.reply(c, `{"contexts":[{"context":"t1","url":"about:blank","children":[],"userContext":"default","clientWindow":"w","originalOpener":null}]}`)
	case "session.subscribe":
		w.event("browsingContext.contextCreated", `{"context":"t1","url":"about:blank","parent":null,"children":null,"originalOpener":null}`)
		w.reply(c, `{"subscription":"s"}`)
	case "script.addPreloadScript":
		w.reply(c, `{"script":"p"}`)
	case "network.addIntercept":
		w.reply(c, `{"intercept":"i"}`)
	case "browsingContext.setViewport", "browser.setDownloadBehavior", "browsingContext.activate":
		w.reply(c, `{}`)
	default:
		return false
	}
	return true
}

// begun returns the first tab of a browser that answers by answer.
func begun(t *testing.T, name string, answer func(*wire, command)) (*Tab, *wire) {
	t.Helper()
	starting := true
	w := newWire(nil)
	w.answer = func(w *wire, c command) {
		if starting && w.started(c) {
			return
		}
		answer(w, c)
	}
	b, err := New(t.Context(), w, bidi.Options{}, Info{Browser: name, SessionExists: true})
	if err != nil {
		t.Fatal(err)
	}
	starting = false
	t.Cleanup(func() { _ = b.Close() })
	tab, err := b.Tab(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tab, w
}

func TestABusyPageIsToldFromADeadDriverAtTheDeadline(t *testing.T) {
	for _, alive := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			tab, _ := begun(t, "chrome", func(w *wire, c command) {
				if alive && c.Method == "browsingContext.getTree" { // on a machine under load
					time.AfterFunc(3*time.Second, func() { w.reply(c, `{"contexts":[]}`) })
				}
			})
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
			defer stop()
			start := time.Now()
			_, err := tab.Tree(ctx, TreeOptions{})
			took := time.Since(start)
			if alive {
				if !errors.Is(err, fault.Timeout) || took != 5*time.Second {
					t.Errorf("busy: %v after %v", err, took)
				}
				return
			}
			if !errors.Is(err, fault.BrowserLost) || took != 2*time.Second+pingBound {
				t.Errorf("dead: %v after %v", err, took)
			}
			<-tab.b.Lost()
			if !errors.Is(tab.b.LostErr(), fault.BrowserLost) {
				t.Errorf("lost: %v", tab.b.LostErr())
			}
			if _, err := tab.Navigate(t.Context(), "http://x/", NavOptions{}); !errors.Is(err, fault.BrowserLost) {
				t.Errorf("after the loss: %v", err)
			}
		})
	}
}

func TestInputThatOpensAPromptReturnsAndItsReplyComesAfterTheAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var press command
		tab, _ := begun(t, "chrome", func(w *wire, c command) {
			switch c.Method {
			case "input.performActions":
				press = c
				w.event("browsingContext.userPromptOpened", `{"context":"t1","type":"confirm","message":"Sure?","handler":"ignore"}`)
			case "browsingContext.handleUserPrompt":
				w.event("browsingContext.userPromptClosed", `{"context":"t1","accepted":true,"type":"confirm"}`)
				w.reply(c, `{}`)
				w.reply(press, `{}`)
			case "script.callFunction":
				w.doc(c, emptyDoc)
			}
		})
		start := time.Now()
		s, err := tab.perform(t.Context(), "t1", nil, settleWant{})
		if err != nil || s.facts.Dialog == nil || s.facts.Dialog.Message != "Sure?" {
			t.Fatalf("perform: %+v, %v", s, err)
		}
		if _, err := run(t.Context(), tab, "t1", pagejs.Walk, pagejs.WalkArgs{}, ""); !errors.Is(err, fault.DialogOpen) {
			t.Errorf("reading meanwhile: %v", err)
		}
		if _, err := tab.perform(t.Context(), "t1", nil, settleWant{}); !errors.Is(err, fault.DialogOpen) || fault.From(err).Effect != fault.None {
			t.Errorf("input meanwhile: %v", err)
		}
		d, f, err := tab.AnswerDialog(t.Context(), true, nil)
		if err != nil || d.Message != "Sure?" || f.Dialog != nil {
			t.Errorf("answer: %+v %+v %v", d, f, err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("it took %v and nothing was to be waited for", took)
		}
	})
}

func TestErrorsAreCountedExactlyAndNothingIsWaitedForWhereNothingHappened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab, _ := begun(t, "chrome", func(w *wire, c command) {
			switch c.Method {
			case "input.performActions":
				for range 3 {
					w.event("log.entryAdded", `{"type":"javascript","level":"error","text":"TypeError: boom","timestamp":1,"source":{"realm":"r","context":"t1"}}`)
				}
				w.event("log.entryAdded", `{"type":"console","level":"info","method":"log","text":"hi","args":[],"timestamp":1,"source":{"realm":"r","context":"t1"}}`)
				w.event("network.responseCompleted", `{"context":"t1","navigation":null,"isBlocked":false,"request":{"request":"1","url":"http://x/api","method":"GET"},"response":{"status":500}}`)
				w.reply(c, `{}`)
			case "script.callFunction":
				w.event("log.entryAdded", `{"type":"console","level":"error","method":"error","text":"late","args":[],"timestamp":1,"source":{"realm":"r","context":"t1"}}`)
				w.doc(c, emptyDoc)
			}
		})
		start := time.Now()
		s, err := tab.perform(t.Context(), "t1", nil, settleWant{})
		if err != nil || s.facts.Errors != 4 || s.facts.FailedRequests != 1 || s.facts.LogCursor != 6 {
			t.Errorf("%+v %v", s.facts, err)
		}
		if took := time.Since(start); took != 0 {
			t.Errorf("waited %v", took)
		}
	})
}

func TestAFetchIsFollowedToTheReadingAfterIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		tab, _ := begun(t, "firefox", func(w *wire, c command) {
			switch c.Method {
			case "input.performActions":
				w.event("network.beforeRequestSent", `{"context":"t1","navigation":null,"isBlocked":false,"request":{"request":"1","url":"http://x/api","method":"GET","destination":"","initiatorType":"fetch"}}`)
				w.reply(c, `{}`)
				time.AfterFunc(300*time.Millisecond, func() {
					w.event("network.responseCompleted", `{"context":"t1","navigation":null,"isBlocked":false,"request":{"request":"1","url":"http://x/api","method":"GET"},"response":{"status":200}}`)
				})
			case "script.callFunction":
				reads++
				w.doc(c, emptyDoc)
			}
		})
		start := time.Now()
		s, err := tab.perform(t.Context(), "t1", nil, settleWant{})
		if took := time.Since(start); err != nil || took != 300*time.Millisecond+aFrame || reads != 2 || s.facts.Pending != 0 || s.facts.Unsettled {
			t.Errorf("%+v %v after %v, %d readings", s.facts, err, took, reads)
		}
	})
}

func TestARequestThatNeverEndsIsFollowedForTheBoundAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab, _ := begun(t, "firefox", func(w *wire, c command) {
			switch c.Method {
			case "input.performActions":
				w.event("network.beforeRequestSent", `{"context":"t1","navigation":null,"isBlocked":false,"request":{"request":"1","url":"http://x/api","method":"GET","destination":"","initiatorType":"fetch"}}`)
				w.reply(c, `{}`)
			case "script.callFunction":
				w.doc(c, emptyDoc)
			}
		})
		start := time.Now()
		s, err := tab.perform(t.Context(), "t1", nil, settleWant{})
		if took := time.Since(start); err != nil || took != settleBound || s.facts.Pending != 1 || !s.facts.Unsettled {
			t.Errorf("%+v %v after %v", s.facts, err, took)
		}
	})
}

// A page that asks for data all the time, one request after the other or each while
// it is read, does not make a failure of an action: not at the cap, and not at a
// deadline before it.
func TestRequestsWithoutEndAreFollowedToTheCapOrTheDeadline(t *testing.T) {
	for _, c := range []struct {
		every, deadline, least, most time.Duration
	}{
		{300 * time.Millisecond, 5 * time.Second, settleMost, settleMost + 100*time.Millisecond},
		{300 * time.Millisecond, time.Second, 800 * time.Millisecond, time.Second},
		{0, 5 * time.Second, settleMost, settleMost + 100*time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			n := 0
			var ask func(w *wire)
			ask = func(w *wire) {
				n++
				request := fmt.Sprintf(`"request":{"request":"%d","url":"http://x/api","method":"GET","destination":"","initiatorType":"fetch"}`, n)
				w.event("network.beforeRequestSent", `{"context":"t1","navigation":null,"isBlocked":false,`+request+`}`)
				done := func() {
					w.event("network.responseCompleted", `{"context":"t1","navigation":null,"isBlocked":false,`+request+`,"response":{"status":200}}`)
				}
				if c.every == 0 {
					done()
					return
				}
				time.AfterFunc(c.every, func() {
					if n < 100 {
						ask(w)
					}
					done()
				})
			}
			tab, _ := begun(t, "firefox", func(w *wire, cmd command) {
				switch cmd.Method {
				case "input.performActions":
					ask(w)
					w.reply(cmd, `{}`)
				case "script.callFunction":
					if c.every > 0 {
						w.doc(cmd, emptyDoc)
						return
					}
					time.AfterFunc(50*time.Millisecond, func() { // each reading finds a new one
						ask(w)
						w.doc(cmd, emptyDoc)
					})
				}
			})
			ctx, stop := context.WithTimeout(t.Context(), c.deadline)
			defer stop()
			start := time.Now()
			s, err := tab.perform(ctx, "t1", nil, settleWant{})
			if took := time.Since(start); err != nil || !s.facts.Unsettled || took < c.least || took > c.most {
				t.Errorf("%+v: %+v %v after %v", c, s.facts, explain(err), took)
			}
		})
	}
}

func TestANavigateWithoutAReplyEndsWithItsDocument(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab, _ := begun(t, "firefox", func(w *wire, c command) {
			switch c.Method {
			case "browsingContext.navigate": // the reply never comes
				for _, e := range []string{"navigationCommitted", "domContentLoaded", "load"} {
					w.event("browsingContext."+e, `{"context":"t1","navigation":"n1","url":"http://x/","timestamp":1}`)
				}
			case "script.callFunction":
				w.doc(c, emptyDoc)
			}
		})
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		defer stop()
		r, err := tab.Navigate(ctx, "http://x/", NavOptions{})
		if err != nil || r.Outcome != Loaded || r.Ready != "complete" || !r.Facts.Navigated {
			t.Errorf("%+v %v", r, err)
		}
	})
}

func TestAScriptWhoseDocumentGoesAwayDoesNotHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		tab, _ := begun(t, "firefox", func(w *wire, c command) {
			if c.Method != "script.callFunction" {
				return
			}
			if calls++; calls == 1 { // never answered: its document goes away
				w.event("browsingContext.navigationStarted", `{"context":"t1","navigation":"n1","url":"http://x/","timestamp":1}`)
				w.event("browsingContext.navigationCommitted", `{"context":"t1","navigation":"n1","url":"http://x/","timestamp":1}`)
				return
			}
			w.doc(c, emptyDoc)
		})
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		defer stop()
		start := time.Now()
		if _, err := tab.Tree(ctx, TreeOptions{}); err != nil || time.Since(start) > 200*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}
