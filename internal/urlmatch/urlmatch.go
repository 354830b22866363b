// Package urlmatch is patterns of URLs: globs, with the meaning that they have in
// Playwright, and URLPattern of the web platform (https://urlpattern.spec.whatwg.org/).
// Pure.
package urlmatch

import (
	"fmt"
	"regexp"
	"strings"
)

// urlPatternPrefix makes a URLPattern of what follows it.
const urlPatternPrefix = "urlpattern="

// Pattern is a compiled pattern. It is immutable and safe for concurrent use, and
// matching takes time linear in the length of the URL, whatever the pattern.
type Pattern struct {
	text  string
	glob  *regexp.Regexp
	parts *urlPattern // nil for a glob
}

// Compile reads a pattern. What begins with urlpattern= is a URLPattern: a whole
// one, or one that begins with / and leaves scheme, host and port open. All else is
// a glob over the whole URL: * stands for anything but /, ** for anything, {a,b}
// for one of several, \ takes the next character as it is, and ? is a question
// mark. The error says what is wrong with the pattern, one that could match no URL
// included.
func Compile(text string) (*Pattern, error) {
	if rest, ok := strings.CutPrefix(text, urlPatternPrefix); ok {
		parts, err := compileURLPattern(rest)
		if err != nil {
			return nil, err
		}
		return &Pattern{text: text, parts: parts}, nil
	}
	glob, err := compileGlob(text)
	if err != nil {
		return nil, err
	}
	return &Pattern{text: text, glob: glob}, nil
}

// String is the pattern as it was given.
func (p *Pattern) String() string { return p.text }

// Match reports whether a URL matches, as browsers write URLs. Its fragment, which
// is never sent, is left out of account by globs.
func (p *Pattern) Match(url string) bool {
	if p.parts != nil {
		return p.parts.match(url)
	}
	url, _, _ = strings.Cut(url, "#")
	return p.glob.MatchString(url)
}

// errorf is an error whose text stands by itself: the caller names the pattern.
func errorf(format string, args ...any) error { return fmt.Errorf(format, args...) }
