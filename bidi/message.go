package bidi

import (
	"fmt"
	"math"
	"strconv"

	"github.com/goccy/go-json"
)

// message is the envelope of an incoming frame, taken apart in one pass: the
// payload stays as it came until its type is known. Which members are there says
// what it is: a method makes it an event, an error code an error, an id alone a
// success. The member type, which says the same, is not relied on.
type message struct {
	id         int64 // 0 when absent, null or not a whole number
	method     string
	params     []byte
	result     []byte
	code       string
	text       string
	stacktrace string
}

// parseMessage takes a frame apart. The slices of the message point into frame.
// Members that it does not know are passed over.
func parseMessage(frame []byte) (message, error) {
	var m message
	err := members(frame, func(name, value []byte) error {
		switch string(name) {
		case "id":
			m.id = parseID(value)
		case "method":
			return unquote(value, &m.method)
		case "params":
			m.params = value
		case "result":
			m.result = value
		case "error":
			return unquote(value, &m.code)
		case "message":
			return unquote(value, &m.text)
		case "stacktrace":
			return unquote(value, &m.stacktrace)
		}
		return nil
	})
	if err != nil {
		return message{}, fmt.Errorf("incoming frame of %d bytes: %w", len(frame), err)
	}
	return m, nil
}

// parseID reads a reply's id. chromedriver writes large ids as floating point
// ("2147483648.0", "9.007199254740991e+15"); a value that is no positive whole
// number is no id.
func parseID(value []byte) int64 {
	if n, err := strconv.ParseInt(string(value), 10, 64); err == nil {
		return max(n, 0)
	}
	f, err := strconv.ParseFloat(string(value), 64)
	if err != nil || f != math.Trunc(f) || f < 0 || f > 1<<53 {
		return 0
	}
	return int64(f)
}

// unquote decodes a JSON string; any other value leaves s as it is, so that a
// browser's odd member costs no connection.
func unquote(value []byte, s *string) error {
	if len(value) == 0 || value[0] != '"' {
		return nil
	}
	if err := json.Unmarshal(value, s); err != nil {
		return errSyntax
	}
	return nil
}

// Event is an event as it arrived. Params points into the frame and must not be
// changed; [EventType.Decode] gives it its type.
type Event struct {
	Method string
	Params json.RawMessage
}
