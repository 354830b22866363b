package tools

import (
	"context"

	"duet/dispatch"
	"duet/internal/fault"
)

type traceArgs struct {
	Action        string `json:"action,omitzero" arg:"" enum:"status,start,stop,zip" default:"status"`
	Name          string `json:"name,omitzero" arg:"" maxlen:"64" cli:"What the trace is called."`
	Zip           bool   `json:"zip,omitzero" cli:"With stop: make an archive too."`
	NoScreenshots bool   `json:"no_screenshots,omitzero" cli:"With start: take no pictures."`
	Wire          bool   `json:"wire,omitzero" cli:"With start: keep the protocol log too."`
}

type traced struct {
	OK bool `json:"ok,omitzero"`
	dispatch.TraceState
}

var _ = declareSplit(dispatch.Spec{
	Verb:    "trace",
	Tool:    "browser_trace",
	Title:   "Trace",
	Summary: "Record what happens to files.",
	Detail: "A trace is a directory among the session's artifacts: every command with its arguments, without what it types, and its answer, pictures before and after each command that acts, " +
		"console messages and requests, written as they happen. zip makes one archive that Playwright's trace viewer opens (npx playwright show-trace FILE, or player.vibium.dev). " +
		"There is one trace at a time; it stops with the browser's session.",
	Example:  "trace start checkout",
	Idle:     true,
	Closed:   true,
	Quiet:    true,
	Untraced: true,
	Codes:    failing(fault.InvalidArgument, fault.StateInvalid, fault.Quota),
}, "action", []string{"status"}, runTraceStatus, runTrace)

func runTraceStatus(_ context.Context, c *dispatch.Read, a traceArgs) (traced, error) {
	if err := onlyFor(a); err != nil {
		return traced{}, err
	}
	return traced{TraceState: c.Trace()}, nil
}

func runTrace(_ context.Context, c *dispatch.Act, a traceArgs) (traced, error) {
	if err := onlyFor(a); err != nil {
		return traced{}, err
	}
	var st dispatch.TraceState
	var err error
	switch a.Action {
	case "start":
		st, err = c.StartTrace(dispatch.TraceOptions{Name: a.Name, Screenshots: !a.NoScreenshots, Wire: a.Wire})
	case "stop":
		st, err = c.StopTrace(a.Zip)
	case "zip":
		st, err = c.ZipTrace(a.Name)
	}
	return traced{OK: err == nil, TraceState: st}, err
}

// onlyFor refuses arguments that would be without effect.
func onlyFor(a traceArgs) error {
	switch {
	case a.Zip && a.Action != "stop":
		return fault.New(fault.InvalidArgument, "%s goes with stop", fault.Arg("zip")).WithHint("an archive of a trace that goes on: %s", fault.Call("browser_trace", "action", "zip"))
	case a.NoScreenshots && a.Action != "start":
		return fault.New(fault.InvalidArgument, "%s goes with start", fault.Arg("no_screenshots"))
	case a.Wire && a.Action != "start":
		return fault.New(fault.InvalidArgument, "%s goes with start", fault.Arg("wire"))
	case a.Name != "" && a.Action != "start" && a.Action != "zip":
		return fault.New(fault.InvalidArgument, "%s goes with start and zip", fault.Arg("name"))
	}
	return nil
}
