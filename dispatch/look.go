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
	lim := snapshot.Limits{Depth: l.Depth, Offset: l.Offset, Count: l.Limit, Query: l.Query, Interactive: l.Interactive}
	if l.Scope != "" {
		el, err := c.tab.Element(ctx, l.Scope)
		if err != nil {
			return "", err
		}
		key := el.Key()
		lim.Scope, lim.ScopeRef = &key, l.Scope
	}
	after, err := c.render(ctx, lim)
	if err != nil {
		return "", err
	}
	number := c.tab.Number()
	before, why, since := s.seen.last(c.request.Caller, c.live, number)
	text := after.Text()
	if l.Diff {
		if before == nil {
			text = after.FullText(why)
		} else {
			text = snapshot.Diff(before, after, s.ledger).Text
		}
	}
	if l.whole() {
		s.seen.show(c.request.Caller, c.live, number, after, since)
	}
	return PageMap(text), nil
}

// render reads the page and prints it. A scope that the reading of the whole page
// did not reach is read by itself.
func (c *call) render(ctx context.Context, lim snapshot.Limits) (*snapshot.Map, error) {
	tree, err := c.tab.Tree(ctx, drive.TreeOptions{})
	if err != nil {
		return nil, err
	}
	m, err := snapshot.Render(tree, c.session.ledger, lim)
	if lim.Scope == nil || !errors.Is(err, fault.NoMatch) {
		return m, err
	}
	if tree, err = c.tab.Tree(ctx, drive.TreeOptions{Scope: lim.Scope}); err != nil {
		return nil, err
	}
	return snapshot.Render(tree, c.session.ledger, lim)
}

// Ref issues the ref of a match, which its holder is about to be shown.
func (c *call) Ref(m drive.Match) string { return c.session.ledger.Ref(m.Key, m.Stamp) }
