package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"duet/dispatch"
)

type runArgs struct {
	Script          string `arg:"" optional:"" help:"A file of commands. Default, and -: standard input."`
	ContinueOnError bool   `name:"continue-on-error" help:"Run the rest after a command that failed."`
}

// step is a line of a script, ready to run.
type step struct {
	number int
	text   string
	g      *globals
	call   call
}

// runProgram reads commands from standard input and runs them in order, one
// browser for all. Its status is that of the first command that failed.
func runProgram(ctx context.Context, a *App, r *programRun) error {
	args := r.cmd.(*runArgs)
	script, err := source(args.Script, (&values{stdin: a.Stdin}).readStdin)
	if err != nil {
		return err
	}
	steps, err := a.steps(script, r)
	if err != nil {
		return err
	}
	do, end, err := a.runner(r.g)
	if err != nil {
		return err
	}
	defer end(ctx)
	var first error
	for _, s := range steps {
		s.call.whole = a.wants(r.g, s.call)
		reply, err := do(ctx, s.g, s.call)
		if err == nil {
			err = a.deliver(reply, s.call, r.g.JSON)
		}
		if err == nil {
			continue
		}
		var st status
		if !errors.As(err, &st) {
			st = status(a.fail(err, r.g.JSON))
		}
		if err := a.failedLine(s, r.g.JSON); err != nil {
			return err
		}
		if first == nil {
			first = st
		}
		if !args.ContinueOnError || ctx.Err() != nil {
			break
		}
	}
	return first
}

// failedLine says which line of a script failed.
func (a *App) failedLine(s step, asJSON bool) error {
	if !asJSON {
		_, err := fmt.Fprintf(a.Stderr, "line %d failed: %s\n", s.number, clip(s.text))
		return err
	}
	line, err := marshal(struct {
		OK      bool   `json:"ok"`
		Line    int    `json:"line"`
		Command string `json:"command"`
	}{false, s.number, clip(s.text)})
	if err == nil {
		_, err = fmt.Fprintf(a.Stderr, "%s\n", line)
	}
	return err
}

// runner returns what runs the steps: the daemon, or a session of their own.
func (a *App) runner(g *globals) (do func(context.Context, *globals, call) (*reply, error), end func(context.Context), err error) {
	if !g.Ephemeral {
		return a.ask, func(context.Context) {}, nil
	}
	s, err := a.own(g, policy{AnyAddress: true})
	if err != nil {
		return nil, nil, err
	}
	return func(ctx context.Context, g *globals, c call) (*reply, error) { return s.do(ctx, g, c), nil }, s.close, nil
}

// steps parses and checks every line.
func (a *App) steps(script string, r *programRun) ([]step, error) {
	registry := dispatch.NewRegistry(a.commands(), r.g.access())
	var outer []string
	for _, f := range r.line.flags {
		if !strings.HasPrefix(f, "--continue-on-error=") {
			outer = append(outer, f)
		}
	}
	var steps []step
	in := bufio.NewScanner(strings.NewReader(script))
	in.Buffer(nil, maxStdin+1)
	for n := 1; in.Scan(); n++ {
		text := strings.TrimSpace(in.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		s, err := a.step(text, outer, r, registry)
		if err != nil {
			var u *usageError
			if errors.As(err, &u) {
				u.message = fmt.Sprintf("line %d: %s; nothing was run", n, u.message)
			}
			return nil, err
		}
		s.number, s.text = n, text
		steps = append(steps, s)
	}
	return steps, in.Err()
}

// step makes a line's call. The flags of run itself hold for every line, also
// where the line's command has a flag of the same name.
func (a *App) step(text string, outer []string, r *programRun, registry *dispatch.Registry) (step, error) {
	words, err := tokens(text)
	if err != nil {
		return step{}, err
	}
	v := r.grammar.verbs[strings.ToLower(words[0])]
	if v == nil {
		if slices.Contains(r.grammar.words(), words[0]) {
			return step{}, usage("run takes browser commands, and %s is none", clip(words[0]))
		}
		return step{}, usage("there is no browser command %s", clip(words[0])).named(words[0], r.grammar.words())
	}
	k, g, cmd, err := v.parser()
	if err != nil {
		return step{}, err
	}
	l, err := v.parse(k, g, outer, words[1:])
	if err != nil {
		return step{}, err
	}
	if g.Help || g.Version {
		return step{}, usage("help is not for scripts")
	}
	c, err := wire(v, cmd, l, g, noStdin{})
	if err != nil {
		return step{}, err
	}
	return step{g: g, call: c}, check(registry, v, c)
}

// noStdin is the standard input of a script's lines: the script took it.
type noStdin struct{}

func (noStdin) Read([]byte) (int, error) {
	return 0, errors.New("the script is read from there")
}

// tokens splits a line at white space. Quotes of both kinds hold words together,
// a backslash outside single quotes takes the next character as it is, and an
// empty quoted word is a word.
func tokens(text string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, rune(0)
	escaped := false
	for _, r := range text {
		switch {
		case escaped:
			word.WriteRune(r)
			escaped = false
		case r == '\\' && quote != '\'':
			escaped, inWord = true, true
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '"' || r == '\'':
			quote, inWord = r, true
		case r == ' ' || r == '\t':
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 || escaped {
		return nil, usage("a quote is not closed")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
