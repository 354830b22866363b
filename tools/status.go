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
	// Dialogs are those that are open and hold up their pages.
	Dialogs []waiting `json:"dialogs,omitzero"`
}

// waiting is a dialog that waits for its answer.
type waiting struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Tab     int    `json:"tab"`
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
	for _, d := range c.Browser().Dialogs() {
		s.Dialogs = append(s.Dialogs, waiting{d.Type, shorten(d.Message, 200), d.Tab})
	}
	return s, nil
}
