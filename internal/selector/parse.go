package selector

import (
	"strconv"
	"strings"

	"duet/internal/fault"
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

// splitKind returns the kind that s begins with and what follows the equals
// sign. Unknown words are CSS, so that input[type=x] is what it looks like.
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
	default:
		raw, tail, more, err = scanValue(value)
		if err == nil {
			step, err = valueStep(kind, raw)
		}
	}
	return step, tail, more, err
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
