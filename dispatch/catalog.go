package dispatch

import "context"

// Catalog returns the session's commands as a front end sees them under a
// registry. Several may exist at once, under different access. With structured
// false the answers are text alone.
func (s *Session) Catalog(r *Registry, structured bool) Catalog {
	return &catalog{s, r, structured}
}

type catalog struct {
	session    *Session
	registry   *Registry
	structured bool
}

// Tools implements Catalog.
func (c *catalog) Tools() []ToolInfo { return c.registry.Tools() }

// Do implements Catalog.
func (c *catalog) Do(ctx context.Context, r Request) *Result {
	result := c.session.Do(ctx, c.registry, r)
	if !c.structured {
		result.Structured = nil
	}
	return result
}
