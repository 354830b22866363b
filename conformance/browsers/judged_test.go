package browsers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A page with a frame of a file that the caller may not open is printed no more than it
// is read, and nothing is set for it; what leads away from it is done.
func TestPageNotForTheCallerIsNotPrinted(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		dir := t.TempDir()
		allowed := filepath.Join(dir, "allowed")
		if err := os.Mkdir(allowed, 0o755); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"allowed/a.html": `<!doctype html><title>a</title><iframe src="../other.html"></iframe>`, "other.html": `<!doctype html><title>o</title>another one's`} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for d := dir; d != os.TempDir() && d != "/"; d = filepath.Dir(d) {
			if err := os.Chmod(d, 0o755); err != nil { // the browser may run as another user
				t.Fatal(err)
			}
		}
		c := serve(t, s, "--allow-file", allowed)
		c.ok("browser_navigate", map[string]any{"url": "file://" + filepath.Join(allowed, "a.html")})
		for _, args := range []map[string]any{{"action": "pdf"}, {"action": "viewport", "target": "500x400"}, {"action": "emulate"}} {
			if r := c.call("browser_page", args); r.code() != "URL_BLOCKED" {
				t.Errorf("%v: %s", args, r.Text)
			}
		}
		if r := c.call("browser_screenshot", nil); r.code() != "URL_BLOCKED" {
			t.Errorf("screenshot: %s", r.Text)
		}
		c.ok("browser_page", map[string]any{"action": "list"})
		c.ok("browser_page", map[string]any{"action": "open"})
	})
}

// An attribute that is an address shows no more of it than the map does.
func TestAttributesHideWhatTheMapHides(t *testing.T) {
	site := onePage(t, `<!doctype html><title>t</title><a id=a href="/x?token=CANARY">a</a><a id=b href="/p;jsessionid=CANARY?x=1">b</a><a id=c href="http://bob:CANARY@127.0.0.1/">c</a>`+
		`<a id=d href="/x#access_token=CANARY">d</a><a id=e href="/x?next=%2Fx%3Ftoken%3DCANARY">e</a><a id=f href='/x?d={"token":"CANARY"}'>f</a><a id=g href="/x?X-Amz-Signature=CANARY">g</a>`+
		`<script>console.log(JSON.stringify({password:'CANARY'}));console.log('Authorization: Bearer CANARY');console.log({password:'CANARY'})</script>`)
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		shown := c.ok("browser_navigate", map[string]any{"url": site.URL}) + c.ok("browser_snapshot", nil) + c.ok("browser_logs", nil)
		for _, id := range []string{"a", "b", "c", "d", "e", "f", "g"} {
			text := c.ok("browser_read", map[string]any{"selector": "#" + id, "field": "attr", "name": "href"})
			if !strings.Contains(text, "•••") {
				t.Errorf("%s: %s", id, text)
			}
			shown += text
		}
		if strings.Contains(shown, "CANARY") {
			t.Error(shown)
		}
	})
}
