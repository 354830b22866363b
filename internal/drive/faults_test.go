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

// flows are verbs with the commands that each of them sends.
var flows = []struct {
	name    string
	methods []string
	do      func(ctx context.Context, t *Tab) error
}{
	{"navigate", []string{"browsingContext.navigate", "script.callFunction"}, func(ctx context.Context, t *Tab) error {
		_, err := t.Navigate(ctx, "http://x/", NavOptions{})
		return err
	}},
	{"reload", []string{"browsingContext.reload", "script.callFunction"}, func(ctx context.Context, t *Tab) error {
		_, err := t.Reload(ctx, NavOptions{})
		return err
	}},
	{"back", []string{"browsingContext.traverseHistory", "script.callFunction"}, func(ctx context.Context, t *Tab) error {
		_, err := t.Back(ctx, NavOptions{})
		return err
	}},
	{"press", []string{"input.performActions", "script.callFunction"}, func(ctx context.Context, t *Tab) error {
		_, err := t.perform(ctx, t.id, nil, settleWant{})
		return err
	}},
	{"read", []string{"script.callFunction"}, func(ctx context.Context, t *Tab) error {
		_, err := t.Tree(ctx, TreeOptions{})
		return err
	}},
	{"wait", []string{"script.callFunction"}, func(ctx context.Context, t *Tab) error {
		_, err := t.Wait(ctx, WaitSpec{Text: "x"})
		return err
	}},
	{"screenshot", []string{"browsingContext.captureScreenshot", "script.callFunction"}, func(ctx context.Context, t *Tab) error {
		_, err := t.Screenshot(ctx, Shot{})
		return err
	}},
	{"open", []string{"browsingContext.create"}, func(ctx context.Context, t *Tab) error {
		_, err := t.b.Open(ctx)
		return err
	}},
	{"close", []string{"browsingContext.create", "browsingContext.close"}, func(ctx context.Context, t *Tab) error {
		_, err := t.b.CloseTab(ctx, t.number, false)
		return err
	}},
}

// emptyMarks is what an empty page answers before it is drawn.
const emptyMarks = `{"doc":"d","readings":[{"masks":[],"frames":[],"marked":[],"dpr":1,"scroll":{"x":0,"y":0},"view":{"w":10,"h":10},"page":{"w":10,"h":10}}]}`

func TestEveryCommandThatFailsEndsInACodeAndInTime(t *testing.T) {
	answered := func(w *wire, c command) {
		switch c.Method {
		case "browsingContext.navigate", "browsingContext.reload":
			for _, e := range []string{"navigationStarted", "navigationCommitted", "domContentLoaded", "load"} {
				w.event("browsingContext."+e, `{"context":"t1","navigation":"n1","url":"http://x/","timestamp":1}`)
			}
			w.reply(c, `{"navigation":"n1","url":"http://x/"}`)
		case "browsingContext.create":
			w.event("browsingContext.contextCreated", `{"context":"t2","url":"about:blank","parent":null,"children":null,"originalOpener":null}`)
			w.reply(c, `{"context":"t2"}`)
		case "browsingContext.close":
			w.event("browsingContext.contextDestroyed", `{"context":"t1","url":"about:blank","parent":null,"children":null}`)
			w.reply(c, `{}`)
		case "script.callFunction":
			if strings.Contains(string(c.Params), "shot_marks(lib") {
				w.doc(c, emptyMarks)
				return
			}
			w.doc(c, emptyDoc)
		default:
			w.reply(c, `{}`)
		}
	}
	for _, browser := range []string{"chrome", "firefox"} {
		for _, f := range flows {
			for _, method := range f.methods {
				for _, how := range []string{"unknown error", "no such frame", "silence", "loss"} {
					t.Run(browser+"/"+f.name+"/"+method+"/"+how, func(t *testing.T) {
						synctest.Test(t, func(t *testing.T) {
							tab, _ := begun(t, browser, func(w *wire, c command) {
								switch {
								case c.Method == "browsingContext.getTree":
									w.reply(c, `{"contexts":[]}`)
								case c.Method != method:
									answered(w, c)
								case how == "loss":
									_ = w.Close()
								case how != "silence":
									w.fail(c, how, "injected")
								}
							})
							ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
							defer stop()
							start := time.Now()
							err := f.do(ctx, tab)
							var got *fault.Fault
							switch {
							case err == nil:
								t.Errorf("it failed and no error came")
							case !errors.As(err, &got):
								t.Errorf("no fault: %v", err)
							case got.Code == fault.Internal:
								t.Errorf("INTERNAL: %v", err)
							case how == "loss" && got.Code != fault.BrowserLost:
								t.Errorf("%s: %v, want BROWSER_LOST", got.Code, err)
							case how == "silence" && got.Code != fault.Timeout:
								t.Errorf("%s: %v, want TIMEOUT", got.Code, err)
							case f.name == "read" && got.Effect != fault.None && got.Effect != "":
								t.Errorf("reading with effect %s", got.Effect)
							}
							if took := time.Since(start); took > 3*time.Second {
								t.Errorf("it took %v", took)
							}
						})
					})
				}
			}
		}
	}
}
