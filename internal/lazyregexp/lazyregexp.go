// Package lazyregexp makes regular expressions when they are first used. A package's
// variables are made at each start, and a start is what a caller waits for.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New returns a function that gives the regular expression; it is compiled at the
// first call and kept. The function may be called by many goroutines. It panics where
// expr is none: a test of internal/arch compiles each that is written in a source.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
