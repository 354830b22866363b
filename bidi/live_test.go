package bidi_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"slices"
	"sync"
	"testing"
	"time"

	"duet/bidi"
	"duet/internal/fakebrowser"
	"duet/internal/launch"
	"duet/internal/wirelog"

	"github.com/goccy/go-json"
)

// The client speaks with real browsers, every event decodes, and what was logged is
// played back to the same client byte for byte.
func TestLive(t *testing.T) {
	for _, o := range []launch.Options{
		{Browser: "chromium"},
		{Browser: "firefox", Driver: "none"},
	} {
		t.Run(o.Browser, func(t *testing.T) {
			if testing.Short() {
				t.Skip("LIVE SKIPPED: -short")
			}
			ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
			defer cancel()
			if !slices.ContainsFunc(launch.Detect(), func(c launch.Candidate) bool { return c.Browser == o.Browser && (c.Driver != "" || o.Driver == "none") }) {
				t.Skipf("LIVE SKIPPED: no %s on this machine", o.Browser)
			}
			browser, err := launch.Start(ctx, o)
			if err != nil {
				t.Fatal(err)
			}
			defer browser.Close(context.WithoutCancel(ctx))
			transport, err := bidi.Dial(ctx, browser.Endpoint().URL, bidi.DialOptions{})
			if err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			log := wirelog.NewWriter(&text)
			tour(t, ctx, transport, log, browser.Endpoint())
			if t.Failed() {
				return
			}
			t.Run("replayed", func(t *testing.T) {
				tour(t, ctx, fakebrowser.Play(t, text.Bytes(), fakebrowser.Options{}), nil, browser.Endpoint())
			})
		})
	}
}

// tour does one thing with each of the modules that every browser has.
func tour(t *testing.T, ctx context.Context, transport bidi.Transport, log *wirelog.Writer, at launch.Endpoint) {
	t.Helper()
	types := map[string]reflect.Type{}
	for _, m := range bidi.Methods() {
		if m.Event {
			types[m.Name] = m.Params
		}
	}
	var mu sync.Mutex
	seen := map[string]int{}
	c := bidi.NewConn(transport, bidi.Options{Log: log, Sink: func(e bidi.Event) {
		mu.Lock()
		defer mu.Unlock()
		seen[e.Method]++
		if params := types[e.Method]; params == nil {
			t.Errorf("event %s is not declared", e.Method)
		} else if err := json.Unmarshal(e.Params, reflect.New(params).Interface()); err != nil {
			t.Errorf("event %s: %v in %s", e.Method, err, e.Params)
		}
	}})
	defer c.Close()
	if !at.SessionExists {
		var capabilities bidi.SessionCapabilitiesRequest
		must(t, json.Unmarshal(at.Capabilities, &capabilities))
		session := call(t, ctx, c, bidi.SessionNew, bidi.SessionNewParameters{Capabilities: capabilities})
		if session.Capabilities.BrowserName == "" || len(session.Capabilities.Extra) == 0 {
			t.Errorf("session = %+v", session)
		}
	}
	call(t, ctx, c, bidi.SessionSubscribe, bidi.SessionSubscribeParameters{Events: []string{"browsingContext", "log", "network", "script", "input"}})
	tab := call(t, ctx, c, bidi.BrowsingContextCreate, bidi.BrowsingContextCreateParameters{Type: bidi.BrowsingContextCreateTypeTab}).Context
	call(t, ctx, c, bidi.BrowsingContextSetViewport, bidi.BrowsingContextSetViewportParameters{Context: tab, Viewport: bidi.Some(bidi.BrowsingContextViewport{Width: 640, Height: 480})})
	call(t, ctx, c, bidi.BrowsingContextNavigate, bidi.BrowsingContextNavigateParameters{
		Context: tab, URL: "data:text/html,<input autofocus><script>console.log('hello', {a: 1})</script>", Wait: bidi.BrowsingContextReadinessStateComplete,
	})
	nodes := call(t, ctx, c, bidi.BrowsingContextLocateNodes, bidi.BrowsingContextLocateNodesParameters{Context: tab, Locator: bidi.BrowsingContextCssLocator{Value: "input"}}).Nodes
	if len(nodes) != 1 || nodes[0].Value.LocalName != "input" {
		t.Fatalf("nodes = %+v", nodes)
	}
	input := bidi.ScriptSharedReference{SharedID: nodes[0].SharedID}
	call(t, ctx, c, bidi.InputPerformActions, bidi.InputPerformActionsParameters{Context: tab, Actions: []bidi.InputSourceActions{
		bidi.InputPointerSourceActions{ID: "mouse", Actions: []bidi.InputPointerSourceAction{
			bidi.InputPointerMoveAction{Origin: bidi.InputElementOrigin{Element: input}}, bidi.InputPointerDownAction{}, bidi.InputPointerUpAction{},
		}},
	}})
	call(t, ctx, c, bidi.InputPerformActions, bidi.InputPerformActionsParameters{Context: tab, Actions: []bidi.InputSourceActions{
		bidi.InputKeySourceActions{ID: "keys", Actions: []bidi.InputKeySourceAction{bidi.InputKeyDownAction{Value: "x"}, bidi.InputKeyUpAction{Value: "x"}}},
	}})
	target := bidi.ScriptContextTarget{Context: tab, Sandbox: "duet"}
	value := call(t, ctx, c, bidi.ScriptCallFunction, bidi.ScriptCallFunctionParameters{
		FunctionDeclaration: "(node, more) => node.value + more.list[1]", Target: target,
		Arguments: []bidi.ScriptLocalValue{input, bidi.ObjectValue(bidi.Pair{Name: "list", Value: bidi.ArrayValue(bidi.NullValue(), bidi.StringValue("<y>"))})},
	})
	if got, ok := value.Result.AsString(); !ok || got != "x<y>" {
		t.Errorf("value = %+v", value)
	}
	thrown := call(t, ctx, c, bidi.ScriptEvaluate, bidi.ScriptEvaluateParameters{Expression: "throw new Error('no')", Target: target})
	if thrown.Type != "exception" || thrown.ExceptionDetails.Text == "" {
		t.Errorf("thrown = %+v", thrown)
	}
	picture := call(t, ctx, c, bidi.BrowsingContextCaptureScreenshot, bidi.BrowsingContextCaptureScreenshotParameters{Context: tab}).Data
	if !bytes.HasPrefix(picture, []byte("\x89PNG")) {
		t.Errorf("the picture begins with %q", picture[:min(8, len(picture))])
	}
	call(t, ctx, c, bidi.StorageGetCookies, bidi.StorageGetCookiesParameters{})
	_, err := bidi.BrowsingContextNavigate.Call(ctx, c, bidi.BrowsingContextNavigateParameters{Context: "nowhere", URL: "about:blank"})
	if bidi.CodeOf(err) != bidi.CodeNoSuchFrame {
		t.Errorf("navigate nowhere = %v", err)
	}
	busy(t, ctx, c, target)
	call(t, ctx, c, bidi.BrowsingContextClose, bidi.BrowsingContextCloseParameters{Context: tab})
	mu.Lock()
	defer mu.Unlock()
	for _, name := range []string{"browsingContext.load", "log.entryAdded", "script.realmCreated", "browsingContext.contextDestroyed"} {
		if seen[name] == 0 {
			t.Errorf("no event %s in %v", name, seen)
		}
	}
}

// busy keeps a page at work: the driver is alive all the same.
func busy(t *testing.T, ctx context.Context, c *bidi.Conn, target bidi.ScriptTarget) {
	t.Helper()
	work := bidi.ScriptEvaluate.Send(c, bidi.ScriptEvaluateParameters{Expression: "{ const end = Date.now() + 300; while (Date.now() < end); 'done' }", Target: target})
	if err := c.Alive(ctx); err != nil {
		t.Errorf("Alive with a busy page = %v", err)
	}
	short, cancel := context.WithCancelCause(ctx)
	cancel(errLate)
	if _, err := work.Wait(short); err != nil && !errors.Is(err, errLate) {
		t.Errorf("work = %v", err)
	}
}

func call[P, R any](t *testing.T, ctx context.Context, c *bidi.Conn, m bidi.Command[P, R], p P) R {
	t.Helper()
	result, err := m.Call(ctx, c, p)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
