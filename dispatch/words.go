package dispatch

import (
	"slices"
	"strings"

	"github.com/goccy/go-json"

	"duet/internal/fault"
)

// Shell says that a call was typed on a command line: what answers say of other
// calls is then said in verbs and flags. The zero value is a call of a tool.
type Shell struct {
	Verb string `json:"verb"` // as it was typed, or its own name
	Lead string `json:"lead"` // what goes before a verb there: the program's name, perhaps with flags
}

// shellWords are the words of a command line.
type shellWords struct {
	commands map[string]*Command // by tool
	cmd      *Command            // that of the call; nil where its arguments are not typed as flags
	verb     Verb                // by which it was called
	args     json.RawMessage
	lead     string
}

// ShellWords are the words of a command line, for what is said without a call or
// before one. cmd is the command that was typed, nil for none, and args what was
// typed with it, where that is known.
func ShellWords(commands []*Command, cmd *Command, s Shell, args json.RawMessage) fault.Words {
	w := &shellWords{commands: map[string]*Command{}, lead: s.Lead}
	for _, c := range commands {
		w.commands[c.name()] = c
	}
	return w.of(cmd, s.Verb, args)
}

// of is the same words for a call of a command.
func (w *shellWords) of(cmd *Command, verb string, args json.RawMessage) *shellWords {
	c := *w
	c.cmd, c.args = nil, args
	if cmd == nil {
		return &c
	}
	for _, v := range cmd.AllVerbs() {
		if v.Name == verb || slices.Contains(v.Aliases, verb) {
			c.cmd, c.verb = cmd, v
			c.verb.Name = verb
		}
	}
	return &c
}

// Call implements fault.Words.
func (w *shellWords) Call(tool string, args []string) string {
	c := w.commands[tool]
	if c == nil || len(c.AllVerbs()) == 0 {
		return fault.ToolWords{}.Call(tool, args)
	}
	given := map[string][]string{}
	for i := 0; i+1 < len(args); i += 2 {
		given[args[i]] = []string{args[i+1]}
	}
	return w.line(c, verbFor(c, given), given)
}

// More implements fault.Words.
func (w *shellWords) More(tool string, args []string) string {
	if w.cmd == nil || w.cmd.name() != tool {
		return w.Call(tool, args)
	}
	given := map[string][]string{}
	var members map[string]json.RawMessage
	if json.Unmarshal(w.args, &members) == nil {
		for name, raw := range members {
			given[name] = typed(raw)
		}
	}
	for i := 0; i+1 < len(args); i += 2 {
		given[args[i]] = []string{args[i+1]}
	}
	if !w.verb.takes(w.cmd, given) {
		return w.line(w.cmd, verbFor(w.cmd, given), given)
	}
	return w.line(w.cmd, w.verb, given)
}

// Arg implements fault.Words.
func (w *shellWords) Arg(name string) string {
	if w.cmd == nil {
		return name
	}
	return w.verb.label(w.cmd, name)
}

// With implements fault.Words.
func (w *shellWords) With(tool, name, value string) string {
	c := w.commands[tool]
	if c == nil {
		return name + "=" + value
	}
	given := map[string][]string{name: {value}}
	v := verbFor(c, given)
	if slices.Contains(c.Positional(v), name) {
		return quoteWord(value)
	}
	return strings.Join(flagWords(c, name, given[name]), " ")
}

// Either implements fault.Words.
func (w *shellWords) Either(_, shell string) string { return shell }

// label is how an argument of a verb is known on a command line.
func (v Verb) label(c *Command, name string) string {
	f := c.Field(name)
	if f == nil {
		return name
	}
	if slices.Contains(c.Positional(v), name) || f.Kind == Objects { // which is read, and no flag
		return strings.ToUpper(f.Flag())
	}
	return "--" + f.Flag()
}

// takes reports whether the arguments can be typed with a verb.
func (v Verb) takes(c *Command, given map[string][]string) bool {
	for name, value := range v.Preset {
		if was, ok := given[name]; !ok || len(was) != 1 || was[0] != value {
			return false
		}
	}
	for _, name := range v.Drop {
		if _, ok := given[name]; ok {
			return false
		}
	}
	return true
}

// verbFor is the verb that says most of a call.
func verbFor(c *Command, given map[string][]string) Verb {
	best := Verb{}
	for _, v := range c.AllVerbs() {
		if v.takes(c, given) && (best.Name == "" || len(v.Preset) > len(best.Preset)) {
			best = v
		}
	}
	if best.Name == "" {
		best = c.AllVerbs()[0]
	}
	return best
}

// line is a call as it is typed.
func (w *shellWords) line(c *Command, v Verb, given map[string][]string) string {
	words := strings.Fields(w.lead + " " + v.Name)
	positional := c.Positional(v)
	dashes := false
	for _, name := range positional {
		for _, value := range given[name] {
			dashes = dashes || strings.HasPrefix(value, "--") || value == "-"
		}
	}
	var values []string
	for _, name := range positional {
		for _, value := range given[name] {
			values = append(values, quoteWord(value))
		}
	}
	if !dashes {
		words = append(words, values...)
	}
	for _, f := range c.Fields() {
		if _, preset := v.Preset[f.Name]; preset || f.Hidden || slices.Contains(positional, f.Name) {
			continue
		}
		if value, ok := given[f.Name]; ok {
			words = append(words, flagWords(c, f.Name, value)...)
		}
	}
	if dashes {
		words = append(append(words, "--"), values...)
	}
	return strings.Join(words, " ")
}

func flagWords(c *Command, name string, values []string) []string {
	f := c.Field(name)
	if f == nil {
		return []string{name}
	}
	var words []string
	for _, value := range values {
		switch {
		case f.Kind == Bool && value == "true":
			words = append(words, "--"+f.Flag())
		case f.Kind == Bool || value == "" || strings.HasPrefix(value, "-"):
			words = append(words, "--"+f.Flag()+"="+quoteWord(value))
		default:
			words = append(words, "--"+f.Flag(), quoteWord(value))
		}
	}
	return words
}

// typed is a value of the wire as words of a command line.
func typed(raw json.RawMessage) []string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return []string{text}
	}
	var list []string
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	return []string{string(raw)}
}

// plainWord are the characters that no shell touches.
// A NUL stands for a ref that is about to be issued.
const plainWord = "\x00abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%"

// quoteWord is a word as a shell takes it.
func quoteWord(s string) string {
	if s != "" && strings.Trim(s, plainWord) == "" && s[0] != '=' {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
