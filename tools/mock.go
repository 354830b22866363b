package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/fault"
)

type mockArgs struct {
	Action      string `json:"action,omitzero" arg:"" enum:"list,reply,block,remove,clear" default:"list"`
	Pattern     string `json:"pattern,omitzero" arg:"" maxlen:"500" help:"URL glob."`
	Status      int    `json:"status,omitzero" min:"100" max:"599" default:"200"`
	Body        string `json:"body,omitzero" maxlen:"65536"`
	ContentType string `json:"content_type,omitzero" maxlen:"128"`
	ID          string `json:"id,omitzero" maxlen:"64" help:"For remove."`
}

type mocks struct{}

var _ = declareSplit(dispatch.Spec{
	Verb:    "mock",
	Tool:    "browser_mock",
	Title:   "Mock",
	Summary: "Not available yet. Answer or block requests by URL.",
	Detail:  "Every call answers UNSUPPORTED.",
	Example: "mock block '**/ads/**'",
	Idle:    true,
}, "action", []string{"list"}, func(context.Context, *dispatch.Read, mockArgs) (mocks, error) {
	return mocks{}, notYet("mocks")
}, func(context.Context, *dispatch.Act, mockArgs) (mocks, error) {
	return mocks{}, notYet("mocks")
})

// notYet is the answer of a tool that this version declares and does not have.
func notYet(what string) error {
	return fault.New(fault.Unsupported, "%s are not part of this version of duet, on any browser", what)
}
