package fault

import (
	"crypto/rand"
	"strings"
)

// What a message or a hint says of other calls and of arguments is data in it, a
// mark, which each front puts into its own words when it prints: a tool's name and
// its arguments for a model, a line to paste for a shell. Marks are made by Call,
// Short, More, Arg, With and Either, travel in any text, and are read by Say alone.

// Words is how a front names what can be called. Arguments are names and values in
// turn.
type Words interface {
	// Call is a call of a tool.
	Call(tool string, args []string) string
	// More is a call that shows the rest of what is said: the one that is answered,
	// where it is of this tool, with these arguments added or changed.
	More(tool string, args []string) string
	// Arg is an argument of the call that is answered.
	Arg(name string) string
	// With is an argument of a call of a tool, with its value, in a sentence that
	// has named the call before.
	With(tool, name, value string) string
	// Either chooses between what is said of tools and of a command line.
	Either(tools, shell string) string
}

// What a mark is made of. No page and no caller knows the key, so that none can
// write one.
const (
	opens, closes, parts = "\x02", "\x03", "\x1f"

	opCall, opShort, opMore, opArg, opWith, opEither = "c", "s", "m", "n", "w", "e"
)

var key = rand.Text()

func mark(op string, words ...string) string {
	for i, w := range words {
		if strings.ContainsAny(w, opens+closes+parts) {
			words[i] = strings.NewReplacer(opens, "", closes, "", parts, "").Replace(w)
		}
	}
	return opens + key + op + parts + strings.Join(words, parts) + closes
}

// Call marks a call of a tool with these arguments, names and values in turn.
func Call(tool string, args ...string) string {
	return mark(opCall, append([]string{tool}, args...)...)
}

// More marks a call that shows the rest: the one that is answered, where it is of
// this tool, with these arguments added or changed.
func More(tool string, args ...string) string {
	return mark(opMore, append([]string{tool}, args...)...)
}

// Short marks a call of which a model is told the arguments alone.
func Short(tool string, args ...string) string {
	return mark(opShort, append([]string{tool}, args...)...)
}

// Arg marks an argument of the call that is answered, by its name on the wire.
func Arg(name string) string { return mark(opArg, name) }

// Args marks several, as a list.
func Args(names ...string) string {
	marks := make([]string, len(names))
	for i, n := range names {
		marks[i] = Arg(n)
	}
	return strings.Join(marks, ", ")
}

// With marks an argument and its value of a call that the text has named.
func With(tool, name, value string) string { return mark(opWith, tool, name, value) }

// Either marks what is said in one way of tools and in another of a command line.
func Either(tools, shell string) string { return mark(opEither, tools, shell) }

// Say puts the marks of a text into words; nil words are those of tools.
func Say(text string, w Words) string {
	if strings.IndexByte(text, opens[0]) < 0 {
		return text
	}
	if w == nil {
		w = ToolWords{}
	}
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, opens+key)
		if !found { // at the end half a key may be left of a mark that was cut
			if i := strings.LastIndexByte(before, opens[0]); i >= 0 && strings.HasPrefix(opens+key, before[i:]) {
				before = before[:i]
			}
			b.WriteString(before)
			return b.String()
		}
		b.WriteString(before)
		said, after, whole := strings.Cut(rest, closes)
		if !whole {
			return b.String() // it was cut
		}
		op, list, _ := strings.Cut(said, parts)
		b.WriteString(say(op, strings.Split(list, parts), w))
		text = after
	}
}

func say(op string, words []string, w Words) string {
	switch {
	case op == opCall:
		return w.Call(words[0], words[1:])
	case op == opShort:
		if _, tools := w.(ToolWords); tools {
			return pairs(words[1:])
		}
		return w.Call(words[0], words[1:])
	case op == opMore:
		return w.More(words[0], words[1:])
	case op == opArg:
		return w.Arg(words[0])
	case op == opWith && len(words) == 3:
		return w.With(words[0], words[1], words[2])
	case op == opEither && len(words) == 2:
		return w.Either(words[0], words[1])
	}
	return ""
}

// ToolWords are the words for a model: names of tools and name=value.
type ToolWords struct{}

// Call implements Words.
func (ToolWords) Call(tool string, args []string) string {
	return strings.TrimSpace(tool + " " + pairs(args))
}

// More implements Words.
func (ToolWords) More(_ string, args []string) string { return pairs(args) }

// Arg implements Words.
func (ToolWords) Arg(name string) string { return name }

// With implements Words.
func (ToolWords) With(_, name, value string) string { return name + "=" + value }

// Either implements Words.
func (ToolWords) Either(tools, _ string) string { return tools }

func pairs(args []string) string {
	var all []string
	for i := 0; i+1 < len(args); i += 2 {
		all = append(all, args[i]+"="+args[i+1])
	}
	return strings.Join(all, " ")
}
