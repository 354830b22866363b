package dispatch

import (
	"slices"
	"strings"
)

// elsewhere are words that name what has another name here, in tools of other
// servers and in what models take for granted, each with the tool that does it and
// an argument of it. What such a word is nearest to by its letters does something else.
var elsewhere = map[string][2]string{
	"evaluate": {"browser_advanced_eval"}, "execute": {"browser_advanced_eval"}, "script": {"browser_advanced_eval"}, "code": {"browser_advanced_eval"},
	"javascript": {"browser_advanced_eval"}, "html": {"browser_advanced_eval"}, "source": {"browser_advanced_eval"},
	"drag": {"browser_mouse", "action=down"}, "drop": {"browser_mouse", "action=down"}, "wheel": {"browser_mouse", "action=wheel"},
	"close": {"browser_page", "action=close"}, "tab": {"browser_page", "action=list"}, "switch": {"browser_page", "action=select"}, "resize": {"browser_page", "action=viewport"}, "viewport": {"browser_page", "action=viewport"},
	"console": {"browser_logs"}, "network": {"browser_logs", "action=requests"}, "messages": {"browser_logs"},
	"cookie": {"browser_state"}, "cookies": {"browser_state"}, "storage": {"browser_state"},
	"content": {"browser_read"}, "extract": {"browser_read"}, "url": {"browser_status"}, "title": {"browser_status"},
	"input": {"browser_fill"}, "form": {"browser_fill"}, "new": {"browser_page", "action=open"},
	"choose": {"browser_element", "action=select"}, "refresh": {"browser_navigate", "action=reload"}, "visit": {"browser_navigate"},
	"keyboard": {"browser_press"}, "sleep": {"browser_wait"}, "assert": {"browser_expect"}, "verify": {"browser_expect"},
	"intercept": {"browser_mock"}, "route": {"browser_mock"}, "accessibility": {"browser_a11y"},
}

// argumentsElsewhere are the names that arguments have elsewhere, each with those
// that say the same here.
var argumentsElsewhere = map[string][]string{
	"ref": {"selector", "scope"}, "element": {"selector", "scope"}, "uid": {"selector", "scope"}, "locator": {"selector", "scope"}, "css": {"selector"}, "target": {"selector"},
	"text": {"value", "target with kind=text", "contains"}, "content": {"value", "text"}, "value": {"text", "expected"},
	"code": {"js"}, "script": {"js"}, "expression": {"js"}, "function": {"js"},
	"path": {"files"}, "paths": {"files"}, "file": {"files"}, "attribute": {"name", "field"}, "args": {"arguments"}, "params": {"arguments"}, "input": {"arguments"},
	"key": {"text"}, "keys": {"key"}, "fullPage": {"full_page"}, "accept": {"action"}, "promptText": {"text"}, "index": {"target"}, "values": {"value"}, "doubleClick": {"double"}, "time": {"timeout_ms"},
}

// vague are words that say less than the others of a name.
var vague = []string{"get", "page", "text", "value"}

// meant adds to the error of an unknown tool which one does what its name says, and
// reports whether one is known to: the words of the name are looked up in their order,
// those that say little last.
func (r *Registry) meant(name string, e *ArgError) bool {
	words := strings.FieldsFunc(strings.ToLower(clip(strings.TrimPrefix(name, "browser_"), 64)), func(c rune) bool { return c == '_' || c == '-' })
	tool, with := "", ""
	for _, last := range []bool{false, true} {
		for _, w := range words {
			if tool == "" && slices.Contains(vague, w) != last {
				continue
			}
			t, args := r.does(w)
			switch {
			case tool == "":
				tool, with = t, args
			case t == tool && with == "":
				with = args // another word says more of it
			}
		}
	}
	if tool == "" {
		return false
	}
	e.suggest(tool, with)
	return true
}

// does is the tool that does what a word says, and with which argument; "" for none.
func (r *Registry) does(word string) (tool, with string) {
	if v, verb := r.verb(word); v != nil && v.Tool != "" {
		return v.Tool, presets(v, verb)
	}
	there := elsewhere[word]
	if v := r.byName[there[0]]; v != nil {
		return v.Tool, there[1]
	}
	return "", ""
}

// suggest says which tool was meant, and with what.
func (e *ArgError) suggest(tool, with string) {
	e.Data.DidYouMean = tool
	e.Message += "; did you mean " + tool
	if with != "" {
		e.Message += " with " + with
	}
	e.Message += "?"
}

// verb is the command that a word of a command line calls, nil for none.
func (r *Registry) verb(word string) (*view, Verb) {
	for _, v := range r.views {
		for _, verb := range v.AllVerbs() {
			if verb.Name == word || slices.Contains(verb.Aliases, word) {
				return v, verb
			}
		}
	}
	return nil, Verb{}
}

// presets are the arguments that a verb stands for.
func presets(v *view, verb Verb) string {
	var with []string
	for _, f := range v.Fields() {
		if value, ok := verb.Preset[f.Name]; ok {
			with = append(with, f.Name+"="+value)
		}
	}
	return strings.Join(with, " ")
}

// argumentMeant is the argument that was meant by an unknown name: one that says the
// same, perhaps with what goes with it, or one that is written nearly so; "" for none.
func argumentMeant(name string, allowed []string) string {
	for _, other := range argumentsElsewhere[name] {
		if said, _, _ := strings.Cut(other, " "); slices.Contains(allowed, said) {
			return other
		}
	}
	return nearest(name, allowed)
}
