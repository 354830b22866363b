package tools_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-json"

	"duet/dispatch"
	"duet/internal/golden"
	"duet/tools"
)

// listBytes is the ceiling of what a model reads of the tools: names,
// descriptions and schemas. Raising it is a decision.
const listBytes = 11800

// The tool list is this, to the byte: a reviewer sees each change of a schema.
func TestToolsGolden(t *testing.T) {
	var b strings.Builder
	size := 0
	for _, info := range dispatch.NewRegistry(tools.All(), dispatch.Access{}).Tools() {
		size += len(info.Name) + len(info.Description) + len(info.Schema)
		line, err := json.MarshalWithOption(info, json.DisableHTMLEscape())
		if err != nil {
			t.Fatal(err)
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	golden.Check(t, "testdata/tools.json", b.String())
	if size > listBytes {
		t.Errorf("a model reads %d bytes of tools, more than %d", size, listBytes)
	}
}

// The core profile is small, and a part of all.
func TestCoreProfile(t *testing.T) {
	all := dispatch.NewRegistry(tools.All(), dispatch.Access{})
	core := dispatch.NewRegistry(tools.All(), dispatch.Access{Profile: dispatch.Core}).Tools()
	if len(core) > 12 {
		t.Errorf("%d core tools", len(core))
	}
	for _, info := range core {
		if _, ok := all.Lookup(info.Name); !ok {
			t.Errorf("%s is core and not in all", info.Name)
		}
	}
}

// Names follow the rules, and each argument says what it is or needs no saying.
func TestDeclarations(t *testing.T) {
	name := regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	forbidden := []string{"path", "out", "output", "executable", "profile", "flags", "args", "session"}
	verbs := map[string]bool{}
	for _, c := range tools.All() {
		if c.Tool != "" && !strings.HasPrefix(c.Tool, "browser_") {
			t.Errorf("tool %s", c.Tool)
		}
		if c.Example == "" || !strings.HasSuffix(c.Summary, ".") || c.Title == "" {
			t.Errorf("%s: title, example or summary", c.Verb)
		}
		for _, v := range c.AllVerbs() {
			for _, n := range append([]string{v.Name}, v.Aliases...) {
				if verbs[n] {
					t.Errorf("verb %s twice", n)
				}
				verbs[n] = true
			}
			for field, value := range v.Preset {
				f := c.Field(field)
				if f == nil || len(f.Enum) > 0 && !slices.Contains(f.Enum, value) {
					t.Errorf("%s presets %s=%s", v.Name, field, value)
				}
			}
			for _, field := range append(append([]string{}, v.Drop...), v.Args...) {
				if c.Field(field) == nil {
					t.Errorf("%s names %s", v.Name, field)
				}
			}
		}
		for _, f := range c.Fields() {
			if !name.MatchString(f.Name) || slices.Contains(forbidden, f.Name) {
				t.Errorf("%s: argument %s", c.Verb, f.Name)
			}
			if f.Kind == dispatch.String && f.MaxLen == 0 && len(f.Enum) == 0 {
				t.Errorf("%s: %s is unbounded", c.Verb, f.Name)
			}
		}
	}
}

// In read-only mode every tool that is left is read-only by its annotations.
func TestReadOnlyTools(t *testing.T) {
	for _, info := range dispatch.NewRegistry(tools.All(), dispatch.Access{ReadOnly: true}).Tools() {
		if !info.ReadOnly || info.Destructive {
			t.Errorf("%+v", info)
		}
	}
	for _, info := range dispatch.NewRegistry(tools.All(), dispatch.Access{}).Tools() {
		if info.ReadOnly && info.Destructive {
			t.Errorf("%s is both", info.Name)
		}
	}
}

// Every property of every schema is enforced as it is advertised: right values
// pass, and each way of being wrong is refused by the rule that it breaks.
func TestSchemaIsEnforced(t *testing.T) {
	r := dispatch.NewRegistry(tools.All(), dispatch.Access{})
	for _, info := range r.Tools() {
		fields := r.Fields(info.Name)
		base := sample(fields)
		check := func(want string, args map[string]any) {
			t.Helper()
			raw, err := json.Marshal(args)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if e := r.Check(info.Name, raw); e != nil {
				got = e.Data.Rule
			}
			if got != want {
				t.Errorf("%s %.300s: %q, want %q", info.Name, raw, got, want)
			}
		}
		check("", base)
		check("unknown", with(base, "no_such_argument", 1))
		for i := range fields {
			f := &fields[i]
			check("null", with(base, f.Name, nil))
			check("unknown", with(base, strings.ToUpper(f.Name), value(f)))
			check("", with(base, f.Name, value(f)))
			check("type", with(base, f.Name, wrongType(f)))
			if f.Required {
				check("required", without(base, f.Name))
			}
			if len(f.Enum) > 0 && f.Kind == dispatch.String {
				check("enum", with(base, f.Name, "no such value"))
				for _, v := range f.Enum {
					check("", with(base, f.Name, v))
				}
			}
			if f.Kind == dispatch.String && f.MaxLen > 0 {
				check("", with(base, f.Name, strings.Repeat("ä", f.MaxLen)))
				check("maxlen", with(base, f.Name, strings.Repeat("ä", f.MaxLen+1)))
			}
			if number := f.Kind == dispatch.Int || f.Kind == dispatch.Float; number && f.Min != nil {
				check("", with(base, f.Name, *f.Min))
				check("range", with(base, f.Name, *f.Min-1))
			}
			if number := f.Kind == dispatch.Int || f.Kind == dispatch.Float; number && f.Max != nil {
				check("", with(base, f.Name, *f.Max))
				check("range", with(base, f.Name, *f.Max+1))
			}
			if f.Kind == dispatch.Int {
				check("type", with(base, f.Name, 1.5))
			}
			if f.Kind == dispatch.Strings {
				check("type", with(base, f.Name, []any{1}))
				if f.Max != nil {
					check("items", with(base, f.Name, make([]string, int(*f.Max)+1)))
				}
			}
		}
	}
}

// sample is the smallest set of arguments that is right.
func sample(fields []dispatch.Field) map[string]any {
	m := map[string]any{}
	for i := range fields {
		if fields[i].Required {
			m[fields[i].Name] = value(&fields[i])
		}
	}
	return m
}

func value(f *dispatch.Field) any {
	switch {
	case len(f.Enum) > 0 && f.Kind == dispatch.Strings:
		return []string{f.Enum[0]}
	case len(f.Enum) > 0:
		return f.Enum[0]
	}
	switch f.Kind {
	case dispatch.Bool:
		return true
	case dispatch.Int, dispatch.Float:
		if f.Min != nil {
			return *f.Min
		}
		return 1
	case dispatch.Strings:
		return []string{"a"}
	case dispatch.Objects:
		return []any{map[string]any{"tool": "browser_status"}}
	case dispatch.Object:
		return map[string]any{}
	}
	return "a"
}

func wrongType(f *dispatch.Field) any {
	if f.Kind == dispatch.String {
		return 7
	}
	return "seven"
}

func with(m map[string]any, name string, v any) map[string]any {
	c := map[string]any{name: v}
	for k, old := range m {
		if k != name {
			c[k] = old
		}
	}
	return c
}

func without(m map[string]any, name string) map[string]any {
	c := with(m, name, nil)
	delete(c, name)
	return c
}

// Every transcript belongs to a verb. The replaying itself is in the test of
// recorded transcripts.
func TestTranscriptsBelongToVerbs(t *testing.T) {
	verbs := map[string]bool{}
	for _, c := range tools.All() {
		for _, v := range c.AllVerbs() {
			verbs[v.Name] = true
		}
	}
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		verb, _, _ := strings.Cut(strings.TrimSuffix(filepath.Base(file), ".txtar"), "-")
		if !verbs[verb] {
			t.Errorf("%s belongs to no verb", file)
		}
		if info, err := os.Stat(file); err != nil || info.Size() == 0 {
			t.Errorf("%s is empty", file)
		}
	}
}
