package drive

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"duet/bidi"
	"duet/internal/fault"
)

func rule(t *testing.T, pattern string, r MockRule) MockRule {
	t.Helper()
	p, err := ParsePattern(pattern)
	if err != nil {
		t.Fatal(err)
	}
	r.Pattern = p
	return r
}

const heldGet = `{"context":"t1","isBlocked":true,"intercepts":["i1"],"navigation":null,"redirectCount":0,"timestamp":1,"request":{"request":"r1","url":"http://x/a","method":"GET","headers":[],"cookies":[],"headersSize":0,"bodySize":0,"timings":{}}}`

// mockable answers what sets mocks up, and then what rest says.
func mockable(rest func(*wire, command)) func(*wire, command) {
	return func(w *wire, c command) {
		switch c.Method {
		case "network.addIntercept":
			w.reply(c, `{"intercept":"i1"}`)
		case "session.subscribe":
			w.reply(c, `{"subscription":"s1"}`)
		case "network.setCacheBehavior", "network.removeIntercept", "session.unsubscribe":
			w.reply(c, `{}`)
		default:
			rest(w, c)
		}
	}
}

// A driver that stops answering once requests are held is noticed within five
// seconds, by the request that it does not let go, or by another command that waits
// for long. One that is slow is not given up.
func TestADeadDriverIsNoticedWithMocks(t *testing.T) {
	for name, c := range map[string]struct {
		alive, held bool
	}{
		"held request": {false, true}, "other command": {false, false}, "slow driver": {true, true},
	} {
		synctest.Test(t, func(t *testing.T) {
			tab, w := begun(t, "chrome", mockable(func(w *wire, q command) {
				if c.alive && q.Method == "browsingContext.getTree" {
					time.AfterFunc(suspectBound-100*time.Millisecond, func() { w.reply(q, `{"contexts":[]}`) })
				}
			}))
			b := tab.b
			if _, err := b.AddMock(t.Context(), rule(t, "**", MockRule{Action: MockBlock})); err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
			defer stop()
			var err error
			if c.held {
				w.event("network.beforeRequestSent", heldGet)
				select {
				case <-b.Lost():
					err = b.LostErr()
				case <-time.After(20 * time.Second):
				}
			} else {
				_, err = tab.Tree(ctx, TreeOptions{})
			}
			took := time.Since(began)
			if c.alive != (err == nil) || !c.alive && (!errors.Is(err, fault.BrowserLost) || took > 5*time.Second) {
				t.Errorf("%s: %v after %v", name, err, took)
			}
		})
	}
}

// An intercept, the cache passed by and what the quirk needs are there as long as a
// mock is, and no longer.
func TestInterceptsLastAsLongAsMocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent []string
		tab, w := begun(t, "chrome", func(w *wire, c command) {
			sent = append(sent, strings.TrimPrefix(c.Method, "network."))
			mockable(func(w *wire, c command) { w.reply(c, `{}`) })(w, c)
		})
		b := tab.b
		ctx := t.Context()
		for _, p := range []string{"**/a", "**/b"} {
			if _, err := b.AddMock(ctx, rule(t, p, MockRule{Action: MockReply, Status: 200})); err != nil {
				t.Fatal(err)
			}
		}
		w.event("network.beforeRequestSent", heldGet)
		w.event("network.beforeRequestSent", strings.ReplaceAll(heldGet, "http://x/a", "http://x/c"))
		synctest.Wait()
		if _, err := b.RemoveMocks(ctx, "m1"); err != nil {
			t.Fatal(err)
		}
		if n, err := b.ClearMocks(ctx); n != 1 || err != nil {
			t.Errorf("clear: %d %v", n, err)
		}
		w.event("network.beforeRequestSent", strings.ReplaceAll(heldGet, "r1", "r2")) // was on its way
		synctest.Wait()
		want := []string{"setCacheBehavior", "session.subscribe", "addIntercept", "provideResponse", "continueRequest",
			"removeIntercept", "setCacheBehavior", "session.unsubscribe", "continueRequest"}
		if !slices.Equal(sent, want) {
			t.Errorf("sent %q, want %q", sent, want)
		}
	})
}

// An answer that the browser refuses becomes a failure, or the request goes on: no
// page waits for ever, and the mock says why.
func TestARefusedAnswerDoesNotHoldThePage(t *testing.T) {
	for action, instead := range map[MockAction]string{MockReply: "network.failRequest", MockContinue: "network.continueRequest"} {
		synctest.Test(t, func(t *testing.T) {
			var sent []string
			tab, w := begun(t, "firefox", mockable(func(w *wire, c command) {
				if sent = append(sent, c.Method); len(sent) == 1 {
					w.fail(c, "invalid argument", "no such header")
					return
				}
				w.reply(c, `{}`)
			}))
			if _, err := tab.b.AddMock(t.Context(), rule(t, "**", MockRule{Action: action, Status: 200, Headers: []MockHeader{{Name: "X", Value: "y"}}})); err != nil {
				t.Fatal(err)
			}
			w.event("network.beforeRequestSent", heldGet)
			synctest.Wait()
			if got := tab.b.Mocks()[0]; len(sent) != 2 || sent[1] != instead || !strings.Contains(got.Problem, "no such header") {
				t.Errorf("%s: sent %q, problem %q", action, sent, got.Problem)
			}
		})
	}
}

// Which requests a rule takes: by method, and a preflight only where it answers
// other origins or names the method.
func TestWhatARuleTakes(t *testing.T) {
	preflight := []bidi.NetworkHeader{textHeader("Access-Control-Request-Method", "PUT"), textHeader("Origin", "http://y")}
	for _, c := range []struct {
		method  string
		headers []bidi.NetworkHeader
		rule    MockRule
		takes   bool
	}{
		{"GET", nil, MockRule{}, true},
		{"GET", nil, MockRule{Method: "POST"}, false},
		{"OPTIONS", nil, MockRule{}, true},
		{"OPTIONS", preflight, MockRule{}, false},
		{"OPTIONS", preflight, MockRule{Method: "OPTIONS"}, true},
		{"OPTIONS", preflight, MockRule{CORS: true}, true},
		{"OPTIONS", preflight, MockRule{CORS: true, Method: "PUT"}, true},
		{"OPTIONS", preflight, MockRule{CORS: true, Method: "GET"}, false},
	} {
		h := heldRequest{phase: "beforeRequestSent", url: "http://x/a", method: c.method, headers: c.headers}
		r := rule(t, "**/a", c.rule)
		r.Action = MockReply
		if got := h.fits(&r); got != c.takes {
			t.Errorf("%s %v by %+v: %v", c.method, c.headers, c.rule, got)
		}
	}
}

// The type of an answer is that of its file, its address, or its beginning.
func TestContentTypeOfAnswers(t *testing.T) {
	for _, c := range []struct{ url, file, body, want string }{
		{"http://x/a.js?v=1", "", "x", "text/javascript; charset=utf-8"},
		{"http://x/a", "b.PNG", "x", "image/png"},
		{"http://x/a", "b.bin", "x", "application/octet-stream"},
		{"http://x/a", "", " <p>x", "text/html; charset=utf-8"},
		{"http://x/a", "", `[1, 2]`, "application/json"},
		{"http://x/a", "", `[1, 2`, "text/plain; charset=utf-8"},
		{"http://x/a", "", "", ""},
	} {
		r := MockRule{FileName: c.file}
		if got := r.contentType(heldRequest{url: c.url}, []byte(c.body)); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}
