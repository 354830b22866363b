package dispatch

import (
	"bytes"
	"strconv"

	"github.com/goccy/go-json"
)

// Schema prints fields as a JSON Schema: an object, closed, its properties in
// the order of declaration. The same fields always give the same bytes.
func Schema(fields []Field) json.RawMessage {
	var b bytes.Buffer
	writeObject(&b, fields)
	return b.Bytes()
}

func writeObject(b *bytes.Buffer, fields []Field) {
	b.WriteString(`{"type":"object"`)
	if len(fields) > 0 {
		b.WriteString(`,"properties":{`)
	}
	for i := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(quoted(fields[i].Name))
		b.WriteByte(':')
		writeField(b, &fields[i])
	}
	if len(fields) > 0 {
		b.WriteByte('}')
	}
	first := true
	for i := range fields {
		if !fields[i].Required {
			continue
		}
		if first {
			b.WriteString(`,"required":[`)
		} else {
			b.WriteByte(',')
		}
		first = false
		b.Write(quoted(fields[i].Name))
	}
	if !first {
		b.WriteByte(']')
	}
	b.WriteString(`,"additionalProperties":false}`)
}

func writeField(b *bytes.Buffer, f *Field) {
	switch f.Kind {
	case Strings:
		b.WriteString(`{"type":"array","items":{"type":"string"`)
		enum(b, f)
		number(b, "maxLength", float64(f.MaxLen), f.MaxLen > 0 && f.MaxLen < generous)
		b.WriteByte('}')
		items(b, f)
	case Objects:
		b.WriteString(`{"type":"array","items":`)
		writeObject(b, f.Items)
		items(b, f)
	default:
		b.WriteString(`{"type":"` + string(f.Kind) + `"`)
		enum(b, f)
		number(b, "maxLength", float64(f.MaxLen), f.MaxLen > 0 && f.MaxLen < generous)
		if f.Min != nil {
			number(b, "minimum", *f.Min, true)
		}
		if f.Max != nil {
			number(b, "maximum", *f.Max, *f.Max < unbounding)
		}
		if f.Default != "" {
			b.WriteString(`,"default":`)
			b.Write(f.defaultJSON())
		}
	}
	if f.Help != "" {
		b.WriteString(`,"description":`)
		b.Write(quoted(f.Help))
	}
	b.WriteByte('}')
}

// generous is the length from which a bound is not worth a model's reading: it is
// enforced, and whoever meets it is told.
const generous = 256

// unbounding is the same for numbers.
const unbounding = 1000

func items(b *bytes.Buffer, f *Field) {
	if f.Min != nil {
		number(b, "minItems", *f.Min, true)
	}
	if f.Max != nil {
		number(b, "maxItems", *f.Max, true)
	}
}

func enum(b *bytes.Buffer, f *Field) {
	for i, v := range f.Enum {
		if i == 0 {
			b.WriteString(`,"enum":[`)
		} else {
			b.WriteByte(',')
		}
		b.Write(quoted(v))
	}
	if len(f.Enum) > 0 {
		b.WriteByte(']')
	}
}

func number(b *bytes.Buffer, name string, n float64, when bool) {
	if when {
		b.WriteString(`,"` + name + `":` + strconv.FormatFloat(n, 'f', -1, 64))
	}
}

// defaultJSON is the default as a JSON value.
func (f *Field) defaultJSON() []byte {
	if f.Kind == String {
		return quoted(f.Default)
	}
	return []byte(f.Default)
}

// quoted is s as a JSON string, without HTML escapes: a model reads it.
func quoted(s string) []byte {
	b, err := json.MarshalWithOption(s, json.DisableHTMLEscape())
	if err != nil {
		return []byte(`""`) // a string always marshals
	}
	return b
}
