package bidi

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/goccy/go-json"
)

// Extra holds the members of an extensible object that its type does not know,
// vendor members among them.
type Extra map[string]json.RawMessage

// encode writes v without escaping HTML (MarshalNoEscape means something else).
func encode(v any) ([]byte, error) { return json.MarshalWithOption(v, json.DisableHTMLEscape()) }

// memberNames are the JSON names of a struct type's fields.
func memberNames[T any]() map[string]bool {
	names := map[string]bool{}
	for _, field := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			names[name] = true
		}
	}
	return names
}

// extraOf returns the members of the object that are not known, copied out of data;
// nil when there are none.
func extraOf(data []byte, known map[string]bool) (Extra, error) {
	var extra Extra
	err := members(data, func(name, value []byte) error {
		if known[string(name)] {
			return nil
		}
		if extra == nil {
			extra = Extra{}
		}
		extra[string(name)] = slices.Clone(value)
		return nil
	})
	return extra, err
}

// withExtra adds the extra members, sorted by name, to an encoded object.
func withExtra(object []byte, extra Extra) ([]byte, error) {
	if len(extra) == 0 {
		return object, nil
	}
	out := object[:len(object)-1]
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		if len(out) > 1 {
			out = append(out, ',')
		}
		key, err := encode(name)
		if err != nil {
			return nil, err
		}
		out = append(out, key...)
		out = append(out, ':')
		out = append(out, extra[name]...)
	}
	return append(out, '}'), nil
}

// decodeOpen decodes an object into the plain form of its type and returns what is
// left over. null decodes to nothing.
func decodeOpen[P any](data []byte, plain *P, known map[string]bool) (Extra, error) {
	if string(data) == "null" {
		return nil, nil
	}
	if err := json.Unmarshal(data, plain); err != nil {
		return nil, err
	}
	return extraOf(data, known)
}
