package selector

import (
	"strconv"
	"strings"
)

// Kind says how a step finds elements.
type Kind string

// The kinds, by the word that a caller writes before the equals sign.
const (
	CSS         Kind = "css"
	XPath       Kind = "xpath"
	Role        Kind = "role"
	Text        Kind = "text"  // the whole text, white space folded
	TextPart    Kind = "text*" // a part of the text
	Label       Kind = "label"
	Placeholder Kind = "placeholder"
	TestID      Kind = "testid"
	Alt         Kind = "alt"
	Title       Kind = "title"
	ID          Kind = "id"
	Name        Kind = "name" // the name attribute
	Tag         Kind = "tag"
	Class       Kind = "class"
	Ref         Kind = "ref"
	Nth         Kind = "nth"
)

// Semantic reports whether steps of the kind name what a person reads. An
// action by such a step must mean one element: several are ambiguous.
func (k Kind) Semantic() bool {
	switch k {
	case Role, Text, TextPart, Label, Placeholder, Alt, Title:
		return true
	}
	return false
}

// Step finds elements inside what the step before it found.
type Step struct {
	Kind   Kind    `json:"kind"`
	Value  string  `json:"value,omitzero"`
	Name   *string `json:"name,omitzero"`   // role: the accessible name; nil where it was not asked for
	NameOp string  `json:"nameOp,omitzero"` // "=" the whole name, "*=" a part of it; empty without a name
	Nth    int     `json:"nth,omitzero"`    // nth: which of the matches, from 0; negative counts from the end
	Bare   bool    `json:"-"`               // ref: written as e7 alone
}

// Chain is a parsed selector: at least one step, a ref only as the first, nth
// never as the first.
type Chain struct {
	Steps []Step `json:"steps"`
}

// Ref returns the ref that the chain starts with, and whether it does.
func (c Chain) Ref() (string, bool) {
	if len(c.Steps) > 0 && c.Steps[0].Kind == Ref {
		return c.Steps[0].Value, true
	}
	return "", false
}

// Semantic reports whether the chain must mean one element: its last finding
// step is semantic and no nth chooses among what it finds.
func (c Chain) Semantic() bool {
	n := len(c.Steps)
	return n > 0 && c.Steps[n-1].Kind.Semantic()
}

// String prints the chain so that Parse gives it back.
func (c Chain) String() string {
	parts := make([]string, len(c.Steps))
	for i, s := range c.Steps {
		parts[i] = s.String()
	}
	return strings.Join(parts, " >> ")
}

// String prints the step so that Parse gives it back.
func (s Step) String() string {
	switch s.Kind {
	case CSS:
		if needsPrefix(s.Value) {
			return "css=" + s.Value
		}
		return s.Value
	case XPath:
		return "xpath=" + s.Value
	case Nth:
		return "nth=" + strconv.Itoa(s.Nth)
	case Ref:
		if s.Bare {
			return s.Value
		}
		return "ref=" + s.Value
	case Role:
		if s.Name == nil {
			return "role=" + s.Value
		}
		return "role=" + s.Value + "[name" + s.NameOp + quoteInBrackets(*s.Name) + "]"
	}
	return string(s.Kind) + "=" + quoteValue(s.Value)
}

// needsPrefix reports whether a CSS selector would be read as something else
// when it stands alone.
func needsPrefix(css string) bool {
	if isRef(css) {
		return true
	}
	_, _, known := splitKind(css)
	_, unknown := unknownKind(css)
	return known || unknown
}

// quoteValue quotes a value that does not stand for itself.
func quoteValue(v string) string {
	if v == "" || strings.TrimSpace(v) != v || strings.ContainsAny(v[:1], `"'`) || strings.Contains(v, ">>") {
		return quote(v)
	}
	return v
}

func quoteInBrackets(v string) string {
	if v == "" || strings.TrimSpace(v) != v || strings.ContainsAny(v, `"'[]>`) {
		return quote(v)
	}
	return v
}

func quote(v string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v) + `"`
}
