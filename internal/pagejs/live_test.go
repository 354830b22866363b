package pagejs_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/launch"
	"duet/internal/pagejs"
)

// A live test runs on each of these, and skips loudly where one is missing.
var browsers = []string{"chrome", "firefox"}

func onEach(t *testing.T, fn func(t *testing.T, p *page)) {
	for _, name := range browsers {
		t.Run(name, func(t *testing.T) { fn(t, open(t, name)) })
	}
}

// page is one tab of a real browser.
type page struct {
	t       testing.TB
	ctx     context.Context
	browser string
	conn    *bidi.Conn
	tab     bidi.Context
}

func open(t testing.TB, name string) *page {
	t.Helper()
	if testing.Short() {
		t.Skip("LIVE SKIPPED: -short")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	t.Cleanup(cancel)
	if !slices.ContainsFunc(launch.Detect(), func(c launch.Candidate) bool {
		return c.Browser == name || name == "chrome" && c.Browser == "chromium"
	}) {
		t.Skipf("LIVE SKIPPED: %s is not installed", name)
	}
	proc, err := launch.Start(ctx, launch.Options{Browser: name})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { proc.Close(context.Background()) })
	end := proc.Endpoint()
	tr, err := bidi.Dial(ctx, end.URL, bidi.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	p := &page{t: t, ctx: ctx, browser: name, conn: bidi.NewConn(tr, bidi.Options{})}
	t.Cleanup(func() { p.conn.Close() })
	if !end.SessionExists {
		var want bidi.SessionCapabilitiesRequest
		if err := json.Unmarshal(end.Capabilities, &want); err != nil {
			t.Fatal(err)
		}
		if _, err := bidi.SessionNew.Call(ctx, p.conn, bidi.SessionNewParameters{Capabilities: want}); err != nil {
			t.Fatal(err)
		}
	}
	p.tab = p.frames()[0].Context
	return p
}

// frames lists the tab and, in its Children, its frames.
func (p *page) frames() []bidi.BrowsingContextInfo {
	p.t.Helper()
	tree, err := bidi.BrowsingContextGetTree.Call(p.ctx, p.conn, bidi.BrowsingContextGetTreeParameters{})
	if err != nil {
		p.t.Fatal(err)
	}
	return tree.Contexts
}

func (p *page) load(url string) {
	p.t.Helper()
	_, err := bidi.BrowsingContextNavigate.Call(p.ctx, p.conn, bidi.BrowsingContextNavigateParameters{
		Context: p.tab, URL: url, Wait: bidi.BrowsingContextReadinessStateComplete,
	})
	if err != nil {
		p.t.Fatalf("%s: %v", url, err)
	}
}

// raw sends a text and returns the remote value.
func (p *page) raw(frame bidi.Context, text string, args ...string) bidi.ScriptRemoteValue {
	p.t.Helper()
	params := bidi.ScriptCallFunctionParameters{
		FunctionDeclaration: text,
		AwaitPromise:        true,
		Target:              bidi.ScriptContextTarget{Context: frame, Sandbox: pagejs.Sandbox},
		Arguments:           []bidi.ScriptLocalValue{},
	}
	for _, a := range args {
		params.Arguments = append(params.Arguments, bidi.StringValue(a))
	}
	out, err := bidi.ScriptCallFunction.Call(p.ctx, p.conn, params)
	// Between two documents Chrome knows no realm for a moment.
	for tries := 0; err != nil && strings.Contains(err.Error(), "Cannot find context") && tries < 100; tries++ {
		<-time.After(10 * time.Millisecond)
		out, err = bidi.ScriptCallFunction.Call(p.ctx, p.conn, params)
	}
	if err != nil {
		p.t.Fatal(err)
	}
	if out.ExceptionDetails != nil {
		p.t.Fatalf("threw: %s", out.ExceptionDetails.Text)
	}
	return out.Result
}

// text is raw with First on "no lib", for an answer that is JSON.
func text[A, R any](p *page, frame bidi.Context, fn pagejs.Fn[A, R], args A) string {
	p.t.Helper()
	s, ok := p.raw(frame, fn.Source(), fn.Args(args)).AsString()
	if ok {
		if _, err := fn.Decode(s); errors.Is(err, pagejs.ErrNoLib) {
			s, ok = p.raw(frame, fn.First(), fn.Args(args)).AsString()
		}
	}
	if !ok {
		p.t.Fatalf("%v answered no text", fn)
	}
	return s
}

func call[A, R any](p *page, frame bidi.Context, fn pagejs.Fn[A, R], args A) R {
	p.t.Helper()
	r, err := fn.Decode(text(p, frame, fn, args))
	if err != nil {
		p.t.Fatal(err)
	}
	return r
}

// probe loads testdata/NAME.js.
func probe[A, R any](t testing.TB, name string) pagejs.Fn[A, R] {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", name+".js"))
	if err != nil {
		t.Fatal(err)
	}
	return pagejs.Probe[A, R](name, string(body))
}

// serve serves a folder; the second address is the same server under another site.
func serve(t testing.TB, dir string) (main, other string) {
	t.Helper()
	fs := http.FileServer(http.Dir(dir))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/resources/"), strings.HasPrefix(r.URL.Path, "/wai-aria/scripts/"):
			w.Header().Set("Content-Type", "text/javascript")
		case strings.HasSuffix(r.URL.Path, ".html"):
			b, err := os.ReadFile(filepath.Join(dir, filepath.Clean(r.URL.Path)))
			if err != nil {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.Write(bytes.ReplaceAll(b, []byte("{{ALT}}"), []byte("http://localhost:"+port(r.Host)+"/")))
		default:
			fs.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL + "/", "http://localhost:" + port(strings.TrimPrefix(s.URL, "http://")) + "/"
}

func port(host string) string {
	_, p, err := net.SplitHostPort(host)
	if err != nil {
		return ""
	}
	return p
}
