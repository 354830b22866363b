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

// silences are verbs, the command of theirs that is never answered (the nth of its
// method, from 0), and what is known of the effect then: nothing that has left is told
// as never done.
var silences = []struct {
	name   string
	silent string
	nth    int
	phase  fault.Phase
	effect fault.Effect
	do     func(ctx context.Context, t *Tab) error
}{
	{"dialog", "browsingContext.handleUserPrompt", 0, fault.InEffect, fault.Possible, func(ctx context.Context, t *Tab) error {
		_, _, err := t.AnswerDialog(ctx, true, nil)
		return err
	}},
	{"open", "browsingContext.create", 0, fault.InEffect, fault.Possible, func(ctx context.Context, t *Tab) error {
		_, err := t.b.Open(ctx)
		return err
	}},
	{"open, no event", "contextCreated", 0, fault.Observation, fault.Confirmed, func(ctx context.Context, t *Tab) error {
		_, err := t.b.Open(ctx)
		return err
	}},
	{"close", "browsingContext.close", 0, fault.InEffect, fault.Possible, func(ctx context.Context, t *Tab) error {
		_, err := t.b.CloseTab(ctx, t.number, false)
		return err
	}},
	{"close, no event", "contextDestroyed", 0, fault.Observation, fault.Confirmed, func(ctx context.Context, t *Tab) error {
		_, err := t.b.CloseTab(ctx, t.number, false)
		return err
	}},
	{"close, the new one", "browsingContext.create", 0, fault.InEffect, fault.Possible, func(ctx context.Context, t *Tab) error {
		_, err := t.b.CloseTab(ctx, t.number, false)
		return err
	}},
	{"close, its dialog", "browsingContext.handleUserPrompt", 0, fault.InEffect, fault.Possible, func(ctx context.Context, t *Tab) error {
		_, err := t.b.CloseTab(ctx, t.number, true)
		return err
	}},
	{"navigate", "browsingContext.navigate", 0, fault.InEffect, fault.Possible, func(ctx context.Context, t *Tab) error {
		_, err := t.Navigate(ctx, "http://x/", NavOptions{})
		return err
	}},
	{"navigate, its dialog", "browsingContext.handleUserPrompt", 0, fault.InEffect, fault.Possible, func(ctx context.Context, t *Tab) error {
		t.dialog("beforeunload")
		_, err := t.Navigate(ctx, "http://x/", NavOptions{Leave: true})
		return err
	}},
	{"back", "browsingContext.traverseHistory", 0, fault.InEffect, fault.Possible, func(ctx context.Context, t *Tab) error {
		_, err := t.Back(ctx, NavOptions{})
		return err
	}},
	{"back, the document", "walk", 0, fault.Observation, fault.Confirmed, func(ctx context.Context, t *Tab) error {
		_, err := t.Back(ctx, NavOptions{})
		return err
	}},
	{"keys", "input.performActions", 0, fault.InEffect, fault.Possible, func(ctx context.Context, t *Tab) error {
		_, err := t.Press(ctx, "a")
		return err
	}},
	{"keys, the page", "script.callFunction", 1, fault.Observation, fault.Confirmed, func(ctx context.Context, t *Tab) error {
		_, err := t.Press(ctx, "a") // the first asks for the focus
		return err
	}},
	{"select", "browsingContext.activate", 0, fault.InEffect, fault.Possible, func(ctx context.Context, t *Tab) error {
		t.b.mu.Lock()
		t.b.front = nil
		t.b.mu.Unlock()
		_, err := t.b.Select(ctx, t.number)
		return err
	}},
	{"script", "script.evaluate", 0, fault.InEffect, fault.Possible, func(ctx context.Context, t *Tab) error {
		_, err := t.Eval(ctx, "1")
		return err
	}},
	{"emulate", "emulation.setTimezoneOverride", 0, fault.InEffect, fault.Possible, func(ctx context.Context, t *Tab) error {
		e, err := ParseEmulation([]string{"timezone=Europe/Berlin"})
		if err != nil {
			return err
		}
		_, err = t.Emulate(ctx, e)
		return err
	}},
	{"load: reading", "storage.getCookies", 0, fault.BeforeEffect, fault.None, load(cookieState)},
	{"load: a cookie", "storage.setCookie", 0, fault.InEffect, fault.Possible, load(cookieState)},
	{"load: the second cookie", "storage.setCookie", 1, fault.InEffect, fault.Partial, load(cookieState)},
	{"load: the cookies before", "storage.deleteCookies", 0, fault.InEffect, fault.Partial, load(cookieState)},
	{"load: a tab", "browsingContext.create", 0, fault.InEffect, fault.Possible, load(originState)},
	{"load: its page", "browsingContext.navigate", 0, fault.InEffect, fault.Possible, load(originState)},
	{"load: the storage", "script.callFunction", 0, fault.InEffect, fault.Possible, load(originState)},
	{"save", "storage.getCookies", 0, fault.BeforeEffect, fault.None, func(ctx context.Context, t *Tab) error {
		_, _, err := t.b.SaveState(ctx)
		return err
	}},
	{"map", "script.callFunction", 0, fault.BeforeEffect, fault.None, func(ctx context.Context, t *Tab) error {
		_, err := t.Tree(ctx, TreeOptions{})
		return err
	}},
	{"log", "script.callFunction", 0, fault.BeforeEffect, fault.None, func(ctx context.Context, t *Tab) error { return t.Sync(ctx) }},
	{"pdf", "browsingContext.print", 0, fault.BeforeEffect, fault.None, func(ctx context.Context, t *Tab) error {
		_, err := t.PDF(ctx, Print{})
		return err
	}},
	{"screenshot", "browsingContext.captureScreenshot", 0, fault.BeforeEffect, fault.None, func(ctx context.Context, t *Tab) error {
		_, err := t.Screenshot(ctx, Shot{})
		return err
	}},
}

const (
	cookieState = `{"cookies":[{"name":"a","value":"1","domain":"x","path":"/"},{"name":"b","value":"2","domain":"x","path":"/"}],"origins":[]}`
	originState = `{"cookies":[],"origins":[{"origin":"http://x","localStorage":[{"name":"a","value":"1"}]}]}`
)

func load(text string) func(context.Context, *Tab) error {
	return func(ctx context.Context, t *Tab) error {
		s, err := ParseState([]byte(text))
		if err != nil {
			return err
		}
		_, err = t.b.LoadState(ctx, s)
		return err
	}
}

// dialog opens one, as an event would.
func (t *Tab) dialog(kind string) {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	t.b.seq++
	t.b.dialogs[t.id] = &Dialog{Type: kind, Message: "Sure?", Tab: t.number, seq: t.b.seq}
}

func TestWhatHadNoAnswerSaysWhatIsKnownOfItsEffect(t *testing.T) {
	for _, c := range silences {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				met := 0
				silent := func(what string) bool {
					if what != c.silent {
						return false
					}
					met++
					return met > c.nth // a question that is put again gets none either
				}
				tab, _ := begun(t, "chrome", func(w *wire, q command) {
					fn, _ := asked(q)
					if silent(q.Method) || fn == "walk" && silent("walk") {
						return
					}
					switch q.Method {
					case "browsingContext.getTree":
						w.reply(q, `{"contexts":[]}`)
					case "browsingContext.create":
						if !silent("contextCreated") {
							w.event("browsingContext.contextCreated", `{"context":"t2","url":"about:blank","parent":null,"children":null,"originalOpener":null}`)
						}
						w.reply(q, `{"context":"t2"}`)
					case "browsingContext.close":
						if !silent("contextDestroyed") {
							w.event("browsingContext.contextDestroyed", `{"context":"t1","url":"about:blank","parent":null,"children":null}`)
						}
						w.reply(q, `{}`)
					case "browsingContext.navigate":
						w.reply(q, `{"navigation":"n1","url":"http://x/"}`)
					case "storage.getCookies":
						w.reply(q, `{"cookies":[{"name":"old","value":{"type":"string","value":"v"},"domain":"x","path":"/","size":4,"httpOnly":false,"secure":false,"sameSite":"lax"}],"partitionKey":{}}`)
					case "storage.setCookie", "storage.deleteCookies":
						w.reply(q, `{"partitionKey":{}}`)
					case "network.addIntercept":
						w.reply(q, `{"intercept":"i2"}`)
					case "script.callFunction":
						if strings.Contains(string(q.Params), "shot_marks(lib") {
							w.doc(q, emptyMarks)
							return
						}
						w.doc(q, emptyDoc)
					default:
						w.reply(q, `{}`)
					}
				})
				if c.silent == "browsingContext.handleUserPrompt" && c.name != "navigate, its dialog" {
					tab.dialog("confirm")
				}
				ctx, stop := context.WithTimeout(t.Context(), 1900*time.Millisecond)
				defer stop()
				err := c.do(ctx, tab)
				var f *fault.Fault
				switch {
				case !errors.As(err, &f):
					t.Fatalf("no fault: %v", err)
				case f.Code != fault.Timeout && f.Code != fault.DialogOpen:
					t.Errorf("%s: %s", f.Code, f.Message)
				case f.Phase != c.phase || f.Effect != c.effect:
					t.Errorf("phase %s, effect %s, want %s and %s: %s", f.Phase, f.Effect, c.phase, c.effect, f.Message)
				case f.Retryable() != (c.effect == fault.None):
					t.Errorf("retryable: %t with effect %s", f.Retryable(), f.Effect)
				}
				if met <= c.nth {
					t.Error("the command that was to be silent was never sent")
				}
			})
		})
	}
}
