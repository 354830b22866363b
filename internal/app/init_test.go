package app

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"duet/tools"
)

// project makes an empty project and goes there.
func project(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	return root
}

// Every command line that the skill teaches is one that the program takes.
func TestTheSkillTeachesTheGrammar(t *testing.T) {
	files, err := filepath.Glob("skill/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	t.Setenv("PASSWORD", "open sesame")
	taught := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, span := range regexp.MustCompile("`duet ([^`]+)`").FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(span[1], "COMMAND") {
				continue // any of them
			}
			for _, line := range alternatives(strings.ReplaceAll(span[1], `\|`, "|")) {
				taught++
				words, err := tokens(line)
				if err != nil {
					t.Fatal(err)
				}
				if v := newGrammar(tools.All()).verbs[words[0]]; v != nil {
					if rest, yes := following(v, words[1:]); yes {
						line = v.Name + " " + strings.Join(rest, " ")
					}
					if v.Name == "wait" && slices.Equal(words[1:], []string{"load"}) {
						t.Errorf("%s: `duet %s` waits for an element of that name", file, line)
					}
				}
				if err := Understands(line); err != nil {
					t.Errorf("%s: `duet %s`: %v", file, line, err)
				}
			}
		}
	}
	if taught < 20 {
		t.Errorf("only %d command lines were found", taught)
	}
}

// alternatives writes a line with a word such as a|b once for each of them.
func alternatives(line string) []string {
	words := strings.Fields(line)
	for i, w := range words {
		if !strings.Contains(w, "|") || strings.ContainsAny(w, `'"`) {
			continue
		}
		var lines []string
		for one := range strings.SplitSeq(w, "|") {
			words[i] = one
			lines = append(lines, alternatives(strings.Join(words, " "))...)
		}
		return lines
	}
	return []string{line}
}

// The skill is installed, is kept in step, and what is not duet's stays as it is.
func TestInitOwnsWhatItWrote(t *testing.T) {
	root := project(t)
	const claude, agents = ".claude/skills/duet", ".agents/skills/duet"
	if r := runApp(t, "", "init", "--dry-run"); r.status != 0 || !strings.Contains(r.stdout, claude+": would be installed") {
		t.Fatalf("%+v", r)
	}
	if _, err := os.Stat(filepath.Join(root, ".claude")); err == nil {
		t.Fatal("--dry-run wrote")
	}
	r := runApp(t, "", "init")
	if r.status != 0 || !strings.Contains(r.stdout, claude+": installed") || !strings.Contains(r.stdout, agents+": installed") {
		t.Fatalf("%+v", r)
	}
	for _, name := range []string{"SKILL.md", "selectors.md", "patterns.md", manifestName} {
		if _, err := os.Stat(filepath.Join(root, agents, name)); err != nil {
			t.Error(err)
		}
	}
	if r := runApp(t, "", "init"); !strings.Contains(r.stdout, claude+": up to date") {
		t.Errorf("%+v", r)
	}
	// An edited file: nothing at all is written.
	skill := filepath.Join(root, claude, "SKILL.md")
	if err := os.WriteFile(skill, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(root, ".agents")); err != nil {
		t.Fatal(err)
	}
	r = runApp(t, "", "init")
	if r.status != 1 || !strings.Contains(r.stderr, claude+"/SKILL.md was edited") {
		t.Errorf("%+v", r)
	}
	if text, _ := os.ReadFile(skill); string(text) != "mine" {
		t.Errorf("the edited file is now %q", text)
	}
	if _, err := os.Stat(filepath.Join(root, ".agents")); err == nil {
		t.Error("the other copy was written all the same")
	}
}

// A directory, a file or a link that somebody else put there is refused.
func TestInitRefusesWhatIsNotItsOwn(t *testing.T) {
	for name, make := range map[string]func(root string) error{
		"has no manifest": func(root string) error { return os.MkdirAll(filepath.Join(root, ".claude/skills/duet"), 0o755) },
		"symbolic link": func(root string) error {
			return os.Symlink(os.TempDir(), filepath.Join(root, ".claude"))
		},
		"is no directory": func(root string) error {
			return os.WriteFile(filepath.Join(root, ".claude"), nil, 0o644)
		},
	} {
		root := project(t)
		if err := make(root); err != nil {
			t.Fatal(err)
		}
		if r := runApp(t, "", "init", "--agent", "claude"); r.status != 1 || !strings.Contains(r.stderr, name) {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// Each host gets its own shape, and nothing is written.
func TestInitPrintsConfigurations(t *testing.T) {
	root := project(t)
	r := runApp(t, "", "init", "--mcp")
	for _, want := range []string{
		"Claude Code: .mcp.json", `"mcpServers"`, "VS Code: .vscode/mcp.json", `"servers"`, "Copilot CLI: ~/.copilot/mcp-config.json",
		"[mcp_servers.duet]", "Cursor: .cursor/mcp.json", "Windsurf:", `"context_servers"`, "gemini mcp add duet duet mcp", "Goose:",
	} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q is not in\n%s", want, r.stdout)
		}
	}
	if r := runApp(t, "", "init", "--mcp", "--agent", "codex"); strings.Contains(r.stdout, "Claude") || !strings.Contains(r.stdout, "Codex") {
		t.Errorf("%+v", r)
	}
	if r := runApp(t, "", "init", "--agent", "clade"); r.status != 2 || !strings.Contains(r.stderr, "did you mean claude?") {
		t.Errorf("%+v", r)
	}
	entries, err := os.ReadDir(root)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v %v", entries, err)
	}
}

func TestSkillIsServed(t *testing.T) {
	if r := runApp(t, "", "skill"); !strings.HasPrefix(r.stdout, "---\nname: duet\n") {
		t.Errorf("%+v", r)
	}
	if r := runApp(t, "", "skill", "selectors"); !strings.HasPrefix(r.stdout, "# Naming elements") {
		t.Errorf("%+v", r)
	}
	if r := runApp(t, "", "skill", "nothing"); r.status != 2 {
		t.Errorf("%+v", r)
	}
}
