package dispatch

import (
	"context"

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

func (PageMap) isMap() {}

// whole reports whether a map leaves nothing out but what its budgets cut.
func (l Look) whole() bool {
	return l.Scope == "" && l.Depth == 0 && l.Offset == 0 && l.Limit == 0 && l.Query == "" && !l.Interactive
}

// Map shows the page, or a part of it. The next diff is against what it showed;
// the map of a part leaves the base of the next diff as it was.
func (c *call) Map(ctx context.Context, l Look) (PageMap, error) {
	s := c.session
	tree, err := c.tab.Tree(ctx, drive.TreeOptions{})
	if err != nil {
		return "", err
	}
	lim := snapshot.Limits{Depth: l.Depth, Offset: l.Offset, Count: l.Limit, Query: l.Query, Interactive: l.Interactive}
	if l.Scope != "" {
		return "", fault.New(fault.Unsupported, "snapshot: scope is not there yet")
	}
	after, err := snapshot.Render(tree, s.ledger, lim)
	if err != nil {
		return "", fault.From(err)
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
