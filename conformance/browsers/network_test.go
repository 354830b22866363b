//go:build linux

package browsers

import (
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	json "github.com/goccy/go-json"

	"duet/internal/env"
)

// canaries are what no output and no file may hold. What another tool writes is
// covered by calling it in useEverything.
var canaries = []string{
	"canary-typed", "canary-authorization", "canary-cookie", "canary-set-cookie", "canary-api-key", "canary-query", "canary-json", "canary-form", "canary-answer",
}

// kept is in a body under a name that gives nothing away.
const kept = "kept-in-the-body"

// secretive serves a page that sends secrets in every way, redirects, fails, and
// answers from the cache and compressed.
func secretive(t *testing.T) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<!doctype html><title>Secretive</title><link rel=icon href="data:,">
<label>Password <input type=password id=pw></label><button id=go>Send</button><output id=out>-</output><script>
const get = (url, o) => fetch(url, o).then(r => r.text(), () => '')
document.getElementById('go').onclick = async () => {
  const part = 'canary' + '-'
  console.log('it is ' + document.getElementById('pw').value)
  setTimeout(() => { throw new Error('it is ' + document.getElementById('pw').value) })
  document.cookie = 'sid=' + part + 'cookie'
  await get('/moved?token=' + part + 'query')
  await get('/post', {method: 'POST', headers: {'content-type': 'application/json', authorization: 'Bearer ' + part + 'authorization', 'x-api-key': part + 'api-key'},
    body: JSON.stringify({user: 'al', note: 'kept-in-the-body', password: part + 'json'})})
  await get('/post', {method: 'POST', body: new URLSearchParams({note: 'kept-in-the-body', password: part + 'form'})})
  await get('/gz'); await get('/cached'); await get('/cached'); await get('/drop'); await get('data:text/plain,hello')
  document.getElementById('out').textContent = 'sent'
}
</script>`)
	})
	mux.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/target?"+r.URL.RawQuery, http.StatusFound)
	})
	mux.HandleFunc("/target", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "target") })
	mux.HandleFunc("/post", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "s2=canary-set-cookie; Path=/")
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"access_token":"canary-answer","note":"kept-in-the-body"}`)
	})
	mux.HandleFunc("/gz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, strings.Repeat("x", 20000))
		_ = z.Close()
	})
	mux.HandleFunc("/cached", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Cache-Control", "max-age=600")
		_, _ = io.WriteString(w, "cached")
	})
	mux.HandleFunc("/drop", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server.URL
}

// Secrets stand in no answer, no file and not in the protocol log; a saved body keeps
// what its names did not give away, and the HAR is one that public readers take.
func TestNoSecretOfARequestIsShown(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		dir := t.TempDir()
		wire := filepath.Join(dir, "wire.log")
		c := serveWith(t, s, []string{"DUET_WIRELOG=" + wire, "DUET_ARTIFACTS_DIR=" + dir})
		var told strings.Builder
		call := func(tool string, pairs ...any) result {
			t.Helper()
			r := c.call(tool, arg(pairs...))
			if r.IsError || r.Error != nil {
				t.Errorf("%s %v: %s %v", tool, pairs, r.Text, r.Error)
			}
			told.WriteString(r.Text + "\n" + string(r.Structured) + "\n")
			return r
		}
		call("browser_logs", "action", "capture")
		call("browser_navigate", "url", secretive(t)+"/")
		call("browser_fill", "selector", "#pw", "value", "canary-typed")
		call("browser_click", "selector", "#go")
		call("browser_wait", "kind", "text", "target", "sent")
		call("browser_snapshot")
		call("browser_logs")
		call("browser_logs", "kind", "error")
		list := call("browser_logs", "action", "requests", "limit", 100)
		var rows struct {
			Result struct {
				Requests []struct {
					Request int    `json:"request"`
					Method  string `json:"method"`
				} `json:"requests"`
			} `json:"result"`
		}
		_ = json.Unmarshal(list.Structured, &rows)
		posted := 0
		for _, row := range rows.Result.Requests {
			if row.Method == "POST" {
				posted++
				if text := call("browser_logs", "action", "requests", "request", row.Request, "bodies", true).Text; !strings.Contains(text, "did not give away is kept") {
					t.Errorf("it does not say what is kept: %s", text)
				}
			}
		}
		if posted != 2 {
			t.Errorf("%d requests were posted, want 2: %s", posted, list.Text)
		}
		har := call("browser_logs", "action", "har", "bodies", true)
		bodies := 0
		files := []string{wire}
		_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() {
				files = append(files, path)
				if strings.Contains(path, "-body.") {
					bodies++
				}
			}
			return nil
		})
		everything := map[string]string{"an answer": told.String(), "stderr": c.stderr.String()}
		for _, path := range files {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			everything[filepath.Base(path)] = string(text)
			if strings.HasSuffix(path, "-body.json") && !strings.Contains(string(text), kept) {
				t.Errorf("%s lost what its name did not give away: %s", path, text)
			}
		}
		if bodies < 4 {
			t.Errorf("%d bodies were saved of 4", bodies)
		}
		for name, text := range everything {
			for _, canary := range canaries {
				if at := strings.Index(text, canary); at >= 0 {
					t.Errorf("%s holds %s: …%.200s", name, canary, text[max(0, at-120):])
				}
			}
		}
		var written struct {
			Result struct {
				Path    string `json:"path"`
				Entries int    `json:"entries"`
			} `json:"result"`
		}
		if err := json.Unmarshal(har.Structured, &written); err != nil || written.Result.Entries < 10 {
			t.Fatalf("the HAR: %v %s", err, har.Text)
		}
		readable(t, written.Result.Path)
	})
}

// readable checks a HAR by the public schema of such files.
func readable(t *testing.T, path string) {
	t.Helper()
	home, err := os.UserCacheDir()
	modules := filepath.Join(home, "duet-test", "urlmatch", "node_modules")
	node, nodeErr := exec.LookPath("node")
	if _, statErr := os.Stat(filepath.Join(modules, "har-schema")); err != nil || statErr != nil || nodeErr != nil {
		if env.CI.Set() {
			t.Fatal("har-schema is not installed, and CI must have it: scripts/test live")
		}
		t.Log("NOT CHECKED: har-schema is not installed: scripts/test live fetches it")
		return
	}
	if out, err := exec.Command(node, filepath.Join("testdata", "harcheck.js"), modules, path).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// A request that a worker left when it was ended is not under way for ever: the list
// says what became of it.
func TestRequestsOfAWorkerThatEnded(t *testing.T) {
	release := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("/{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<!doctype html><title>t</title><button id=b>end</button><script>const w = new Worker('/w.js'); w.onmessage = () => document.title = 'asked'; b.onclick = () => w.terminate()</script>`)
	})
	mux.HandleFunc("/w.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = io.WriteString(w, `fetch('/never'); fetch('/soon').then(() => postMessage(1))`)
	})
	mux.HandleFunc("/soon", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "soon") })
	mux.HandleFunc("/never", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(release) })
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", arg("url", server.URL+"/"))
		c.ok("browser_expect", arg("what", "title", "expected", "asked", "timeout_ms", 10000))
		if text := c.ok("browser_logs", arg("action", "requests", "contains", "/never")); !strings.Contains(text, "pending") {
			t.Errorf("while the worker runs: %s", text)
		}
		c.ok("browser_click", arg("selector", "#b"))
		c.ok("browser_logs", arg("action", "wait", "contains", "/never", "filter", "aborted failed", "timeout_ms", 10000))
		if text := c.ok("browser_logs", arg("action", "requests", "contains", "/never")); strings.Contains(text, "pending") {
			t.Errorf("after its end: %s", text)
		}
		if text := c.ok("browser_logs", arg("action", "har", "bodies", true)); !strings.Contains(text, "no bodies are in it") {
			t.Errorf("an archive without its bodies: %s", text)
		}
	})
}
