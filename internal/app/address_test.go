package app

import (
	"os"
	"path/filepath"
	"testing"

	"duet/dispatch"
	"duet/tools"
)

// A person may leave the scheme out; what is no host is left alone.
func TestAddressesWithoutAScheme(t *testing.T) {
	for typed, want := range map[string]string{
		"example.com":           "https://example.com",
		"example.com:8443/a?b":  "https://example.com:8443/a?b",
		"bücher.example#x":      "https://bücher.example#x",
		"localhost":             "http://localhost",
		"localhost:8977":        "http://localhost:8977",
		"127.0.0.1:8977/x":      "http://127.0.0.1:8977/x",
		"[::1]:80/":             "http://[::1]:80/",
		"192.168.0.7":           "https://192.168.0.7",
		"http://example.com":    "http://example.com",
		"about:blank":           "about:blank",
		"data:text/html,<p>a.b": "data:text/html,<p>a.b",
		"javascript:alert(1)":   "javascript:alert(1)",
		"file:///etc/hosts":     "file:///etc/hosts",
		"mailto:a@b.example":    "mailto:a@b.example",
		"//example.com":         "//example.com",
		"word":                  "word",
		"2":                     "2",
		"tab 2":                 "tab 2",
		"":                      "",
	} {
		if got := whole(typed); got != want {
			t.Errorf("whole(%q) = %q, want %q", typed, got, want)
		}
	}
}

// Addresses are completed where one is opened, and nowhere else.
func TestWhereAddressesAreCompleted(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"open", "example.com"}, `{"url":"https://example.com"}`},
		{[]string{"page", "open", "localhost:1/"}, `{"action":"open","target":"http://localhost:1/"}`},
		{[]string{"page", "open", "--url", "example.com"}, `{"action":"open","url":"https://example.com"}`},
		{[]string{"page", "select", "2"}, `{"action":"select","target":"2"}`},
		{[]string{"wait", "example.com", "--kind", "url"}, `{"target":"example.com","kind":"url"}`},
		{[]string{"fill", "#a", "example.com"}, `{"selector":"#a","value":"example.com"}`},
	} {
		if _, _, got, err := wired(newGrammar(tools.All()), c.args, ""); err != nil || string(got.args) != c.want {
			t.Errorf("%q: %s %v, want %s", c.args, got.args, err, c.want)
		}
	}
}

// A file is opened by its path, and a page in the working directory by its name.
func TestAFileIsAnAddress(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"page.html", "a b#1.svg", "example.com", "notes.txt"} {
		writeFile(t, filepath.Join(dir, name), "x")
	}
	if err := os.Mkdir("example.org", 0o700); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "example.org", "index.html"), "x")
	root := "file://" + filepath.ToSlash(dir) + "/"
	for in, want := range map[string]string{
		"page.html": root + "page.html", "./page.html": root + "page.html", dir + "/page.html": root + "page.html", "a b#1.svg": root + "a%20b%231.svg", "./notes.txt": root + "notes.txt",
		"example.org/index.html": "https://example.org/index.html", "./example.org/index.html": root + "example.org/index.html",
		"example.com": "https://example.com", "other.html": "https://other.html", "./other.html": "./other.html", "notes.txt": "https://notes.txt", ".": ".", "//host/page.html": "//host/page.html",
	} {
		if got := whole(in); got != want {
			t.Errorf("%s is completed to %s, want %s", in, got, want)
		}
	}
}

// A caller who needs closed shadow roots is not given a browser that leaves them
// alone; who does not ask takes either.
func TestClosedRootsAreAgreedOn(t *testing.T) {
	m := newMember("default", settings{}, nil, nil, nil)
	if no := m.agree(settings{Pierce: true}); no != nil || !m.settings.Pierce {
		t.Errorf("before a browser runs: %+v %v", m.settings, no)
	}
	if no := m.agree(settings{}); no != nil || !m.settings.Pierce {
		t.Errorf("who does not ask: %+v %v", m.settings, no)
	}
}

// Who ends the browser is done with what it was given, unless a client is connected
// that said once what it needs.
func TestQuitForgetsHowTheBrowserWasStarted(t *testing.T) {
	t.Setenv("DUET_ARTIFACTS_DIR", t.TempDir())
	given := settings{Browser: "firefox", State: "gone", Pierce: true}
	quit := func(m *member) {
		t.Helper()
		if r := catalogOf(m, tools.All(), rules{}).Do(t.Context(), dispatch.Request{Tool: "quit", Args: []byte(`{}`)}); r.Code != "" || r.ArgError != nil {
			t.Fatalf("%+v", r)
		}
	}
	m := newMember("default", given, nil, nil, nil)
	m.proven, m.failed = given, true
	stays := settings{Browser: "firefox", State: "gone"} // by a client that said it once, or that waits for its call
	m.keep(&stays)
	m.keep(&settings{}) // by one that named nothing
	quit(m)
	if m.settings != stays || m.failed {
		t.Errorf("what is named still is lost, or what no longer is stays: %+v", m.settings)
	}
	m.drop(&stays)
	quit(m)
	if m.settings != (settings{}) || m.proven != (settings{}) || m.failed {
		t.Errorf("it stays: %+v", m)
	}
}

// What a caller named is kept in mind from the moment that it joins until it leaves.
func TestWhatACallerNamedIsKeptInMind(t *testing.T) {
	t.Setenv("DUET_ARTIFACTS_DIR", t.TempDir())
	s := &sessions{open: map[string]*member{}}
	first, waits, other := opening{Session: "a"}, opening{Session: "a", settings: settings{Proxy: "p:1"}}, opening{Session: "a", settings: settings{Headed: true}}
	for _, o := range []*opening{&first, &waits, &other} {
		if _, no, err := s.join(o); no != nil || err != nil {
			t.Fatal(no, err)
		}
	}
	m := s.open["a"]
	s.leave(m, &other)
	m.forget()
	if m.settings != waits.settings {
		t.Errorf("%+v", m.settings)
	}
}

// A start that failed leaves nothing that the next caller would have to undo.
func TestAFailedStartBindsNobody(t *testing.T) {
	m := &member{session: newMember("default", settings{}, nil, nil, nil).session, proven: settings{Headed: true}}
	m.settings = settings{Browser: "firefox", Connect: "ws://127.0.0.1:1", State: "gone"}
	if no := m.agree(settings{}); no != nil || m.settings.Browser != "firefox" {
		t.Errorf("nothing has failed yet: %+v %v", m.settings, no)
	}
	m.failed = true
	if no := m.agree(settings{Profile: "p"}); no != nil || m.settings != (settings{Headed: true, Profile: "p"}) || m.failed {
		t.Errorf("%+v %v", m.settings, no)
	}
	// And the daemon notices the failure itself.
	t.Setenv("DUET_ARTIFACTS_DIR", t.TempDir())
	m = newMember("default", settings{State: t.TempDir() + "/absent.json"}, nil, nil, nil)
	r := catalogOf(m, tools.All(), rules{}).Do(t.Context(), dispatch.Request{Tool: "browser_navigate", Args: []byte(`{"url":"about:blank"}`)})
	if r.Code == "" || !m.failed {
		t.Fatalf("%s %v", r.Text, m.failed)
	}
	if no := m.agree(settings{}); no != nil || m.settings != (settings{}) {
		t.Errorf("it stays: %+v", m.settings)
	}
}
