package app

import (
	"slices"
	"strings"
	"testing"

	"duet/tools"
)

// A flag of a command that has the name of a global flag is the command's.
func TestACommandsOwnFlagWins(t *testing.T) {
	all, _, err := parser("", "", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	global := flagsOf(all)
	var clashes []string
	grammar := newGrammar(tools.All())
	for _, name := range grammar.names {
		v := grammar.verbs[name]
		for _, f := range v.cmd.Fields() {
			if _, clash := global[f.Flag()]; f.Hidden && clash {
				clashes = append(clashes, name+" --"+f.Flag())
				if !v.saysJSON() {
					t.Errorf("%s --%s cannot be said", name, f.Flag())
				}
			}
		}
		_, flags := v.fields()
		for _, f := range flags {
			if _, clash := global[f.Flag()]; !clash {
				continue
			}
			clashes = append(clashes, name+" --"+f.Flag())
			value := "x"
			if len(f.Enum) > 0 {
				value = f.Enum[0]
			}
			k, g, cmd, err := v.parser()
			if err != nil {
				t.Fatal(err)
			}
			l, err := parse(k, g, v.Name, nil, []string{"--" + f.Flag(), value})
			if err != nil {
				t.Errorf("%s --%s %s: %v", name, f.Flag(), value, err)
				continue
			}
			if got := cmd.FieldByName(f.GoName); got.IsNil() || got.Elem().String() != value || g.State != "" || g.Observe != "" {
				t.Errorf("%s --%s %s: the command got nothing, the globals %+v of %q", name, f.Flag(), value, g, l.flags)
			}
		}
	}
	// Each of them hides a global flag behind its command, but for --json, which takes
	// a value only where that is JSON: a new one is a decision.
	if want := []string{"batch --observe", "mock --json", "wait --state"}; !slices.Equal(clashes, want) {
		t.Errorf("clashes %q, want %q", clashes, want)
	}
	for _, p := range programs() {
		k, _, err := parser(p.name, p.summary, p.cmd(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range k.Model.Children[0].Flags {
			if _, clash := global[f.Name]; clash {
				t.Errorf("%s --%s", p.name, f.Name)
			}
		}
	}
}

// The global flag of run holds for its lines, and a line's own flag for the line.
func TestRunKeepsFlagsApart(t *testing.T) {
	a := &App{Commands: tools.All()}
	outer := &globals{State: "kept"}
	r := &programRun{g: outer, line: line{flags: []string{"--state=kept"}}, grammar: newGrammar(tools.All())}
	steps, err := a.steps("wait '#s' --state hidden\nwait text=x\nclick '#s'", r)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{`{"target":"#s","state":"hidden"}`, `{"target":"text=x"}`, `{"selector":"#s"}`} {
		if s := steps[i]; string(s.call.args) != want || s.g.State != "kept" {
			t.Errorf("%s: %s with state %q", strings.TrimSpace(s.text), s.call.args, s.g.State)
		}
	}
}
