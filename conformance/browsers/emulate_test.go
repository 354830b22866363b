//go:build linux

package browsers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// told is what a page says that it is told.
const told = `[navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, innerWidth, innerHeight, devicePixelRatio, navigator.userAgent.includes('iPhone'),
	matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('(prefers-reduced-motion: reduce)').matches].join()`

// What flags and environment choose is told to the first page and to later tabs; a
// proxy is gone through; a certificate that nobody trusts is opened on request alone.
func TestChosenAtTheStart(t *testing.T) {
	proxied := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<title>t</title><h1>%s by proxy, %s</h1>", r.Host, r.Header.Get("X-Test"))
	}))
	t.Cleanup(proxied.Close)
	secure := httptest.NewTLSServer(proxied.Config.Handler)
	t.Cleanup(secure.Close)
	each(t, func(t *testing.T, s setup) {
		c := serveWith(t, s, []string{"DUET_EMULATE=locale=de-DE\ntimezone=Europe/Berlin\nheader=X-Test: from the start"},
			"--device", "iPhone 15", "--emulate", "color_scheme=dark", "--emulate", "reduced_motion=reduce", "--proxy", strings.TrimPrefix(proxied.URL, "http://"), "--insecure-certs")
		text := c.ok("browser_navigate", map[string]any{"url": "http://proxied.test/"})
		if !strings.Contains(text, "proxied.test by proxy, from the start") {
			t.Errorf("through the proxy came %s", text)
		}
		for range 2 {
			text := c.ok("browser_advanced_eval", map[string]any{"js": told})
			if !strings.Contains(text, "de-DE,Europe/Berlin,393,852,3,true,true,true") {
				t.Errorf("the page is told %s", text)
			}
			c.ok("browser_page", map[string]any{"action": "open", "url": "http://proxied.test/two"})
		}
		if text := c.ok("browser_navigate", map[string]any{"url": secure.URL}); !strings.Contains(text, "by proxy") {
			t.Errorf("the page without a trusted certificate is %s", text)
		}
		strict := serve(t, s)
		if r := strict.call("browser_navigate", map[string]any{"url": secure.URL}); r.code() != "NAVIGATION_FAILED" || !strings.Contains(r.Text, "certificate") {
			t.Errorf("without the flag: %s", r.Text)
		}
	})
}

// A page is printed to a file of the session, with as many pages as the answer says.
func TestPrintToFile(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": "data:text/html,<title>t</title><p style='break-after:page'>1<p>2"})
		text := c.ok("browser_page", map[string]any{"action": "pdf", "set": []string{"landscape=true"}, "timeout_ms": 20000})
		_, rest, _ := strings.Cut(text, `"path":"`)
		path, _, _ := strings.Cut(rest, `"`)
		body, err := os.ReadFile(path)
		if err != nil || !strings.HasPrefix(string(body), "%PDF-") || !strings.Contains(text, `"pages":2`) {
			t.Errorf("%s: %v", text, err)
		}
	})
}

// A device has a touch screen where the browser can give one; a size that follows it
// gives back what it set besides; nothing named tells what is set and changes nothing.
func TestWhatIsSetIsToldAndGivenBack(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		chrome := s.name == "chrome"
		touch := map[bool]string{true: "on", false: "off"}[chrome]
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": "data:text/html,<title>t</title><p>x"})
		page := func(pairs ...any) string { return c.ok("browser_page", arg(pairs...)) }
		has := func(text string, words ...string) {
			t.Helper()
			for _, w := range words {
				if !strings.Contains(text, w) {
					t.Errorf("no %s in %s", w, text)
				}
			}
		}
		touched := func() string {
			c.ok("browser_navigate", map[string]any{"action": "reload"})
			return c.ok("browser_advanced_eval", map[string]any{"js": "['ontouchstart' in window, navigator.maxTouchPoints > 0].join()"})
		}
		has(page("action", "viewport"), `"viewport":"1280x800"`, `"dpr":"1"`)
		has(page("action", "viewport", "target", "iPhone 15"), `"viewport":"393x852"`, `"dpr":"3"`, "iPhone", `"touch":"`+touch)
		has(touched(), map[bool]string{true: "true,true", false: "false,false"}[chrome])
		has(page("action", "emulate"), `"viewport":"393x852"`, `"dpr":"3"`, "iPhone", `"touch":"`+touch)
		after := page("action", "viewport", "target", "800x600")
		has(after, `"viewport":"800x600"`, `"dpr":"1"`, `"user_agent"`)
		if strings.Contains(after, "iPhone") {
			t.Errorf("a size leaves the device's name: %s", after)
		}
		has(touched(), "false,false")
		page("action", "emulate", "set", []string{"locale=de-DE", "dpr=2", "header=X-Test: one"})
		has(page("action", "viewport", "target", "640x480"), `"viewport":"640x480"`)
		has(page("action", "viewport"), `"viewport":"640x480"`, `"dpr":"2"`) // what was set by itself stays
		has(page("action", "emulate"), `"locale":"de-DE"`, `"header":"X-Test"`)
		has(page("action", "viewport", "target", "reset"), `"viewport":"1280x800"`, `"dpr":"1"`)
		r := c.call("browser_page", map[string]any{"action": "emulate", "set": []string{"touch=on"}})
		switch {
		case chrome && r.IsError:
			t.Errorf("touch: %s", r.Text)
		case !chrome && (r.code() != "UNSUPPORTED" || !strings.Contains(strings.ToLower(r.Text), "firefox")):
			t.Errorf("touch: %s", r.Text)
		}
	})
}
