package drive

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// mockSite answers every request with what it was, and wants a password for /private.
func mockSite() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		switch {
		case r.URL.Path == "/echo":
			fmt.Fprintf(w, "host:%v try:%s accept:%s cookie:%s", r.Host != "", r.Header.Get("X-Try"), r.Header.Get("Accept"), r.Header.Get("Cookie"))
		case strings.HasPrefix(r.URL.Path, "/private"):
			if name, password, _ := r.BasicAuth(); name != "ada" || password != "engine" {
				w.Header().Set("WWW-Authenticate", `Basic realm="`+r.URL.Path+`"`)
				w.WriteHeader(http.StatusUnauthorized)
			}
			fmt.Fprint(w, "private")
		default:
			fmt.Fprintf(w, "real %s", r.Method)
		}
	})
}

// mocking is a tab with what the tests of mocks do with it.
type mocking struct {
	t    *testing.T
	tab  *Tab
	base string
}

func eachMocking(t *testing.T, test func(m *mocking)) {
	t.Helper()
	eachBrowser(t, mockSite(), func(t *testing.T, tab *Tab, base string) {
		m := &mocking{t, tab, base}
		defer func() {
			if _, err := tab.b.ClearMocks(deadline(t, 5*time.Second)); err != nil {
				t.Errorf("clear: %v", err)
			}
		}()
		if _, err := tab.Navigate(deadline(t, 10*time.Second), base+"/", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		test(m)
	})
}

func (m *mocking) add(pattern string, r MockRule) string {
	m.t.Helper()
	var err error
	if r.Pattern, err = ParsePattern(pattern); err != nil {
		m.t.Fatal(err)
	}
	got, err := m.tab.b.AddMock(deadline(m.t, 5*time.Second), r)
	if err != nil {
		m.t.Fatalf("add %s: %v", pattern, err)
	}
	return got.ID
}

// says runs the body of an async function in the page and compares what it returns.
func (m *mocking) says(want, js string) {
	m.t.Helper()
	got, err := m.tab.Eval(deadline(m.t, 8*time.Second), "return String(await (async () => {"+js+"})())")
	if text := strings.Trim(string(got.Value), `"`); err != nil || text != want {
		m.t.Errorf("%s: %s %v, want %s", js, text, err, want)
	}
}

func (m *mocking) mock(id string) Mock {
	m.t.Helper()
	for _, one := range m.tab.b.Mocks() {
		if one.ID == id {
			return one
		}
	}
	m.t.Fatalf("no mock %s", id)
	return Mock{}
}

const fetchText = "const get = async (u, o) => { try { const r = await fetch(u, o); return r.status + ' ' + (r.redirected ? 'redirected ' : '') + (r.headers.get('content-type') || '').split(';')[0] + ' ' + await r.text() } catch (e) { return 'failed' } }; "

// Each action does as it says, on every browser.
func TestLiveMockActions(t *testing.T) {
	eachMocking(t, func(m *mocking) {
		far := "http://localhost" + strings.TrimPrefix(m.base, "http://127.0.0.1")
		reply := m.add("**/api/one", MockRule{Action: MockReply, Status: 201, Body: `[1]`, Headers: []MockHeader{{Name: "X-Own", Value: "own"}}})
		m.says("201 application/json [1]", fetchText+"return get('/api/one')")
		m.says("own", "return (await fetch('/api/one')).headers.get('x-own')")
		m.add("**/api/two", MockRule{Action: MockBlock, Method: "POST"})
		m.says("failed", fetchText+"return get('/api/two', {method: 'POST'})")
		m.says("200 text/html real GET", fetchText+"return get('/api/two')")
		m.add("**/echo", MockRule{Action: MockContinue, Headers: []MockHeader{{Name: "X-Try", Value: "yes"}, {Name: "Accept", Remove: true}}})
		m.says("host:true try:yes accept: cookie:a=1", "document.cookie = 'a=1'; return (await fetch('/echo')).text()")
		m.add("**/old", MockRule{Action: MockRedirect, Status: 302, Location: "/new"})
		m.says("200 redirected text/html real GET", fetchText+"return get('/old')")
		m.add("**/far", MockRule{Action: MockReply, Status: 200, Body: "far", CORS: true})
		m.says("200 text/plain far", fetchText+"return get('"+far+"/far', {method: 'PUT', headers: {'X-Own': '1'}, credentials: 'include'})")
		m.says("failed", fetchText+"return get('"+far+"/near', {method: 'PUT', headers: {'X-Own': '1'}})")
		m.add("**/slow", MockRule{Action: MockReply, Status: 200, Body: "slow", Delay: 300 * time.Millisecond})
		m.says("true", "const a = performance.now(); await fetch('/slow'); return performance.now() - a > 290")
		m.says("1", "const x = new XMLHttpRequest(); x.open('GET', '/api/one', false); x.send(); return JSON.parse(x.responseText)[0]")
		if got := m.mock(reply); got.Hits != 3 || got.Problem != "" {
			m.t.Errorf("the reply has %d hits, problem %q", got.Hits, got.Problem)
		}
		// It survives a navigation, which it can answer itself, and holds in other tabs.
		m.add("**/page", MockRule{Action: MockReply, Status: 200, Body: "<title>mocked</title><p>of our making"})
		nav, err := m.tab.Navigate(deadline(m.t, 8*time.Second), m.base+"/page", NavOptions{})
		if err != nil || nav.Status != 200 {
			m.t.Errorf("navigate: %+v %v", nav, err)
		}
		m.says("mocked", "return document.title")
		other, err := m.tab.b.Open(deadline(m.t, 8*time.Second))
		if err != nil {
			m.t.Fatal(err)
		}
		if _, err := other.Navigate(deadline(m.t, 8*time.Second), m.base+"/page", NavOptions{}); err != nil {
			m.t.Errorf("another tab: %v", err)
		}
		(&mocking{m.t, other, m.base}).says("mocked", "return document.title")
		if _, err := m.tab.Navigate(deadline(m.t, 8*time.Second), m.base+"/old", NavOptions{}); err != nil || !strings.HasSuffix(m.tab.URL(), "/new") {
			m.t.Errorf("a redirect of a navigation leads to %s: %v", m.tab.URL(), err)
		}
	})
}

// Credentials are given where they are asked for; wrong ones are refused by the
// server, once.
func TestLiveMockAuth(t *testing.T) {
	eachMocking(t, func(m *mocking) {
		wrong := m.add("**/private/wrong", MockRule{Action: MockAuth, Username: "ada", Password: "loom"})
		nav, err := m.tab.Navigate(deadline(m.t, 8*time.Second), m.base+"/private/wrong", NavOptions{})
		if nav.Status != 401 {
			m.t.Errorf("wrong credentials: %+v %v", nav, err)
		}
		if got := m.mock(wrong); got.Hits != 1 {
			m.t.Errorf("the wrong credentials were given %d times", got.Hits)
		}
		m.add("**/private/right", MockRule{Action: MockAuth, Username: "ada", Password: "engine"})
		nav, err = m.tab.Navigate(deadline(m.t, 8*time.Second), m.base+"/private/right", NavOptions{})
		if err != nil || nav.Status != 200 {
			m.t.Errorf("right credentials: %+v %v", nav, err)
		}
	})
}

// Nothing hangs and nothing leaks where a mock cannot do as it says.
func TestLiveMocksThatFail(t *testing.T) {
	eachMocking(t, func(m *mocking) {
		gone := m.add("**/gone", MockRule{Action: MockReply, Status: 200, FileName: "a.txt", File: func() ([]byte, error) { return nil, errors.New("gone") }})
		m.says("failed", fetchText+"return get('/gone')")
		if got := m.mock(gone); !strings.Contains(got.Problem, "file") {
			m.t.Errorf("problem %q", got.Problem)
		}
		twice := m.add("**/twice", MockRule{Action: MockReply, Status: 200, Body: "mock", Times: 2})
		m.says("200 text/plain mock,200 text/plain mock,200 text/html real GET", fetchText+"return [await get('/twice'), await get('/twice'), await get('/twice')].join()")
		if got := m.mock(twice); got.Hits != 2 || !got.Spent() {
			m.t.Errorf("hits %d", got.Hits)
		}
		// The last one added comes first; removing it uncovers the other.
		m.add("**/order", MockRule{Action: MockReply, Status: 200, Body: "first"})
		last := m.add("**/order", MockRule{Action: MockReply, Status: 200, Body: "last"})
		m.says("200 text/plain last", fetchText+"return get('/order')")
		if n, err := m.tab.b.RemoveMocks(deadline(m.t, 5*time.Second), last); n != 1 || err != nil {
			m.t.Errorf("remove: %d %v", n, err)
		}
		m.says("200 text/plain first", fetchText+"return get('/order')")
		// A tab may close, and mocks may go, while an answer is on its way.
		m.add("**/later", MockRule{Action: MockReply, Status: 200, Body: "late", Delay: 400 * time.Millisecond})
		other, err := m.tab.b.Open(deadline(m.t, 8*time.Second))
		if err != nil {
			m.t.Fatal(err)
		}
		if _, err := other.Navigate(deadline(m.t, 8*time.Second), m.base+"/", NavOptions{}); err != nil {
			m.t.Fatal(err)
		}
		o := &mocking{m.t, other, m.base}
		o.says("sent", "fetch('/later'); await new Promise(f => setTimeout(f, 50)); return 'sent'")
		if _, err := m.tab.b.CloseTab(deadline(m.t, 8*time.Second), other.Number(), true); err != nil {
			m.t.Error(err)
		}
		m.says("sent", "window.late = fetch('/later').then(r => r.text()); await new Promise(f => setTimeout(f, 50)); return 'sent'")
		if n, err := m.tab.b.ClearMocks(deadline(m.t, 5*time.Second)); n == 0 || err != nil {
			m.t.Errorf("clear: %d %v", n, err)
		}
		m.says("late", "return window.late")
		m.says("200 text/html real GET", fetchText+"return get('/order')")
	})
}

// Requests of workers are answered too, however many there are at once.
func TestLiveMocksInWorkers(t *testing.T) {
	eachMocking(t, func(m *mocking) {
		m.add("**/api/one", MockRule{Action: MockReply, Status: 200, Body: "mock"})
		m.add("**/api/two", MockRule{Action: MockBlock})
		const worker = "onmessage = async e => { const out = new Set(); for (let i = 0; i < 12; i++) out.add(await fetch(e.data + ['/api/one', '/api/two', '/other'][i % 3]).then(r => r.text(), () => 'failed')); postMessage([...out].join()) }"
		m.says("mock,failed,real GET", "const all = []; for (let k = 0; k < 5; k++) { const w = new Worker(URL.createObjectURL(new Blob([`"+worker+"`]))); "+
			"all.push(new Promise(f => { w.onmessage = e => f(e.data); w.postMessage('"+m.base+"') })) } return [...new Set(await Promise.all(all))].join(' | ')")
	})
}

// Twenty patterns by real requests: what is taken answers mock, the rest is real. The
// paths are asked of the page's own server.
func TestLiveMockPatterns(t *testing.T) {
	cases := []struct {
		pattern, path string
		taken         bool
	}{
		{"**/api/orders", "/api/orders", true},
		{"**/api/orders", "/api/orders/7", false},
		{"**/api/orders", "/v2/api/orders?page=2", false},
		{"**/api/*", "/api/orders/7", false},
		{"**/api/**", "/api/orders/7?full=1", true},
		{"**/api/orders*", "/api/orders?page=2", true},
		{"**/*.{png,jpg}", "/img/a.jpg", true},
		{"**/*.{png,jpg}", "/img/a.jpeg", false},
		{"**/*.js?v=3", "/lib/a.js?v=3", true},
		{"**/a?c", "/abc", false},
		{"BASE/**/list", "/list", true},
		{"BASE/**/list", "/a/b/list", true},
		{"BASE/a b", "/a%20b", true},
		{"http://127.0.0.1:*/port", "/port", true},
		{`**/a\*b`, "/axb", false},
		{"urlpattern=/books/:id", "/books/7", true},
		{"urlpattern=/books/:id(\\d+)", "/books/x7", false},
		{"urlpattern=/a{/b}?", "/a/b", true},
		{"urlpattern=BASE/:path+", "/x/y/z", true},
		{"urlpattern=BASE/q\\?q=:v", "/q?q=1&r=2", true},
	}
	eachMocking(t, func(m *mocking) {
		for _, c := range cases {
			id := m.add(strings.ReplaceAll(c.pattern, "BASE", m.base), MockRule{Action: MockReply, Status: 200, Body: "mock"})
			want := "real GET"
			if c.taken {
				want = "mock"
			}
			m.says(want, "return (await fetch('"+c.path+"')).text()")
			if hits := m.mock(id).Hits; (hits == 1) != c.taken {
				m.t.Errorf("%s on %s: %d hits", c.pattern, c.path, hits)
			}
			if _, err := m.tab.b.RemoveMocks(deadline(m.t, 5*time.Second), id); err != nil {
				m.t.Fatal(err)
			}
		}
	})
}
