package drive

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"duet/bidi"
	"duet/internal/launch"
)

// signIn is a site whose page signs in by a cookie and three storages, with a frame of
// another site that keeps a partitioned cookie and storages of its own.
func signIn(w http.ResponseWriter, r *http.Request) {
	other := "http://localhost:" + r.Host[strings.LastIndexByte(r.Host, ':')+1:]
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	cookies := []string{}
	for _, c := range r.Cookies() {
		cookies = append(cookies, c.Name)
	}
	told := `<script>const told = [...document.querySelectorAll('meta')].map(m => m.content);
const say = async (name) => { const found = [localStorage.token === 'l-canary-Zoë😀' && 'local', sessionStorage.token === 's-canary' && 'session'];
  const dbs = await indexedDB.databases(); if (dbs.length) { const db = await new Promise((a, b) => { const r = indexedDB.open('auth'); r.onsuccess = () => a(r.result); r.onerror = () => b(r.error) });
    const t = db.transaction(['kv', 'rows']); const get = (r) => new Promise((a) => { r.onsuccess = () => a(r.result) });
    const v = await get(t.objectStore('kv').get(['token', 1])); const rows = await get(t.objectStore('rows').index('by').getAll('x'));
    if (v && v.at instanceof Date && v.secret === 'i-canary' && v.map.get(1).has(2) && v.bytes[2] === 3 && rows.length === 1) found.push('database'); db.close() }
  document.title = name + ' ' + told.concat(found.filter(Boolean)).join() };
</script>`
	write := `<script>localStorage.token = 'l-canary-Zoë😀'; sessionStorage.token = 's-canary';
const make = () => new Promise((done) => { const r = indexedDB.open('auth', 3); r.onupgradeneeded = () => { r.result.createObjectStore('kv');
  r.result.createObjectStore('rows', { keyPath: 'id', autoIncrement: true }).createIndex('by', 'kind', { unique: false }) };
  r.onsuccess = () => { const t = r.result.transaction(['kv', 'rows'], 'readwrite');
    t.objectStore('kv').put({ at: new Date(5), secret: 'i-canary', map: new Map([[1, new Set([2])]]), bytes: new Uint8Array([1, 2, 3]), n: null, u: undefined, big: 10n, r: /x/g }, ['token', 1]);
    t.objectStore('rows').put({ kind: 'x', id: 7 }); t.oncomplete = () => { r.result.close(); done() } } }); </script>`
	for _, c := range cookies {
		told = `<meta content="` + c + `">` + told
	}
	switch r.URL.Path {
	case "/login":
		w.Header().Add("Set-Cookie", "sid=c-canary; Path=/; HttpOnly")
		w.Header().Add("Set-Cookie", "long=c-canary; Path=/; Max-Age=86400; SameSite=Strict")
		_, _ = w.Write([]byte(told + write + `<script>make().then(() => { document.title = 'ready' })</script><iframe src="` + other + `/inner"></iframe>`))
	case "/inner":
		w.Header().Add("Set-Cookie", "part=p-canary; Path=/; Secure; SameSite=None; Partitioned")
		_, _ = w.Write([]byte(told + write + `<script>make()</script>`))
	case "/home":
		_, _ = w.Write([]byte(told + `<iframe src="` + other + `/inside"></iframe><script>say('home')</script>`))
	case "/inside":
		_, _ = w.Write([]byte(told + `<script>say('inside').then(() => parent.postMessage(document.title, '*'))</script>`))
	case "/away":
		_, _ = w.Write([]byte("<title>away</title>"))
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// fresh starts a browser of its own.
func fresh(t *testing.T, name string, state *SavedState) *Browser {
	t.Helper()
	if testing.Short() {
		t.Skip("live: skipped by -short")
	}
	o := launch.Options{Browser: strings.TrimSuffix(name, "-bare")}
	if name == "firefox-bare" {
		o.Driver = launch.DriverNone
	}
	installed(t, name)
	ctx := deadline(t, 60*time.Second)
	p, err := launch.Start(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, stop := context.WithTimeout(context.Background(), 20*time.Second)
		defer stop()
		_ = p.Close(ctx)
	})
	e := p.Endpoint()
	wire, err := bidi.Dial(ctx, e.URL, bidi.DialOptions{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(ctx, wire, bidi.Options{}, Info{Browser: e.Browser, SessionExists: e.SessionExists, Capabilities: e.Capabilities, State: state})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// open goes to an address and returns the title that its page comes to.
func openTo(t *testing.T, b *Browser, address, title string) string {
	t.Helper()
	ctx := deadline(t, 20*time.Second)
	tab, err := b.Tab(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tab.Navigate(ctx, address, NavOptions{}); err != nil {
		t.Fatal(err)
	}
	var all string
	for range 50 {
		all = titles(t, b, tab)
		if strings.Contains(all, title) || !pause(ctx, 50*time.Millisecond) {
			break
		}
	}
	return all
}

func titles(t *testing.T, b *Browser, tab *Tab) string {
	t.Helper()
	b.mu.Lock()
	contexts := b.orderLocked(tab.id, nil)
	b.mu.Unlock()
	var all []string
	for _, c := range contexts {
		out, err := bidi.ScriptEvaluate.Call(deadline(t, 5*time.Second), b.conn, bidi.ScriptEvaluateParameters{Expression: "document.title", Target: bidi.ScriptContextTarget{Context: c}})
		if err != nil {
			continue
		}
		s, _ := out.Result.AsString()
		all = append(all, s)
	}
	return strings.Join(all, " | ")
}

func withoutSessions(t *testing.T, text []byte) []byte {
	t.Helper()
	s, err := ParseState(text)
	if err != nil {
		t.Fatal(err)
	}
	for i := range s.origins {
		s.origins[i].session = nil
	}
	if text, err = s.JSON(); err != nil {
		t.Fatal(err)
	}
	return text
}

// A login is saved whole and restored whole: into a new browser, and into one that
// runs; of pages and of frames; open or left.
func TestStateRoundTrip(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(signIn))
	defer server.Close()
	away := strings.Replace(server.URL, "127.0.0.1", "localhost", 1) + "/away"
	for _, name := range []string{"chrome", "firefox", "firefox-bare"} {
		t.Run(name, func(t *testing.T) {
			b := fresh(t, name, nil)
			if got := openTo(t, b, server.URL+"/login", "ready"); !strings.Contains(got, "ready") {
				t.Fatalf("login: %s", got)
			}
			pause(t.Context(), 300*time.Millisecond) // the frame's database
			save := func(what string) []byte {
				begin := time.Now()
				s, n, err := b.SaveState(deadline(t, 20*time.Second))
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				text, err := s.JSON()
				if err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				t.Logf("%s: %+v, %v", what, n, time.Since(begin))
				if n := b.Tabs(); len(n) != 1 {
					t.Errorf("%s: tabs %v", what, n)
				}
				return text
			}
			open := save("open")
			if got := openTo(t, b, away, "away"); !strings.Contains(got, "away") {
				t.Fatalf("away: %s", got)
			}
			left := save("left")
			if b.quirks.SessionCopiesOwnOnly { // what a tab has left cannot be read there
				if !bytes.Equal(withoutSessions(t, open), left) {
					t.Errorf("saved while open:\n%s\nsaved when left:\n%s", open, left)
				}
				left = open
			}
			if !bytes.Equal(open, left) {
				t.Errorf("saved while open:\n%s\nsaved when left:\n%s", open, left)
			}
			state, err := ParseState(left)
			if err != nil {
				t.Fatal(err)
			}
			check := func(what string, b *Browser) {
				t.Helper()
				got := openTo(t, b, server.URL+"/home", "inside")
				for _, want := range []string{"sid", "long", "local", "session", "database", "inside part", "inside part,local"} {
					if !strings.Contains(got, want) {
						t.Errorf("%s: %s, want %s", what, got, want)
					}
				}
				t.Logf("%s: %s", what, got)
			}
			check("at start", fresh(t, name, state))
			c := fresh(t, name, nil)
			n, err := c.LoadState(deadline(t, 20*time.Second), state)
			t.Logf("loaded %+v %v", n, err)
			if err != nil || n.Tab == 0 || len(c.Tabs()) != 2 {
				t.Fatalf("%+v, %v, %v", n, err, c.Tabs())
			}
			check("loaded", c)
			// Again, over what is there and open.
			if n, err = c.LoadState(deadline(t, 20*time.Second), state); err != nil {
				t.Fatalf("%+v, %v", n, err)
			}
			check("loaded again", c)
			again, _, err := c.SaveState(deadline(t, 20*time.Second))
			if err != nil {
				t.Fatal(err)
			}
			text, err := again.JSON()
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(text, left) {
				t.Errorf("saved again:\n%s\nwas:\n%s", text, left)
			}
		})
	}
}
