package drive

import (
	"strconv"
	"strings"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/lazyregexp"
	"duet/internal/secret"
)

// What is told of objects that a page logs: so many members, so deep, of arguments that
// came in so many bytes.
const (
	loggedMembers = 8
	loggedDepth   = 3
	loggedBytes   = 16 << 10
)

// unsaid matches the text of a message in which a browser says of an argument what it
// is, and not what is in it.
var unsaid = lazyregexp.New(`\b(Object|Array|Map|Set)\(\d+\)|\b(node|error)\b`)

// loggedText is the text of a console message with what its arguments hold, as far as
// that is small. A message with a format, and one with an error that the browser words
// itself, stay as the browser says them.
func loggedText(text string, raw json.RawMessage) string {
	if len(raw) == 0 || len(raw) > loggedBytes || !unsaid().MatchString(text) {
		return text
	}
	var args []bidi.ScriptRemoteValue
	if json.Unmarshal(raw, &args) != nil || len(args) == 0 {
		return text
	}
	if format, ok := args[0].AsString(); ok && len(args) > 1 && strings.Contains(format, "%") {
		return text
	}
	if len(args) == 1 && args[0].Type == "error" {
		if text == "error" {
			return "an error, of which this browser tells no message"
		}
		return text
	}
	var out []string
	for _, v := range args {
		if v.Type == "error" {
			return text
		}
		if s, ok := v.AsString(); ok {
			out = append(out, s)
			continue
		}
		out = append(out, loggedValue(v, 0))
	}
	return strings.Join(out, " ")
}

// loggedValue says a value that a page logged, in the words that are the same on every
// browser.
func loggedValue(v bidi.ScriptRemoteValue, depth int) string {
	if s, ok := v.AsString(); ok {
		return strconv.Quote(cut(s, 200))
	}
	if b, ok := v.AsBool(); ok {
		return strconv.FormatBool(b)
	}
	if v.Type == "number" {
		return strings.Trim(string(v.Value), `"`) // what JSON has no number for is a text
	}
	if s, ok := v.AsBigInt(); ok {
		return s
	}
	if s, ok := v.AsDate(); ok {
		return s
	}
	if r, ok := v.AsRegExp(); ok {
		return "/" + cut(r.Pattern, 200) + "/" + r.Flags
	}
	if n, ok := v.AsNode(); ok {
		if n.Value == nil || n.Value.LocalName == "" {
			return "node"
		}
		return "<" + n.Value.LocalName + ">"
	}
	if list, ok := v.AsList(); ok {
		return around(kindOf(v.Type, "["), len(list), depth, func(i int) string { return loggedValue(list[i], depth+1) })
	}
	if pairs, ok := v.AsMapping(); ok {
		return around(kindOf(v.Type, "{"), len(pairs), depth, func(i int) string {
			name := pairs[i].Name
			if name == "" && pairs[i].Key != nil {
				name = loggedValue(*pairs[i].Key, depth+1)
			}
			if secret.Member(strings.Trim(name, `"`)) {
				return cut(name, 100) + ": " + secretMask
			}
			return cut(name, 100) + ": " + loggedValue(pairs[i].Value, depth+1)
		})
	}
	return v.Type
}

// kindOf is how a collection begins.
func kindOf(kind, bracket string) string {
	switch kind {
	case "array", "object":
		return bracket
	}
	return kind + " " + bracket
}

func around(begin string, n, depth int, member func(int) string) string {
	end := map[byte]string{'[': "]", '{': "}"}[begin[len(begin)-1]]
	if n > 0 && depth >= loggedDepth {
		return begin + "…" + end
	}
	var parts []string
	for i := range min(n, loggedMembers) {
		parts = append(parts, member(i))
	}
	if n > loggedMembers {
		parts = append(parts, "… "+strconv.Itoa(n-loggedMembers)+" more")
	}
	return begin + strings.Join(parts, ", ") + end
}
