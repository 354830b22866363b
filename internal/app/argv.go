package app

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/kong"
)

// flagSet is the flags that may be typed, by long name without dashes, with
// whether each takes a value.
type flagSet map[string]bool

// flagsOf reads them from kong's model.
func flagsOf(k *kong.Kong) flagSet {
	set := flagSet{}
	for _, group := range k.Model.AllFlags(false) {
		for _, f := range group {
			set[f.Name] = !f.IsBool()
		}
	}
	for _, child := range k.Model.Children {
		for _, f := range child.Flags {
			set[f.Name] = !f.IsBool()
			for _, alias := range f.Aliases {
				set[alias] = !f.IsBool()
			}
		}
	}
	return set
}

func (s flagSet) names() []string {
	var names []string
	for name := range s {
		names = append(names, "--"+name)
	}
	return names
}

// split finds the first word: what stands before it are global flags, what
// stands behind it is the command's. "" is a command line without a word.
func split(args []string, global flagSet) (before []string, word string, rest []string) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			break
		}
		if !strings.HasPrefix(a, "-") || a == "-" {
			return args[:i], a, args[i+1:]
		}
		name, hasValue := strings.CutPrefix(a, "--")
		if name, _, joined := strings.Cut(name, "="); hasValue && !joined && global[name] {
			i++
		}
	}
	return args, "", nil
}

// line is a command line with its flags told from its values. A value may begin
// with a dash, be empty and hold anything; "--" ends the flags.
type line struct {
	flags  []string // --name=value each
	values []string
	raw    []bool // values behind "--", in which "-" is a dash
}

// read takes args apart. Words that begin with one dash are values, so that
// numbers and texts need no quoting; -h and -V are the only short flags.
func read(args []string, known flagSet) (line, error) {
	var l line
	for i := 0; i < len(args); i++ {
		a := args[i]
		if !utf8.ValidString(a) {
			return l, usage("argument %d is not UTF-8", i+1)
		}
		switch {
		case a == "--":
			for _, v := range args[i+1:] {
				l.values, l.raw = append(l.values, v), append(l.raw, true)
			}
			return l, nil
		case a == "-h":
			l.flags = append(l.flags, "--help=true")
		case a == "-V":
			l.flags = append(l.flags, "--version=true")
		case !strings.HasPrefix(a, "--"):
			l.values, l.raw = append(l.values, a), append(l.raw, false)
		default:
			name, value, joined := strings.Cut(a[2:], "=")
			takes, ok := known[name]
			if !ok {
				e := usage("there is no flag --%s here", clip(name)).meant("--"+name, known.names())
				if e.hint == "" {
					e.hint = "where it is a value, write -- before the values; --help lists the flags"
				}
				return l, e
			}
			switch {
			case joined && !takes && value != "true" && value != "false":
				return l, usage("--%s is a switch: --%s, --%s=true or --%s=false", name, name, name, name)
			case joined:
			case !takes:
				value = "true"
			case i+1 == len(args):
				return l, usage("--%s needs a value", name)
			case strings.HasPrefix(args[i+1], "--"):
				e := usage("--%s needs a value, and %s looks like a flag", name, clip(args[i+1]))
				e.hint = "write --" + name + "=" + args[i+1] + " where that is the value"
				return l, e
			default:
				i++
				value = args[i]
			}
			l.flags = append(l.flags, "--"+name+"="+value)
		}
	}
	return l, nil
}

// argv is the line as kong reads it without guessing.
func (l line) argv(word string) []string {
	var argv []string
	if word != "" {
		argv = append(argv, word)
	}
	argv = append(append(argv, l.flags...), "--")
	return append(argv, l.values...)
}

// clip bounds what is echoed of a command line.
func clip(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		s = strconv.Quote(s) // a terminal must not act on it
	}
	if r := []rune(s); len(r) > 64 {
		return string(r[:64]) + "…"
	}
	return s
}
