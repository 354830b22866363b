package bidi

import (
	"github.com/goccy/go-json"
)

// ScriptRemoteValue is a value of a page as it reached us: any of the variants of
// the specification in one struct. Value has the form that Type says and stays
// undecoded until one of the methods is asked for it.
// https://w3c.github.io/webdriver-bidi/#type-script-RemoteValue
type ScriptRemoteValue struct {
	Type       string          `json:"type"`
	Value      json.RawMessage `json:"value,omitzero"`
	SharedID   SharedID        `json:"sharedId,omitzero"` // of a node
	Handle     Handle          `json:"handle,omitzero"`
	InternalID InternalID      `json:"internalId,omitzero"`
}

// AsString returns a string's value.
func (v ScriptRemoteValue) AsString() (string, bool) {
	return remote[string](v, "string")
}

// AsBool returns a boolean's value.
func (v ScriptRemoteValue) AsBool() (value, ok bool) {
	return remote[bool](v, "boolean")
}

// AsNumber returns a number's value.
func (v ScriptRemoteValue) AsNumber() (float64, bool) {
	n, ok := remote[ScriptNumber](v, "number")
	return float64(n), ok
}

// AsBigInt returns the decimal digits of a bigint.
func (v ScriptRemoteValue) AsBigInt() (string, bool) {
	return remote[string](v, "bigint")
}

// AsDate returns the ISO 8601 form of a Date.
func (v ScriptRemoteValue) AsDate() (string, bool) {
	return remote[string](v, "date")
}

// AsRegExp returns a regular expression.
func (v ScriptRemoteValue) AsRegExp() (ScriptRegExpValue, bool) {
	return remote[ScriptRegExpValue](v, "regexp")
}

// AsList returns the elements of an array, set, node list or collection.
func (v ScriptRemoteValue) AsList() ([]ScriptRemoteValue, bool) {
	return remote[[]ScriptRemoteValue](v, "array", "set", "nodelist", "htmlcollection")
}

// AsMapping returns the entries of an object or map, in order.
func (v ScriptRemoteValue) AsMapping() ([]ScriptRemotePair, bool) {
	return remote[[]ScriptRemotePair](v, "object", "map")
}

// AsNode returns a node with what was serialized of it.
func (v ScriptRemoteValue) AsNode() (ScriptNodeRemoteValue, bool) {
	if v.Type != "node" {
		return ScriptNodeRemoteValue{}, false
	}
	node := ScriptNodeRemoteValue{Type: v.Type, SharedID: v.SharedID, Handle: v.Handle, InternalID: v.InternalID}
	if len(v.Value) > 0 {
		if json.Unmarshal(v.Value, &node.Value) != nil {
			return ScriptNodeRemoteValue{}, false
		}
	}
	return node, true
}

// AsWindow returns the context that a window object, such as an iframe's
// contentWindow, stands for.
func (v ScriptRemoteValue) AsWindow() (Context, bool) {
	window, ok := remote[ScriptWindowProxyProperties](v, "window")
	return window.Context, ok
}

// remote decodes a value that has one of the types.
func remote[T any](v ScriptRemoteValue, types ...string) (T, bool) {
	var value T
	for _, t := range types {
		if v.Type == t && len(v.Value) > 0 {
			return value, json.Unmarshal(v.Value, &value) == nil
		}
	}
	return value, false
}

// ScriptRemotePair is one entry of an object or a map. Name is set when the key is
// a string; Key is the key of any other kind.
type ScriptRemotePair struct {
	Name  string
	Key   *ScriptRemoteValue
	Value ScriptRemoteValue
}

// UnmarshalJSON reads a list of two.
func (p *ScriptRemotePair) UnmarshalJSON(data []byte) error {
	var pair [2]json.RawMessage
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	if len(pair[0]) > 0 && pair[0][0] == '"' {
		if err := json.Unmarshal(pair[0], &p.Name); err != nil {
			return err
		}
	} else if err := json.Unmarshal(pair[0], &p.Key); err != nil {
		return err
	}
	return json.Unmarshal(pair[1], &p.Value)
}

// ScriptNodeRemoteValue is a node. It has a SharedID unless the realm is gone, and
// a Value as deep as the serialization options asked for.
// https://w3c.github.io/webdriver-bidi/#type-script-RemoteValue
type ScriptNodeRemoteValue struct {
	Type       string                `json:"type"`
	SharedID   SharedID              `json:"sharedId,omitzero"`
	Handle     Handle                `json:"handle,omitzero"`
	InternalID InternalID            `json:"internalId,omitzero"`
	Value      *ScriptNodeProperties `json:"value,omitzero"`
}

// ScriptNodeProperties is what was serialized of a node.
type ScriptNodeProperties struct {
	NodeType       int                     `json:"nodeType"`
	ChildNodeCount int                     `json:"childNodeCount"`
	Attributes     map[string]string       `json:"attributes,omitzero"`
	Children       []ScriptNodeRemoteValue `json:"children,omitzero"`
	LocalName      string                  `json:"localName,omitzero"`
	Mode           string                  `json:"mode,omitzero"` // of a shadow root: open or closed
	NamespaceURI   string                  `json:"namespaceURI,omitzero"`
	NodeValue      string                  `json:"nodeValue,omitzero"`
	ShadowRoot     *ScriptNodeRemoteValue  `json:"shadowRoot,omitzero"`
}

// ScriptWindowProxyProperties says which context a window belongs to.
type ScriptWindowProxyProperties struct {
	Context Context `json:"context"`
}
