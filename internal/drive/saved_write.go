package drive

import (
	"cmp"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/fault"
)

// A file's members, in the order in which they are written.
type (
	fileState struct {
		Cookies []fileCookie `json:"cookies"`
		Origins []fileOrigin `json:"origins"`
		Frames  []fileOrigin `json:"frames,omitempty"`
	}
	fileCookie struct {
		Name      string  `json:"name"`
		Value     string  `json:"value"`
		Domain    string  `json:"domain"`
		Path      string  `json:"path"`
		Expires   float64 `json:"expires"` // seconds since 1970, -1 for a cookie of the session
		HTTPOnly  bool    `json:"httpOnly"`
		Secure    bool    `json:"secure"`
		SameSite  string  `json:"sameSite,omitempty"`
		Partition string  `json:"partitionKey,omitempty"`
		Ancestor  *bool   `json:"_crHasCrossSiteAncestor,omitempty"`
		Base64    bool    `json:"_base64,omitempty"`
	}
	fileOrigin struct {
		Origin    string            `json:"origin"`
		Top       string            `json:"top,omitempty"`
		Local     []entry           `json:"localStorage"`
		Session   []entry           `json:"sessionStorage,omitempty"`
		Databases []json.RawMessage `json:"indexedDB,omitempty"`
	}
)

// JSON is the state as its file: the same text for the same state. It reads back,
// which was tried, so that no file takes the place of a good one that could not be
// loaded.
func (s *SavedState) JSON() ([]byte, error) {
	text, err := s.text()
	if err != nil {
		return nil, err
	}
	again, err := ParseState(text)
	if err != nil {
		return nil, err
	}
	return again.text()
}

func (s *SavedState) text() ([]byte, error) {
	f := fileState{Cookies: []fileCookie{}, Origins: []fileOrigin{}}
	for _, c := range s.cookies {
		f.Cookies = append(f.Cookies, c.file())
	}
	slices.SortStableFunc(f.Cookies, func(a, b fileCookie) int {
		// Those of one path stay in the browser's order: servers are sent the older first.
		return cmp.Or(cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.Path, b.Path))
	})
	for _, o := range s.origins {
		one := fileOrigin{o.place.origin, o.place.top, o.local, o.session, o.databases}
		if one.Local == nil {
			one.Local = []entry{}
		}
		if one.Top == "" {
			f.Origins = append(f.Origins, one)
		} else {
			f.Frames = append(f.Frames, one)
		}
	}
	for _, list := range [][]fileOrigin{f.Origins, f.Frames} {
		slices.SortStableFunc(list, func(a, b fileOrigin) int {
			return cmp.Or(cmp.Compare(a.Top, b.Top), cmp.Compare(a.Origin, b.Origin))
		})
	}
	text, err := json.MarshalWithOption(f, json.DisableHTMLEscape())
	if err != nil {
		return nil, fault.New(fault.Internal, "the state cannot be written").Because(err)
	}
	return append(text, '\n'), nil
}

func (c *savedCookie) file() fileCookie {
	f := fileCookie{
		Name: c.cookie.Name, Value: c.cookie.Value.Value, Domain: c.cookie.Domain, Path: c.cookie.Path, Expires: -1,
		HTTPOnly: c.cookie.HTTPOnly, Secure: c.cookie.Secure, Partition: c.top, Ancestor: c.ancestor,
	}
	if c.cookie.Expiry != nil {
		f.Expires = float64(*c.cookie.Expiry)
	}
	if c.cookie.SameSite != "" {
		word := string(c.cookie.SameSite)
		f.SameSite = strings.ToUpper(word[:1]) + word[1:]
	}
	if c.cookie.Value.Type == "base64" {
		raw, err := base64.StdEncoding.DecodeString(f.Value)
		if text := string(raw); err == nil && !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f || r == '\ufffd' }) {
			f.Value = text
		} else {
			f.Base64 = true
		}
	}
	return f
}

// Stored counts what a state holds, or what of it was restored.
type Stored struct {
	Cookies   int `json:"cookies"`
	Origins   int `json:"origins"` // pages' and frames' origins that keep something
	Local     int `json:"local"`   // entries of their local storage
	Session   int `json:"session,omitzero"`
	Databases int `json:"databases,omitzero"`
	Expired   int `json:"expired,omitzero"`        // cookies that were over
	Left      int `json:"left_out,omitzero"`       // entries, records and databases that a file cannot carry
	Unread    int `json:"session_unread,omitzero"` // origins that a tab has left, whose session storage cannot be reached
	Tab       int `json:"tab,omitzero"`            // the new one that has the session storage
}

// Counts says how much the state holds.
func (s *SavedState) Counts() Stored {
	n := Stored{Cookies: len(s.cookies), Origins: len(s.origins)}
	for _, o := range s.origins {
		n.Local += len(o.local)
		n.Session += len(o.session)
		n.Databases += len(o.databases)
	}
	return n
}

func (o *savedOrigin) empty() bool { return len(o.local)+len(o.session)+len(o.databases) == 0 }

// same reports whether two places keep the same: a frame of the page's own site
// shares what its origin keeps by itself.
func (o *savedOrigin) same(p *savedOrigin) bool {
	return slices.Equal(o.local, p.local) && slices.Equal(o.session, p.session) && slices.EqualFunc(o.databases, p.databases, func(a, b json.RawMessage) bool { return string(a) == string(b) })
}

// cookieOf makes of a browser's cookie what a file keeps.
func cookieOf(c bidi.NetworkCookie) savedCookie {
	s := savedCookie{cookie: bidi.StoragePartialCookie{
		Name: c.Name, Value: c.Value, Domain: c.Domain, Path: c.Path, HTTPOnly: c.HTTPOnly, Secure: c.Secure,
	}}
	switch c.SameSite {
	case bidi.NetworkSameSiteStrict, bidi.NetworkSameSiteLax:
		s.cookie.SameSite = c.SameSite
	case bidi.NetworkSameSiteNone:
		if c.Secure { // otherwise none was said
			s.cookie.SameSite = c.SameSite
		}
	}
	if c.Expiry > 0 {
		at := c.Expiry
		s.cookie.Expiry = &at
	}
	if site, ancestor, ok := c.Partition(); ok {
		s.top, s.ancestor = site, &ancestor
	}
	return s
}
