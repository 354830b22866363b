package app

import (
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/goccy/go-json"

	"duet/dispatch"
)

// The simple ways to type what is structured: words for lists, lines for objects, a
// file for what is long.

// parse reads the verb's line. What stands before the verb are flags of the program,
// also where the verb has one of that name.
func (v *verb) parse(k *kong.Kong, g *globals, before, rest []string) (line, error) {
	rest = v.jsonBody(rest)
	all, outer, err := parser("", "", nil, nil)
	if err != nil {
		return line{}, err
	}
	head, err := read(before, flagsOf(all))
	if err != nil {
		return line{}, err
	}
	var mine, hidden []string
	for _, f := range head.flags {
		if name, _, _ := strings.Cut(f[2:], "="); owns(k, name) {
			hidden = append(hidden, f)
		} else {
			mine = append(mine, f)
		}
	}
	if len(hidden) > 0 {
		if _, err := all.Parse(hidden); err != nil {
			return line{}, kongError(err, v.Name, head)
		}
		g.take(outer, hidden)
	}
	l, err := parse(k, g, v.Name, mine, rest)
	if u, ok := errors.AsType[*usageError](err); ok && len(v.Saves) > 0 && len(l.values) > 0 && v.file(l.values[len(l.values)-1]) {
		u.hint = "the file goes into --" + outFlag + " " + l.values[len(l.values)-1]
	}
	if u, ok := errors.AsType[*usageError](err); ok && v.saysJSON() && slices.Contains(rest, "--json") {
		u.hint = "--json prints the answer as JSON, and takes a value only where that is JSON itself; any body: --body"
	}
	return l, err
}

// saysJSON reports whether the verb has an argument that is called as the program's
// own --json.
func (v *verb) saysJSON() bool {
	f := v.cmd.Field("json")
	return f != nil && f.Hidden && v.cmd.Field("body") != nil
}

// take copies what these flags say from other globals.
func (g *globals) take(from *globals, flags []string) {
	to, other := reflect.ValueOf(g).Elem(), reflect.ValueOf(from).Elem()
	for i := range to.NumField() {
		name := to.Type().Field(i).Tag.Get("name")
		if slices.ContainsFunc(flags, func(f string) bool { return strings.HasPrefix(f, "--"+name+"=") }) {
			to.Field(i).Set(other.Field(i))
		}
	}
}

// jsonBody reads --json with JSON behind it as what the verb calls so: the program's
// own --json takes no value.
func (v *verb) jsonBody(rest []string) []string {
	const name, instead = "json", "body"
	if !v.saysJSON() {
		return rest
	}
	var out []string
	for i := 0; i < len(rest); i++ {
		a := rest[i]
		switch value, joined := strings.CutPrefix(a, "--"+name+"="); {
		case a == "--":
			return append(out, rest[i:]...)
		case joined && value != "true" && value != "false":
			out = append(out, "--"+instead+"="+value)
		case a == "--"+name && i+1 < len(rest) && rest[i+1] != "" && strings.ContainsRune(`{["`, rune(rest[i+1][0])):
			i++
			out = append(out, "--"+instead+"="+rest[i])
		default:
			out = append(out, a)
		}
	}
	return out
}

// one is the singular of a flag that may be repeated, "" where it is the flag itself.
func one(f *dispatch.Field) string {
	if f.Kind != dispatch.Strings && f.Kind != dispatch.Object {
		return ""
	}
	name, plural := strings.CutSuffix(f.Flag(), "s")
	if !plural {
		return ""
	}
	return name
}

// words are the elements of a list that was typed; those of an enum may be joined by
// commas, since none holds one.
func words(f *dispatch.Field, texts []string) []string {
	if len(f.Enum) == 0 {
		return texts
	}
	var out []string
	for _, text := range texts {
		for word := range strings.SplitSeq(text, ",") {
			out = append(out, strings.TrimSpace(word))
		}
	}
	return out
}

// object reads what was typed of an object: JSON, or a line "Name: text" each. A name
// without a text is one to leave out where the call can, and one that is empty else.
func (w *values) object(f *dispatch.Field, texts []string) error {
	wrong := func(format string, args ...any) error {
		e := usage(format, args...)
		e.hint = "such as --" + f.Flag() + ` '{"X-Test": "1"}'`
		if name := one(f); name != "" {
			e.hint += ", or --" + name + " 'X-Test: 1', repeated"
		}
		return e
	}
	if len(texts) == 1 && strings.HasPrefix(strings.TrimSpace(texts[0]), "{") {
		if !json.Valid([]byte(texts[0])) {
			return wrong("%s is not valid JSON", label(w.verb, f))
		}
		w.member(f.Name, []byte(texts[0]))
		return nil
	}
	members := map[string]any{}
	for _, text := range texts {
		name, value, ok := strings.Cut(text, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" {
			return wrong("%s must be JSON, or a name, a colon and a text, not %q", label(w.verb, f), clip(text))
		}
		if _, twice := members[name]; twice {
			return wrong("%s has %s twice", label(w.verb, f), clip(name))
		}
		members[name] = value
		if value == "" && strings.Contains(w.out.String(), `"action":"continue"`) {
			members[name] = nil
		}
	}
	text, err := marshal(members)
	if err != nil {
		return err
	}
	w.member(f.Name, text)
	return nil
}

// steps are what a verb reads as JSON: the argument itself, the file that it names,
// or standard input.
func (w *values) steps(parsed reflect.Value) (string, error) {
	given := parsed.FieldByName("Source")
	if !given.IsValid() || given.IsNil() {
		return w.readStdin()
	}
	text := given.Elem().String()
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "[") || strings.HasPrefix(trimmed, "{") {
		return text, nil
	}
	return source(text, w.readStdin)
}

// source is the argument of a verb that reads JSON, and of run: a file, or "-" and
// nothing for standard input.
func source(name string, stdin func() (string, error)) (string, error) {
	if name == "" || name == "-" {
		return stdin()
	}
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return "", usage("%s cannot be read: %v", clip(name), fileError(err))
	case info.IsDir():
		return "", usage("%s is a directory", clip(name))
	case info.Size() > maxStdin:
		return "", usage("%s is longer than %d bytes", clip(name), maxStdin)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", usage("%s cannot be read: %v", clip(name), fileError(err))
	}
	return string(text), nil
}
