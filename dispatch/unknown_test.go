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
