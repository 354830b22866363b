package tools

import (
	"context"

	"duet/dispatch"
)

type noArgs struct{}

type status struct {
	dispatch.Status
	URL  string `json:"url,omitzero"`
	Tab  int    `json:"tab,omitzero"`
	Tabs int    `json:"tabs,omitzero"`
}

var _ = declare(dispatch.Spec{
	Verb:    "status",
	Tool:    "browser_status",
	Title:   "Status",
	Summary: "Whether the browser runs, which one, and the active tab's URL. Never starts it.",
	Example: "status",
	Profile: dispatch.Core,
	Idle:    true,
	Closed:  true,
}, runStatus)

func runStatus(ctx context.Context, c *dispatch.Read, _ noArgs) (status, error) {
	s := status{Status: c.Status()}
	for _, t := range c.Browser().Tabs() {
		s.Tabs++
		if t.Active {
			s.Tab, s.URL = t.Tab, dispatch.Address(t.URL)
		}
	}
	return s, nil
}
