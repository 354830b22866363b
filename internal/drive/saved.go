package drive

import (
	"fmt"
	"math"
	"net/url"
	"strings"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/fault"
)

// SavedState is a browser's cookies and local storage as a file keeps them: the
// storageState JSON that other tools write too, {cookies, origins}.
type SavedState struct {
	cookies []savedCookie
	origins []savedOrigin
}

type savedCookie struct {
	at     string // its place in the file, for messages
	cookie bidi.StoragePartialCookie
	top    string // of a partitioned cookie, the site that it is for; "" is none
}

type savedOrigin struct {
	at      string
	origin  string
	entries []entry
}

type entry struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Bounds of a state file.
const (
	maxSavedCookies = 10_000
	maxSavedOrigins = 200
	maxSavedDepth   = 8
)

// ParseState reads a state file. It is judged wholly: a fault STATE_INVALID names
// the first member that is wrong, and never a value.
func ParseState(text []byte) (*SavedState, error) {
	var all any
	if depth(text) > maxSavedDepth {
		return nil, wrongState("", "it is nested too deeply")
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, wrongState("", "it is no JSON")
	}
	s := &SavedState{}
	top := member{value: all}
	if err := top.object(map[string]func(member) error{
		"cookies": func(m member) error {
			return m.list(maxSavedCookies, func(m member) error { return s.cookie(m) })
		},
		"origins": func(m member) error {
			return m.list(maxSavedOrigins, func(m member) error { return s.origin(m) })
		},
	}, nil); err != nil {
		return nil, err
	}
	return s, nil
}

// depth returns how deeply brackets nest, so that no hostile file can exhaust the
// decoder's stack.
func depth(text []byte) int {
	now, most, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			most = max(most, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return most
}

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

func (s *SavedState) cookie(m member) error {
	c := savedCookie{at: m.at}
	var value, site string
	err := m.object(map[string]func(member) error{
		"name": textInto(&c.cookie.Name), "value": textInto(&value),
		"domain": textInto(&c.cookie.Domain), "path": textInto(&c.cookie.Path),
		"httpOnly": boolInto(&c.cookie.HTTPOnly), "secure": boolInto(&c.cookie.Secure),
		"expires":      c.expires,
		"sameSite":     func(m member) error { return m.sameSite(&c.cookie.SameSite, &site) },
		"partitionKey": textInto(&c.top),
	}, []string{"name", "value", "domain"})
	if err != nil {
		return err
	}
	for _, text := range []struct{ name, value string }{{"name", c.cookie.Name}, {"value", value}, {"path", c.cookie.Path}} {
		if strings.ContainsFunc(text.value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f || r == ';' }) {
			return member{at: m.join(text.name)}.wrong("it holds a character that no cookie can")
		}
	}
	switch host := strings.TrimPrefix(c.cookie.Domain, "."); {
	case host == "" || strings.ContainsAny(host, "/:@ ") && !strings.HasPrefix(host, "["):
		return member{at: m.join("domain")}.wrong("it is no host name")
	case c.cookie.Path != "" && c.cookie.Path[0] != '/':
		return member{at: m.join("path")}.wrong("it begins with no slash")
	case c.cookie.Name == "" && value == "":
		return member{at: m.join("name")}.wrong("it is empty, and so is the value")
	case site == "None" && !c.cookie.Secure:
		return member{at: m.join("sameSite")}.wrong("None is for secure cookies alone")
	}
	c.cookie.Value = bidi.NetworkText(value)
	s.cookies = append(s.cookies, c)
	return nil
}

// expires reads the seconds since 1970; -1 is a cookie of the session.
func (c *savedCookie) expires(m member) error {
	n, ok := m.value.(float64)
	if !ok || math.IsNaN(n) || n < -1 || n > 1<<40 {
		return m.wrong("seconds since 1970 are expected, or -1")
	}
	if n >= 0 {
		seconds := bidi.Int(n)
		c.cookie.Expiry = &seconds
	}
	return nil
}

func (m member) sameSite(to *bidi.NetworkSameSite, given *string) error {
	if err := textInto(given)(m); err != nil {
		return err
	}
	switch *given {
	case "Strict", "Lax", "None":
		*to = bidi.NetworkSameSite(strings.ToLower(*given))
		return nil
	}
	return m.wrong("Strict, Lax or None is expected")
}

func (s *SavedState) origin(m member) error {
	o := savedOrigin{at: m.at}
	err := m.object(map[string]func(member) error{
		"origin": textInto(&o.origin),
		"localStorage": func(m member) error {
			return m.list(math.MaxInt32, func(m member) error {
				var e entry
				err := m.object(map[string]func(member) error{"name": textInto(&e.Name), "value": textInto(&e.Value)}, []string{"name", "value"})
				o.entries = append(o.entries, e)
				return err
			})
		},
		"indexedDB": func(m member) error {
			if l, ok := m.value.([]any); !ok || len(l) > 0 {
				return m.wrong("databases cannot be restored; save the state without them")
			}
			return nil
		},
	}, []string{"origin", "localStorage"})
	if err != nil {
		return err
	}
	u, err := url.Parse(o.origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.Scheme+"://"+u.Host != o.origin {
		return member{at: m.join("origin")}.wrong("an origin is expected, such as https://example.com")
	}
	s.origins = append(s.origins, o)
	return nil
}
