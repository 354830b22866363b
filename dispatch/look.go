package dispatch

import (
	"context"
	"errors"

	"duet/internal/drive"
	"duet/internal/fault"
	"duet/snapshot"
)

// Look says which part of the page a map is to show.
type Look struct {
	Scope       string // a ref or selector; "" is the page
	Depth       int
	Offset      int
	Limit       int
	Query       string
	Diff        bool // what changed since the caller's last map
	Interactive bool
}

// PageMap is a map of the page as a result: a text with a bound of its own.
type PageMap string

// Text implements Texter.
func (m PageMap) Text() string { return string(m) }

// Inline implements Inliner.
func (PageMap) Inline() {}

// whole reports whether a map leaves nothing out but what its budgets cut.
func (l Look) whole() bool {
	return l.Scope == "" && l.Depth == 0 && l.Offset == 0 && l.Limit == 0 && l.Query == "" && !l.Interactive
}

// Map shows the page, or a part of it. The next diff is against what it showed;
// the map of a part leaves the base of the next diff as it was.
func (c *call) Map(ctx context.Context, l Look) (PageMap, error) {
	s := c.session
	lim := snapshot.Limits{Depth: l.Depth, Offset: l.Offset, Count: l.Limit, Query: l.Query, Interactive: l.Interactive, Words: c.words}
	if w, shell := c.words.(*shellWords); shell && l.Diff {
		lim.Words = w.of(nil, "", nil) // what a difference leaves out is not shown by another
	}
	if l.Scope != "" {
		el, err := c.tab.Element(ctx, l.Scope)
		if err != nil {
			return "", err
		}
		key := el.Key()
		lim.Scope, lim.ScopeRef = &key, l.Scope
	}
	after, err := c.render(ctx, lim, l.Diff)
	if lim.Scope != nil && (errors.Is(err, fault.NoMatch) || errors.Is(err, fault.StaleRef)) {
		// What has left the page is not only not listed, and it has a name.
		if _, gone := c.tab.Find(ctx, l.Scope, 1); gone != nil {
			err = gone
		}
	}
	if err != nil {
		return "", err
	}
	number := c.tab.Number()
	before, why, since := s.seen.last(c.request.Caller, c.live, number)
	var text string
	switch {
	case !l.Diff:
		text = after.Text()
	case before == nil:
		text = after.FullText(why)
	case !l.whole():
		d, err := snapshot.DiffWithin(before, after, s.ledger, lim)
		if err != nil {
			return "", err
		}
		text = d.Text
	default:
		text = snapshot.Diff(before, after, s.ledger).Text
	}
	if l.whole() {
		s.seen.show(c.request.Caller, c.live, number, after, since)
	}
	return PageMap(text), nil
}

// render reads the page and prints it. What the reading of a very large page
// leaves out is read where a part of it is asked for: an element by itself, all
// lines for a slice of them, what matches for a query. What is to be compared with
// a usual reading is one.
func (c *call) render(ctx context.Context, lim snapshot.Limits, usual bool) (*snapshot.Map, error) {
	tree, err := c.tab.Tree(ctx, drive.TreeOptions{})
	if err != nil {
		return nil, err
	}
	if c.session.anew(c.tab, tree.Epoch) {
		c.session.ledger.Leave(tree, c.tab.Shows)
	}
	m, err := snapshot.Render(tree, c.session.ledger, lim)
	if err == nil {
		c.session.ledger.Fade(m)
	}
	part := !usual && (lim.Scope != nil || lim.Query != "" || lim.Offset > 0 || lim.Count > 0)
	switch {
	case lim.Scope != nil && !usual && errors.Is(err, fault.NoMatch):
	case err != nil || m.Cut() == 0 || !part:
		return m, err
	}
	o := drive.TreeOptions{Scope: lim.Scope, Whole: true, Query: lim.Query}
	if tree, err = c.tab.Tree(ctx, o); err != nil {
		return nil, err
	}
	return snapshot.Render(tree, c.session.ledger, lim)
}

// Ref issues the ref of a match, which its holder is about to be shown.
func (c *call) Ref(m drive.Match) string { return c.session.ledger.Ref(m.Key, m.Stamp) }
