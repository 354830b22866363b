package drive

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"duet/internal/fault"
)

// What left and had no answer may have happened: the fault says so, and never that it
// may be repeated without harm.
func TestWhatHadNoAnswerMayHaveHappened(t *testing.T) {
	state := func(t *testing.T, text string) *SavedState {
		s, err := ParseState([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for name, c := range map[string]struct {
		silent string // the command that is never answered
		do     func(context.Context, *testing.T, *Tab) error
		effect fault.Effect
	}{
		"a dialog": {"browsingContext.handleUserPrompt", func(ctx context.Context, t *testing.T, tab *Tab) error {
			_, _, err := tab.AnswerDialog(ctx, true, nil)
			return err
		}, fault.Possible},
		"a new tab": {"browsingContext.create", func(ctx context.Context, t *testing.T, tab *Tab) error {
			_, err := tab.b.Open(ctx)
			return err
		}, fault.Possible},
		"a new tab of which no event tells": {"", func(ctx context.Context, t *testing.T, tab *Tab) error {
			_, err := tab.b.Open(ctx)
			return err
		}, fault.Confirmed},
		"a tab that is closed": {"browsingContext.close", func(ctx context.Context, t *testing.T, tab *Tab) error {
			_, err := tab.b.CloseTab(ctx, 1, true)
			return err
		}, fault.Possible},
		"a tab whose dialog is dismissed": {"browsingContext.handleUserPrompt", func(ctx context.Context, t *testing.T, tab *Tab) error {
			_, err := tab.b.CloseTab(ctx, 1, true)
			return err
		}, fault.Possible},
		"a cookie": {"storage.setCookie", func(ctx context.Context, t *testing.T, tab *Tab) error {
			_, err := tab.b.LoadState(ctx, state(t, `{"cookies":[{"name":"a","value":"b","domain":"x","path":"/"}],"origins":[]}`))
			return err
		}, fault.Possible},
		"what an origin keeps": {"script.callFunction @restore", func(ctx context.Context, t *testing.T, tab *Tab) error {
			_, err := tab.b.LoadState(ctx, state(t, `{"cookies":[],"origins":[{"origin":"http://x","localStorage":[{"name":"a","value":"b"}]}]}`))
			return err
		}, fault.Possible},
		"a setting": {"emulation.setLocaleOverride", func(ctx context.Context, t *testing.T, tab *Tab) error {
			e, err := ParseEmulation([]string{"locale=de-DE"})
			if err != nil {
				t.Fatal(err)
			}
			_, err = tab.Emulate(ctx, e)
			return err
		}, fault.Possible},
		"mocks that are removed": {"network.removeIntercept", func(ctx context.Context, t *testing.T, tab *Tab) error {
			if _, err := tab.b.AddMock(ctx, rule(t, "**", MockRule{Action: MockBlock})); err != nil {
				t.Fatal(err)
			}
			_, err := tab.b.ClearMocks(ctx)
			return err
		}, fault.Possible},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tab, w := begun(t, "chrome", mockableBut(c.silent, func(w *wire, k command) {
					fn, _ := asked(k)
					if k.Method == c.silent || c.silent != "" && strings.HasSuffix(c.silent, " @"+fn) && fn != "" {
						return
					}
					switch k.Method {
					case "browsingContext.getTree":
						w.reply(k, `{"contexts":[]}`)
					case "browsingContext.create":
						if c.silent != "" {
							w.event("browsingContext.contextCreated", `{"context":"t2","url":"about:blank","parent":null,"children":null,"originalOpener":null}`)
						}
						w.reply(k, `{"context":"t2"}`)
					case "storage.getCookies":
						w.reply(k, `{"cookies":[],"partitionKey":{}}`)
					case "script.callFunction":
						w.doc(k, emptyDoc)
					case "browsingContext.navigate":
						w.reply(k, `{"navigation":"n1","url":"http://x/"}`)
					default:
						w.reply(k, `{}`)
					}
				}))
				if strings.Contains(name, "dialog") {
					prompted(w, command{})
				}
				synctest.Wait()
				ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
				defer stop()
				err := c.do(ctx, t, tab)
				f := fault.From(err)
				if f == nil || f.Effect != c.effect || f.Phase == fault.Precondition || f.Phase == fault.BeforeEffect || f.Retryable() {
					t.Errorf("got %s (%s, %s), want effect %s", explain(err), f.Phase, f.Effect, c.effect)
				}
			})
		})
	}
}

// mockableBut is mockable for all but one command.
func mockableBut(method string, rest func(*wire, command)) func(*wire, command) {
	usual := mockable(rest)
	return func(w *wire, c command) {
		if c.Method == method {
			rest(w, c)
			return
		}
		usual(w, c)
	}
}

// Mocks go once the browser has confirmed that it holds no requests for them; what it
// still does afterwards is undone by the next try.
func TestARemovalThatFailsIsFinishedByTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent []string
		failing := "network.removeIntercept"
		tab, _ := begun(t, "chrome", func(w *wire, c command) {
			sent = append(sent, c.Method)
			if c.Method == failing {
				w.fail(c, "unknown error", "no")
				return
			}
			mockable(func(*wire, command) {})(w, c)
		})
		b := tab.b
		if _, err := b.AddMock(t.Context(), rule(t, "**", MockRule{Action: MockBlock})); err != nil {
			t.Fatal(err)
		}
		for i, next := range []string{"network.setCacheBehavior", ""} {
			_, err := b.ClearMocks(t.Context())
			if f := fault.From(err); len(b.Mocks()) != 1-i || f == nil || f.Effect == fault.None {
				t.Errorf("%s fails: %d mocks, %s", failing, len(b.Mocks()), explain(err))
			}
			failing = next
		}
		sent = nil
		if _, err := b.ClearMocks(t.Context()); err != nil {
			t.Errorf("the last try: %s", explain(err))
		}
		if all := strings.Join(sent, " "); !strings.Contains(all, "network.setCacheBehavior") {
			t.Errorf("the last try sent %s", all)
		}
		sent = nil
		if _, err := b.ClearMocks(t.Context()); err != nil || len(sent) > 0 {
			t.Errorf("once more: %v, sent %q", err, sent)
		}
	})
}

// No fault of a silent browser is made without saying what may have come of it.
func TestAVerdictOfACancelledCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tab, w := begun(t, "chrome", func(w *wire, c command) {})
		prompted(w, command{})
		synctest.Wait()
		ctx, stop := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, stop)
		_, _, err := tab.AnswerDialog(ctx, true, nil)
		if f := fault.From(err); !errors.Is(err, fault.Cancelled) || f.Effect != fault.Possible {
			t.Errorf("got %s (%s)", explain(err), f.Effect)
		}
	})
}
