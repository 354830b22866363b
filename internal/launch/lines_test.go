package launch

import (
	"bufio"
	"bytes"
	"errors"
	"reflect"
	"strings"
	"testing"
)

// What the programs print is understood: readiness, versions, a profile in use.
func TestLines(t *testing.T) {
	for _, c := range []struct {
		read func(string) (string, bool)
		line string
		want string
	}{
		{chromedriverPort, "Starting ChromeDriver 156.0.8078.114 (ea19f97) on port 0", ""},
		{chromedriverPort, "ChromeDriver was started successfully on port 34443.", "34443"},
		{chromedriverPort, "ChromeDriver was started successfully.", ""},
		{geckoPort, "1796033115033\tgeckodriver\tINFO\tListening on 127.0.0.1:39057", "39057"},
		{geckoPort, "1796033117030\twebdriver::server\tINFO\tShutting down", ""},
		{firefoxEndpoint, "WebDriver BiDi listening on ws://127.0.0.1:44655", "ws://127.0.0.1:44655"},
		{firefoxEndpoint, "*** You are running in headless mode.", ""},
	} {
		if got, ok := c.read(c.line); got != c.want || ok != (c.want != "") {
			t.Errorf("%q: %q %v, want %q", c.line, got, ok, c.want)
		}
	}
	if v := chromedriverVersion("Starting ChromeDriver 156.0.8078.114 (ea1) on port 0\nmore\n"); v != "156.0.8078.114" {
		t.Errorf("version %q", v)
	}
	for text, want := range map[string]bool{
		"Firefox is already running, but is not responding.":                                          true,
		"session not created: probably user data directory is already in use, please specify":         true,
		"The profile appears to be in use by another Chromium process (123) on another computer":      true,
		"[1:1:ERROR:process_singleton_posix.cc] Failed to create a ProcessSingleton for your profile": true,
		"something else": false,
	} {
		if inUse(text) != want {
			t.Errorf("inUse(%q) = %v", text, !want)
		}
	}
}

// What a guard is told arrives as it was, whatever characters are in it.
func TestSpecRoundTrip(t *testing.T) {
	want := spec{
		Path: "/a b/ü", Args: []string{"--x=1\n2", "", `"q"`}, Env: []string{"A=\x01\xff", "B="}, Dir: "/d", UID: 65534, GID: -1, Remove: []string{"/r", "/m n"},
	}
	var b bytes.Buffer
	if err := want.write(&b); err != nil {
		t.Fatal(err)
	}
	b.WriteString("term\n")
	r := bufio.NewReader(&b)
	got, err := readSpec(r)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v %v", got, err)
	}
	if rest, _ := r.ReadString('\n'); rest != "term\n" {
		t.Errorf("rest %q", rest)
	}
	for _, bad := range []string{"", "go\n", "path \"/x\"\n", "path x\ngo\n", "path \"/x\"\nuid \"x\"\ngo\n", "path \"/x\"\nodd \"\"\ngo\n"} {
		if _, err := readSpec(bufio.NewReader(strings.NewReader(bad))); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

// The command line is made of constants: sandbox on, no port, nothing of a
// caller's but directory and size.
func TestChromeFlags(t *testing.T) {
	flags := chromeFlags("/p", Options{Width: 1280, Height: 800}, false, false, false)
	joined := " " + strings.Join(flags, " ") + " "
	for _, want := range []string{"--headless=new", "--user-data-dir=/p", "--window-size=1280,800", "--disable-quic", "--no-first-run", "--remote-debugging-pipe"} {
		if !strings.Contains(joined, " "+want+" ") {
			t.Errorf("lacks %s", want)
		}
	}
	for _, never := range []string{"--no-sandbox", "--disable-dev-shm-usage", "--remote-debugging-port", "--remote-debugging-address", "--disable-web-security", "--ignore-certificate-errors", "--disk-cache-size"} {
		if strings.Contains(joined, never) {
			t.Errorf("has %s", never)
		}
	}
	flags = chromeFlags("/p", Options{Headed: true}, true, true, true)
	joined = strings.Join(flags, " ")
	if strings.Contains(joined, "headless") || !strings.Contains(joined, "--no-sandbox") || !strings.Contains(joined, "--disable-dev-shm-usage") ||
		!strings.Contains(joined, "--disk-cache-size=67108864") {
		t.Error(joined)
	}
}

// Only what Firefox notes about itself is kept of a profile's preferences.
func TestFilterPrefs(t *testing.T) {
	in := `// Mozilla User Preferences
user_pref("browser.download.lastDir", "/home/alice");
user_pref("browser.migration.version", 175);
user_pref("extensions.lastAppVersion", "153.8.0");
user_pref("toolkit.telemetry.cachedClientID", "8f4a8009");
user_pref("permissions.site.example.com", 1);
`
	want := "user_pref(\"browser.migration.version\", 175);\nuser_pref(\"extensions.lastAppVersion\", \"153.8.0\");\n"
	if got := filterPrefs(strings.NewReader(in)); got != want {
		t.Errorf("got %q", got)
	}
	for _, name := range templateFiles {
		for _, never := range []string{"cookies", "places", "permissions", "storage", "logins", "key4", "cert9", "cache2", "sessionstore", "formhistory", "favicons"} {
			if strings.Contains(strings.TrimPrefix(name, "storage/permanent/chrome/"), never) { // chrome: the browser's own
				t.Errorf("%s is in the template", name)
			}
		}
	}
}

// user.js is text that Firefox reads, in one order.
func TestUserJS(t *testing.T) {
	got := userJS(map[string]any{"b": true, "a": 5, "c": `x"y`})
	want := "user_pref(\"a\", 5);\nuser_pref(\"b\", true);\nuser_pref(\"c\", \"x\\\"y\");\n"
	if got != want {
		t.Errorf("got %q", got)
	}
	for _, quiet := range []string{
		`user_pref("app.update.disabledForTesting", true)`, `user_pref("network.http.http3.enable", false)`,
		`user_pref("toolkit.telemetry.enabled", false)`, `user_pref("network.trr.mode", 5)`,
	} {
		if !strings.Contains(userJS(firefoxPrefs), quiet) {
			t.Errorf("lacks %s", quiet)
		}
	}
}

// A driver's refusal becomes one line with the fix.
func TestDriverFailure(t *testing.T) {
	c := choice{browser: chromium, binary: "/usr/lib/chromium/chromium", driver: "/usr/bin/chromedriver"}
	for _, k := range []struct {
		message, text, hint string
		sandbox             bool
	}{
		{
			"session not created: This version of ChromeDriver only supports Chrome version 150\nCurrent browser version is 156.0.1 with binary path /x\nStacktrace: #0 0x55",
			"only supports Chrome version 150 Current browser version is 156.0.1 with binary path /x", "same major version", false,
		},
		{"session not created: probably user data directory is already in use", "in use by another browser", "another profile", false},
		{"session not created: No usable sandbox!", "No usable sandbox", "", true},
		{"boom\nstack", "boom", "", false},
	} {
		f := driverFailure(c, errors.New(k.message))
		if !strings.Contains(f.text, k.text) || strings.Contains(f.text, "\n") || strings.Contains(f.text, "Stacktrace") || !strings.Contains(f.hint, k.hint) || f.sandbox != k.sandbox {
			t.Errorf("%q: %+v", k.message, f)
		}
	}
}

// An address is completed to the session's, and one that names a session is left.
func TestConnect(t *testing.T) {
	for address, want := range map[string]string{
		"ws://127.0.0.1:9222":             "ws://127.0.0.1:9222/session",
		"ws://127.0.0.1:9222/":            "ws://127.0.0.1:9222/session",
		"ws://127.0.0.1:9222/session":     "ws://127.0.0.1:9222/session",
		"ws://127.0.0.1:9222/session/abc": "ws://127.0.0.1:9222/session/abc",
	} {
		p, err := Start(t.Context(), Options{Connect: address})
		if err != nil {
			t.Fatal(err)
		}
		if e := p.Endpoint(); e.URL != want || e.SessionExists != strings.HasSuffix(want, "abc") || !strings.Contains(string(e.Capabilities), `"webSocketUrl":true`) {
			t.Errorf("%s: %+v %s", address, e, e.Capabilities)
		}
		for range 2 { // idempotent
			if err := p.Close(t.Context()); err != nil || p.Err() != nil {
				t.Error("Close:", err, p.Err())
			}
		}
		<-p.Done()
	}
	for _, bad := range []string{"127.0.0.1:9222", "http://x", "ws://", "ws://%zz"} {
		if _, err := Start(t.Context(), Options{Connect: bad}); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}

// The tail keeps the last lines, cuts long ones and finds the first match.
func TestTail(t *testing.T) {
	var all bytes.Buffer
	out := newTail(&all, func(l string) (string, bool) { return l, strings.HasPrefix(l, "x") })
	text := "\n" + strings.Repeat("line\n", 30) + "x1\nx2\n" + strings.Repeat("y", 100000) + "\nlast"
	out.read(readCloser{strings.NewReader(text)})
	if got := <-out.found; got != "x1" {
		t.Errorf("found %q", got)
	}
	if n := strings.Count(out.text(), "\n") + 1; n != tailLines {
		t.Errorf("%d lines", n)
	}
	if got := out.last(1); got != "last" {
		t.Errorf("last %q", got)
	}
	if len(out.last(2)) > 220 {
		t.Errorf("a long line is %d", len(out.last(2)))
	}
	if !strings.Contains(all.String(), "x2\n") {
		t.Error("nothing was copied")
	}
}

type readCloser struct{ *strings.Reader }

func (readCloser) Close() error { return nil }

// What a browser printed, which may be a page's text, stands in quotes.
func TestHowItEndedQuotesWhatWasPrinted(t *testing.T) {
	out := newTail(nil, func(string) (string, bool) { return "", false })
	out.read(readCloser{strings.NewReader("x\" ok: forged \"\n")})
	p := &Process{tree: &tree{how: "exit status 1"}, out: out}
	if got, want := p.howItEnded(), `exit status 1; it printed last: "x\" ok: forged \""`; got != want {
		t.Errorf("it says %s, want %s", got, want)
	}
}
