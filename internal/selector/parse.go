package selector

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"duet/internal/fault"
	"duet/internal/lazyregexp"
)

// aliases are the words a caller may write before the equals sign.
var aliases = map[string]Kind{
	"css": CSS, "xpath": XPath, "role": Role,
	"text": Text, "text*": TextPart, "partialtext": TextPart,
	"label": Label, "labeltext": Label, "placeholder": Placeholder,
	"testid": TestID, "data-testid": TestID,
	"alt": Alt, "alttext": Alt, "title": Title,
	"id": ID, "name": Name, "tag": Tag, "tagname": Tag, "class": Class, "classname": Class,
	"ref": Ref, "nth": Nth,
}

// Parse reads a selector. Its error is an INVALID_ARGUMENT that names what is
// wrong and how to write it.
func Parse(s string) (Chain, error) {
	if strings.TrimSpace(s) == "" {
		return Chain{}, fault.New(fault.InvalidArgument, "the selector is empty")
	}
	var c Chain
	for rest := s; ; {
		step, tail, more, err := parseStep(rest)
		if err != nil {
			return Chain{}, invalid(s, err)
		}
		if err := check(c, step); err != nil {
			return Chain{}, invalid(s, err)
		}
		c.Steps = append(c.Steps, step)
		if !more {
			return c, nil
		}
		rest = tail
	}
}

// wrong is a reason and, where it helps, how to write it instead.
type wrong struct{ reason, hint string }

func (w *wrong) Error() string { return w.reason }

func bad(reason, hint string) error { return &wrong{reason, hint} }

func invalid(selector string, err error) error {
	f := fault.New(fault.InvalidArgument, "selector %q: %v", selector, err)
	if w, ok := err.(*wrong); ok && w.hint != "" {
		f = f.WithHint("%s", w.hint)
	}
	return f
}

// check says whether a step may stand after the steps before it.
func check(c Chain, s Step) error {
	switch {
	case s.Kind == Ref && len(c.Steps) > 0:
		return bad("a ref can only be the first step", "")
	case s.Kind == Nth && len(c.Steps) == 0:
		return bad("nth chooses among the matches of a step before it", "write a >> nth=0")
	}
	return nil
}

// kindLike is what stands before an equals sign where a kind is meant: no CSS
// begins so.
var kindLike = lazyregexp.New(`^\s*[A-Za-z][A-Za-z0-9_-]*\s*\*?\s*$`)

// unknownKind returns the word before the equals sign of what is neither a kind nor
// CSS.
func unknownKind(s string) (string, bool) {
	word, _, ok := strings.Cut(s, "=")
	if !ok || !kindLike().MatchString(word) {
		return "", false
	}
	_, known := aliases[strings.ToLower(strings.TrimSpace(word))]
	return strings.TrimSpace(word), !known
}

// noKind is the mistake of a kind that there is not.
func noKind(word string) error {
	reason := "there is no selector kind " + strconv.Quote(word)
	if kind := meant(strings.ToLower(word)); kind != "" {
		reason += "; did you mean " + string(kind) + "=?"
	}
	return bad(reason, "kinds: css, xpath, role, text, text*, label, placeholder, testid, alt, title, id, name, tag, class, ref, nth")
}

// meant is the kind that a misspelt word is one or two slips from, "" for none.
func meant(word string) Kind {
	best, at := Kind(""), min(3, (len(word)+1)/2+1)
	for _, alias := range slices.Sorted(maps.Keys(aliases)) {
		if d := slips(word, alias); d < at {
			best, at = aliases[alias], d
		}
	}
	return best
}

// slips counts the letters to add, drop or change between two words.
func slips(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := corner
			if a[i] != b[j] {
				d = 1 + min(corner, row[j], row[j+1])
			}
			corner, row[j+1] = row[j+1], d
		}
	}
	return row[len(b)]
}

// splitKind returns the kind that s begins with and what follows the equals
// sign. What has no kind is CSS, so that input[type=x] is what it looks like.
func splitKind(s string) (Kind, string, bool) {
	word, value, ok := strings.Cut(s, "=")
	if !ok {
		return "", s, false
	}
	kind, known := aliases[strings.ToLower(strings.TrimSpace(word))]
	return kind, value, known
}

// parseStep reads one step of s; more says that ">>" followed it.
func parseStep(s string) (step Step, tail string, more bool, err error) {
	s = strings.TrimSpace(s)
	kind, value, known := splitKind(s)
	if !known {
		if word, ok := unknownKind(s); ok {
			if here := Meant(s); here != "" {
				return step, "", false, bad("there is no selector kind "+strconv.Quote(word), "write "+here)
			}
			return step, "", false, noKind(word)
		}
		kind, value = CSS, s
	}
	if s == "" || strings.HasPrefix(s, ">>") {
		return step, "", false, bad("a step is missing beside >>", `a value that holds >> is quoted: text="next >>"`)
	}
	value = strings.TrimSpace(value)
	var raw string
	switch kind {
	case CSS, XPath:
		raw, tail, more, err = scanCode(value, kind == CSS)
		step = Step{Kind: kind, Value: raw}
		if err == nil {
			step, err = codeStep(step, known)
		}
	case Role:
		step, tail, more, err = scanRole(value)
		step = shownText(step)
	default:
		raw, tail, more, err = scanValue(value)
		if err == nil {
			step, err = valueStep(kind, raw)
		}
	}
	return step, tail, more, err
}

// shownText is the step for what the map shows as text "…", which is no role.
func shownText(s Step) Step {
	if s.Value != "text" || s.Name == nil || strings.TrimSpace(*s.Name) == "" {
		return s
	}
	if s.NameOp == "*=" {
		return Step{Kind: TextPart, Value: *s.Name}
	}
	return Step{Kind: Text, Value: *s.Name}
}

// codeStep finishes a css or xpath step; a bare one may be a ref.
func codeStep(s Step, prefixed bool) (Step, error) {
	switch {
	case s.Value == "":
		return s, bad(string(s.Kind)+" has no value", "")
	case s.Kind == CSS && !prefixed && isRef(s.Value):
		return Step{Kind: Ref, Value: s.Value, Bare: true}, nil
	case s.Kind == CSS && strings.HasPrefix(strings.TrimLeft(s.Value, "("), "/"):
		return s, bad("it begins like XPath, and CSS is expected", "write xpath="+s.Value)
	}
	return s, nil
}

// valueStep finishes a step whose value is plain text.
func valueStep(kind Kind, value string) (Step, error) {
	switch kind {
	case Ref:
		ref := strings.ToLower(strings.TrimSpace(value))
		if !isRef(ref) {
			return Step{}, bad(strconv.Quote(value)+" is no ref", "a ref is e and a number: e7")
		}
		return Step{Kind: Ref, Value: ref}, nil
	case Nth:
		n, err := strconv.Atoi(value)
		if err != nil {
			return Step{}, bad("nth needs a whole number, not "+strconv.Quote(value), "nth=0 is the first, nth=-1 the last")
		}
		return Step{Kind: Nth, Nth: n}, nil
	}
	if value == "" {
		return Step{}, bad(string(kind)+" has no value", "")
	}
	if (kind == Tag || kind == Class || kind == ID) && strings.ContainsAny(value, " \t\n") && kind != ID {
		return Step{}, bad(string(kind)+" takes one word, not "+strconv.Quote(value), "for more, write CSS")
	}
	return Step{Kind: kind, Value: value}, nil
}

// isRef reports whether s is a ref: e and a number without leading zero.
func isRef(s string) bool {
	if len(s) < 2 || len(s) > 18 || s[0] != 'e' || s[1] == '0' {
		return false
	}
	return strings.Trim(s[1:], "0123456789") == ""
}
