package app

import (
	"strings"

	"duet/dispatch"
	"duet/tools"
)

// Understands returns nil where a command line, without the program's name, is
// one that Run would carry out, and otherwise what is wrong with it. Nothing is
// run. For the tests of what documents show.
func Understands(text string) error {
	text, _, _ = strings.Cut(text, " < ") // standard input is the shell's affair
	words, err := tokens(text)
	if err != nil {
		return err
	}
	grammar := newGrammar(tools.All())
	k, _, err := parser("", "", nil, nil)
	if err != nil {
		return err
	}
	before, word, rest := split(words, flagsOf(k))
	if word == "" {
		_, err := read(before, flagsOf(k))
		return err
	}
	if v := grammar.verbs[strings.ToLower(word)]; v != nil {
		if p, rest, ok := partOf(v, rest); ok {
			return p.understands(before, rest)
		}
		k, g, cmd, err := v.parser()
		if err != nil {
			return err
		}
		l, err := v.parse(k, g, before, rest)
		if err != nil || g.Help || v.readsJSON() {
			return err
		}
		shown := strings.NewReader("text from standard input")
		c, err := wire(v, cmd, l, g, shown)
		if err != nil {
			return err
		}
		return check(dispatch.NewRegistry(tools.All(), g.access()), v, c)
	}
	for _, p := range programs() {
		if p.name == word {
			return p.understands(before, rest)
		}
	}
	return usage("there is no command %s", clip(word)).meant(word, grammar.words())
}

func (p program) understands(before, rest []string) error {
	k, g, err := parser(p.name, p.summary, p.cmd(), nil)
	if err != nil {
		return err
	}
	_, err = parse(k, g, p.name, before, rest)
	return err
}

// readsJSON reports whether the verb takes an argument as JSON, from standard input
// where it is not typed.
func (v *verb) readsJSON() bool { return v.steps() != nil }

// steps is that argument, or nil.
func (v *verb) steps() *dispatch.Field {
	for _, f := range v.cmd.Fields() {
		if f.Hidden && f.Required {
			return &f
		}
	}
	return nil
}
