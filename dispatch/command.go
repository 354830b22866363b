package dispatch

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"time"

	"duet/internal/fault"
)

// Profile is the smallest set of tools that a command belongs to.
type Profile string

// The profiles. The zero value is All.
const (
	Core Profile = "core" // also in the small set
	All  Profile = "all"
)

// Spec declares a command: everything that is said about it besides its
// arguments and what it does.
type Spec struct {
	Verb    string   // the CLI's name for it; "" keeps it out of the CLI
	Aliases []string // other names that people type
	Verbs   []Verb   // further verbs over the same arguments
	Tool    string   // the MCP name; "" keeps it out of MCP
	Title   string   // a few words for people
	Summary string   // one sentence: what a model reads, and the first line of the CLI's help
	Detail  string   // more for people: CLI help and reference, never in the tool list
	Example string   // a command line without the program's name
	Profile Profile

	Idle bool // runs without a browser and never launches one; Browser() may be nil
	// IdleFor are the actions for which the command is Idle, where others need a browser.
	IdleFor []string
	Fresh   bool // makes sense in a browser that has just been started again
	// Away are the actions that lead away from a page, or show nothing of it, so that a caller may
	// call them where the page is none that it may look at; AnyAction where all of them do.
	Away        []string
	Destructive bool // may lose something that the caller cannot get back
	Closed      bool // touches nothing outside duet itself
	Writes      bool // a reading command that leaves a file behind, so that two calls differ
	EntersText  bool // as a step of a batch it is fenced together with its neighbours
	Quiet       bool // no observation follows, although the command acts
	Awaits      bool // looks until the page is another one: an observation follows where it is asked for by name
	Untraced    bool // a trace does not hold it

	Saves []string // endings of the file that it makes, the usual one first: the CLI copies it where it is told
	Value bool     // its result is a value of the page: into a pipe or a file the CLI gives all of it

	Bound time.Duration // what a call may take at least, where its work is long and nothing is waited for

	// Codes are what its calls fail with, besides what any call may; see AnyCall.
	Codes []fault.Code
}

// Verb is one CLI verb of a command: it presets some arguments and may take
// others by position.
type Verb struct {
	Name    string
	Aliases []string
	Summary string              // "" is the command's
	Detail  string              // "" is the command's
	Example string              // "" is the command's, for the command's own verb only
	Preset  map[string]string   // argument -> value, as text; preset arguments are no flags
	Drop    []string            // arguments that this verb does not take
	Args    []string            // arguments by position; nil: those with an arg tag
	Needs   []string            // arguments that it needs, though the tool can do without
	Only    map[string][]string // argument -> those of its values that the verb takes
	Saves   []string            // endings of the file that it makes, the usual one first
	Lines   string              // argument that may be typed several times: it holds a line each
	Raw     string              // member of the result that the CLI prints as it is, without --json
}

// Kind is what a handler is given: *Act may do anything, *Read has no verb that
// changes the page, *Steps runs other commands and acts as much as they do.
type Kind interface{ *Act | *Read | *Steps }

// Command is a declared command. It is immutable and safe for concurrent use.
type Command struct {
	Spec
	args     reflect.Type
	fields   []Field
	acts     bool   // some call of it may act
	steps    bool   // it runs others
	by       string // the argument whose value decides whether a call acts; "" if none does
	reading  []string
	run      func(context.Context, *call, any) (any, error)
	negative func(any) bool
	check    func(*Registry, any) *ArgError
}

// Option refines a command; see FailWhen.
type Option func(*Command)

// FailWhen says which results count as a no: the CLI exits with 1 for them.
// MCP ignores it. It panics where R is not the command's result.
func FailWhen[R any](no func(R) bool) Option {
	return func(c *Command) {
		c.negative = func(v any) bool {
			r, ok := v.(R)
			if !ok {
				panic(fmt.Sprintf("dispatch: FailWhen of %s is for %T, got %T", c.Verb, r, v))
			}
			return no(r)
		}
	}
}

// Define makes a command of a specification and its handler. Arguments are the
// fields of A, see Field. It panics on a declaration that is not in order: a
// field without help, a kind that is not supported, an empty summary.
func Define[C Kind, A, R any](s Spec, run func(context.Context, C, A) (R, error), opts ...Option) *Command {
	c := &Command{Spec: s, args: reflect.TypeFor[A]()}
	var kind C
	switch any(kind).(type) {
	case *Act:
		c.acts = true
	case *Steps:
		c.acts, c.steps = true, true
	}
	c.run = func(ctx context.Context, k *call, a any) (any, error) {
		return run(ctx, contextFor[C](k), *a.(*A))
	}
	return c.finish(opts)
}

// DefineSplit makes a command whose argument by decides whether a call acts:
// for the values in reading the call goes to read, for all others to act. In
// read-only mode only the reading values exist.
func DefineSplit[A, R any](s Spec, by string, reading []string,
	read func(context.Context, *Read, A) (R, error), act func(context.Context, *Act, A) (R, error), opts ...Option) *Command {
	c := &Command{Spec: s, args: reflect.TypeFor[A](), acts: true, by: by, reading: reading}
	c.run = func(ctx context.Context, k *call, a any) (any, error) {
		if k.acts {
			return act(ctx, &Act{k}, *a.(*A))
		}
		return read(ctx, &Read{k}, *a.(*A))
	}
	return c.finish(opts)
}

func (c *Command) finish(opts []Option) *Command {
	if c.Summary == "" || c.Verb == "" && c.Tool == "" {
		panic(fmt.Sprintf("dispatch: command %q %q needs a name and a summary", c.Verb, c.Tool))
	}
	if c.Profile == "" {
		c.Profile = All
	}
	c.fields = fieldsOf(c.args)
	for _, o := range opts {
		o(c)
	}
	if c.by != "" {
		f := c.Field(c.by)
		if f == nil || len(f.Enum) == 0 {
			panic(fmt.Sprintf("dispatch: %s is split by %q, which is not an enum", c.Tool, c.by))
		}
		for _, v := range c.reading {
			if !slices.Contains(f.Enum, v) {
				panic(fmt.Sprintf("dispatch: %s has no %s %q", c.Tool, c.by, v))
			}
		}
	}
	return c
}

// Fields returns the arguments in the order of their declaration.
func (c *Command) Fields() []Field { return c.fields }

// Field returns the argument of that wire name, or nil.
func (c *Command) Field(name string) *Field {
	for i := range c.fields {
		if c.fields[i].Name == name {
			return &c.fields[i]
		}
	}
	return nil
}

// New returns a pointer to a zero argument struct.
func (c *Command) New() any { return reflect.New(c.args).Interface() }

// Acts reports whether some call of the command may change something.
func (c *Command) Acts() bool { return c.acts }

// Asserts reports whether a result of the command can be a no (FailWhen).
func (c *Command) Asserts() bool { return c.negative != nil }

// AllVerbs returns the command's verbs, its own first; none where it has no Verb.
func (c *Command) AllVerbs() []Verb {
	if c.Verb == "" {
		return c.Spec.Verbs
	}
	own := Verb{Name: c.Verb, Aliases: c.Aliases, Summary: c.Summary, Detail: c.Detail, Example: c.Example, Saves: c.Spec.Saves}
	return append([]Verb{own}, c.Spec.Verbs...)
}

// Positional returns the names of the arguments that a verb takes by position,
// in order.
func (c *Command) Positional(v Verb) []string {
	if v.Args != nil {
		return v.Args
	}
	var names []string
	for _, f := range c.fields {
		if _, preset := v.Preset[f.Name]; f.Arg && !preset && !slices.Contains(v.Drop, f.Name) {
			names = append(names, f.Name)
		}
	}
	return names
}

// idleFor reports whether a call with this action runs without a browser.
func (c *Command) idleFor(action string) bool { return c.Idle || slices.Contains(c.IdleFor, action) }

// AnyAction is every action of a command, also of one that has none.
const AnyAction = "*"

// Judged reports whether a call with this action, "" for none, is refused where the
// caller may not look at the page.
func (c *Command) Judged(action string) bool {
	return !c.idleFor(action) && !c.steps && !slices.Contains(c.Away, action) && !slices.Contains(c.Away, AnyAction)
}

// actsFor reports whether a call with these decoded arguments acts.
func (c *Command) actsFor(args any) bool {
	if c.by == "" {
		return c.acts
	}
	f := c.Field(c.by)
	v := reflect.ValueOf(args).Elem().FieldByIndex(f.index)
	return !slices.Contains(c.reading, v.String())
}
