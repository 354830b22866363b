package tools

import (
	"context"

	"duet/dispatch"
)

type quitted struct {
	OK  bool `json:"ok"`
	Ran bool `json:"ran"` // a browser was running
}

var _ = declare(dispatch.Spec{
	Verb:        "quit",
	Title:       "Quit",
	Summary:     "End the session's browser; the next command starts another.",
	Detail:      "How the browser was started is forgotten: a state, a profile, closed shadow roots and the like hold for the next one where its command names them again, or where a duet mcp --session that named them is still connected.",
	Example:     "quit",
	Idle:        true,
	Closed:      true,
	Quiet:       true,
	Destructive: true,
}, runQuit)

func runQuit(ctx context.Context, c *dispatch.Act, _ noArgs) (quitted, error) {
	ran, err := c.Quit(ctx)
	return quitted{OK: err == nil, Ran: ran}, err
}
