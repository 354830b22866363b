package selector_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"duet/internal/fault"
	"duet/internal/selector"
)

type (
	chain = selector.Chain
	step  = selector.Step
)

func named(role, op, name string) step {
	return step{Kind: selector.Role, Value: role, Name: &name, NameOp: op}
}

func one(kind selector.Kind, value string) chain { return chain{[]step{{Kind: kind, Value: value}}} }

// What is written is what is meant, and prints back as a selector that means the same.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		in   string
		want chain
		out  string // "" is in
	}{
		{"#go", one(selector.CSS, "#go"), ""},
		{"input[type=email]", one(selector.CSS, "input[type=email]"), ""},
		{"a[href*='x>>y']", one(selector.CSS, "a[href*='x>>y']"), ""},
		{`a[title="he said \"hi\""]`, one(selector.CSS, `a[title="he said \"hi\""]`), ""},
		{"ul > li:not(.a, .b)", one(selector.CSS, "ul > li:not(.a, .b)"), ""},
		{"css=e7", one(selector.CSS, "e7"), ""},
		{"css=text=x", one(selector.CSS, "text=x"), ""},
		{"css=rol=button", one(selector.CSS, "rol=button"), ""},
		{"role=text[name=Sum 3]", one(selector.Text, "Sum 3"), "text=Sum 3"},
		{"role=text[name*=Sum]", one(selector.TextPart, "Sum"), "text*=Sum"},
		{"role=text", one(selector.Role, "text"), ""},
		{"e", one(selector.CSS, "e"), ""},
		{"e07", one(selector.CSS, "e07"), ""},
		{"e7", chain{[]step{{Kind: selector.Ref, Value: "e7", Bare: true}}}, ""},
		{" e7 ", chain{[]step{{Kind: selector.Ref, Value: "e7", Bare: true}}}, "e7"},
		{"ref=e7", one(selector.Ref, "e7"), ""},
		{"ref= E12 ", one(selector.Ref, "e12"), "ref=e12"},
		{"text=Sign in", one(selector.Text, "Sign in"), ""},
		{"text*=Sign", one(selector.TextPart, "Sign"), ""},
		{"partialText=Sign", one(selector.TextPart, "Sign"), "text*=Sign"},
		{"text=a=b", one(selector.Text, "a=b"), ""},
		{"text= padded ", one(selector.Text, "padded"), "text=padded"},
		{`text=" padded "`, one(selector.Text, " padded "), ""},
		{`text="next >> last"`, one(selector.Text, "next >> last"), ""},
		{`text='it''`, chain{}, "error"},
		{`text=it's`, one(selector.Text, "it's"), ""},
		{`text="say \"hi\" \\"`, one(selector.Text, `say "hi" \`), `text=say "hi" \`},
		{"label=Name", one(selector.Label, "Name"), ""},
		{"placeholder=Find…", one(selector.Placeholder, "Find…"), ""},
		{"data-testid=go", one(selector.TestID, "go"), "testid=go"},
		{"alt=Logo", one(selector.Alt, "Logo"), ""},
		{"title=Close", one(selector.Title, "Close"), ""},
		{"id=a.b", one(selector.ID, "a.b"), ""},
		{"name=user[0]", one(selector.Name, "user[0]"), ""},
		{"tag=x-card", one(selector.Tag, "x-card"), ""},
		{"class=big", one(selector.Class, "big"), ""},
		{"xpath=//a[.='x >> y']", one(selector.XPath, "//a[.='x >> y']"), ""},
		{"role=button", one(selector.Role, "button"), ""},
		{"role=Button[name=Save]", chain{[]step{named("button", "=", "Save")}}, "role=button[name=Save]"},
		{`role=button[name="Save"]`, chain{[]step{named("button", "=", "Save")}}, "role=button[name=Save]"},
		{"role=button[name*=Sav]", chain{[]step{named("button", "*=", "Sav")}}, ""},
		{"role=button[name=Save as]", chain{[]step{named("button", "=", "Save as")}}, ""},
		{"role=link[name=Item [3]]", chain{[]step{named("link", "=", "Item [3]")}}, `role=link[name="Item [3]"]`},
		{`role=link[name="a ] b"]`, chain{[]step{named("link", "=", "a ] b")}}, ""},
		{`role=img[name=""]`, chain{[]step{named("img", "=", "")}}, ""},
		{"role=button[ name = Save ]", chain{[]step{named("button", "=", "Save")}}, "role=button[name=Save]"},
		{"role=dialog >> text=OK", chain{[]step{{Kind: selector.Role, Value: "dialog"}, {Kind: selector.Text, Value: "OK"}}}, ""},
		{"role=row[name*=Ada]>>button", chain{[]step{named("row", "*=", "Ada"), {Kind: selector.CSS, Value: "button"}}}, "role=row[name*=Ada] >> button"},
		{"li >> nth=-1 >> a", chain{[]step{{Kind: selector.CSS, Value: "li"}, {Kind: selector.Nth, Nth: -1}, {Kind: selector.CSS, Value: "a"}}}, ""},
		{"e3 >> role=button", chain{[]step{{Kind: selector.Ref, Value: "e3", Bare: true}, {Kind: selector.Role, Value: "button"}}}, ""},
	} {
		got, err := selector.Parse(c.in)
		if c.out == "error" {
			if err == nil {
				t.Errorf("Parse(%q) = %+v, want an error", c.in, got)
			}
			continue
		}
		if err != nil {
			t.Errorf("Parse(%q): %v", c.in, err)
			continue
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("Parse(%q): %s", c.in, d)
		}
		want := c.out
		if want == "" {
			want = c.in
		}
		if got.String() != want {
			t.Errorf("Parse(%q) prints %q, want %q", c.in, got, want)
		}
		back, err := selector.Parse(got.String())
		if err != nil || cmp.Diff(got, back) != "" {
			t.Errorf("%q does not come back: %+v, %v", got, back, err)
		}
	}
}

// A mistake is named, as an argument that is wrong.
func TestParseErrors(t *testing.T) {
	for in, names := range map[string]string{
		"":                         "empty",
		"   ":                      "empty",
		"a >> ":                    "missing beside >>",
		">> a":                     "missing beside >>",
		"text=Next >>":             "missing beside >>",
		"a >> >> b":                "missing beside >>",
		"nth=0":                    "nth chooses",
		"a >> nth=first":           "whole number",
		"a >> e7":                  "first step",
		"ref=seven":                "no ref",
		"role=":                    "no value",
		"role=button[level=2]":     "narrowed by \"level\"",
		"role=button[name]":        "needs = or *=",
		"role=button[name=]":       "name is empty",
		"role=button[name=Save":    "] after the name is missing",
		`role=button[name="Save]`:  "quote is not closed",
		`role=button[name="a" b]`:  "] after the name is missing",
		"role=button[name=a] rest": "] after the name is missing",
		"role=button rest":         "after the role",
		`text="a" b`:               "text after the closing quote",
		`text="a`:                  "quote is not closed",
		"text=":                    "no value",
		"css=":                     "no value",
		"//button":                 "like XPath",
		"(//button)[1]":            "like XPath",
		"li[":                      `"[" is not closed`,
		"li)":                      `unexpected ")"`,
		"a[title='x]":              "quote is not closed",
		"rol=button":               `no selector kind "rol"; did you mean role=?`,
		"main >> txt=a":            `no selector kind "txt"; did you mean text=?`,
		"wholly=a":                 `no selector kind "wholly"`,
		"class=a b":                "one word",
	} {
		_, err := selector.Parse(in)
		if !errors.Is(err, fault.InvalidArgument) {
			t.Errorf("Parse(%q) = %v, want INVALID_ARGUMENT", in, err)
			continue
		}
		if !strings.Contains(err.Error(), names) {
			t.Errorf("Parse(%q) says %q, want it to say %q", in, err, names)
		}
	}
}

// Only what a person reads must be unambiguous, and not where nth chooses.
func TestSemantic(t *testing.T) {
	for in, want := range map[string]bool{
		"text=a": true, "role=button": true, "label=a": true, "alt=a": true, "#a >> text=b": true,
		"#a": false, "testid=a": false, "text=a >> #b": false, "text=a >> nth=0": false, "e1": false,
	} {
		c, err := selector.Parse(in)
		if err != nil || c.Semantic() != want {
			t.Errorf("%q semantic = %v, %v", in, c.Semantic(), err)
		}
	}
}

// Whatever parses prints as a selector that parses to the same chain.
func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"#a", "e7", "role=button[name=\"a\"]", "text='a' >> nth=-1", "xpath=//a['>>']", "a[b='c']>>d", `text="\\"`, "css=id=x", "role=a[name*=]]", "text=\u00a0a",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		c, err := selector.Parse(s)
		if err != nil {
			return
		}
		back, err := selector.Parse(c.String())
		if err != nil {
			t.Fatalf("%q prints %q, which fails: %v", s, c, err)
		}
		if d := cmp.Diff(c, back); d != "" {
			t.Fatalf("%q prints %q: %s", s, c, d)
		}
	})
}
