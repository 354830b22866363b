package drive

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/launch"
)

// liveBrowser is a browser that the live tests share: starting one for each test
// would take most of their time.
type liveBrowser struct {
	once    sync.Once
	process *launch.Process
	b       *Browser
	dir     string // of downloads
	err     error
}

var live = map[string]*liveBrowser{
	"chrome":       {},
	"firefox":      {},
	"firefox-bare": {},
}

func (l *liveBrowser) start(name string) {
	dir, err := os.MkdirTemp("", "duet-downloads-")
	if err != nil {
		l.err = err
		return
	}
	l.dir = dir
	o := launch.Options{Browser: strings.TrimSuffix(name, "-bare"), DownloadDir: dir}
	if name == "firefox-bare" {
		o.Driver = launch.DriverNone
	}
	ctx, stop := context.WithTimeout(context.Background(), 60*time.Second)
	defer stop()
	if l.process, l.err = launch.Start(ctx, o); l.err != nil {
		return
	}
	e := l.process.Endpoint()
	wire, err := bidi.Dial(ctx, e.URL, bidi.DialOptions{})
	if err != nil {
		l.err = err
		return
	}
	l.b, l.err = New(ctx, wire, bidi.Options{}, Info{
		Browser: e.Browser, Version: e.Version, Driver: e.Driver, SessionExists: e.SessionExists,
		Capabilities: e.Capabilities, DownloadDir: dir,
	})
}

func closeLive() {
	for _, l := range live {
		if l.b != nil {
			_ = l.b.Close()
		}
		if l.process != nil {
			ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
			_ = l.process.Close(ctx)
			stop()
		}
		if l.dir != "" {
			_ = os.RemoveAll(l.dir)
		}
	}
}

// eachBrowser runs a test on every browser of this machine, each in a new tab on
// the pages given.
func eachBrowser(t *testing.T, pages http.Handler, test func(t *testing.T, tab *Tab, base string)) {
	t.Helper()
	if testing.Short() {
		t.Skip("live: skipped by -short")
	}
	for _, name := range []string{"chrome", "firefox", "firefox-bare"} {
		t.Run(name, func(t *testing.T) {
			b := liveOn(t, name)
			server := httptest.NewServer(pages)
			defer server.Close()
			ctx := deadline(t, 30*time.Second)
			tab, err := b.Open(ctx)
			if err != nil {
				t.Fatal(err)
			}
			test(t, tab, server.URL)
			for _, info := range b.Tabs() { // also the popups of the test
				if info.Tab < tab.Number() {
					continue
				}
				if _, err := b.CloseTab(deadline(t, 10*time.Second), info.Tab, true); err != nil {
					t.Errorf("close tab %d: %v", info.Tab, err)
				}
			}
		})
	}
}

// installed skips the test, loudly, where a browser or its driver is not there.
func installed(t testing.TB, name string) {
	t.Helper()
	family := strings.TrimSuffix(name, "-bare")
	found := false
	for _, c := range launch.Detect() {
		found = found || c.Browser == family || family == "chrome" && c.Browser == "chromium"
	}
	if !found {
		t.Skipf("LIVE TEST SKIPPED: no %s on this machine", family)
	}
	if _, err := exec.LookPath("geckodriver"); err != nil && name == "firefox" {
		t.Skip("LIVE TEST SKIPPED: no geckodriver on this machine")
	}
}

func liveOn(t testing.TB, name string) *Browser {
	t.Helper()
	installed(t, name)
	l := live[name]
	l.once.Do(func() { l.start(name) })
	if l.err != nil {
		t.Fatalf("start %s: %v: %v", name, l.err, fault.From(l.err).Err)
	}
	return l.b
}

func deadline(t testing.TB, d time.Duration) context.Context {
	ctx, stop := context.WithTimeout(context.Background(), d)
	t.Cleanup(stop)
	return ctx
}

// site serves pages by path.
type site map[string]string

func (s site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, ok := s[r.URL.Path]
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(body))
}
