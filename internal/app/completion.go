package app

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

type completionArgs struct {
	Shell string `arg:"" optional:"" help:"bash, zsh or fish."`
}

var shells = []string{"bash", "zsh", "fish"}

// word is something that can be completed.
type word struct {
	name, summary string
	takes         bool     // a flag with a value
	values        []string // that it may have, where they are few
}

// completed is a command with what may follow it.
type completed struct {
	word
	flags []word
	first []string // values of the argument behind it, where they are few
}

// completionModel is what the scripts are made of.
type completionModel struct {
	commands []completed // with their aliases, by name
	global   []word
}

func completionProgram(_ context.Context, a *App, r *programRun) error {
	shell := r.cmd.(*completionArgs).Shell
	if shell == "" {
		return usage("completion takes the name of a shell: %s", list(shells))
	}
	m, err := completionOf(r.grammar)
	if err != nil {
		return err
	}
	var text string
	switch shell {
	case "bash":
		text = m.bash()
	case "zsh":
		text = m.zsh()
	case "fish":
		text = m.fish()
	default:
		return usage("completion takes %s, not %s", list(shells), clip(shell)).meant(shell, shells)
	}
	_, err = io.WriteString(a.Stdout, text)
	return err
}

func completionOf(g *grammar) (*completionModel, error) {
	m := &completionModel{}
	all, _, err := parser("", "", nil, nil)
	if err != nil {
		return nil, err
	}
	m.global = flagWords(all.Model.Flags)
	for i := range m.global {
		m.global[i].values = globalValues[m.global[i].name]
	}
	for name, v := range g.verbs {
		k, _, _, err := v.parser()
		if err != nil {
			return nil, err
		}
		c := completed{word: word{name: name, summary: v.summary()}, flags: flagWords(k.Model.Children[0].Flags)}
		positional, flags := v.fields()
		for _, f := range flags {
			for i := range c.flags {
				if c.flags[i].name == "--"+f.Flag() {
					c.flags[i].values = f.Enum
				}
			}
		}
		if len(positional) > 0 {
			c.first = slices.Clone(positional[0].Enum)
		}
		for _, p := range partsOf(v.Name) {
			k, _, err := parser(p.name, p.summary, p.cmd(), nil)
			if err != nil {
				return nil, err
			}
			c.flags = append(c.flags, flagWords(k.Model.Children[0].Flags)...)
			c.first = append(c.first, strings.TrimPrefix(p.name, v.Name+" "))
		}
		m.commands = append(m.commands, c)
	}
	for _, p := range programs() {
		k, _, err := parser(p.name, p.summary, p.cmd(), nil)
		if err != nil {
			return nil, err
		}
		c := completed{word: word{name: p.name, summary: p.summary}, flags: flagWords(k.Model.Children[0].Flags), first: p.words}
		if p.name == helpName {
			c.first = g.words()
		}
		m.commands = append(m.commands, c)
	}
	slices.SortFunc(m.commands, func(a, b completed) int { return strings.Compare(a.name, b.name) })
	return m, nil
}

func flagWords(flags []*kong.Flag) []word {
	var words []word
	for _, f := range flags {
		if !f.Hidden {
			words = append(words, word{name: "--" + f.Name, summary: f.Help, takes: !f.IsBool()})
		}
	}
	return words
}

func names(words []word) string {
	var s []string
	for _, w := range words {
		s = append(s, w.name)
	}
	return strings.Join(s, " ")
}

// takers are all flags that take a value.
func (m *completionModel) takers() string {
	var s []string
	add := func(words []word) {
		for _, w := range words {
			if w.takes && !slices.Contains(s, w.name) {
				s = append(s, w.name)
			}
		}
	}
	add(m.global)
	for _, c := range m.commands {
		add(c.flags)
	}
	return strings.Join(s, " ")
}

// valued are the cases of flags whose values are few, those of commands first: a
// pattern of command and flag, and the values.
func (m *completionModel) valued() [][2]string {
	var rows [][2]string
	for _, c := range m.commands {
		for _, f := range c.flags {
			if len(f.values) > 0 {
				rows = append(rows, [2]string{`"` + c.name + " " + f.name + `"`, strings.Join(f.values, " ")})
			}
		}
	}
	for _, f := range m.global {
		if len(f.values) > 0 {
			rows = append(rows, [2]string{`*" ` + f.name + `"`, strings.Join(f.values, " ")})
		}
	}
	return rows
}

// scan is the part of the scripts of bash and zsh that looks at the words before the
// one that is typed: the command, and how many arguments it has.
const scan = `    if [[ $w == -* ]]; then
      [[ " $takes " == *" $w "* ]] && ((i++))
    elif [[ -z $cmd ]]; then cmd=$w
    else ((n++)); fi
`

func (m *completionModel) cases(b *strings.Builder, flags func([]word) string) {
	b.WriteString("  case \"$cmd $prev\" in\n")
	for _, row := range m.valued() {
		fmt.Fprintf(b, "    %s) values='%s' ;;\n", row[0], row[1])
	}
	b.WriteString("  esac\n  case $cmd in\n")
	for _, c := range m.commands {
		if len(c.flags)+len(c.first) > 0 {
			fmt.Fprintf(b, "    %s) flags+=(%s) first='%s' ;;\n", c.name, flags(c.flags), strings.Join(c.first, " "))
		}
	}
	b.WriteString("  esac\n")
}

func (m *completionModel) bash() string {
	var b strings.Builder
	b.WriteString("# bash completion of duet: source <(duet completion bash)\n_duet() {\n")
	b.WriteString("  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd= first= values= w i n=0\n")
	fmt.Fprintf(&b, "  local takes='%s' flags=(%s)\n", m.takers(), names(m.global))
	b.WriteString("  for ((i = 1; i < COMP_CWORD; i++)); do\n    w=${COMP_WORDS[i]}\n" + scan + "  done\n")
	m.cases(&b, names)
	b.WriteString("  if [[ -n $values ]]; then COMPREPLY=($(compgen -W \"$values\" -- \"$cur\"))\n")
	b.WriteString("  elif [[ \" $takes \" == *\" $prev \"* ]]; then COMPREPLY=()\n")
	b.WriteString("  elif [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"${flags[*]}\" -- \"$cur\"))\n")
	var commands []word
	for _, c := range m.commands {
		commands = append(commands, c.word)
	}
	fmt.Fprintf(&b, "  elif [[ -z $cmd ]]; then COMPREPLY=($(compgen -W '%s' -- \"$cur\"))\n", names(commands))
	b.WriteString("  elif ((n == 0)); then COMPREPLY=($(compgen -W \"$first\" -- \"$cur\"))\n  fi\n}\ncomplete -o default -F _duet duet\n")
	return b.String()
}

func (m *completionModel) zsh() string {
	quote := func(w word) string {
		text := strings.NewReplacer("'", "", ":", " ", "`", "").Replace(w.summary)
		return "'" + w.name + ":" + text + "'"
	}
	quoted := func(words []word) string {
		var s []string
		for _, w := range words {
			s = append(s, quote(w))
		}
		return strings.Join(s, " ")
	}
	var b strings.Builder
	b.WriteString("#compdef duet\n# zsh completion of duet: source <(duet completion zsh)\n_duet() {\n  local -a commands flags\n")
	b.WriteString("  local cur=${words[CURRENT]} prev=${words[CURRENT-1]} cmd= first= values= w i n=0\n")
	fmt.Fprintf(&b, "  local takes='%s'\n  commands=(\n", m.takers())
	for _, c := range m.commands {
		b.WriteString("    " + quote(c.word) + "\n")
	}
	fmt.Fprintf(&b, "  )\n  flags=(%s)\n", quoted(m.global))
	b.WriteString("  for ((i = 2; i < CURRENT; i++)); do\n    w=${words[i]}\n" + scan + "  done\n")
	m.cases(&b, quoted)
	b.WriteString("  if [[ -n $values ]]; then compadd -- ${=values}\n")
	b.WriteString("  elif [[ \" $takes \" == *\" $prev \"* ]]; then _files\n")
	b.WriteString("  elif [[ $cur == -* ]]; then _describe flag flags\n")
	b.WriteString("  elif [[ -z $cmd ]]; then _describe command commands\n")
	b.WriteString("  elif ((n == 0)) && [[ -n $first ]]; then compadd -- ${=first}\n  else _files; fi\n}\n")
	b.WriteString("if [[ $funcstack[1] == _duet ]]; then _duet; else compdef _duet duet; fi\n")
	return b.String()
}

func (m *completionModel) fish() string {
	quote := func(s string) string { return "'" + strings.NewReplacer("'", "", `\`, "").Replace(s) + "'" }
	flag := func(condition string, f word) string {
		line := "complete -c duet" + condition + " -l " + f.name[2:] + " -d " + quote(f.summary)
		switch {
		case len(f.values) > 0:
			line += " -x -a " + quote(strings.Join(f.values, " "))
		case f.takes:
			line += " -r"
		}
		return line + "\n"
	}
	var b strings.Builder
	b.WriteString("# fish completion of duet: duet completion fish | source\n")
	for _, c := range m.commands {
		fmt.Fprintf(&b, "complete -c duet -f -n __fish_use_subcommand -a %s -d %s\n", c.name, quote(c.summary))
	}
	for _, f := range m.global {
		b.WriteString(flag("", f))
	}
	for _, c := range m.commands {
		condition := " -n '__fish_seen_subcommand_from " + c.name + "'"
		if len(c.first) > 0 {
			fmt.Fprintf(&b, "complete -c duet%s -f -a %s\n", condition, quote(strings.Join(c.first, " ")))
		}
		for _, f := range c.flags {
			b.WriteString(flag(condition, f))
		}
	}
	return b.String()
}
