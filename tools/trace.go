package tools

import (
	"context"

	"duet/dispatch"
)

type traceArgs struct {
	Action        string `json:"action,omitzero" arg:"" enum:"status,start,stop" default:"status"`
	Name          string `json:"name,omitzero" arg:"" maxlen:"64"`
	Zip           bool   `json:"zip,omitzero" help:"On stop."`
	NoScreenshots bool   `json:"no_screenshots,omitzero"`
}

type traced struct{}

var _ = declareSplit(dispatch.Spec{
	Verb:    "trace",
	Tool:    "browser_trace",
	Title:   "Trace",
	Summary: "Not available yet. Record what happens to files.",
	Detail:  "Every call answers UNSUPPORTED.",
	Example: "trace start checkout",
	Idle:    true,
}, "action", []string{"status"}, func(context.Context, *dispatch.Read, traceArgs) (traced, error) {
	return traced{}, notYet("traces")
}, func(context.Context, *dispatch.Act, traceArgs) (traced, error) {
	return traced{}, notYet("traces")
})
