package pagejs

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"duet/internal/lazyregexp"
)

// noLib is the whole answer of a function whose realm has no library.
const noLib = `"no lib"`

// lacking is the whole answer where the document was not given a function.
const lacking = `"no function"`

// The ways in which files are sent, with places for them.
var (
	callText    = file("wrap/call")
	firstText   = file("wrap/first")
	knownText   = file("wrap/known")
	installText = file("wrap/install")
)

// libParts are the files of the library in the order in which they run: each
// is a function of the object that the page functions get as their first
// argument.
var libParts = []string{"lib", "lib_dom", "lib_watch", "lib_roles", "lib_generated", "lib_names", "lib_states", "lib_rows", "lib_wire", "lib_keep", "lib_walk", "lib_read", "lib_act", "lib_find", "lib_edit"}

// comment is a line of the library that is for its readers alone: it does not
// travel with every document.
var comment = lazyregexp.New(`(?m)^\s*//.*\n`)

// Lib is the library as a function declaration: a preload script of the
// sandbox, or a script.callFunction without arguments. It does nothing where
// the realm has the library for the document that it shows.
var Lib = sync.OnceValue(func() string {
	parts := make([]string, len(libParts))
	for i, part := range libParts {
		parts[i] = comment().ReplaceAllString(file(part), "")
	}
	return strings.Replace(installText, "\nPARTS\n", "\n"+strings.Join(parts, "\n,\n")+"\n", 1)
})

// texts are the functions by their short names: "@walk" as Source sends it,
// "@+walk" as First does.
var texts = map[string]func() string{}

// known are the names of functions as Known sends them, by text. A log names them as
// it does Source: which of the two is sent depends on the document alone.
var known = map[string]string{}

// Expand gives the text that a short name stands for in a protocol log.
func Expand(name string) (text string, ok bool) {
	if name == "@lib" {
		return Lib(), true
	}
	if make, ok := texts[name]; ok {
		return make(), true
	}
	return "", false
}

// Collapse gives the short name of a text that this package made.
func Collapse(text string) (name string, ok bool) {
	names()
	name, ok = collapsed[text]
	return name, ok
}

var collapsed map[string]string

var names = sync.OnceFunc(func() {
	collapsed = map[string]string{Lib(): "@lib"}
	for name, text := range texts {
		collapsed[text()] = name
	}
	for text, name := range known {
		collapsed[text] = name
	}
})

// wellFormed replaces the escapes of lone surrogates, which JSON.stringify
// leaves in and which no valid text may hold, by U+FFFD.
func wellFormed(s string) string {
	if !strings.Contains(s, `\ud`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		if s[i+1] != 'u' {
			b.WriteString(s[i : i+2])
			i++
			continue
		}
		u, ok := unit(s, i)
		switch {
		case !ok || u < 0xd800 || u > 0xdfff:
			b.WriteString(s[i : i+2])
			i++
			continue
		case u <= 0xdbff:
			if low, ok := unit(s, i+6); ok && low >= 0xdc00 && low <= 0xdfff {
				b.WriteString(s[i : i+12])
				i += 11
				continue
			}
		}
		b.WriteString("\uFFFD")
		i += 5
	}
	return b.String()
}

// unit reads the \uXXXX at i.
func unit(s string, i int) (uint64, bool) {
	if i+6 > len(s) || s[i] != '\\' || s[i+1] != 'u' {
		return 0, false
	}
	u, err := strconv.ParseUint(s[i+2:i+6], 16, 32)
	return u, err == nil
}

// String names the function in messages.
func (f Fn[A, R]) String() string { return fmt.Sprintf("@%s", f.Name) }
