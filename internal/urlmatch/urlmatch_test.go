package urlmatch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"duet/internal/env"
	"duet/internal/launch"
	"duet/internal/urlmatch"
)

// kase is a line of testdata/cases.txt.
type kase struct{ kind, pattern, url, verdict string }

func cases(t *testing.T) []kase {
	t.Helper()
	text, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []kase
	for line := range strings.Lines(string(text)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 {
			t.Fatalf("%q has %d fields", line, len(f))
		}
		all = append(all, kase{f[0], f[1], f[2], f[3]})
	}
	if len(all) < 60 {
		t.Fatalf("%d cases", len(all))
	}
	return all
}

// Each pattern gives the verdict of the table. refused is a pattern that is none.
func TestVerdicts(t *testing.T) {
	for _, c := range cases(t) {
		text := c.pattern
		if c.kind == "urlpattern" {
			text = "urlpattern=" + text
		}
		got := "no"
		p, err := urlmatch.Compile(text)
		switch {
		case err != nil:
			got = "refused"
		case p.Match(c.url):
			got = "yes"
		}
		if got != c.verdict {
			t.Errorf("%s %s on %s: %s, want %s (%v)", c.kind, c.pattern, c.url, got, c.verdict, err)
		}
	}
}

// The table holds what the references say: playwright-core's own matcher, asked
// through page.route in Chromium, and urlpattern-polyfill.
func TestVerdictsOfTheReferences(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	modules, node, chromium := references(t)
	all := cases(t)
	var in strings.Builder
	for _, c := range all {
		in.WriteString(c.kind + "\t" + c.pattern + "\t" + c.url + "\n")
	}
	cmd := exec.CommandContext(t.Context(), node, filepath.Join("testdata", "verdicts.js"), modules, chromium)
	cmd.Stdin = strings.NewReader(in.String())
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	verdicts := strings.Fields(string(out))
	if err != nil || len(verdicts) != len(all) {
		t.Fatalf("%d verdicts on %d cases: %v\n%s", len(verdicts), len(all), err, said.String())
	}
	for i, c := range all {
		if verdicts[i] != c.verdict {
			t.Errorf("%s %s on %s: the reference says %s, the table %s", c.kind, c.pattern, c.url, verdicts[i], c.verdict)
		}
	}
}

// references finds the packages that scripts/test installs, and skips without them.
func references(t *testing.T) (modules, node, chromium string) {
	t.Helper()
	missing := func(what string) {
		t.Helper()
		if env.CI.Set() {
			t.Fatalf("%s is missing; scripts/test installs it", what)
		}
		t.Skipf("SKIPPED: %s is missing; scripts/test installs it", what)
	}
	dir, ok := env.Named("DUET_TEST_CACHE")
	if !ok {
		cache, err := os.UserCacheDir()
		if err != nil {
			missing("a cache directory")
		}
		dir = filepath.Join(cache, "duet-test")
	}
	modules = filepath.Join(dir, "urlmatch", "node_modules")
	for _, name := range []string{"playwright-core", "urlpattern-polyfill"} {
		if _, err := os.Stat(filepath.Join(modules, name)); err != nil {
			missing("the npm package " + name)
		}
	}
	node, err := exec.LookPath("node")
	if err != nil {
		missing("node")
	}
	for _, c := range launch.Detect() {
		if c.Browser == "chrome" || c.Browser == "chromium" {
			return modules, node, c.Path
		}
	}
	missing("Chromium")
	return "", "", ""
}

// What is refused says why, in words for whoever wrote it.
func TestRefusals(t *testing.T) {
	for pattern, want := range map[string]string{
		"":                                   "** matches every URL",
		"/api/**":                            "begin it with **/",
		"shop.test/api":                      "begin it with **/",
		"localhost:8080/api":                 "write the scheme",
		"http://shop.test:x1/":               "port",
		"http:///":                           "host is missing",
		"http://bücher.test/":                "xn--",
		"**/a{b":                             "not closed",
		"**/a}b":                             "closes nothing",
		"**/{a,{b}}":                         "not supported",
		"urlpattern=shop.test":               "begins with /",
		"urlpattern=/a(b":                    "not closed",
		"urlpattern=/(?:a)":                  "not closed",
		"urlpattern=/(a(?=b))":               "no look-around",
		"urlpattern=https://shop.test/a{b":   "not closed",
		"urlpattern=https://sh op.test/":     "no host",
		"urlpattern=https://shop.test:99999": "no port",
	} {
		_, err := urlmatch.Compile(pattern)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", pattern, err, want)
		}
	}
}

// A pattern never costs more than a look at the URL, and never panics.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{"**/a{b,c}?", "http://*.x:80/[", "urlpattern=/:a(\\d+)?{/b}*", "urlpattern=https://[::1]:8/*#x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		if p, err := urlmatch.Compile(pattern); err == nil {
			p.Match("https://user:pw@shop.test:8080/a/b?c=d#e")
			p.Match("data:text/plain,x")
			p.Match("")
		}
	})
}
