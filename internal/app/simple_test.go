package app

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-json"

	"duet/dispatch"
	"duet/tools"
)

// What is structured can be typed simply, and a file's name is the name of a file.
func TestSimpleForms(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("steps.json", []byte(`[{"tool":"browser_status"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ line, want, out string }{
		{`screenshot page.png`, `{}`, "page.png"},
		{`screenshot page.jpg --full-page`, `{"full_page":true,"format":"jpeg"}`, "page.jpg"},
		{`screenshot page.webp --format png`, `{"format":"png"}`, "page.webp"},
		{`screenshot '#chart' --out chart.png`, `{"selector":"#chart"}`, "chart.png"},
		{`screenshot css=out.png`, `{"selector":"css=out.png"}`, ""},
		{`screenshot img.hero`, `{"selector":"img.hero"}`, ""},
		{`pdf page.pdf landscape=true`, `{"set":["landscape=true"],"action":"pdf"}`, "page.pdf"},
		{`pdf page.pdf`, `{"action":"pdf"}`, "page.pdf"},
		{`har out.har --bodies`, `{"bodies":true,"action":"har"}`, "out.har"},
		{`har /api --out -`, `{"contains":"/api","action":"har"}`, "-"},
		{`mock reply '**/a' --json '{"a":1}'`, `{"action":"reply","pattern":"**/a","body":"{\"a\":1}"}`, ""},
		{`mock reply '**/a' '--json=[]'`, `{"action":"reply","pattern":"**/a","body":"[]"}`, ""},
		{`mock reply '**/a' --json --body x`, `{"action":"reply","pattern":"**/a","body":"x"}`, ""},
		{`mock reply '**/a' --header 'X-A: 1' --header 'X-B:2'`, `{"action":"reply","pattern":"**/a","headers":{"X-A":"1","X-B":"2"}}`, ""},
		{`mock reply '**/a' --headers '{"X-A":"1"}'`, `{"action":"reply","pattern":"**/a","headers":{"X-A":"1"}}`, ""},
		{`mock continue '**/a' --header 'Cookie:'`, `{"action":"continue","pattern":"**/a","headers":{"Cookie":null}}`, ""},
		{`click e1 --modifiers Shift,Control`, `{"selector":"e1","modifiers":["Shift","Control"]}`, ""},
		{`click e1 --modifier Shift --modifier Control`, `{"selector":"e1","modifiers":["Shift","Control"]}`, ""},
		{`select '#m' A 'B C'`, `{"selector":"#m","value":"A\nB C","action":"select"}`, ""},
		{`select '#m' ''`, `{"selector":"#m","value":"","action":"select"}`, ""},
		{`eval 1+1 --out v.json`, `{"js":"1+1"}`, "v.json"},
		{`batch -`, `{"steps":[{"tool":"browser_quit"}]}`, ""},
		{`batch`, `{"steps":[{"tool":"browser_quit"}]}`, ""},
		{`batch steps.json`, `{"steps":[{"tool":"browser_status"}]}`, ""},
		{`batch '[{"tool":"browser_state"}]'`, `{"steps":[{"tool":"browser_state"}]}`, ""},
	} {
		words, err := tokens(c.line)
		if err != nil {
			t.Fatal(err)
		}
		_, _, got, err := wired(newGrammar(tools.All()), words, `[{"tool":"browser_quit"}]`)
		if err != nil || string(got.args) != c.want || got.out != c.out {
			t.Errorf("%s: %s to %q, %v; want %s to %q", c.line, got.args, got.out, err, c.want, c.out)
		}
	}
	for line, want := range map[string]string{
		`mock reply '**/a' --headers foo`:     `such as --headers '{"X-Test": "1"}', or --header 'X-Test: 1', repeated`,
		`mock reply '**/a' --headers '{"a"'`:  `such as --headers '{"X-Test": "1"}', or --header 'X-Test: 1', repeated`,
		`mock reply '**/a' --json foo`:        "any body: --body",
		`click e1 --modifiers Foo`:            "--modifiers must be one of Shift",
		`wait e1 --state login.json`:          "goes before the command: duet --state NAME|FILE wait",
		`screenshot nowhere/page.png`:         "there is no directory nowhere",
		`screenshot page.bmp`:                 "screenshot makes files of the kinds png, jpg, jpeg, webp, not .bmp",
		`screenshot '#f' el.png`:              "the file goes into --out el.png",
		`is`:                                  "FIELD is required\nhint: such as: duet is visible e7",
		`is text e1`:                          "FIELD must be one of visible, enabled, checked, exists",
		`attr e1`:                             "NAME is required",
		`batch nofile.json`:                   "nofile.json cannot be read: no such file",
		`batch '{"tool":"browser_status"}'`:   "STEPS must be an array of objects",
		`batch '[["click","e1"]]'`:            "each of STEPS must be an object, not an array",
		`batch '[{"tool":"browser_click"}]'`:  "step 0 (browser_click): selector is required",
		`screenshot --out -x --timeout-mss 5`: "there is no flag --timeout-mss here\nhint: did you mean --timeout-ms?",
	} {
		words, err := tokens(line)
		if err != nil {
			t.Fatal(err)
		}
		v, g, c, err := wired(newGrammar(tools.All()), words, "")
		if err == nil {
			err = check(dispatch.NewRegistry(tools.All(), g.access()), v, c)
		}
		u, ok := errors.AsType[*usageError](err)
		if !ok || !strings.Contains("error: "+u.message+"\nhint: "+u.hint, want) {
			t.Errorf("%s: %v, %+v; want %s", line, err, u, want)
		}
	}
}

// A flag before the command is the program's, also where the command has its name.
func TestFlagsBeforeTheCommandAreTheProgram(t *testing.T) {
	_, g, c, err := wired(newGrammar(tools.All()), []string{"--state", "kept", "wait", "#s", "--state", "hidden"}, "")
	if err != nil || g.State != "kept" || string(c.args) != `{"target":"#s","state":"hidden"}` {
		t.Errorf("state %q, %s, %v", g.State, c.args, err)
	}
	_, g, c, err = wired(newGrammar(tools.All()), []string{"--observe=none", "batch", "[]", "--observe", "page"}, "")
	if err != nil || g.Observe != "none" || !strings.Contains(string(c.args), `"observe":"page"`) {
		t.Errorf("observe %q, %s, %v", g.Observe, c.args, err)
	}
}

// A file is copied to where it was wanted; the answer says where.
func TestFilesAreCopied(t *testing.T) {
	dir := t.TempDir()
	made := filepath.Join(dir, "0001-page.png")
	if err := os.WriteFile(made, []byte("picture"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ out, wants string }{
		{filepath.Join(dir, "to.png"), "to.png"}, {dir, "0001-page.png"}, {"-", ""},
	} {
		var out strings.Builder
		a := &App{Stdout: &out, Stderr: &out}
		r := &reply{text: `{"path":"x"}`, structured: []byte(`{"result":{"path":"` + made + `"}}`)}
		if err := a.deliver(r, call{out: c.out}, false); err != nil {
			t.Fatal(err)
		}
		if c.out == "-" {
			if out.String() != "picture" {
				t.Errorf("standard output got %q", out.String())
			}
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, c.wants))
		if err != nil || string(data) != "picture" || !strings.Contains(out.String(), `saved: "`+filepath.Join(dir, c.wants)) || !strings.HasSuffix(string(r.structured), `,"saved":"`+filepath.Join(dir, c.wants)+`"}`) {
			t.Errorf("%s: %q %v, %s%s", c.out, data, err, out.String(), r.structured)
		}
	}
}

// Where a value was written is JSON whatever the file is called.
func TestWrittenValuesAreToldAsJSON(t *testing.T) {
	to := filepath.Join(t.TempDir(), "a\a\"b\x7f.txt")
	var out strings.Builder
	a := &App{Stdout: &out, Stderr: &out}
	r := &reply{text: "value", structured: []byte(`{"ok":true,"result":"value"}`)}
	if err := a.deliver(r, call{out: to, value: true}, true); err != nil {
		t.Fatal(err)
	}
	var told struct{ Saved string }
	if err := json.Unmarshal([]byte(out.String()), &told); err != nil || told.Saved != to {
		t.Errorf("%q names %q, want %q: %v", out.String(), told.Saved, to, err)
	}
}

// No line of a help repeats the name of what it is about.
func TestHelpSaysMoreThanNames(t *testing.T) {
	letters := func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' {
				return r
			}
			return -1
		}, strings.ToLower(s))
	}
	grammar := newGrammar(tools.All())
	for _, name := range grammar.names {
		k, _, _, err := grammar.verbs[name].parser()
		if err != nil {
			t.Fatal(err)
		}
		node := k.Model.Children[0]
		for _, f := range node.Flags {
			if f.Help != "" && letters(f.Help) == letters(f.Name) {
				t.Errorf("%s --%s: %s", name, f.Name, f.Help)
			}
		}
		for _, a := range node.Positional {
			if a.Help != "" && letters(a.Help) == letters(a.Name) {
				t.Errorf("%s %s: %s", name, a.Name, a.Help)
			}
		}
	}
}
