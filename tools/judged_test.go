package tools_test

import (
	"slices"
	"testing"

	"duet/tools"
)

// unjudged are the calls that are not refused where the caller may not look at the page
// that is shown, each with why: they lead away from it, or say nothing of it.
var unjudged = map[string]string{
	"browser_navigate":     "leads away; what it comes to is judged",
	"browser_page list":    "titles of hidden pages are left out",
	"browser_page open":    "leads away",
	"browser_page select":  "leads away",
	"browser_page close":   "leads away",
	"browser_status":       "an address alone",
	"browser_batch":        "judged step by step",
	"browser_mock list":    "what callers have set",
	"browser_mock remove":  "the same",
	"browser_mock clear":   "the same",
	"browser_state list":   "names of what is on disk",
	"browser_state delete": "the same",
	"browser_trace start":  "the same",
	"browser_trace stop":   "the same",
	"browser_trace status": "the same",
	"browser_trace zip":    "of what was recorded so",
}

// Every call that returns something of the page is refused where its caller may not
// look at that: what is exempt is named here.
func TestWhatShowsThePageIsJudged(t *testing.T) {
	met := map[string]bool{}
	for _, c := range tools.All() {
		if c.Tool == "" {
			continue
		}
		actions := []string{""}
		if f := c.Field("action"); f != nil {
			actions = f.Enum
		}
		for _, away := range c.Away {
			if away != "*" && !slices.Contains(actions, away) {
				t.Errorf("%s has no action %q", c.Tool, away)
			}
		}
		for _, action := range actions {
			name := c.Tool
			if action != "" {
				name += " " + action
			}
			if c.Judged(action) {
				continue
			}
			if unjudged[c.Tool] != "" {
				name = c.Tool
			}
			if met[name] = true; unjudged[name] == "" {
				t.Errorf("%s is not judged", name)
			}
		}
	}
	for name := range unjudged {
		if !met[name] {
			t.Errorf("%s is judged, or is no call", name)
		}
	}
}
