package drive

import (
	"encoding/base64"
	"math"
	"net/url"
	"slices"
	"strings"

	"github.com/goccy/go-json"

	"duet/bidi"
)

// SavedState is a browser's cookies and storage as a file keeps them: the
// storageState JSON that other tools write too, {cookies, origins}. What they do
// not know stands beside it: an origin's sessionStorage, and frames, what an origin
// keeps in a frame of another site's page.
type SavedState struct {
	cookies []savedCookie
	origins []savedOrigin // of pages first, in order, then of frames
}

type savedCookie struct {
	at       string // its place in the file, for messages
	cookie   bidi.StoragePartialCookie
	top      string // of a partitioned cookie, the site that it is for; "" is none
	ancestor *bool  // of a partitioned cookie: a frame of another site is between; nil is not told
}

// savedOrigin is what an origin keeps: by itself, or in frames of top's pages.
type savedOrigin struct {
	at        string
	place     spot
	local     []entry
	session   []entry
	databases []json.RawMessage
}

// spot is where an origin keeps something: in a page of its own, top being "", or
// in a frame of a page of top.
type spot struct{ origin, top string }

type entry struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Bounds of a state file.
const (
	maxSavedCookies = 10_000
	maxSavedOrigins = 400
	maxSavedDepth   = 300 // of values in databases; encoded ones nest thrice as deep
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
			return m.list(maxSavedOrigins, func(m member) error { return s.origin(m, false) })
		},
		"frames": func(m member) error {
			return m.list(maxSavedOrigins, func(m member) error { return s.origin(m, true) })
		},
	}, nil); err != nil {
		return nil, err
	}
	slices.SortStableFunc(s.origins, func(a, b savedOrigin) int { return strings.Compare(a.place.top, b.place.top) })
	seen := map[spot]bool{}
	for _, o := range s.origins {
		if seen[o.place] {
			return nil, wrongState(o.at, "it is there twice")
		}
		seen[o.place] = true
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

func (s *SavedState) cookie(m member) error {
	c := savedCookie{at: m.at}
	var value, site string
	binary := false
	err := m.object(map[string]func(member) error{
		"name": textInto(&c.cookie.Name), "value": textInto(&value),
		"domain": textInto(&c.cookie.Domain), "path": textInto(&c.cookie.Path),
		"httpOnly": boolInto(&c.cookie.HTTPOnly), "secure": boolInto(&c.cookie.Secure),
		"expires":                 c.expires,
		"sameSite":                func(m member) error { return m.sameSite(&c.cookie.SameSite, &site) },
		"partitionKey":            textInto(&c.top),
		"_crHasCrossSiteAncestor": func(m member) error { c.ancestor = new(bool); return boolInto(c.ancestor)(m) },
		"_base64":                 boolInto(&binary),
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
	case c.top != "" && pageOrigin(c.top) == "":
		return member{at: m.join("partitionKey")}.wrong("the site of a page is expected, such as https://example.com")
	case site == "None" && !c.cookie.Secure:
		c.cookie.SameSite = "" // what some tools write where none was said
	}
	c.cookie.Value = bidi.NetworkText(value)
	if binary {
		if _, err := base64.StdEncoding.DecodeString(value); err != nil {
			return member{at: m.join("value")}.wrong("it is not base64")
		}
		c.cookie.Value = bidi.NetworkBytesValue{Type: "base64", Value: value}
	}
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

func (s *SavedState) origin(m member, framed bool) error {
	o := savedOrigin{at: m.at}
	into := func(list *[]entry) func(member) error {
		return func(m member) error {
			return m.list(math.MaxInt32, func(m member) error {
				var e entry
				err := m.object(map[string]func(member) error{"name": textInto(&e.Name), "value": textInto(&e.Value)}, []string{"name", "value"})
				*list = append(*list, e)
				return err
			})
		}
	}
	read := map[string]func(member) error{
		"origin":         textInto(&o.place.origin),
		"localStorage":   into(&o.local),
		"sessionStorage": into(&o.session),
		"indexedDB":      func(m member) error { return m.list(maxDatabases, o.database) },
		"opfs": func(m member) error {
			if l, ok := m.value.([]any); !ok || len(l) > 0 {
				return m.wrong("files of the origin's private file system cannot be restored; save the state without them")
			}
			return nil
		},
	}
	need := []string{"origin", "localStorage"}
	if framed {
		read["top"] = textInto(&o.place.top)
		need = append(need, "top")
	}
	if err := m.object(read, need); err != nil {
		return err
	}
	for _, name := range []struct{ name, value string }{{"origin", o.place.origin}, {"top", o.place.top}} {
		if (name.name == "origin" || framed) && pageOrigin(name.value) != name.value {
			return member{at: m.join(name.name)}.wrong("an origin is expected, such as https://example.com")
		}
	}
	s.origins = append(s.origins, o)
	return nil
}

// pageOrigin returns the origin of an address of a page, "" where it has none that
// keeps anything.
func pageOrigin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return ""
	}
	host := strings.ToLower(u.Host)
	if standard := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]; u.Port() != "" {
		host = strings.TrimSuffix(host, standard)
	}
	return u.Scheme + "://" + host
}
