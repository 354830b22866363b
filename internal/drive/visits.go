package drive

import (
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// visit is a place that keeps something, with the tabs that were there: each has a
// session storage of its own. Browser.mu guards it.
type visit struct {
	place spot
	tabs  []*Tab
}

// maxVisits is how many places are remembered for a state.
const maxVisits = 300

// visitedLocked remembers where a frame's document keeps things.
func (b *Browser) visitedLocked(f *frame) {
	if p, ok := b.placeLocked(f); ok {
		b.visitLocked(p, f.tab)
	}
}

// placeLocked returns where a frame's document keeps things.
func (b *Browser) placeLocked(f *frame) (spot, bool) {
	p := spot{origin: pageOrigin(f.url)}
	if p.origin == "" || f.tab == nil {
		return p, false
	}
	if f.parent != "" {
		p.top = pageOrigin(f.tab.urlLocked())
		if p.top == "" {
			return p, false
		}
		if p.top == p.origin {
			p.top = ""
		}
	}
	return p, true
}

// visitLocked remembers a place; t is the tab, or nil.
func (b *Browser) visitLocked(p spot, t *Tab) {
	at := slices.IndexFunc(b.visits, func(v visit) bool { return v.place == p })
	if at < 0 {
		if len(b.visits) == maxVisits {
			b.unvisited++
			return
		}
		at = len(b.visits)
		b.visits = append(b.visits, visit{place: p})
	}
	if v := &b.visits[at]; t != nil && !slices.Contains(v.tabs, t) {
		v.tabs = append(slices.DeleteFunc(v.tabs, func(t *Tab) bool { return t.closed != 0 }), t)
	}
}

// maybeSameSite reports whether two origins may be of one site: then a frame of one
// in a page of the other can share what its origin keeps by itself.
func maybeSameSite(a, b string) bool {
	u, errA := url.Parse(a)
	v, errB := url.Parse(b)
	if errA != nil || errB != nil || u.Scheme != v.Scheme {
		return false
	}
	if u.Hostname() == v.Hostname() {
		return true
	}
	if _, err := netip.ParseAddr(u.Hostname()); err == nil {
		return false
	}
	end := func(host string) string {
		labels := strings.Split(host, ".")
		return strings.Join(labels[max(0, len(labels)-2):], ".")
	}
	return end(u.Hostname()) == end(v.Hostname())
}
