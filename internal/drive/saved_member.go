package drive

import (
	"fmt"
	"strconv"
	"strings"

	"duet/internal/fault"
)

func wrongState(at, format string, args ...any) *fault.Fault {
	f := fault.New(fault.StateInvalid, "the saved state is wrong: "+format, args...)
	if at != "" {
		f = fault.New(fault.StateInvalid, "the saved state is wrong: "+at+": "+format, args...).WithDetail(map[string]string{"member": at})
	}
	return f.WithHint("it is JSON: {\"cookies\": [{name, value, domain, path, …}], \"origins\": [{origin, localStorage: [{name, value}]}]}")
}

// member is a value of the file with its place.
type member struct {
	at    string
	value any
}

func (m member) wrong(format string, args ...any) error { return wrongState(m.at, format, args...) }

// object reads an object: each member by its function, those of need must be
// there, and others are errors, but for names with an underscore first, which are
// their writer's own.
func (m member) object(read map[string]func(member) error, need []string) error {
	o, ok := m.value.(map[string]any)
	if !ok {
		return m.wrong("an object is expected")
	}
	for _, name := range need {
		if _, ok := o[name]; !ok {
			return member{at: m.join(name)}.wrong("it is missing")
		}
	}
	for name, value := range o {
		fn, known := read[name]
		if !known && !strings.HasPrefix(name, "_") {
			return m.wrong("it has a member %q, which is not known", cut(name, 40))
		}
		if known {
			if err := fn(member{m.join(name), value}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (m member) join(name string) string {
	if m.at == "" {
		return name
	}
	return m.at + "." + name
}

func (m member) list(most int, each func(member) error) error {
	l, ok := m.value.([]any)
	if !ok {
		return m.wrong("a list is expected")
	}
	if len(l) > most {
		return m.wrong("it has %d members, more than %d", len(l), most)
	}
	for i, v := range l {
		if err := each(member{fmt.Sprintf("%s[%d]", m.at, i), v}); err != nil {
			return err
		}
	}
	return nil
}

func textInto(to *string) func(member) error {
	return func(m member) error {
		s, ok := m.value.(string)
		if !ok {
			return m.wrong("a text is expected")
		}
		*to = s
		return nil
	}
}

func boolInto(to *bool) func(member) error {
	return func(m member) error {
		b, ok := m.value.(bool)
		if !ok {
			return m.wrong("true or false is expected")
		}
		*to = b
		return nil
	}
}

func numberInto(to *float64) func(member) error {
	return func(m member) error {
		n, ok := m.value.(float64)
		if !ok {
			return m.wrong("a number is expected")
		}
		*to = n
		return nil
	}
}

func indexed(i int) string { return "[" + strconv.Itoa(i) + "]" }
