package artifacts

import (
	"fmt"
	"strings"
)

// dirPrefix begins the name of every session's directory: what does not begin
// with it is never cleaned away.
const dirPrefix = "duet-"

// fileName is the name of the nth file: it sorts by age and says what it holds.
func fileName(n int, kind, ext string) string {
	return fmt.Sprintf("%04d-%s.%s", n, bare(kind), bare(ext))
}

// bare keeps a name to lower-case letters, digits and dashes, at most 32 of them.
func bare(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r == '-':
			return r
		case r >= 'A' && r <= 'Z':
			return r + ('a' - 'A')
		case r == '_' || r == '.':
			return '-'
		}
		return -1
	}, s)
	s = strings.Trim(s, "-")
	return s[:min(len(s), 32)]
}

// plain reports whether a name may be that of a file in the directory: one
// component, printable, not hidden, no device of any system.
func plain(name string) bool {
	if name == "" || len(name) > 200 || name[0] == '.' || name[0] == '-' || name[len(name)-1] == '.' {
		return false
	}
	for _, r := range name {
		if r < 0x20 || r == 0x7F || strings.ContainsRune(`/\:*?"<>|`, r) {
			return false
		}
	}
	base, _, _ := strings.Cut(strings.ToUpper(name), ".")
	switch base {
	case "CON", "PRN", "AUX", "NUL":
		return false
	}
	return !(len(base) == 4 && (strings.HasPrefix(base, "COM") || strings.HasPrefix(base, "LPT")) && base[3] >= '0' && base[3] <= '9')
}
