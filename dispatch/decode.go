package dispatch

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-json"
	"github.com/goccy/go-json/jsontext"
	strict "github.com/goccy/go-json/v2"

	"duet/internal/fault"
)

// Decode reads raw into the struct that into points to, exactly as the fields
// say: names are matched with their case, and an unknown or repeated member, a
// null, a wrong type, a number that is not finite or out of bounds, a value
// outside an enum, a text or a list that is too long, and anything behind the
// object are each refused. Defaults are filled in. raw may be empty for {}.
func Decode(raw json.RawMessage, fields []Field, into any) *ArgError {
	if len(bytes.TrimSpace(raw)) == 0 {
		raw = json.RawMessage("{}")
	}
	return decodeObject(raw, fields, reflect.ValueOf(into).Elem(), "")
}

func decodeObject(raw []byte, fields []Field, into reflect.Value, path string) *ArgError {
	if kind(raw) != "an object" {
		return wrong(path, "type", "an object", "%s must be an object, not %s", member(path), kind(raw))
	}
	var members map[string]json.RawMessage
	if err := strict.Unmarshal(raw, &members); err != nil {
		return badJSON(path, err)
	}
	if err := unknownMembers(members, fields, path); err != nil {
		return err
	}
	for i := range fields {
		f := &fields[i]
		value, present := members[f.Name]
		at := path + "/" + f.Name
		switch {
		case present:
			if err := f.set(value, into.FieldByIndex(f.index), at); err != nil {
				return err
			}
		case f.Required:
			return wrong(at, "required", f.expected(), "%s is required", place(at))
		case f.Default != "":
			if err := f.set(f.defaultJSON(), into.FieldByIndex(f.index), at); err != nil {
				return err
			}
		}
	}
	return nil
}

func badJSON(path string, err error) *ArgError {
	rule, text := "json", "is not valid JSON"
	if strings.Contains(err.Error(), "duplicate") {
		rule, text = "duplicate", "names a member twice"
	}
	var at *jsontext.SyntacticError
	if rule == "duplicate" && errors.As(err, &at) {
		path += clip(string(at.JSONPointer), 128)
	}
	return wrong(path, rule, "", "%s %s", place(path), text)
}

func unknownMembers(members map[string]json.RawMessage, fields []Field, path string) *ArgError {
	var unknown, allowed []string
	for i := range fields {
		allowed = append(allowed, fields[i].Name)
	}
	for name := range members {
		if !slices.Contains(allowed, name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	slices.Sort(unknown)
	name := unknown[0]
	e := wrong(path+"/"+clip(escapePointer(name), 64), "unknown", "", "unknown argument %s", show(name))
	meant := argumentMeant(name, allowed)
	e.Data.Allowed = allowed
	e.Data.DidYouMean, _, _ = strings.Cut(meant, " ")
	switch {
	case meant != "":
		e.Message += "; did you mean " + meant + "?"
	case len(allowed) == 0:
		e.Message += "; there are none"
	default:
		e.Message += "; allowed: " + strings.Join(allowed, ", ")
	}
	for i, other := range unknown[1:] {
		if i == 3 {
			break
		}
		e.Message += "; nor is there " + show(other)
		if best := argumentMeant(other, allowed); best != "" && best != meant {
			e.Message += ", perhaps " + best
		}
	}
	return e
}

// set decodes one value into a field.
func (f *Field) set(raw []byte, into reflect.Value, path string) *ArgError {
	if kind(raw) == "null" {
		return wrong(path, "null", f.expected(), "%s must not be null: leave it out", place(path))
	}
	if f.Pointer {
		into.Set(reflect.New(f.typ.Elem()))
		into = into.Elem()
	}
	switch f.Kind {
	case String:
		s, err := f.text(raw, path)
		if err == nil {
			into.SetString(s)
		}
		return err
	case Bool:
		if k := kind(raw); k != "a boolean" {
			return f.mistyped(path, k).bare(raw, func(s string) bool { return s == "true" || s == "false" })
		}
		into.SetBool(bytes.TrimSpace(raw)[0] == 't')
		return nil
	case Int, Float:
		return f.number(raw, into, path)
	case Object:
		if k := kind(raw); k != "an object" {
			return f.mistyped(path, k)
		}
		into.SetBytes(slices.Clone(raw))
		return nil
	default:
		return f.list(raw, into, path)
	}
}

func (f *Field) text(raw []byte, path string) (string, *ArgError) {
	if k := kind(raw); k != "a string" {
		e := f.mistyped(path, k)
		if n := bytes.TrimSpace(raw); (k == "a number" || k == "a boolean") && len(n) <= 32 && len(f.Enum) == 0 {
			e.Message += fmt.Sprintf(": write %q, in quotes", n)
		}
		return "", e
	}
	var s string
	if err := strict.Unmarshal(raw, &s); err != nil {
		return "", badJSON(path, err)
	}
	if f.MaxLen > 0 && utf8.RuneCountInString(s) > f.MaxLen {
		return "", wrong(path, "maxlen", f.expected(), "%s is longer than %d characters", place(path), f.MaxLen)
	}
	if len(f.Enum) > 0 && !slices.Contains(f.Enum, s) {
		e := wrong(path, "enum", f.expected(), "%s must be one of %s, not %s", place(path), strings.Join(f.Enum, ", "), show(s))
		e.Data.Allowed, e.Data.DidYouMean = f.Enum, nearest(s, f.Enum)
		return "", e
	}
	return s, nil
}

func (f *Field) number(raw []byte, into reflect.Value, path string) *ArgError {
	if k := kind(raw); k != "a number" {
		return f.mistyped(path, k).bare(raw, func(s string) bool {
			_, err := strconv.ParseFloat(s, 64)
			return err == nil && kind([]byte(s)) == "a number" && json.Valid([]byte(s))
		})
	}
	n, err := strconv.ParseFloat(string(bytes.TrimSpace(raw)), 64)
	if err != nil || math.IsInf(n, 0) || math.IsNaN(n) {
		return wrong(path, "range", f.expected(), "%s is not a finite number", place(path))
	}
	if f.Kind == Int && n != math.Trunc(n) {
		return wrong(path, "type", f.expected(), "%s must be a whole number", place(path))
	}
	if f.Min != nil && n < *f.Min || f.Max != nil && n > *f.Max || f.Kind == Int && math.Abs(n) > 1<<53 {
		return wrong(path, "range", f.expected(), "%s must be %s", place(path), f.expected())
	}
	if f.Kind == Int {
		into.SetInt(int64(n))
	} else {
		into.SetFloat(n)
	}
	return nil
}

func (f *Field) list(raw []byte, into reflect.Value, path string) *ArgError {
	if k := kind(raw); k != "an array" {
		e := f.mistyped(path, k)
		if k == "a string" && f.Kind == Strings {
			e.Message += `: write it in brackets, ["…"]`
		}
		return e
	}
	var values []json.RawMessage
	if err := strict.Unmarshal(raw, &values); err != nil {
		return badJSON(path, err)
	}
	n := float64(len(values))
	if f.Min != nil && n < *f.Min || f.Max != nil && n > *f.Max {
		return wrong(path, "items", f.expected(), "%s has %d elements; it must be %s", place(path), len(values), f.expected())
	}
	list := reflect.MakeSlice(into.Type(), len(values), len(values))
	element := Field{Kind: String, MaxLen: f.MaxLen, Enum: f.Enum}
	for i, v := range values {
		at := path + "/" + strconv.Itoa(i)
		if f.Kind == Objects {
			if err := decodeObject(v, f.Items, list.Index(i), at); err != nil {
				return err
			}
			continue
		}
		if err := element.set(v, list.Index(i), at); err != nil {
			return err
		}
	}
	into.Set(list)
	return nil
}

// expected says in words what a field takes.
func (f *Field) expected() string {
	var s string
	switch f.Kind {
	case Strings:
		s = "an array of strings"
	case Objects:
		s = "an array of objects"
	case Object:
		s = "an object"
	case Int:
		s = "a whole number"
	case Float:
		s = "a number"
	case Bool:
		s = "true or false"
	default:
		s = "a string"
		if len(f.Enum) > 0 {
			s = "one of " + strings.Join(f.Enum, ", ")
		}
	}
	if f.Min != nil {
		s += fmt.Sprintf(", at least %v", *f.Min)
	}
	if f.Max != nil {
		s += ", at most " + strconv.FormatFloat(*f.Max, 'f', -1, 64)
	}
	if f.MaxLen > 0 {
		s += fmt.Sprintf(", at most %d characters", f.MaxLen)
	}
	return s
}

func (f *Field) mistyped(path, got string) *ArgError {
	return wrong(path, "type", f.expected(), "%s must be %s, not %s", place(path), f.expected(), got)
}

// bare adds how a value that stands in quotes is written without them, where that is
// all that is wrong with it.
func (e *ArgError) bare(raw []byte, fits func(string) bool) *ArgError {
	var s string
	if kind(raw) == "a string" && strict.Unmarshal(raw, &s) == nil && len(s) <= 32 && fits(s) {
		e.Message += ": write " + s + ", without quotes"
	}
	return e
}

func wrong(path, rule, expected, format string, args ...any) *ArgError {
	return &ArgError{Message: fmt.Sprintf(format, args...), Data: ArgData{Path: path, Rule: rule, Expected: expected}}
}

// kind names the type of a JSON value by its first byte.
func kind(raw []byte) string {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

// place names a path in a sentence: an argument of the call, as its front knows it,
// and what is in it.
func place(path string) string {
	if path == "" {
		return "arguments"
	}
	name, inside, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	switch {
	case inside == "":
	case strings.Trim(inside, "0123456789") == "": // a shell shows the word itself
		inside = fault.Either("."+inside, "")
	default:
		inside = "." + strings.ReplaceAll(inside, "/", ".")
	}
	return fault.Arg(name) + inside
}

// member is place for what is an object: where it is one of several, a shell shows
// none of them by itself.
func member(path string) string {
	name, inside, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if inside != "" && strings.Trim(inside, "0123456789") == "" {
		return "each of " + fault.Arg(name)
	}
	return place(path)
}

func escapePointer(s string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(s)
}
