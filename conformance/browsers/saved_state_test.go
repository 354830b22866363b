//go:build linux

package browsers

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"duet/internal/env"
)

// keptScript signs in and tells what of a login is there. Its values are no part of
// what the page shows.
const keptScript = `const values = { local: 'local-canary Zoë 😀', session: 'session-canary', base: 'base-canary' }
const say = (s) => { document.getElementById('out').textContent = s }
const done = (r) => new Promise((yes, no) => { r.onsuccess = () => yes(r.result); r.onerror = () => no(r.error) })
const fill = async () => {
  localStorage.who = values.local
  sessionStorage.who = values.session
  const open = indexedDB.open('auth', 2)
  open.onupgradeneeded = () => {
    open.result.createObjectStore('kv')
    open.result.createObjectStore('rows', { keyPath: 'id', autoIncrement: true }).createIndex('kind', 'kind')
  }
  const db = await done(open)
  const t = db.transaction(['kv', 'rows'], 'readwrite')
  t.objectStore('kv').put({ token: values.base, at: new Date(5), bytes: new Uint8Array([1, 2, 3]), list: [1, null, { x: 10n }] }, 'token')
  t.objectStore('rows').put({ id: 7, kind: 'x' })
  await new Promise((yes) => { t.oncomplete = yes })
  db.close()
}
const tell = async () => {
  const found = []
  if (localStorage.who === values.local) found.push('local')
  if (sessionStorage.who === values.session) found.push('session')
  if ((await indexedDB.databases()).length > 0) {
    const db = await done(indexedDB.open('auth'))
    const t = db.transaction(['kv', 'rows'])
    const v = await done(t.objectStore('kv').get('token'))
    const rows = await done(t.objectStore('rows').index('kind').getAll('x'))
    if (db.version === 2 && v?.token === values.base && v.at.getTime() === 5 && v.bytes[2] === 3 && v.list[2].x === 10n && rows[0].id === 7) found.push('database')
    db.close()
  }
  return 'ready: ' + found.join()
}`

// keptSite is a site that signs in by cookies, storages and a database; /home says
// which of them it has. The server's own word on cookies stands first there.
func keptSite(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		head := `<!doctype html><html lang="en"><title>Kept</title><label>Password <input id="pw" type="password"></label><output id="out">-</output><script src="kept.js"></script>`
		switch r.URL.Path {
		case "/login":
			w.Header().Add("Set-Cookie", "sid=cookie-canary; Path=/; HttpOnly")
			w.Header().Add("Set-Cookie", "long=cookie-canary; Path=/; Max-Age=86400; SameSite=Strict")
			fmt.Fprint(w, head+`<script>fill().then(() => say('ready'))</script></html>`)
		case "/kept.js":
			w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
			fmt.Fprint(w, keptScript)
		case "/home":
			var names []string
			for _, c := range r.Cookies() {
				if c.Value == "cookie-canary" {
					names = append(names, c.Name)
				}
			}
			fmt.Fprintf(w, "%s<script>tell().then((s) => say(s + ',%s'))</script></html>", head, strings.Join(names, ","))
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// A login that duet saved is there in playwright-core, and one that playwright-core
// saved is there in duet: cookies, local storage and databases.
func TestStateGoesToPlaywrightAndBack(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		home, err := os.UserCacheDir()
		modules := filepath.Join(home, "duet-test", "urlmatch", "node_modules")
		node, nodeErr := exec.LookPath("node")
		chromium, chromiumErr := exec.LookPath("chromium")
		if chromiumErr != nil {
			chromium, chromiumErr = exec.LookPath("google-chrome")
		}
		if _, statErr := os.Stat(filepath.Join(modules, "playwright-core")); err != nil || statErr != nil || nodeErr != nil || chromiumErr != nil {
			if env.CI.Set() {
				t.Fatal("playwright-core, node or Chromium is not installed, and CI must have them: scripts/test live")
			}
			t.Skip("SKIPPED: playwright-core, node or Chromium is not installed: scripts/test live fetches the first")
		}
		base := keptSite(t)
		playwright := func(action, path, file string) string {
			t.Helper()
			cmd := exec.Command(node, filepath.Join("testdata", "storagestate.js"), modules, chromium, action, base+path, file)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("playwright-core, %s: %v\n%s", action, err, out)
			}
			return string(out)
		}
		holds := func(whose, text string) {
			t.Helper()
			for _, part := range []string{"local", "database", "sid", "long"} {
				if _, list, _ := strings.Cut(text, "ready: "); !strings.Contains(list, part) {
					t.Errorf("%s has no %s: %s", whose, part, text)
				}
			}
		}
		data := t.TempDir()
		c := serveWith(t, s, []string{"DUET_DATA_DIR=" + data})
		c.ok("browser_navigate", arg("url", base+"/login"))
		c.ok("browser_wait", arg("target", "text=ready"))
		c.ok("browser_state", arg("action", "save", "name", "ours"))
		c.close()
		holds("playwright-core", playwright("load", "/home", filepath.Join(data, "states", "ours.json")))

		file := filepath.Join(data, "states", "theirs.json")
		playwright("save", "/login", file)
		if err := os.Chmod(file, 0o600); err != nil {
			t.Fatal(err)
		}
		c = serveWith(t, s, []string{"DUET_DATA_DIR=" + data})
		c.ok("browser_state", arg("action", "load", "name", "theirs"))
		c.ok("browser_navigate", arg("url", base+"/home"))
		c.ok("browser_wait", arg("target", "text*=ready"))
		holds("duet", c.ok("browser_read", arg("selector", "#out")))
	})
}

// A state is encrypted on disk, --state begins with it, and what it keeps stands
// nowhere: not in an answer, in a log, in a trace or in an artifact.
func TestStateIsEncryptedAndNotShown(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		base := keptSite(t)
		dir := t.TempDir()
		key := filepath.Join(dir, "key")
		if err := os.WriteFile(key, []byte("a phrase of some length\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		var shown strings.Builder
		begin := func() (run func(args ...string) string, files string) {
			sh := newShell(t, s)
			files = t.TempDir()
			sh.env = append(sh.env, "DUET_DATA_DIR="+dir, "DUET_STATE_PASSPHRASE="+key, "DUET_ARTIFACTS_DIR="+files,
				"DUET_WIRELOG="+filepath.Join(files, "wire.log"), "DUET_TEST_SECRET=typed-canary", patient)
			return func(args ...string) string {
				t.Helper()
				out, errs, status := sh.try(append(args, s.args...)...)
				if status != 0 {
					t.Fatalf("duet %v: status %d\n%s%s", args, status, out, errs)
				}
				shown.WriteString(out + errs)
				return out
			}, files
		}
		run, first := begin()
		run("trace", "start", "login", "--wire")
		run("navigate", base+"/login")
		run("wait", "text=ready")
		run("fill", "#pw", "--value-env", "DUET_TEST_SECRET")
		run("state", "save", "login", "--json")
		run("state", "list", "--json")
		run("requests")
		run("logs")
		run("trace", "stop")
		run("quit")

		var sealed string
		for _, path := range filesIn(t, filepath.Join(dir, "states")) {
			sealed = path
			text, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(text[:min(len(text), 60)]), "age") || strings.Contains(string(text), "canary") {
				t.Errorf("%s is not encrypted: %v", path, err)
			}
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v", path, info.Mode())
			}
		}
		if sealed == "" {
			t.Fatal("no state was saved")
		}
		run, second := begin()
		run("navigate", base+"/home", "--state", sealed)
		run("wait", "text*=ready")
		if text := run("read", "#out"); !strings.Contains(text, "local,session,database,") || !strings.Contains(text, "sid") || !strings.Contains(text, "long") {
			t.Errorf("restored: %s", text)
		}
		run("quit")

		if strings.Contains(shown.String(), "canary") {
			t.Errorf("a value is shown:\n%.3000s", shown.String())
		}
		for _, root := range []string{first, second} {
			if info, err := os.Stat(filepath.Join(root, "wire.log")); err != nil || info.Size() == 0 {
				t.Error("no protocol log", err)
			}
			for _, path := range filesIn(t, root) {
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				for line := range strings.Lines(string(text)) {
					if at := strings.Index(line, "-canary"); at >= 0 {
						t.Errorf("%s has …%s", path, line[max(0, at-120):min(len(line), at+60)])
						break
					}
				}
			}
		}
	})
}

func filesIn(t *testing.T, root string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
