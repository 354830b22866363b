package dispatch

import "context"

// Do runs one call under a registry and always answers: the one path from a
// request to a result.
func (s *Session) Do(ctx context.Context, r *Registry, q Request) *Result {
	if _, _, err := r.decode(q.Tool, q.Args); err != nil {
		return &Result{ArgError: err}
	}
	return &Result{IsError: true, Code: "INTERNAL", Text: "error: not there yet"}
}

// wire connects a new browser with what the session keeps.
func (s *Session) wire(*Live) {}
