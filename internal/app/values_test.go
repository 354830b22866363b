package app

import (
	"slices"
	"strings"
	"testing"

	"duet/dispatch"
	"duet/tools"
)

// A value may begin with a dash, be empty and hold commas; what is typed arrives
// as it is.
func TestValuesArriveAsTyped(t *testing.T) {
	t.Setenv("DUET_TEST_SECRET", "open sesame")
	for _, c := range []struct {
		name  string
		args  []string
		stdin string
		want  string // the call's arguments, or the beginning of the complaint
	}{
		{"plain", []string{"echo", "#n", "x"}, "", `{"selector":"#n","value":"x"}`},
		{"a dash in front", []string{"echo", "#n", "-5"}, "", `{"selector":"#n","value":"-5"}`},
		{"a word with a dash", []string{"echo", "#n", "-text"}, "", `{"selector":"#n","value":"-text"}`},
		{"empty", []string{"echo", "#n", ""}, "", `{"selector":"#n","value":""}`},
		{"commas", []string{"echo", "a,b", "c,d,"}, "", `{"selector":"a,b","value":"c,d,"}`},
		{"commas in a list", []string{"echo", "a", "b", "--words", "x,y", "--words=z"}, "", `{"selector":"a","value":"b","words":["x,y","z"]}`},
		{"a number with a dash", []string{"echo", "a", "b", "--delta-y", "-300"}, "", `{"selector":"a","value":"b","delta_y":-300}`},
		{"a flag before the values", []string{"echo", "--count", "-3", "a", "b"}, "", `{"selector":"a","value":"b","count":-3}`},
		{"dashes end the flags", []string{"echo", "--", "--twice", "--"}, "", `{"selector":"--twice","value":"--"}`},
		{"an empty flag", []string{"echo", "a", "b", "--words="}, "", `{"selector":"a","value":"b","words":[""]}`},
		{"quotes and brackets", []string{"echo", `role=button[name="S"]`, `{"a":[1]}`}, "", `{"selector":"role=button[name=\"S\"]","value":"{\"a\":[1]}"}`},
		{"no HTML escapes, no interpolation", []string{"echo", "a>>b", "<&${x}$"}, "", `{"selector":"a>>b","value":"<&${x}$"}`},
		{"from standard input", []string{"echo", "a", "-"}, "one\ntwo\n", `{"selector":"a","value":"one\ntwo","secret":true}`},
		{"a dash behind dashes", []string{"echo", "a", "--", "-"}, "unread", `{"selector":"a","value":"-"}`},
		{"from the environment", []string{"echo", "a", "--value-env", "DUET_TEST_SECRET"}, "", `{"selector":"a","value":"open sesame","secret":true}`},
		{"the user decides", []string{"echo", "a", "-", "--secret=false"}, "x", `{"selector":"a","value":"x","secret":false}`},
		{"switches", []string{"echo", "a", "b", "--twice"}, "", `{"selector":"a","value":"b","twice":true}`},
		{"a switch off", []string{"echo", "a", "b", "--twice=false"}, "", `{"selector":"a","value":"b","twice":false}`},
		{"the timeout of all", []string{"--timeout-ms", "70", "echo", "a", "b"}, "", `{"selector":"a","value":"b","timeout_ms":70}`},
		{"an alias, whatever its case", []string{"SAY", "a", "b"}, "", `{"selector":"a","value":"b"}`},
		{"a preset", []string{"shout", "a", "b"}, "", `{"selector":"a","value":"b","mode":"loud"}`},

		{"twice given", []string{"echo", "a", "b", "--value-env", "DUET_TEST_SECRET"}, "", "error: the value is given twice"},
		{"not set", []string{"echo", "a", "--value-env", "DUET_TEST_ABSENT"}, "", "error: the environment variable DUET_TEST_ABSENT of --value-env is not set"},
		{"missing", []string{"echo", "a"}, "", "error: VALUE is required"},
		{"too many", []string{"echo", "a", "b", "c"}, "", "error: one argument too many: c"},
		{"no number", []string{"echo", "a", "b", "--count", "many"}, "", `error: --count must be a number, not "many"`},
		{"out of range", []string{"echo", "a", "b", "--count", "11"}, "", "error: --count must be"},
		{"no such value", []string{"echo", "a", "b", "--mode", "load"}, "", "error: --mode must be one of loud, quiet"},
		{"a flag of another", []string{"shout", "a", "b", "--count", "1"}, "", "error: there is no flag --count here"},
		{"misspelt", []string{"echo", "a", "b", "--twise"}, "", "error: there is no flag --twise here\nhint: did you mean --twice?"},
		{"a value is missing", []string{"echo", "a", "b", "--mode"}, "", "error: --mode needs a value"},
		{"a flag where a value is due", []string{"echo", "a", "b", "--mode", "--twice"}, "", "error: --mode needs a value, and --twice looks like a flag"},
		{"a switch with a value", []string{"echo", "a", "b", "--twice=2"}, "", "error: --twice is a switch"},
		{"not UTF-8", []string{"echo", "a", "\xff"}, "", "error: argument 2 is not UTF-8"},
		{"stdin twice", []string{"echo", "-", "-"}, "x", "error: standard input can give one value only"},
	} {
		t.Run(c.name, func(t *testing.T) {
			grammar := newGrammar(testCommands())
			got, err := callOf(grammar, c.args, c.stdin)
			if err != nil {
				r := runApp(t, c.stdin, append([]string{"--ephemeral"}, c.args...)...)
				if r.status != 2 || r.stdout != "" || !strings.HasPrefix(r.stderr, c.want) {
					t.Errorf("status %d, stdout %q, stderr %q; want 2 and %q", r.status, r.stdout, r.stderr, c.want)
				}
				return
			}
			if got != c.want {
				t.Errorf("arguments %s, want %s", got, c.want)
			}
		})
	}
}

// callOf is what a command line would call.
func callOf(grammar *grammar, args []string, stdin string) (string, error) {
	v, g, c, err := wired(grammar, args, stdin)
	if err != nil {
		return "", err
	}
	return string(c.args), check(dispatch.NewRegistry(testCommands(), g.access()), v, c)
}

// wired is the call that a command line means.
func wired(grammar *grammar, args []string, stdin string) (*verb, *globals, call, error) {
	k, _, err := parser("", "", nil, nil)
	if err != nil {
		return nil, nil, call{}, err
	}
	before, word, rest := split(args, flagsOf(k))
	v := grammar.verbs[strings.ToLower(word)]
	k, g, cmd, err := v.parser()
	if err != nil {
		return nil, nil, call{}, err
	}
	l, err := v.parse(k, g, before, rest)
	if err != nil {
		return nil, nil, call{}, err
	}
	c, err := wire(v, cmd, l, g, strings.NewReader(stdin))
	return v, g, c, err
}

// A value that was kept out of the command line is a secret of every command, and
// the daemon is told so; a script is none.
func TestHiddenValuesTravelAsSecrets(t *testing.T) {
	t.Setenv("DUET_TEST_SECRET", "open sesame")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"dialog", "accept", "-"}, "token"},
		{[]string{"fill", "#a", "-"}, "token"},
		{[]string{"type", "-"}, "token"},
		{[]string{"dialog", "accept", "--value-env", "DUET_TEST_SECRET"}, "open sesame"},
		{[]string{"fill", "#a", "-", "--secret=false"}, ""},
		{[]string{"mock", "auth", "**", "--username", "ada", "--password", "-"}, "token"},
		{[]string{"mock", "auth", "**", "--username", "ada", "--value-env", "DUET_TEST_SECRET"}, "open sesame"},
		{[]string{"mock", "reply", "**", "--body", "-"}, ""},
		{[]string{"eval", "-"}, ""},
		{[]string{"fill", "#a", "plain"}, ""},
	} {
		_, g, got, err := wired(newGrammar(tools.All()), c.args, "token\n")
		if err != nil || strings.Join(got.secrets, " ") != c.want {
			t.Errorf("%q: %q %v, want %q", c.args, got.secrets, err, c.want)
			continue
		}
		line, err := callLine(1, g, got)
		if err != nil || strings.Contains(string(line), `"duet/secrets":["`+c.want+`"]`) != (c.want != "") {
			t.Errorf("%q is sent as %s %v", c.args, line, err)
		}
	}
}

// Every argument of every verb is one flag or one value, under the mechanical
// name, and no verb is called like a command of the program.
func TestGrammarMatchesSchema(t *testing.T) {
	grammar := newGrammar(tools.All())
	for _, p := range programs() {
		if grammar.verbs[p.name] != nil {
			t.Errorf("%s is both a tool's verb and a command of the program", p.name)
		}
	}
	for _, name := range grammar.names {
		v := grammar.verbs[name]
		k, _, _, err := v.parser()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		node := k.Model.Children[0]
		var typed []string
		for _, f := range node.Flags {
			typed = append(typed, strings.ReplaceAll(f.Name, "-", "_"))
		}
		for _, a := range node.Positional {
			typed = append(typed, strings.ReplaceAll(a.Name, "-", "_"))
		}
		var declared []string
		for _, f := range v.cmd.Fields() {
			_, preset := v.Preset[f.Name]
			if !f.Hidden && !preset && f.Name != timeoutField && !slices.Contains(v.Drop, f.Name) {
				declared = append(declared, f.Name)
			}
		}
		if v.secretField() != "" {
			declared = append(declared, "value_env")
		}
		if len(v.Saves) > 0 || v.cmd.Value {
			declared = append(declared, "out")
		}
		if f := v.steps(); f != nil {
			declared = append(declared, f.Name)
		}
		if f := v.emptied(); f != nil {
			declared = append(declared, f.None)
		}
		slices.Sort(typed)
		slices.Sort(declared)
		if !slices.Equal(typed, declared) {
			t.Errorf("%s: typed %v, declared %v", name, typed, declared)
		}
		if v.Example != "" {
			if err := Understands(v.Example); err != nil {
				t.Errorf("%s: its example `%s`: %v", name, v.Example, err)
			}
		}
	}
}

// Scripts are taken apart as a shell would, with empty words kept.
func TestTokens(t *testing.T) {
	for text, want := range map[string][]string{
		`fill '#a b' ""`:      {"fill", "#a b", ""},
		`a "b 'c' \" d" e\ f`: {"a", `b 'c' " d`, "e f"},
		`  a	b  `:             {"a", "b"},
		`'\n'`:                {`\n`},
	} {
		got, err := tokens(text)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("tokens(%s) = %q, %v; want %q", text, got, err, want)
		}
	}
	if _, err := tokens(`a "b`); err == nil {
		t.Error("an open quote is an error")
	}
}

// A file input is emptied where that is asked for, and not because a list of files
// came to nothing.
func TestUploadOfNothingIsAskedFor(t *testing.T) {
	for line, ok := range map[string]bool{
		"upload e4 a.txt": true, "upload e4 --clear": true, "upload e4": false, "upload e4 a.txt --clear": false,
	} {
		if err := Understands(line); (err == nil) != ok {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// What has another name here is named by commands that there are, and is none itself.
func TestElsewhere(t *testing.T) {
	words := newGrammar(tools.All()).words()
	for word, commands := range elsewhere {
		if slices.Contains(words, word) {
			t.Errorf("%s is a command", word)
		}
		for _, c := range commands {
			if err := Understands(c); err != nil {
				t.Errorf("%s: %s: %v", word, c, err)
			}
		}
	}
	for word, want := range map[string]string{
		"console": "that is: duet logs", "Resize": "that is: duet viewport 1280x800", "snapshto": "did you mean snapshot?",
		"drag": "that is: duet mouse down --selector e7, then duet mouse up --selector e9", "close": "that is: duet page close, or duet quit",
	} {
		if got := usage("").named(word, words).hint; got != want {
			t.Errorf("%s: %q", word, got)
		}
	}
}
