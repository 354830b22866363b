package pagejs

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// maxFile is the size that one file may have, maxLib that of the whole library:
// every call that misses it carries it.
const (
	maxFile = 20 << 10
	maxLib  = 144 << 10
)

func each(t *testing.T, fn func(t *testing.T, name, text string)) {
	t.Helper()
	entries, err := files.ReadDir("js")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			continue
		}
		name := strings.TrimSuffix(e.Name(), ".js")
		t.Run(name, func(t *testing.T) { fn(t, name, file(name)) })
	}
}

var (
	heading = regexp.MustCompile(`^// ([a-z_]+)\(lib[^)]*\)(?: -> .+)?: .+\.$|^// ([a-z_]+)\(lib[^)]*\) -> .+\.$`)
	banned  = regexp.MustCompile(`\binnerHTML\b|\bouterHTML\b|\beval\b|\bnew Function\b|\binsertAdjacentHTML\b|\bdocument\.write`)
)

// A page function is one function expression whose first line says what it is.
func TestFiles(t *testing.T) {
	each(t, func(t *testing.T, name, text string) {
		first, _, _ := strings.Cut(text, "\n")
		m := heading.FindStringSubmatch(first)
		if m == nil || m[1]+m[2] != name {
			t.Errorf("first line %q: want // %s(lib, args) -> result: what it does.", first, name)
		}
		if strings.HasSuffix(text, ";") {
			t.Error("ends in a semicolon: the browser wraps the text in parentheses")
		}
		if last := text[strings.LastIndex(text, "\n")+1:]; strings.Contains(last, "//") {
			t.Error("ends in a comment: the browser wraps the text in parentheses")
		}
		if found := banned.FindString(text); found != "" {
			t.Errorf("uses %s, which a page's Trusted Types refuse", found)
		}
		if len(text) > maxFile {
			t.Errorf("%d bytes, more than %d", len(text), maxFile)
		}
	})
	if n := len(Lib()); n > maxLib {
		t.Errorf("the library has %d bytes, more than %d", n, maxLib)
	}
}

// Every file is a page function with a token, or a part of the library.
func TestEveryFileHasItsPlace(t *testing.T) {
	parts := map[string]bool{}
	for _, p := range libParts {
		parts[p] = true
	}
	each(t, func(t *testing.T, name, _ string) {
		if _, token := Expand("@" + name); token == parts[name] && name != "lib" {
			t.Errorf("token: %v, part of the library: %v", token, parts[name])
		}
	})
}

// The library travels without its comments, and no line of a text is taken for one.
func TestLibHasNoComments(t *testing.T) {
	for _, part := range libParts {
		within := false
		for i, line := range strings.Split(file(part), "\n") {
			switch mark := comment().MatchString(line + "\n"); {
			case mark && within:
				t.Errorf("%s:%d: the line of a text looks like a comment", part, i+1)
			case !mark && strings.Count(line, "`")%2 != 0:
				within = !within
			}
		}
	}
	for _, line := range strings.Split(Lib(), "\n")[1:] {
		if strings.HasPrefix(strings.TrimSpace(line), "//") {
			t.Errorf("%q travels", line)
		}
	}
}

// A member of the library is defined in one place.
func TestMembersAreDefinedOnce(t *testing.T) {
	member := regexp.MustCompile(`(?m)^  lib\.([A-Za-z]+) = `)
	seen := map[string]string{}
	for _, part := range libParts {
		for _, m := range member.FindAllStringSubmatch(file(part), -1) {
			if other, twice := seen[m[1]]; twice && other != part {
				t.Errorf("lib.%s is defined in %s and in %s", m[1], other, part)
			}
			seen[m[1]] = part
		}
	}
}

// node parses every file, and every text as it is sent.
func TestSyntax(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: node is not installed: no syntax of page scripts was checked")
	}
	dir := t.TempDir()
	var paths []string
	write := func(name, text string) {
		path := filepath.Join(dir, strings.Trim(name, "@")+".js")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	for name, text := range texts {
		write(name, text())
	}
	write("lib", Lib())
	args := append([]string{filepath.Join("testdata", "syntax.js")}, paths...)
	if out, err := exec.Command(node, args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// What is not ours is as it was published, whole and with its licence.
func TestThirdParty(t *testing.T) {
	for name, want := range map[string]string{
		"axe.min.js":            "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c",
		"LICENSE":               "af175b9d96ee93c21a036152e1b905b0b95304d4ae8c2c921c7609100ba8df7e",
		"LICENSE-3RD-PARTY.txt": "4f8563870d0fca38bbc3e00b6f670cb7fa9f380ba9f26a7f7d1184a6b18b1653",
	} {
		text, err := os.ReadFile(filepath.Join("js", "third_party", "axe-core", name))
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(text)); got != want {
			t.Errorf("%s of axe-core 4.14.1 has the checksum %s", name, got)
		}
	}
	if !strings.Contains(Axe.Source(), "axe v4.14.1") || strings.Contains(Axe.Source(), "\nAXE\n") {
		t.Error("axe-core does not stand in its place")
	}
}

func TestTextsHaveNames(t *testing.T) {
	for _, name := range []string{"@walk", "@+walk", "@lib"} {
		text, ok := Expand(name)
		if !ok {
			t.Fatalf("%s: unknown", name)
		}
		if got, ok := Collapse(text); !ok || got != name {
			t.Errorf("Collapse(Expand(%q)) = %q, %v", name, got, ok)
		}
	}
	if _, ok := Collapse("() => 1"); ok {
		t.Error("a foreign text has a name")
	}
	if !Walk.Reads {
		t.Error("walk reads")
	}
}

func TestDecode(t *testing.T) {
	for _, c := range []struct{ in, title string }{
		{`{"doc":"d","title":"a\ud83db"}`, "a\uFFFDb"},
		{`{"doc":"d","title":"\ud83d\ude00"}`, "😀"},
		{`{"doc":"d","title":"\\ud83d\ude00"}`, `\ud83d` + "\uFFFD"},
		{`{"doc":"d","title":"\ude00\ud83d"}`, "\uFFFD\uFFFD"},
		{`{"doc":"d","title":"<a & b>"}`, "<a & b>"},
	} {
		d, err := Walk.Decode(c.in)
		if err != nil || d.Title != c.title {
			t.Errorf("%s: %q, %v", c.in, d.Title, err)
		}
	}
	if _, err := Walk.Decode(noLib); err != ErrNoLib {
		t.Errorf("no lib: %v", err)
	}
	if got := Walk.Args(WalkArgs{Doc: "<&>", Since: 3}); got != `{"doc":"<&>","since":3}` {
		t.Errorf("Args = %s", got)
	}
}
