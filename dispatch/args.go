package dispatch

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/goccy/go-json"
)

// FieldKind is the type of an argument on the wire.
type FieldKind string

// The kinds.
const (
	String  FieldKind = "string"
	Bool    FieldKind = "boolean"
	Int     FieldKind = "integer"
	Float   FieldKind = "number"
	Strings FieldKind = "strings" // an array of strings
	Objects FieldKind = "objects" // an array of objects, whose members are Items
	Object  FieldKind = "object"  // any object, kept as it came
)

// Field is one argument of a command, read from a struct field and its tags:
//
//	json     wire name; omitzero makes it optional
//	arg      present: the CLI takes it by position
//	help     what it is; may be left out only where the name says it all
//	cli      what people are told instead: it costs a model nothing
//	enum     comma list of the allowed values
//	default  value where it is absent; makes it optional
//	min max  bounds of a number, or of the number of elements of an array
//	maxlen   longest string, or longest element, in characters
//	none     of an array that the CLI takes by position: its switch for an empty one
//	kong     "-" keeps it out of the CLI
//
// A pointer is an optional argument whose absence differs from its zero value.
type Field struct {
	Name     string // on the wire
	GoName   string
	Kind     FieldKind
	Pointer  bool
	Required bool
	Arg      bool
	Hidden   bool // not on the CLI
	Help     string
	People   string // help for people; "" is Help
	None     string // the CLI's switch for an empty array, without dashes
	Enum     []string
	Default  string // as text; "" is none
	Min, Max *float64
	MaxLen   int // 0 is unbounded: the frame bounds it
	Items    []Field

	index []int
	typ   reflect.Type
}

// Flag returns the CLI's name of the argument, without dashes.
func (f *Field) Flag() string { return strings.ReplaceAll(f.Name, "_", "-") }

var rawType = reflect.TypeFor[json.RawMessage]()

// fieldsOf reads the fields of an argument struct; it panics on what it does not know.
func fieldsOf(t reflect.Type) []Field {
	if t.Kind() != reflect.Struct {
		panic(fmt.Sprintf("dispatch: arguments must be a struct, not %v", t))
	}
	var fields []Field
	for _, sf := range reflect.VisibleFields(t) {
		if !sf.IsExported() || sf.Anonymous {
			continue
		}
		fields = append(fields, fieldOf(t, sf))
	}
	return fields
}

func fieldOf(t reflect.Type, sf reflect.StructField) Field {
	name, opts, _ := strings.Cut(sf.Tag.Get("json"), ",")
	if name == "" || name == "-" {
		panic(fmt.Sprintf("dispatch: %v.%s has no wire name", t, sf.Name))
	}
	f := Field{
		Name: name, GoName: sf.Name, Help: sf.Tag.Get("help"), People: sf.Tag.Get("cli"), Default: sf.Tag.Get("default"), None: sf.Tag.Get("none"),
		Hidden: sf.Tag.Get("kong") == "-", index: sf.Index, typ: sf.Type,
	}
	_, f.Arg = sf.Tag.Lookup("arg")
	if e := sf.Tag.Get("enum"); e != "" {
		f.Enum = strings.Split(e, ",")
	}
	f.Min, f.Max = bound(sf, "min"), bound(sf, "max")
	if s := sf.Tag.Get("maxlen"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			panic(fmt.Sprintf("dispatch: %v.%s: maxlen %q", t, sf.Name, s))
		}
		f.MaxLen = n
	}
	typ := sf.Type
	if typ.Kind() == reflect.Pointer {
		f.Pointer, typ = true, typ.Elem()
	}
	f.Kind = kindOf(t, sf, typ)
	if f.Kind == Objects {
		f.Items = fieldsOf(typ.Elem())
	}
	optional := strings.Contains(opts, "omitzero") || strings.Contains(opts, "omitempty")
	f.Required = !optional && !f.Pointer && f.Default == ""
	return f
}

func kindOf(t reflect.Type, sf reflect.StructField, typ reflect.Type) FieldKind {
	switch {
	case typ == rawType:
		return Object
	case typ.Kind() == reflect.String:
		return String
	case typ.Kind() == reflect.Bool:
		return Bool
	case typ.Kind() == reflect.Int:
		return Int
	case typ.Kind() == reflect.Float64:
		return Float
	case typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.String:
		return Strings
	case typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Struct:
		return Objects
	}
	panic(fmt.Sprintf("dispatch: %v.%s: kind %v is not supported", t, sf.Name, sf.Type))
}

func bound(sf reflect.StructField, tag string) *float64 {
	s := sf.Tag.Get(tag)
	if s == "" {
		return nil
	}
	n, err := strconv.ParseFloat(s, 64)
	if err != nil {
		panic(fmt.Sprintf("dispatch: %s: %s %q", sf.Name, tag, s))
	}
	return &n
}
