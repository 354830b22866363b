//go:build linux

package browsers

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// filesSite serves the suite's pages and a file to save.
func filesSite(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/report.txt" {
			w.Header().Set("Content-Disposition", "attachment; filename=report.txt")
			fmt.Fprint(w, "line one\nline two\n")
			return
		}
		http.ServeFile(w, r, filepath.Join("pages", filepath.Base(r.URL.Path)))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

var savedAt = regexp.MustCompile(`download: "report[^"]*" complete (.+) \(18 bytes, text/plain\)`)

// A file that a page makes the browser save lies where the answer says, for the
// user to read, and is an artifact; a second one of its name does not replace it.
func TestDownload(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": filesSite(t) + "/files.html"})
		seen := map[string]bool{}
		for range 2 {
			text := c.ok("browser_click", map[string]any{"selector": "#save"})
			m := savedAt.FindStringSubmatch(text)
			if m == nil {
				t.Fatalf("no finished download in:\n%s", text)
			}
			m[1] = strings.Trim(m[1], `"`) // a path with a space stands in quotes
			body, err := os.ReadFile(m[1])
			if err != nil || string(body) != "line one\nline two\n" {
				t.Errorf("%s: %q, %v", m[1], body, err)
			}
			if info, err := os.Stat(m[1]); err == nil && os.Getuid() == 0 && info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v", m[1], info.Mode())
			}
			if seen[m[1]] {
				t.Errorf("%s is there twice", m[1])
			}
			seen[m[1]] = true
			if text := c.ok("browser_read", map[string]any{"artifact": m[1]}); !strings.Contains(text, "line two") {
				t.Errorf("as an artifact: %s", text)
			}
		}
		for path := range seen { // an artifact is uploaded by its name
			c.ok("browser_upload", map[string]any{"selector": "#file", "files": []string{filepath.Base(path)}})
			if text := c.ok("browser_wait", map[string]any{"target": "text*=line two"}); text == "" {
				t.Error("the page did not read what it was given")
			}
			break
		}
	})
}

// A download whose connection breaks off is told as one that came to nothing, and
// leaves no file.
func TestBrokenDownload(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/cut" {
			fmt.Fprint(w, "<!doctype html><title>t</title><a id=a href=cut>get</a>")
			return
		}
		w.Header().Set("Content-Disposition", "attachment; filename=cut.bin")
		w.Header().Set("Content-Length", "100000")
		fmt.Fprint(w, "the beginning")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(site.Close)
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": site.URL})
		if text := c.ok("browser_click", map[string]any{"selector": "#a"}); !strings.Contains(text, `download: "cut.bin" canceled`) || strings.Contains(text, "bytes") {
			t.Errorf("told as %s", text)
		}
	})
}

// A file that only the user can read can be uploaded, and its name is its own.
func TestUploadPrivateFile(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "secret plan.txt"), []byte("of the user alone"), 0o600); err != nil {
			t.Fatal(err)
		}
		c := serve(t, s, "--upload-root", dir)
		c.ok("browser_navigate", map[string]any{"url": filesSite(t) + "/files.html"})
		text := c.ok("browser_upload", map[string]any{"selector": "#file", "files": []string{filepath.Join(dir, "secret plan.txt")}})
		c.ok("browser_wait", map[string]any{"target": "text*=of the user alone"})
		if strings.Contains(text, dir) {
			t.Errorf("the answer shows where the file lies: %s", text)
		}
		if text := c.ok("browser_read", map[string]any{"selector": "#out"}); !strings.Contains(text, "secret plan.txt: of the user alone") {
			t.Errorf("the page read %s", text)
		}
	})
}

// A session starts from a state file: cookies and storage are there before the
// first script of a page runs, and no page of the origin was asked for before.
func TestStartFromState(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		asked := 0
		base := filesSite(t)
		port := base[strings.LastIndexByte(base, ':'):]
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked++ }))
		defer other.Close()
		file := filepath.Join(t.TempDir(), "state.json")
		state := fmt.Sprintf(`{"cookies":[
			{"name":"sid","value":"open-sesame","domain":"127.0.0.1","path":"/","expires":-1,"httpOnly":false,"secure":false,"sameSite":"Lax"},
			{"name":"whole","value":"1","domain":".app.localhost","path":"/","expires":1999999999,"httpOnly":false,"secure":false,"sameSite":"Lax"},
			{"name":"own","value":"1","domain":"app.localhost","path":"/","expires":-1,"httpOnly":false,"secure":false,"sameSite":"Lax"}],
			"origins":[{"origin":%q,"localStorage":[{"name":"token","value":"from </script> the file"}]},
			{"origin":%q,"localStorage":[{"name":"k","value":"v"}]}]}`, base, other.URL)
		if err := os.WriteFile(file, []byte(state), 0o600); err != nil {
			t.Fatal(err)
		}
		c := serve(t, s, "--state", file)
		text := c.ok("browser_navigate", map[string]any{"url": base + "/state.html"})
		for _, want := range []string{"token=from </script> the file;", "cookies=sid=open-sesame;"} {
			if !strings.Contains(text, want) {
				t.Errorf("no %s in:\n%s", want, text)
			}
		}
		// What a page changes afterwards stays changed: the file counts at the start alone.
		c.ok("browser_click", map[string]any{"selector": "#change"})
		if text := c.ok("browser_navigate", map[string]any{"action": "reload"}); !strings.Contains(text, "token=changed;") {
			t.Errorf("after a change and a reload:\n%s", text)
		}
		for host, want := range map[string]string{"app.localhost": "own=1, whole=1", "sub.app.localhost": "whole=1"} {
			text := c.ok("browser_navigate", map[string]any{"url": "http://" + host + port + "/state.html"})
			if !strings.Contains(text, "cookies="+want+";") {
				t.Errorf("%s: not the cookies %s in:\n%s", host, want, text)
			}
		}
		if text := c.ok("browser_page", map[string]any{"action": "list"}); strings.Contains(text, "tab 2") || strings.Contains(text, `"tab":2`) {
			t.Errorf("more than one tab: %s", text)
		}
		if asked > 0 {
			t.Errorf("restoring asked the origin %d times", asked)
		}
		bad := filepath.Join(t.TempDir(), "bad.json")
		if err := os.WriteFile(bad, []byte(`{"cookies":[{"name":"sid","value":"open-sesame"}]}`), 0o600); err != nil {
			t.Fatal(err)
		}
		r := serve(t, s, "--state", bad).call("browser_navigate", map[string]any{"url": base + "/state.html"})
		if r.code() != "STATE_INVALID" || !strings.Contains(r.Text, "cookies[0].domain") || strings.Contains(r.Text, "sesame") {
			t.Errorf("a wrong file: %s", r.Text)
		}
	})
}

// A link that saves what it leads to is told with its file, each time: the browser
// tells of it only once it has begun, and of the same address twice in the same words.
func TestDownloadLinksAreWaitedFor(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/notes.txt" {
				w.Header().Set("Content-Type", "text/plain")
				fmt.Fprint(w, "notes\n")
				return
			}
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, `<!doctype html><title>D</title><a id=http href=/notes.txt download>A</a> <a id=data href="data:text/plain,notes%0A" download=notes.txt>B</a>
				<button id=script onclick="document.getElementById('http').click()">C</button>
				<a id=not href=/notes.txt download onclick="event.preventDefault()">D</a>`)
		}))
		defer server.Close()
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": server.URL})
		for i := range 6 { // of more in a burst Chrome saves none
			id := []string{"#http", "#data", "#script"}[i%3]
			if text := c.ok("browser_click", map[string]any{"selector": id}); strings.Count(text, `download: "notes`) != 1 || !strings.Contains(text, "complete") {
				t.Errorf("%s, click %d:\n%s", id, i+1, text)
			}
		}
		if text := c.ok("browser_click", map[string]any{"selector": "#not"}); strings.Contains(text, "download") {
			t.Errorf("what was prevented:\n%s", text)
		}
	})
}
