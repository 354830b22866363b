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
type word struct{ name, summary string }

// completionModel is what the scripts are made of: commands, and the flags of
// each beside those of all.
type completionModel struct {
	commands []word
	global   []word
	flags    map[string][]word // of a command
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
	m := &completionModel{flags: map[string][]word{}}
	all, _, err := parser("", "", nil, nil)
	if err != nil {
		return nil, err
	}
	m.global = flagWords(all.Model.Flags)
	for _, name := range g.names {
		v := g.verbs[name]
		m.commands = append(m.commands, word{name, v.summary()})
		k, _, _, err := v.parser()
		if err != nil {
			return nil, err
		}
		m.flags[name] = flagWords(k.Model.Children[0].Flags)
		for _, p := range partsOf(name) {
			k, _, err := parser(p.name, p.summary, p.cmd(), nil)
			if err != nil {
				return nil, err
			}
			m.flags[name] = append(m.flags[name], flagWords(k.Model.Children[0].Flags)...)
		}
	}
	for _, p := range programs() {
		m.commands = append(m.commands, word{p.name, p.summary})
		k, _, err := parser(p.name, p.summary, p.cmd(), nil)
		if err != nil {
			return nil, err
		}
		m.flags[p.name] = flagWords(k.Model.Children[0].Flags)
	}
	slices.SortFunc(m.commands, func(a, b word) int { return strings.Compare(a.name, b.name) })
	return m, nil
}

func flagWords(flags []*kong.Flag) []word {
	var words []word
	for _, f := range flags {
		if !f.Hidden {
			words = append(words, word{"--" + f.Name, f.Help})
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

func (m *completionModel) bash() string {
	var b strings.Builder
	b.WriteString("# bash completion of duet: source <(duet completion bash)\n_duet() {\n")
	b.WriteString("  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} cmd= flags= w i\n")
	b.WriteString("  for ((i = 1; i < COMP_CWORD; i++)); do\n    w=${COMP_WORDS[i]}\n")
	b.WriteString("    if [[ $w != -* ]]; then cmd=$w; break; fi\n  done\n")
	fmt.Fprintf(&b, "  case $prev in\n    --browser) COMPREPLY=($(compgen -W '%s' -- \"$cur\")); return ;;\n", strings.Join(browsers, " "))
	b.WriteString("    --observe) COMPREPLY=($(compgen -W 'none delta page' -- \"$cur\")); return ;;\n")
	b.WriteString("    --tools) COMPREPLY=($(compgen -W 'core all' -- \"$cur\")); return ;;\n")
	b.WriteString("    --allow-file|--upload-root) COMPREPLY=($(compgen -d -- \"$cur\")); return ;;\n  esac\n")
	fmt.Fprintf(&b, "  if [[ -z $cmd && $cur != -* ]]; then\n    COMPREPLY=($(compgen -W '%s' -- \"$cur\"))\n    return\n  fi\n", names(m.commands))
	b.WriteString("  case $cmd in\n")
	for _, c := range m.commands {
		if len(m.flags[c.name]) > 0 {
			fmt.Fprintf(&b, "    %s) flags='%s' ;;\n", c.name, names(m.flags[c.name]))
		}
	}
	fmt.Fprintf(&b, "  esac\n  COMPREPLY=($(compgen -W \"$flags %s\" -- \"$cur\"))\n}\ncomplete -o default -F _duet duet\n", names(m.global))
	return b.String()
}

func (m *completionModel) zsh() string {
	quote := func(w word) string {
		text := strings.NewReplacer("'", "", ":", " ", "`", "").Replace(w.summary)
		return "'" + w.name + ":" + text + "'"
	}
	var b strings.Builder
	b.WriteString("#compdef duet\n# zsh completion of duet: source <(duet completion zsh)\n_duet() {\n  local -a commands flags\n  local cmd= w\n  commands=(\n")
	for _, c := range m.commands {
		b.WriteString("    " + quote(c) + "\n")
	}
	b.WriteString("  )\n  for w in ${words[2,CURRENT-1]}; do\n    if [[ $w != -* ]]; then cmd=$w; break; fi\n  done\n")
	b.WriteString("  if [[ -z $cmd && ${words[CURRENT]} != -* ]]; then\n    _describe command commands\n    return\n  fi\n  flags=(\n")
	for _, f := range m.global {
		b.WriteString("    " + quote(f) + "\n")
	}
	b.WriteString("  )\n  case $cmd in\n")
	for _, c := range m.commands {
		if len(m.flags[c.name]) == 0 {
			continue
		}
		b.WriteString("    " + c.name + ") flags+=(")
		for i, f := range m.flags[c.name] {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(quote(f))
		}
		b.WriteString(") ;;\n")
	}
	b.WriteString("  esac\n  if [[ ${words[CURRENT]} == -* ]]; then _describe flag flags; else _files; fi\n}\nif [[ $funcstack[1] == _duet ]]; then _duet; else compdef _duet duet; fi\n")
	return b.String()
}

func (m *completionModel) fish() string {
	quote := func(s string) string { return "'" + strings.NewReplacer("'", "", `\`, "").Replace(s) + "'" }
	var b strings.Builder
	b.WriteString("# fish completion of duet: duet completion fish | source\n")
	for _, c := range m.commands {
		fmt.Fprintf(&b, "complete -c duet -f -n __fish_use_subcommand -a %s -d %s\n", c.name, quote(c.summary))
	}
	for _, f := range m.global {
		fmt.Fprintf(&b, "complete -c duet -l %s -d %s\n", f.name[2:], quote(f.summary))
	}
	for _, c := range m.commands {
		for _, f := range m.flags[c.name] {
			fmt.Fprintf(&b, "complete -c duet -n '__fish_seen_subcommand_from %s' -l %s -d %s\n", c.name, f.name[2:], quote(f.summary))
		}
	}
	return b.String()
}
