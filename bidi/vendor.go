package bidi

import (
	"bytes"
)

// vendorPrefixes mark the members that are not the specification's.
var vendorPrefixes = [][]byte{[]byte("goog:"), []byte("moz:")}

// stripVendor returns the frame without any member that a vendor added, at every
// level.
func stripVendor(frame []byte) ([]byte, error) {
	if !bytes.Contains(frame, []byte(`"goog:`)) && !bytes.Contains(frame, []byte(`"moz:`)) {
		return frame, nil
	}
	return appendStripped(make([]byte, 0, len(frame)), bytes.TrimSpace(frame), 0)
}

func appendStripped(out, value []byte, depth int) ([]byte, error) {
	if depth > maxDepth || len(value) == 0 {
		return nil, errSyntax
	}
	if value[0] != '{' && value[0] != '[' {
		return append(out, value...), nil
	}
	first := true
	separate := func() {
		if !first {
			out = append(out, ',')
		}
		first = false
	}
	var err error
	if value[0] == '{' {
		out = append(out, '{')
		err = members(value, func(name, inner []byte) error {
			for _, prefix := range vendorPrefixes {
				if bytes.HasPrefix(name, prefix) {
					return nil
				}
			}
			separate()
			key, err := encode(string(name))
			if err != nil {
				return err
			}
			out = append(append(out, key...), ':')
			out, err = appendStripped(out, inner, depth+1)
			return err
		})
		return append(out, '}'), err
	}
	out = append(out, '[')
	err = elements(value, func(inner []byte) error {
		separate()
		var err error
		out, err = appendStripped(out, inner, depth+1)
		return err
	})
	return append(out, ']'), err
}
