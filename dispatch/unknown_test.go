package dispatch

import (
	"context"
	"slices"
	"testing"
)

// Who calls a tool by the name of a command is told the tool, and what is a command
// alone is no tool that an error offers.
func TestToolsThatAreVerbs(t *testing.T) {
	type args struct {
		Field string `json:"field,omitzero" enum:"text,value" default:"text" help:"What."`
	}
	look := func(context.Context, *Read, args) (struct{}, error) { return struct{}{}, nil }
	none := func(context.Context, *Read, struct{}) (struct{}, error) { return struct{}{}, nil }
	r := NewRegistry([]*Command{
		Define(Spec{Verb: "read", Tool: "browser_read", Summary: "Reads.", Aliases: []string{"get"}, Verbs: []Verb{{Name: "value", Preset: map[string]string{"field": "value"}}}}, look),
		Define(Spec{Verb: "quit", Summary: "Ends."}, none),
	}, Access{})
	for name, want := range map[string]string{
		"read": `unknown tool "read"; did you mean browser_read?`, "get": `unknown tool "get"; did you mean browser_read?`,
		"value":        `unknown tool "value"; did you mean browser_read with field=value?`,
		"browser_quit": `unknown tool "browser_quit": quit is a command of the command line, and no tool`,
		"browser_raed": `unknown tool "browser_raed"; did you mean browser_read?`,
	} {
		if e := r.unknown(name); e.Message != want || !slices.Equal(e.Data.Allowed, []string{"browser_read"}) {
			t.Errorf("%s: %s; allowed %v", name, e.Message, e.Data.Allowed)
		}
	}
}

// A name that another server's tool has, or that models take for granted, is told the
// tool that does it; one that no tool does is told none. The letters of "browser_"
// make no tool likelier.
func TestToolsOfOtherNames(t *testing.T) {
	type args struct {
		Action string `json:"action,omitzero" enum:"list,requests,select,close" default:"list" help:"What."`
	}
	do := func(context.Context, *Act, args) (struct{}, error) { return struct{}{}, nil }
	r := NewRegistry([]*Command{
		Define(Spec{Verb: "navigate", Tool: "browser_navigate", Summary: "Goes.", Verbs: []Verb{{Name: "back", Preset: map[string]string{"action": "list"}}}}, do),
		Define(Spec{Verb: "click", Tool: "browser_click", Summary: "Clicks."}, do),
		Define(Spec{Verb: "dialog", Tool: "browser_dialog", Summary: "Answers."}, do),
		Define(Spec{Verb: "eval", Tool: "browser_advanced_eval", Summary: "Runs."}, do),
		Define(Spec{Verb: "page", Tool: "browser_page", Summary: "Tabs."}, do),
		Define(Spec{Verb: "logs", Tool: "browser_logs", Summary: "Logs.", Verbs: []Verb{{Name: "requests", Preset: map[string]string{"action": "requests"}}}}, do),
		Define(Spec{Verb: "element", Tool: "browser_element", Summary: "Acts.", Verbs: []Verb{{Name: "select", Preset: map[string]string{"action": "select"}}}}, do),
		Define(Spec{Verb: "snapshot", Tool: "browser_snapshot", Summary: "Maps."}, do),
	}, Access{})
	for name, want := range map[string]string{
		"browser_evaluate":         "; did you mean browser_advanced_eval?",
		"browser_close":            "; did you mean browser_page with action=close?",
		"browser_drag":             "", // no such tool here
		"browser_handle_dialog":    "; did you mean browser_dialog?",
		"browser_navigate_back":    "; did you mean browser_navigate with action=list?",
		"browser_select_option":    "; did you mean browser_element with action=select?",
		"browser_network_requests": "; did you mean browser_logs with action=requests?",
		"browser_console_messages": "; did you mean browser_logs?",
		"get_page_html":            "; did you mean browser_advanced_eval?",
		"browser_new_tab":          "; did you mean browser_page with action=open?",
		"take_snapshot":            "; did you mean browser_snapshot?",
		"navigate_page":            "; did you mean browser_navigate?",
		"browser_clikc":            "; did you mean browser_click?",
		"browser_install":          "",
		"browser_cookies":          "",
	} {
		if e := r.unknown(name); e.Message != "unknown tool "+show(name)+want {
			t.Errorf("%s: %s", name, e.Message)
		}
	}
}
