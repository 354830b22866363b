package drive

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
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
				if alive && c.Method == "browsingContext.getTree" {
					w.reply(c, `{"contexts":[]}`)
				}
			})
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
			defer stop()
			start := time.Now()
			_, err := tab.Tree(ctx, TreeOptions{})
			took := time.Since(start)
			if alive {
				if !errors.Is(err, fault.Timeout) || took != 2*time.Second {
					t.Errorf("busy: %v after %v", err, took)
				}
				return
			}
			if !errors.Is(err, fault.BrowserLost) || took != 3*time.Second {
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
		if took := time.Since(start); err != nil || took != 300*time.Millisecond || reads != 2 || s.facts.Pending != 0 || s.facts.Unsettled {
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

func TestWhatABrowserAnswersBecomesACodeWithATrueEffect(t *testing.T) {
	for _, c := range []struct {
		err    error
		code   fault.Code
		effect fault.Effect
	}{
		{&bidi.Error{Code: "no such frame", Sent: true}, fault.StateInvalid, fault.None},
		{&bidi.Error{Code: "no such node", Sent: true}, fault.StaleRef, fault.None},
		{&bidi.Error{Code: "no such element", Sent: true}, fault.StaleRef, fault.None},
		{&bidi.Error{Code: "no such alert", Sent: true}, fault.NoDialog, fault.None},
		{&bidi.Error{Code: "move target out of bounds", Sent: true}, fault.NotVisible, fault.None},
		{&bidi.Error{Code: "unsupported operation", Sent: true}, fault.Unsupported, fault.None},
		{&bidi.Error{Code: "unknown command", Sent: true}, fault.Unsupported, fault.None},
		{&bidi.Error{Code: "invalid session id", Sent: true}, fault.BrowserLost, fault.None},
		{&bidi.Error{Code: "invalid argument", Sent: true}, fault.InvalidArgument, fault.None},
		{&bidi.Error{Code: "unknown error", Message: "odd", Sent: true}, fault.StateInvalid, fault.Possible},
		{&bidi.Error{Sent: false, Err: bidi.ErrClosed}, fault.BrowserLost, fault.None},
		{&bidi.Error{Sent: true, Err: bidi.ErrClosed}, fault.BrowserLost, fault.Possible},
		{&bidi.Error{Sent: true, Err: context.DeadlineExceeded}, fault.Timeout, fault.Possible},
		{&bidi.Error{Sent: false, Err: context.Canceled}, fault.Cancelled, fault.None},
	} {
		f := wireFault("do it", c.err)
		if f.Code != c.code || f.Effect != c.effect && !(f.Effect == "" && c.effect == fault.None) {
			t.Errorf("%+v: %s effect %s, want %s %s", c.err, f.Code, f.Effect, c.code, c.effect)
		}
	}
}

func TestReasonsOfBothBrowsersReadTheSame(t *testing.T) {
	for reason, want := range map[string]string{
		"unknown error: net::ERR_CONNECTION_REFUSED":                  "connection refused (net::ERR_CONNECTION_REFUSED)",
		"unknown error: Error: NS_ERROR_CONNECTION_REFUSED":           "connection refused (NS_ERROR_CONNECTION_REFUSED)",
		"Error: NS_ERROR_UNKNOWN_HOST":                                "no such host (NS_ERROR_UNKNOWN_HOST)",
		"unknown error: net::ERR_NAME_NOT_RESOLVED":                   "no such host (net::ERR_NAME_NOT_RESOLVED)",
		"unknown error: navigation canceled by concurrent navigation": reasonSuperseded + " (navigation canceled by concurrent navigation)",
		"something\nat stack":                                         "something",
	} {
		if got := worded(reason); got != want {
			t.Errorf("%q: %q, want %q", reason, got, want)
		}
	}
}

func TestTheJournalIsBoundedAndItsCountsAreNot(t *testing.T) {
	b := &Browser{state: newState()}
	for i := range 3 * journalEntries {
		kind := KindConsole
		if i%2 == 0 {
			kind = KindException
		}
		b.journal.add(Entry{Kind: kind, Text: strings.Repeat("é", 100)})
	}
	l := b.Log(LogFilter{})
	if len(l.Entries) != journalEntries || l.Dropped != 2*journalEntries || l.Cursor != 3*journalEntries {
		t.Errorf("%d entries, %d dropped, cursor %d", len(l.Entries), l.Dropped, l.Cursor)
	}
	tab := &Tab{b: b}
	if f := tab.factsLocked(Mark{}); f.Errors != 3*journalEntries/2 || f.ErrorsLost != journalEntries {
		t.Errorf("errors %d, lost %d", f.Errors, f.ErrorsLost)
	}
	if l := b.Log(LogFilter{After: l.Cursor - 10, Kind: KindError, Limit: 2}); len(l.Entries) != 2 || l.Total != 5 || l.Dropped != 0 {
		t.Errorf("filtered: %+v", l)
	}
	b.journal.add(Entry{Text: strings.Repeat("x", 2*journalBytes)})
	if n := len(b.journal.entries[len(b.journal.entries)-1].Text); n > entryTextBytes+3 {
		t.Errorf("one entry of %d bytes", n)
	}
}

func TestSecretsAreReplacedWholeAndShortOnesAreNone(t *testing.T) {
	b := &Browser{}
	for _, s := range []string{"abc", "hunter2", "hunter2!!", "ключ"} {
		b.Remember(s)
	}
	if got := b.Redact("abc hunter2!! hunter2 ключ hunter"); got != "abc ••• ••• ••• hunter" {
		t.Errorf("%q", got)
	}
}

func TestWarningsOfTheBrowserAreNoErrorsOfThePage(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, c := range []struct {
		e    logEvent
		kind string
	}{
		{logEvent{Type: "javascript", Level: "error", Text: text("Cookie “x” has been rejected")}, KindWarning},
		{logEvent{Type: "javascript", Level: "error", Text: text("TypeError: x is not a function")}, KindException},
		{logEvent{Type: "javascript", Level: "warn", Text: text("old")}, KindWarning},
		{logEvent{Type: "console", Level: "error", Text: text("bad")}, KindError},
		{logEvent{Type: "console", Level: "warn", Text: text("hm")}, KindConsole},
	} {
		if got := entryOf(c.e, quirksOf("firefox"), 1); got.Kind != c.kind {
			t.Errorf("%s: %s, want %s", *c.e.Text, got.Kind, c.kind)
		}
	}
}

func TestAddressesAreCheckedBeforeAnythingIsSent(t *testing.T) {
	b := &Browser{info: Info{Judge: func(u string) error {
		if strings.HasPrefix(u, "file:") {
			return fault.New(fault.URLBlocked, "no files")
		}
		return nil
	}}}
	for address, code := range map[string]fault.Code{
		"http://x/": "", " https://x/a?b#c ": "", "about:blank": "", "data:text/html,x": "", "http://[::1]:80/": "",
		"": fault.InvalidArgument, "notaurl": fault.InvalidArgument, "localhost:8080/x": fault.InvalidArgument,
		"127.0.0.1:80": fault.InvalidArgument, "//x/y": fault.InvalidArgument, "/path": fault.InvalidArgument,
		"javascript:alert(1)": fault.URLBlocked, " JavaScript:1": fault.URLBlocked, "file:///etc/passwd": fault.URLBlocked,
	} {
		got, err := b.judged(address)
		if code == "" && (err != nil || got != strings.TrimSpace(address)) || code != "" && !errors.Is(err, code) {
			t.Errorf("%q: %q %v, want %q", address, got, err, code)
		}
	}
	if got := shown("http://ann:hunter2@x/p?q"); got != "http://•••@x/p?q" {
		t.Errorf("%q", got)
	}
}
