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
