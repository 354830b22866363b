package bidi

import (
	"fmt"
	"strconv"
)

// Identifiers that the browser gives out. None of them is ever made up by a client.
type (
	Context       string // a tab, window or frame: browsingContext.BrowsingContext
	Navigation    string // one navigation, through all of its events
	Download      string
	Screencast    string
	ClientWindow  string
	UserContext   string // a jar of cookies and storage; "default" always exists
	Realm         string // a JavaScript global: of a document, a sandbox, a worker
	SharedID      string // a node, the same in every realm of its document
	Handle        string // an object kept alive in one realm
	InternalID    string // marks one object that occurs twice in a result
	Channel       string // a name that we choose for messages of a script
	PreloadScript string
	RequestID     string // one request, through redirects and all of its events
	Intercept     string
	Collector     string
	Subscription  string
	Extension     string
)

// Int is a whole number that chromedriver may write as floating point, as it does
// above 2^31 (1.7e+12, 2147483648.0).
type Int int64

// UnmarshalJSON reads either form; null leaves n as it is.
func (n *Int) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		return nil
	}
	if i, err := strconv.ParseInt(string(data), 10, 64); err == nil {
		*n = Int(i)
		return nil
	}
	f, err := strconv.ParseFloat(string(data), 64)
	if err != nil {
		return fmt.Errorf("not a number: %.20s", data)
	}
	*n = Int(f)
	return nil
}

// List is a list that must be there: nil is sent as an empty one. A slice of T can
// be assigned to it as it is.
type List[T any] []T

// MarshalJSON writes nil as [].
func (l List[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return encode([]T(l))
}

// OrNull is a member that may be absent (a nil pointer to it), null (its zero
// value), or a value.
type OrNull[T any] struct{ Value *T }

// Some is a value.
func Some[T any](v T) *OrNull[T] { return &OrNull[T]{&v} }

// Null is null, which gives back the browser's own behaviour.
func Null[T any]() *OrNull[T] { return &OrNull[T]{} }

// MarshalJSON writes the value or null.
func (o OrNull[T]) MarshalJSON() ([]byte, error) {
	if o.Value == nil {
		return []byte("null"), nil
	}
	return encode(*o.Value)
}
