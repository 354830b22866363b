package bidi

import (
	"fmt"
	"math"

	"github.com/goccy/go-json"
)

// ScriptLocalValue is a value that we send into a page: a reference
// (ScriptSharedReference, ScriptRemoteObjectReference), a primitive, a list, a
// mapping or a channel. The functions below make each of them.
// https://w3c.github.io/webdriver-bidi/#type-script-LocalValue
type ScriptLocalValue interface{ localValue() }

// The local values.
type (
	// ScriptSharedReference is a node. An element that was lent as an event's member
	// (a file input) arrives as one, too.
	ScriptSharedReference struct {
		SharedID SharedID `json:"sharedId"`
		Handle   Handle   `json:"handle,omitzero"`
	}

	// ScriptRemoteObjectReference is an object that a realm keeps for us.
	ScriptRemoteObjectReference struct {
		Handle   Handle   `json:"handle"`
		SharedID SharedID `json:"sharedId,omitzero"`
	}

	ScriptUndefinedValue struct {
		Type isUndefined `json:"type"`
	}

	ScriptNullValue struct {
		Type isNull `json:"type"`
	}

	ScriptStringValue struct {
		Type  isString `json:"type"`
		Value string   `json:"value"`
	}

	ScriptNumberValue struct {
		Type  isNumber     `json:"type"`
		Value ScriptNumber `json:"value"`
	}

	ScriptBooleanValue struct {
		Type  isBoolean `json:"type"`
		Value bool      `json:"value"`
	}

	ScriptBigIntValue struct {
		Type  isBigInt `json:"type"`
		Value string   `json:"value"` // decimal digits
	}

	ScriptChannelValue struct {
		Type  isChannel               `json:"type"`
		Value ScriptChannelProperties `json:"value"`
	}

	ScriptArrayLocalValue struct {
		Type  isArray                `json:"type"`
		Value List[ScriptLocalValue] `json:"value"`
	}

	ScriptDateLocalValue struct {
		Type  isDate `json:"type"`
		Value string `json:"value"` // ISO 8601, as Date.prototype.toISOString writes it
	}

	ScriptMapLocalValue struct {
		Type  isMap                   `json:"type"`
		Value ScriptMappingLocalValue `json:"value"`
	}

	ScriptObjectLocalValue struct {
		Type  isObject                `json:"type"`
		Value ScriptMappingLocalValue `json:"value"`
	}

	ScriptRegExpLocalValue struct {
		Type  isRegExp          `json:"type"`
		Value ScriptRegExpValue `json:"value"`
	}

	ScriptSetLocalValue struct {
		Type  isSet                  `json:"type"`
		Value List[ScriptLocalValue] `json:"value"`
	}
)

func (ScriptSharedReference) localValue()       {}
func (ScriptRemoteObjectReference) localValue() {}
func (ScriptUndefinedValue) localValue()        {}
func (ScriptNullValue) localValue()             {}
func (ScriptStringValue) localValue()           {}
func (ScriptNumberValue) localValue()           {}
func (ScriptBooleanValue) localValue()          {}
func (ScriptBigIntValue) localValue()           {}
func (ScriptChannelValue) localValue()          {}
func (ScriptArrayLocalValue) localValue()       {}
func (ScriptDateLocalValue) localValue()        {}
func (ScriptMapLocalValue) localValue()         {}
func (ScriptObjectLocalValue) localValue()      {}
func (ScriptRegExpLocalValue) localValue()      {}
func (ScriptSetLocalValue) localValue()         {}

// StringValue is a string.
func StringValue(s string) ScriptLocalValue { return ScriptStringValue{Value: s} }

// NumberValue is a number, NaN, the infinities and negative zero included.
func NumberValue(f float64) ScriptLocalValue { return ScriptNumberValue{Value: ScriptNumber(f)} }

// BoolValue is a boolean.
func BoolValue(b bool) ScriptLocalValue { return ScriptBooleanValue{Value: b} }

// NullValue is null.
func NullValue() ScriptLocalValue { return ScriptNullValue{} }

// UndefinedValue is undefined.
func UndefinedValue() ScriptLocalValue { return ScriptUndefinedValue{} }

// NodeValue is a node, by the id that it has in all realms of its document.
func NodeValue(id SharedID) ScriptLocalValue { return ScriptSharedReference{SharedID: id} }

// ArrayValue is an array.
func ArrayValue(values ...ScriptLocalValue) ScriptLocalValue {
	return ScriptArrayLocalValue{Value: values}
}

// ObjectValue is a plain object.
func ObjectValue(pairs ...Pair) ScriptLocalValue { return ScriptObjectLocalValue{Value: pairs} }

// ChannelValue is a function that sends what it is called with to us, as the event
// script.message.
func ChannelValue(name Channel) ScriptLocalValue {
	return ScriptChannelValue{Value: ScriptChannelProperties{Channel: name}}
}

// Pair is one entry of a mapping: Name, or Key where it is set (the keys of a Map
// are any value).
type Pair struct {
	Name  string
	Key   ScriptLocalValue
	Value ScriptLocalValue
}

// MarshalJSON writes the pair as a list of two.
func (p Pair) MarshalJSON() ([]byte, error) {
	if p.Key != nil {
		return encode([2]any{p.Key, p.Value})
	}
	return encode([2]any{p.Name, p.Value})
}

// ScriptMappingLocalValue is the content of a map or an object.
type ScriptMappingLocalValue []Pair

// MarshalJSON writes nil as [].
func (m ScriptMappingLocalValue) MarshalJSON() ([]byte, error) {
	return List[Pair](m).MarshalJSON()
}

// ScriptNumber is a JavaScript number. Those that JSON lacks travel as strings.
type ScriptNumber float64

// MarshalJSON writes the number, or the name of a special one.
func (n ScriptNumber) MarshalJSON() ([]byte, error) {
	f := float64(n)
	switch {
	case math.IsNaN(f):
		return []byte(`"NaN"`), nil
	case math.IsInf(f, 1):
		return []byte(`"Infinity"`), nil
	case math.IsInf(f, -1):
		return []byte(`"-Infinity"`), nil
	case f == 0 && math.Signbit(f):
		return []byte(`"-0"`), nil
	}
	return encode(f)
}

// UnmarshalJSON reads either form.
func (n *ScriptNumber) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case `"NaN"`:
		*n = ScriptNumber(math.NaN())
	case `"Infinity"`:
		*n = ScriptNumber(math.Inf(1))
	case `"-Infinity"`:
		*n = ScriptNumber(math.Inf(-1))
	case `"-0"`:
		*n = ScriptNumber(math.Copysign(0, -1))
	default:
		var f float64
		if err := json.Unmarshal(data, &f); err != nil {
			return fmt.Errorf("not a number: %.20s", data)
		}
		*n = ScriptNumber(f)
	}
	return nil
}

// ScriptRegExpValue is a regular expression.
type ScriptRegExpValue struct {
	Pattern string `json:"pattern"`
	Flags   string `json:"flags,omitzero"`
}

// ScriptChannelProperties says how what a channel is called with is serialized.
type ScriptChannelProperties struct {
	Channel              Channel                     `json:"channel"`
	SerializationOptions *ScriptSerializationOptions `json:"serializationOptions,omitzero"`
	Ownership            ScriptResultOwnership       `json:"ownership,omitzero"`
}
