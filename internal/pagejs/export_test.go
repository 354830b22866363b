package pagejs

import "strings"

// Probe is a function of the tests, wrapped as load wraps a file.
func Probe[A, R any](name, body string) Fn[A, R] {
	return Fn[A, R]{Name: name, Reads: true, body: func() string { return strings.TrimRight(body, "\n") }}
}
