package dispatch

import (
	"slices"
	"strings"

	"github.com/goccy/go-json"

	"duet/internal/fault"
)

// Access says which commands exist for a caller. It comes from configuration
// alone, so that the list never varies by connection or call.
type Access struct {
	Profile  Profile // Core, or All; "" is All
	ReadOnly bool    // nothing that acts exists
}

// Registry is the commands that exist under an Access. It is immutable and safe
// for concurrent use.
type Registry struct {
	access Access
	views  []*view
	byName map[string]*view
	kept   map[string]string // what is not offered here, by name, and why
	shell  *shellWords       // the words of a command line, whatever is offered
}

// view is a command as it exists under an access: in read-only mode the enum
// that decides whether it acts keeps its reading values.
type view struct {
	*Command
	fields   []Field
	readOnly bool
	info     ToolInfo
}

// NewRegistry selects the commands that exist. It panics where two share a tool
// name or a verb.
func NewRegistry(commands []*Command, a Access) *Registry {
	r := &Registry{access: a, byName: map[string]*view{}, kept: map[string]string{}, shell: &shellWords{commands: map[string]*Command{}}}
	seen := map[string]bool{}
	for _, c := range commands {
		for _, name := range c.names() {
			if seen[name] {
				panic("dispatch: two commands are called " + name)
			}
			seen[name] = true
		}
		r.shell.commands[c.name()] = c
		if v := r.admit(c); v != nil {
			r.views = append(r.views, v)
			r.byName[v.name()] = v
		} else {
			r.kept[c.name()] = r.why(c)
		}
	}
	slices.SortFunc(r.views, compareViews)
	return r
}

// why says for what a command does not exist here.
func (r *Registry) why(c *Command) string {
	if r.access.ReadOnly && c.acts {
		return "--read-only offers only what changes nothing"
	}
	return "--tools " + string(r.access.Profile) + " offers only the small set"
}

func (c *Command) names() []string {
	var names []string
	if c.Tool != "" && c.Tool != c.Verb {
		names = append(names, c.Tool)
	}
	for _, v := range c.AllVerbs() {
		names = append(append(names, v.Name), v.Aliases...)
	}
	return names
}

// name is what a Request calls the command by.
func (c *Command) name() string {
	if c.Tool != "" {
		return c.Tool
	}
	return c.Verb
}

// compareViews lists a tool without arguments first, then by name: some hosts
// probe the first tool with {}.
func compareViews(a, b *view) int {
	switch x, y := len(a.fields) == 0 && !a.acts, len(b.fields) == 0 && !b.acts; {
	case x && !y:
		return -1
	case y && !x:
		return 1
	}
	return strings.Compare(a.name(), b.name())
}

// admit is the one predicate of listing and lookup: nil is a command that does
// not exist here.
func (r *Registry) admit(c *Command) *view {
	if r.access.Profile == Core && c.Profile != Core {
		return nil
	}
	v := &view{Command: c, fields: c.fields, readOnly: !c.acts}
	if r.access.ReadOnly && c.acts {
		switch {
		case c.steps:
		case c.by != "" && len(c.reading) > 0:
			v.fields = restrict(c.fields, c.by, c.reading)
		default:
			return nil
		}
		v.readOnly = true
	}
	v.info = ToolInfo{
		Name: c.Tool, Title: c.Title, Description: c.Summary, Schema: Schema(v.fields),
		ReadOnly: v.readOnly, Destructive: !v.readOnly && c.Destructive,
		Idempotent: v.readOnly && !c.Writes && !c.steps, OpenWorld: !c.Closed,
	}
	return v
}

func restrict(fields []Field, by string, reading []string) []Field {
	fields = slices.Clone(fields)
	for i := range fields {
		if f := &fields[i]; f.Name == by {
			f.Enum = reading
			if f.Default != "" && !slices.Contains(reading, f.Default) {
				f.Default, f.Required = "", true
			}
		}
	}
	return fields
}

// Lookup returns the command of a tool name, or of a verb where it has no tool.
func (r *Registry) Lookup(name string) (*Command, bool) {
	v, ok := r.byName[name]
	if !ok {
		return nil, false
	}
	return v.Command, true
}

// List returns the commands that exist, in listing order.
func (r *Registry) List() []*Command {
	commands := make([]*Command, len(r.views))
	for i, v := range r.views {
		commands[i] = v.Command
	}
	return commands
}

// Tools lists the commands that have a tool name.
func (r *Registry) Tools() []ToolInfo {
	var infos []ToolInfo
	for _, v := range r.views {
		if v.Tool != "" {
			infos = append(infos, v.info)
		}
	}
	return infos
}

// Fields returns the arguments of a command as they exist here: in read-only
// mode an enum lacks its acting values.
func (r *Registry) Fields(name string) []Field {
	if v, ok := r.byName[name]; ok {
		return v.fields
	}
	return nil
}

// Check decodes a call and drops it: nil where Do would run it.
func (r *Registry) Check(name string, args json.RawMessage) *ArgError {
	_, _, err := r.decode(name, args)
	return err
}

// words are those in which a call is answered. A step's arguments are not typed as
// flags, wherever its batch comes from.
func (r *Registry) words(q Request, step bool) fault.Words {
	if q.Shell.Verb == "" {
		return fault.ToolWords{}
	}
	w := *r.shell
	w.lead = q.Shell.Lead
	if v := r.byName[q.Tool]; v != nil && !step {
		return w.of(v.Command, q.Shell.Verb, q.Args)
	}
	return w.of(nil, "", nil)
}

// decode finds the command and decodes its arguments into a pointer to its struct.
func (r *Registry) decode(name string, args json.RawMessage) (*view, any, *ArgError) {
	v, ok := r.byName[name]
	if !ok {
		return nil, nil, r.unknown(name)
	}
	decoded := v.New()
	if err := Decode(args, v.fields, decoded); err != nil {
		err.Data.Tool = name
		return nil, nil, err
	}
	if v.check != nil {
		if err := v.check(r, decoded); err != nil {
			err.Data.Tool = name
			return nil, nil, err
		}
	}
	return v, decoded, nil
}

func (r *Registry) unknown(name string) *ArgError {
	var names []string
	for _, v := range r.views {
		if v.Tool != "" {
			names = append(names, v.Tool)
		}
	}
	e := &ArgError{Message: "unknown tool " + show(name), Data: ArgData{Tool: clip(name, 64), Rule: "unknown_tool", Allowed: names}}
	if why, ok := r.kept[name]; ok {
		e.Message += ": it is not offered here, because " + why
		return e
	}
	if v, verb := r.verb(strings.TrimPrefix(name, "browser_")); v != nil && v.Tool == "" {
		e.Message += ": " + verb.Name + " is a command of the command line, and no tool"
		return e
	}
	if r.meant(name, e) {
		return e
	}
	// The letters that all names share make none of them likelier.
	short := make([]string, len(names))
	for i, n := range names {
		short[i] = strings.TrimPrefix(n, "browser_")
	}
	if best := nearest(strings.TrimPrefix(name, "browser_"), short); best != "" {
		e.suggest(names[slices.Index(short, best)], "")
	}
	return e
}
