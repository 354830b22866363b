// Package app is the program: grammar, wiring, printing, exit status.
package app

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"duet/dispatch"
	"duet/internal/fault"
	"duet/internal/launch"
	"duet/internal/lazyregexp"
	"duet/tools"
)

// App is one run of the program. Nothing else writes to Stdout: results go
// there, and errors to Stderr, always.
type App struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Commands       []*dispatch.Command // nil is all of them
}

// Main runs the program of this process and returns its exit status. It is also
// the guard's program: that one comes first, before anything is set up.
func Main() int {
	if len(os.Args) > 1 && os.Args[1] == launch.GuardArg {
		return launch.GuardMain(os.Args[2:], os.Stdin)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// A reader that goes away is an error of a write, not the end of this process:
	// browsers must be put away first.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	a := &App{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
	return a.Run(ctx, os.Args[1:])
}

func (a *App) commands() []*dispatch.Command {
	if a.Commands == nil {
		return tools.All()
	}
	return a.Commands
}

// Run does what the arguments say and returns the exit status: 0 done, 1 the
// page or the browser said no, 2 the command was wrong. Whether a command is
// wrong is decided before a daemon is asked or a browser started.
func (a *App) Run(ctx context.Context, args []string) int {
	g, err := a.run(ctx, args)
	if err == nil {
		return 0
	}
	return a.fail(err, g != nil && g.JSON || slices.Contains(args, "--json"))
}

func (a *App) run(ctx context.Context, args []string) (*globals, error) {
	grammar := newGrammar(a.commands())
	k, _, err := parser("", "", nil, nil)
	if err != nil {
		return nil, err
	}
	global := flagsOf(k)
	before, word, rest := split(args, global)
	word = strings.ToLower(word)
	if word == "" {
		return a.bare(grammar, k, before, global)
	}
	if v := grammar.verbs[word]; v != nil {
		if rest, yes := following(v, rest); yes {
			return a.follow(ctx, v, before, rest)
		}
		if p, rest, ok := partOf(v, rest); ok {
			return a.program(ctx, grammar, p, before, rest)
		}
		return a.verb(ctx, grammar, v, before, rest)
	}
	for _, p := range programs() {
		if p.name == word {
			return a.program(ctx, grammar, p, before, rest)
		}
	}
	e := usage("there is no command %s", clip(word)).named(word, grammar.words())
	if e.hint == "" {
		e.hint = "duet --help lists them"
	}
	return nil, e
}

// bare handles a command line without a word: help or the version.
func (a *App) bare(grammar *grammar, k *kong.Kong, args []string, global flagSet) (*globals, error) {
	l, err := read(args, global)
	if err != nil {
		return nil, err
	}
	if len(l.values) > 0 {
		return nil, usage("there is no command %s", clip(l.values[0]))
	}
	if slices.Contains(l.flags, "--version=true") {
		_, err := io.WriteString(a.Stdout, versionLine())
		return nil, err
	}
	if len(l.flags) > 0 && !slices.Contains(l.flags, "--help=true") {
		e := usage("there is no command, only flags")
		e.hint = "duet --help lists the commands"
		return nil, e
	}
	_, err = io.WriteString(a.Stdout, helpAll(grammar, k))
	return nil, err
}

// parse reads a command's line into kong's model of it.
func parse(k *kong.Kong, g *globals, name string, before, rest []string) (line, error) {
	known := flagsOf(k)
	head, err := read(before, known)
	if err != nil {
		return line{}, err
	}
	l, err := read(rest, known)
	if err != nil {
		return line{}, err
	}
	l.flags = append(head.flags, l.flags...)
	if slices.Contains(l.flags, "--help=true") {
		g.Help = true
		return l, nil
	}
	if slices.Contains(l.flags, "--version=true") {
		g.Version = true
		return l, nil
	}
	if _, err := k.Parse(l.argv(name)); err != nil {
		return l, kongError(err, name, l)
	}
	return l, g.complete()
}

// notANumber is how kong refuses a text in the place of a number.
var notANumber = lazyregexp.New(`^(--[a-z-]+): expected a valid \d+ bit int but got (.*)$`)

// missing is how kong asks for an argument.
var missing = lazyregexp.New(`^expected "<([a-z-]+)>`)

// kongError is kong's complaint in our words.
func kongError(err error, name string, l line) error {
	var pe *kong.ParseError
	if !errors.As(err, &pe) {
		return err
	}
	text := pe.Error()
	e := usage("%s", strings.TrimPrefix(text, "expected "))
	if m := notANumber().FindStringSubmatch(text); m != nil {
		e.message = m[1] + " must be a whole number, not " + clip(m[2])
	}
	if m := missing().FindStringSubmatch(text); m != nil {
		e.message = strings.ToUpper(m[1]) + " is required"
	}
	if word, ok := strings.CutPrefix(text, "unexpected argument "); ok {
		e.message = "one argument too many: " + clip(word)
		e.hint = "quote a value that has spaces; options are written --name value (duet " + name + " --help)"
	}
	if e.hint == "" {
		e.hint = "duet " + name + " --help"
	}
	return e
}

// verb runs a declared command.
func (a *App) verb(ctx context.Context, grammar *grammar, v *verb, before, rest []string) (*globals, error) {
	k, g, cmd, err := v.parser()
	if err != nil {
		return nil, err
	}
	l, err := v.parse(k, g, before, rest)
	if err == nil && !g.Help {
		err = unfollowed(v, rest)
	}
	switch {
	case err != nil:
		return g, err
	case g.Help:
		_, err := io.WriteString(a.Stdout, helpVerb(v, k))
		return g, err
	case g.Version:
		_, err := io.WriteString(a.Stdout, versionLine())
		return g, err
	}
	c, err := wire(v, cmd, l, g, a.Stdin)
	if err != nil {
		return g, err
	}
	registry := dispatch.NewRegistry(a.commands(), g.access())
	if err := check(registry, v, c); err != nil {
		return g, err
	}
	c.whole = a.wants(g, c)
	r, err := a.call(ctx, g, c)
	if err != nil {
		return g, err
	}
	return g, a.deliver(r, c, g.JSON)
}

// check refuses a call that would not be run, in the words of the command line.
func check(registry *dispatch.Registry, v *verb, c call) error {
	if _, ok := registry.Lookup(c.tool); !ok {
		return usage("%s is not among the commands that --read-only or --tools leaves", v.Name)
	}
	wrong := registry.Check(c.tool, c.args)
	if wrong == nil {
		return nil
	}
	return argUsage(wrong, v)
}

// argUsage says in the words of a verb what is wrong with its arguments, and shows
// right ones; without a verb, in those that the message has.
func argUsage(wrong *dispatch.ArgError, v *verb) error {
	e := usage("%s", wrong.Error())
	if v != nil {
		e.message, e.hint = fault.Say(wrong.Message, v.words()), v.pointer()
		if wrong.Data.Rule != "required" {
			e.hint = ourName + " " + v.Name + " --help"
		}
		if help := globalNamed(wrong.Data.Path); help != "" && wrong.Data.Rule == "enum" {
			e.hint = "the flag of all commands that is called so goes before the command: duet " + help + " " + v.Name + " …"
			return e
		}
	}
	if wrong.Data.DidYouMean != "" {
		e.hint = "did you mean " + wrong.Data.DidYouMean + "?"
	}
	return e
}

// globalNamed shows the flag of all commands that has an argument's name, "" for none.
func globalNamed(path string) string {
	all, _, err := parser("", "", nil, nil)
	if err != nil {
		return ""
	}
	for _, f := range all.Model.Flags {
		if f.Name == strings.TrimPrefix(path, "/") {
			return "--" + f.Name + " " + placeholder(f)
		}
	}
	return ""
}

// call makes one call: over the daemon, or with a browser of its own.
func (a *App) call(ctx context.Context, g *globals, c call) (*reply, error) {
	if !g.Ephemeral {
		return a.ask(ctx, g, c)
	}
	s, err := a.own(g, policy{AnyAddress: true})
	if err != nil {
		return nil, err
	}
	defer s.close(ctx)
	return s.do(ctx, g, c), nil
}
