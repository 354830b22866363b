//go:build linux

package launch

import (
	"context"
	"testing"
	"time"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/env"
)

// firstPage dials a started browser, loads a page and returns the connection.
func firstPage(t *testing.T, p *Process) *bidi.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	e := p.Endpoint()
	wire, err := bidi.Dial(ctx, e.URL, bidi.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	c := bidi.NewConn(wire, bidi.Options{})
	t.Cleanup(func() { c.Close() })
	if !e.SessionExists {
		var want bidi.SessionCapabilitiesRequest
		if err := json.Unmarshal(e.Capabilities, &want); err != nil {
			t.Fatal(err)
		}
		if _, err := bidi.SessionNew.Call(ctx, c, bidi.SessionNewParameters{Capabilities: want}); err != nil {
			t.Fatal(err)
		}
	}
	tree, err := bidi.BrowsingContextGetTree.Call(ctx, c, bidi.BrowsingContextGetTreeParameters{})
	if err != nil {
		t.Fatal(err)
	}
	_, err = bidi.BrowsingContextNavigate.Call(ctx, c, bidi.BrowsingContextNavigateParameters{
		Context: tree.Contexts[0].Context, URL: "data:text/html,<h1>hello", Wait: "complete",
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A session that ends cleanly leaves a template, with a driver and without one,
// and the next start copies it.
func TestLiveTemplate(t *testing.T) {
	for _, w := range ways[1:] {
		t.Run(w.name, func(t *testing.T) {
			t.Setenv(env.CacheDir.Name, t.TempDir())
			began := time.Now()
			p := live(t, w.o)
			c := firstPage(t, p)
			fresh := time.Since(began)
			if p.WantsBrowserClose() != (w.name == "firefox") {
				t.Errorf("WantsBrowserClose = %v", p.WantsBrowserClose())
			}
			if p.WantsBrowserClose() {
				// The reply may be lost with the browser.
				_, _ = bidi.BrowserClose.Call(t.Context(), c, bidi.EmptyParams{})
				p.ExpectEnd()
			}
			if err := p.Close(t.Context()); err != nil || p.Err() != nil {
				t.Error(err, p.Err())
			}
			began = time.Now()
			p = live(t, w.o)
			if p.warm != nil {
				t.Error("the second start found no template")
			}
			firstPage(t, p)
			t.Logf("first page: %v fresh, %v from the template", fresh.Round(time.Millisecond), time.Since(began).Round(time.Millisecond))
		})
	}
}
