package app

import (
	"path/filepath"
	"strings"
	"testing"

	"duet/internal/golden"
	"duet/internal/txtar"
	"duet/tools"
)

// What a newcomer reads is what the goldens hold, for the program and each
// command.
func TestHelp(t *testing.T) {
	check := func(name string, args ...string) {
		t.Helper()
		r := runIn(t, &App{Commands: tools.All()}, strings.NewReader(""), args...)
		if r.status != 0 || r.stderr != "" {
			t.Errorf("%v: status %d, stderr %q", args, r.status, r.stderr)
		}
		golden.Check(t, filepath.Join("testdata", "help", name+".txt"), r.stdout)
		for line := range strings.SplitSeq(r.stdout, "\n") {
			if len([]rune(line)) > 100 {
				t.Errorf("%v: a line of %d characters: %s", args, len(line), line)
			}
		}
	}
	check("duet", "--help")
	check("duet")
	for _, name := range newGrammar(tools.All()).names {
		check(name, name, "--help")
	}
	for _, p := range programs() {
		check(p.name, p.name, "--help")
		check(p.name, "help", p.name)
	}
	for _, p := range parts() {
		check(strings.ReplaceAll(p.name, " ", "-"), append(strings.Fields(p.name), "--help")...)
	}
}

// Scripts of the program: what was typed, and what came out of it where.
func TestScripts(t *testing.T) {
	paths, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, rel := range paths {
		path, err := filepath.Abs(rel)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			inProject(t)
			t.Setenv("DUET_TEST_SECRET", "open sesame")
			a := txtar.Read(t, path)
			stdin, _ := a.File("stdin")
			typed, _ := a.File("args")
			args, err := tokens(strings.TrimSpace(typed))
			if err != nil {
				t.Fatal(err)
			}
			r := runApp(t, stdin, args...)
			for _, part := range [][2]string{{"stdout", r.stdout}, {"stderr", r.stderr}, {"status", string(rune('0'+r.status)) + "\n"}} {
				name, got := part[0], part[1]
				want, _ := a.File(name)
				golden.Rewrite(t, rel+" "+name, want, got, func(got string) {
					a.Set(name, got)
					golden.Check(t, path, a.Format())
				})
			}
		})
	}
}

// Only http, https, data: and about:blank may be opened, and files where a
// directory was allowed, however the address is written.
func TestJudge(t *testing.T) {
	dir := t.TempDir()
	inside := filepath.Join(dir, "page.html")
	writeFile(t, inside, "<p>hello")
	open := policy{AllowFile: []string{dir}}
	real, err := realDirs("--allow-file", []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	open.AllowFile = real
	for _, c := range []struct {
		p       policy
		address string
		ok      bool
	}{
		{policy{}, "https://example.com/", true},
		{policy{}, "HTTP://example.com/", true},
		{policy{}, "example.com", true},
		{policy{}, "localhost:8080/a:b", true},
		{policy{}, "data:text/html,<p>x", true},
		{policy{}, "about:blank", true},
		{policy{}, "about:blank#", true},
		{policy{}, "about:blank#blocked", true},
		{policy{}, "about:config", false},
		{policy{}, "file:///etc/passwd", false},
		{policy{}, " \tFi\nle:///etc/passwd", false},
		{policy{}, "view-source:file:///etc/passwd", false},
		{policy{}, "javascript:alert(1)", false},
		{policy{}, "chrome://settings", false},
		{policy{}, "blob:null/x", false},
		{policy{}, "blob:file:///x", false},
		{policy{}, "blob:https://example.com/1-2", false},
		{policy{}, "chrome-error://chromewebdata/", false},
		{policy{}, "about:neterror?e=dnsNotFound", false},
		{policy{}, "about:logins", false},
		{policy{}, "about:home", false},
		{policy{}, "about:newtab", false},
		{policy{}, "com.example.app:x", false},
		{policy{}, "com.example.app:8080x/a", false},
		{policy{}, "com.example.app://open", false},
		{policy{}, "localhost:abc", false},
		{policy{}, "localhost:", false},
		{policy{}, "a.test:99999", false},
		{policy{}, "a.test:443?x:y", true},
		{open, "file://" + inside, true},
		{open, "file://localhost" + inside, true},
		{open, "file://" + dir + "/../../../../../etc/passwd", false},
		{open, "file://" + dir + "/%2e%2e/%2e%2e/%2e%2e/etc/passwd", false},
		{open, "file:///etc/passwd", false},
		{open, "file://server" + inside, false},
		{policy{AnyAddress: true}, "file:///etc/passwd", true},
	} {
		if err := c.p.judge(c.address); (err == nil) != c.ok {
			t.Errorf("judge(%q) = %v, want ok %v", c.address, err, c.ok)
		}
	}
}

// What a browser shows by itself, and what a page that may be opened made, may be
// looked at though it may not be opened; whatever may be opened may be looked at.
func TestWhatMayBeLookedAt(t *testing.T) {
	for address, ok := range map[string]bool{
		"": true, "https://example.com/": true, "about:blank": true, "about:srcdoc": true, "about:neterror?e=dnsNotFound": true, "about:newtab": true,
		"chrome-error://chromewebdata/": true, "blob:https://example.com/1-2": true, "blob:file:///x": false, "blob:null/x": false,
		"about:config": false, "about:logins": false, "file:///etc/passwd": false, "chrome://settings": false, "com.example.app:x": false,
	} {
		if err := (policy{}).look(address); (err == nil) != ok {
			t.Errorf("look(%q) = %v, want ok %v", address, err, ok)
		}
	}
	if err := (policy{AnyAddress: true}).look("about:config"); err != nil {
		t.Error(err)
	}
}

// Completion scripts name every command and flag.
func TestCompletion(t *testing.T) {
	for _, shell := range shells {
		r := runApp(t, "", "completion", shell)
		for _, want := range []string{"echo", "shout", "delta-y", "browser", "doctor"} {
			if r.status != 0 || !strings.Contains(r.stdout, want) {
				t.Errorf("%s: status %d, lacks %s: %s", shell, r.status, want, r.stderr)
			}
		}
	}
}
