package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"duet/internal/app"
	"duet/internal/golden"
)

const root = "../.."

var recordName = regexp.MustCompile(`^(\d{4}-\d{2}-\d{2})-[a-z0-9-]+\.md$`)

// Each record has a title, a status on its third line, and a row in the index.
func TestRecords(t *testing.T) {
	index, err := os.ReadFile("adr/index.md")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir("adr")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Name() == "index.md" {
			continue
		}
		m := recordName.FindStringSubmatch(e.Name())
		if m == nil {
			t.Errorf("adr/%s is not called YYYY-MM-DD-slug.md", e.Name())
			continue
		}
		text, err := os.ReadFile(filepath.Join("adr", e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitN(string(text), "\n", 4)
		if len(lines) < 4 || !strings.HasPrefix(lines[0], "# ") || !strings.HasPrefix(lines[2], "Status: ") {
			t.Errorf("adr/%s: a title on the first line and a status on the third are wanted", e.Name())
			continue
		}
		row := fmt.Sprintf("| %s | [%s](%s) |", m[1], strings.TrimPrefix(lines[0], "# "), e.Name())
		if !strings.Contains(string(index), row+"\n") {
			t.Errorf("adr/index.md lacks this row:\n%s", row)
		}
	}
}

// The generated reference says what the declarations say.
func TestReference(t *testing.T) {
	files, err := app.Reference()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		golden.Check(t, filepath.Join("reference", name), text)
	}
	entries, err := os.ReadDir("reference")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, ok := files[e.Name()]; !ok {
			t.Errorf("reference/%s is not generated any more", e.Name())
		}
	}
}

// The README's table of commands is the generated one.
func TestReadmeTable(t *testing.T) {
	const begin, end = "<!-- commands -->\n", "<!-- /commands -->\n"
	path := filepath.Join(root, "README.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	table, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("README.md has no table between %q and %q", begin, end)
	}
	golden.Rewrite(t, "README.md's table of commands", table, app.CommandTable(), func(got string) {
		if err := os.WriteFile(path, []byte(before+begin+got+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	})
}

// documents are the texts whose paths and commands are checked.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, pattern := range []string{"*.md", "internal/docs/*.md", "internal/docs/adr/*.md"} {
		names, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			rel, _ := filepath.Rel(root, name)
			texts[rel] = string(text)
		}
	}
	return texts
}

var (
	inTicks = regexp.MustCompile("`([^`\n]+)`")
	link    = regexp.MustCompile(`\]\(([^)#\s]+)`)
	// aPath begins with a directory or file of the root.
	aPath = regexp.MustCompile(`^(bidi|dispatch|tools|snapshot|artifacts|cmd|internal|conformance|scripts|\.ci|\.github)(/[\w.*-]+)*/?$|^[A-Z]+\.md$`)
)

// Every path that a document names in backticks, or links to, is there.
func TestPathsResolve(t *testing.T) {
	for name, text := range documents(t) {
		for _, m := range inTicks.FindAllStringSubmatch(text, -1) {
			if !aPath.MatchString(m[1]) || strings.HasPrefix(m[1], "tools/call") || strings.HasPrefix(m[1], "tools/list") {
				continue // the protocol's methods look like paths
			}
			if found, _ := filepath.Glob(filepath.Join(root, m[1])); len(found) == 0 {
				t.Errorf("%s names `%s`, which is not there", name, m[1])
			}
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(name), m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", name, m[1])
			}
		}
	}
}

var typed = regexp.MustCompile(`(?m)^(?:\$ )?(?:[A-Z_]+=\S+ )*duet( .*)?$`)

// Every command line that a document shows is one that the program takes.
func TestShownCommands(t *testing.T) {
	for name, text := range documents(t) {
		for _, block := range fences(text) {
			for _, m := range typed.FindAllStringSubmatch(block, -1) {
				line, _, _ := strings.Cut(m[1], " #")
				line = strings.TrimSuffix(strings.TrimSpace(line), "&")
				if strings.ContainsAny(line, "─…") {
					continue // a picture
				}
				if err := app.Understands(line); err != nil {
					t.Errorf("%s shows `duet %s`: %v", name, line, err)
				}
			}
		}
	}
}

// fences returns the contents of the fenced blocks.
func fences(text string) []string {
	var blocks []string
	for i, part := range strings.Split(text, "\n```") {
		if i%2 == 1 {
			_, body, _ := strings.Cut(part, "\n")
			blocks = append(blocks, body)
		}
	}
	return blocks
}
