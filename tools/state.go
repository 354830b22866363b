package tools

import (
	"context"

	"duet/dispatch"
)

type stateArgs struct {
	Action         string `json:"action,omitzero" arg:"" enum:"list,save,load" default:"list"`
	Name           string `json:"name,omitzero" arg:"" maxlen:"64"`
	SessionStorage bool   `json:"session_storage,omitzero"`
}

type states struct{}

var _ = declareSplit(dispatch.Spec{
	Verb:        "state",
	Tool:        "browser_state",
	Title:       "State",
	Summary:     "Not available yet. Save or restore cookies and storage by name.",
	Detail:      "Every call answers UNSUPPORTED.",
	Example:     "state save login",
	Idle:        true,
	Destructive: true,
}, "action", []string{"list"}, func(context.Context, *dispatch.Read, stateArgs) (states, error) {
	return states{}, notYet("saved states")
}, func(context.Context, *dispatch.Act, stateArgs) (states, error) {
	return states{}, notYet("saved states")
})
