package app

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"

	"duet/dispatch"
	"duet/internal/fault"
	"duet/tools"
)

// verb is one way to call a declared command on the command line.
type verb struct {
	cmd *dispatch.Command
	dispatch.Verb
	typed string // as it was called: its name, or an alias
}

func (v *verb) summary() string {
	if v.Summary != "" {
		return v.Summary
	}
	return v.cmd.Summary
}

// detail is what is told of the verb besides.
func (v *verb) detail() string {
	if v.Detail != "" {
		return v.Detail
	}
	return v.cmd.Detail
}

// words are those in which messages speak of the verb and of others.
func (v *verb) words() fault.Words {
	return dispatch.ShellWords(tools.All(), v.cmd, dispatch.Shell{Verb: v.typed, Lead: ourName}, nil)
}

// ourName is what commands begin with.
const ourName = "duet"

// pointer says where more is told of the verb, with an example of it.
func (v *verb) pointer() string {
	if v.Example == "" {
		return "duet " + v.Name + " --help"
	}
	return "such as: duet " + v.Example + " (duet " + v.Name + " --help)"
}

// fields returns the arguments that the verb takes: by position, and as flags.
// timeout_ms is in neither: every command takes it, so it is a global flag.
func (v *verb) fields() (positional, flags []dispatch.Field) {
	names := v.cmd.Positional(v.Verb)
	for _, n := range names {
		if f := v.cmd.Field(n); f != nil {
			positional = append(positional, v.narrowed(*f))
		}
	}
	for _, f := range v.cmd.Fields() {
		_, preset := v.Preset[f.Name]
		if f.Hidden || preset || f.Name == timeoutField || slices.Contains(v.Drop, f.Name) || slices.Contains(names, f.Name) {
			continue
		}
		flags = append(flags, v.narrowed(f))
	}
	return positional, flags
}

// narrowed is a field as the verb takes it.
func (v *verb) narrowed(f dispatch.Field) dispatch.Field {
	if only := v.Only[f.Name]; only != nil {
		f.Enum = only
	}
	if slices.Contains(v.Needs, f.Name) {
		f.Required, f.Default = true, ""
	}
	return f
}

const timeoutField = "timeout_ms"

// secretFields are the arguments that --value-env can give: what is entered
// into a page or sent to a server, and therefore may be a secret.
var secretFields = []string{"value", "text", "password"}

// secretField returns the name of the argument that --value-env gives, or "".
func (v *verb) secretField() string {
	if !v.cmd.Acts() {
		return ""
	}
	positional, flags := v.fields()
	for _, f := range append(positional, flags...) {
		if f.Kind == dispatch.String && slices.Contains(secretFields, f.Name) {
			return f.Name
		}
	}
	return ""
}

// emptied returns the argument by position for which the verb has a switch that
// gives an empty list, or nil.
func (v *verb) emptied() *dispatch.Field {
	positional, _ := v.fields()
	for _, f := range positional {
		if f.None != "" {
			return &f
		}
	}
	return nil
}

// emptyFlag is the field of that switch.
const emptyFlag = "None"

func emptyHelp(f *dispatch.Field) string {
	return "Give no " + strings.ReplaceAll(f.Flag(), "-", " ") + ", and empty what holds some."
}

// grammar is what can be typed: the declared verbs and the program's own commands.
type grammar struct {
	verbs map[string]*verb // by name and alias
	names []string         // the verbs' own names, sorted
}

func newGrammar(commands []*dispatch.Command) *grammar {
	g := &grammar{verbs: map[string]*verb{}}
	for _, c := range commands {
		for _, v := range c.AllVerbs() {
			entry := &verb{c, v, v.Name}
			g.names = append(g.names, v.Name)
			g.verbs[v.Name] = entry
			for _, alias := range v.Aliases {
				g.verbs[alias] = &verb{c, v, alias}
			}
		}
	}
	slices.Sort(g.names)
	return g
}

// words returns everything that may stand first, for "did you mean".
func (g *grammar) words() []string {
	var words []string
	for name := range g.verbs {
		words = append(words, name)
	}
	for _, p := range programs() {
		words = append(words, p.name)
	}
	slices.Sort(words)
	return words
}

// parser builds kong's model of the global flags and one command: what a
// command costs must not grow with the number of commands.
func parser(name, help string, cmd any, aliases []string) (*kong.Kong, *globals, error) {
	g := &globals{}
	options := []kong.Option{
		kong.Name(ourName), kong.NoDefaultHelp(), kong.Writers(io.Discard, io.Discard),
		kong.Exit(func(int) {}),
	}
	if name != "" {
		tags := []string{}
		if len(aliases) > 0 {
			tags = append(tags, `aliases:"`+strings.Join(aliases, ",")+`"`)
		}
		options = append(options, kong.DynamicCommand(name, help, "", cmd, tags...))
	}
	k, err := kong.New(g, options...)
	if err != nil {
		return nil, nil, fmt.Errorf("grammar of %s: %w", name, err)
	}
	// A command's own flag wins: the global flag of its name is not offered there.
	k.Model.Flags = slices.DeleteFunc(k.Model.Flags, func(f *kong.Flag) bool { return owns(k, f.Name) })
	return k, g, nil
}

// owns reports whether the command that k was built for has a flag of its own.
func owns(k *kong.Kong, flag string) bool {
	for _, child := range k.Model.Children {
		if slices.ContainsFunc(child.Flags, func(f *kong.Flag) bool { return f.Name == flag }) {
			return true
		}
	}
	return false
}

func (v *verb) parser() (*kong.Kong, *globals, reflect.Value, error) {
	cmd := reflect.New(v.structure())
	k, g, err := parser(v.Name, v.summary(), cmd.Interface(), v.Aliases)
	return k, g, cmd.Elem(), err
}

// structure is the Go type that kong fills for the verb: texts and switches,
// because what a value means is decided where arguments are decoded.
func (v *verb) structure() reflect.Type {
	positional, flags := v.fields()
	var sf []reflect.StructField
	for i, f := range positional {
		last := i == len(positional)-1
		tag := `arg:"" name:"` + f.Flag() + `" sep:"none" help:` + strconv.Quote(helpText(&f))
		// Whether a required argument is there is for the decoder to say: it may
		// come from elsewhere (--value-env).
		tag += ` optional:""`
		t := reflect.TypeFor[*string]()
		if (f.Kind == dispatch.Strings || f.Name == v.Lines) && last {
			t = reflect.TypeFor[[]string]()
		}
		sf = append(sf, reflect.StructField{Name: f.GoName, Type: t, Tag: reflect.StructTag(tag)})
	}
	if f := v.steps(); f != nil {
		sf = append(sf, reflect.StructField{Name: "Source", Type: reflect.TypeFor[*string](),
			Tag: reflect.StructTag(`arg:"" name:"` + f.Flag() + `" optional:"" help:"JSON, or a file of it. Default, and -: standard input."`)})
	}
	for _, f := range flags {
		tag := `name:"` + f.Flag() + `" sep:"none" help:` + strconv.Quote(helpText(&f))
		if name := one(&f); name != "" {
			tag += ` aliases:"` + name + `"`
		}
		t := reflect.TypeFor[*string]()
		switch f.Kind {
		case dispatch.Bool:
			t = reflect.TypeFor[*bool]()
		case dispatch.Strings, dispatch.Object:
			t = reflect.TypeFor[[]string]()
		}
		sf = append(sf, reflect.StructField{Name: f.GoName, Type: t, Tag: reflect.StructTag(tag)})
	}
	if f := v.emptied(); f != nil {
		sf = append(sf, reflect.StructField{Name: emptyFlag, Type: reflect.TypeFor[*bool](),
			Tag: reflect.StructTag(`name:"` + f.None + `" help:"` + emptyHelp(f) + `"`)})
	}
	if v.secretField() != "" {
		sf = append(sf, reflect.StructField{Name: "ValueEnv", Type: reflect.TypeFor[*string](),
			Tag: `name:"value-env" placeholder:"NAME" help:"Take the value from this environment variable, as a secret."`})
	}
	if len(v.Saves) > 0 {
		sf = append(sf, reflect.StructField{Name: "Out", Type: reflect.TypeFor[*string](),
			Tag: `name:"out" placeholder:"FILE" help:"Copy the file to here; - writes it to standard output."`})
	}
	if v.cmd.Value {
		sf = append(sf, reflect.StructField{Name: "Out", Type: reflect.TypeFor[*string](),
			Tag: `name:"out" placeholder:"FILE" help:"Write what is printed to this file, whole; - is standard output."`})
	}
	return reflect.StructOf(sf)
}

// helpText is a field's help with what it allows; "" where its name says it all.
func helpText(f *dispatch.Field) string {
	help := f.Help
	if f.People != "" {
		help = f.People
	}
	if len(f.Enum) > 0 && !mentions(help, f.Enum) {
		help += " One of " + strings.Join(f.Enum, ", ") + "."
	}
	if f.Default != "" {
		help += " Default: " + f.Default + "."
	}
	// kong fills in ${name}; a dollar sign of ours is one.
	return strings.ReplaceAll(strings.TrimSpace(help), "${", "$${")
}

func mentions(help string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(help, w) {
			return false
		}
	}
	return true
}
