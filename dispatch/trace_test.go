package dispatch_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-json"
	"github.com/google/go-cmp/cmp"

	"duet/artifacts"
	"duet/dispatch"
	"duet/internal/fault"
	"duet/internal/trace"
)

// traceCommand is as tools declares it, with less to it.
type traceCall struct {
	Action string `json:"action,omitzero" enum:"status,start,stop,zip" default:"status"`
	Name   string `json:"name,omitzero"`
}

type entry struct {
	Selector string `json:"selector"`
	Value    string `json:"value,omitzero"`
	Key      string `json:"key,omitzero"`
	Headers  string `json:"headers,omitzero"`
}

// recorded is a session that can be traced.
func recorded(t *testing.T, files *artifacts.Dir) (*dispatch.Session, func(tool, args string) *dispatch.Result) {
	t.Helper()
	spec := func(verb string) dispatch.Spec { return dispatch.Spec{Verb: verb, Tool: verb, Summary: "Test."} }
	tracing := spec("trace")
	tracing.Idle, tracing.Untraced = true, true
	commands := []*dispatch.Command{
		dispatch.DefineSplit(tracing, "action", []string{"status"}, func(_ context.Context, c *dispatch.Read, _ traceCall) (dispatch.TraceState, error) {
			return c.Trace(), nil
		}, func(_ context.Context, c *dispatch.Act, a traceCall) (dispatch.TraceState, error) {
			switch a.Action {
			case "start":
				return c.StartTrace(dispatch.TraceOptions{Name: a.Name})
			case "zip":
				return c.ZipTrace(a.Name)
			}
			return c.StopTrace(true)
		}),
		dispatch.Define(spec("enter"), func(_ context.Context, _ *dispatch.Act, a entry) (done, error) {
			if a.Selector == "bad" {
				return done{}, fault.New(fault.NotEditable, "it takes no text").At(fault.Precondition, fault.None)
			}
			return done{true, a.Value}, nil
		}),
		dispatch.Define(spec("look"), func(_ context.Context, _ *dispatch.Read, a label) (done, error) { return done{true, a.Name}, nil }),
		dispatch.Define(spec("panic"), func(context.Context, *dispatch.Act, label) (done, error) { panic("oops") }),
		dispatch.Define(dispatch.Spec{Verb: "quit", Summary: "Test.", Idle: true}, func(ctx context.Context, c *dispatch.Act, _ struct{}) (done, error) {
			ran, err := c.Quit(ctx)
			return done{OK: ran}, err
		}),
		dispatch.Define(spec("batch"), dispatch.RunBatch, dispatch.CheckBatch()),
	}
	s := dispatch.NewSession(dispatch.Options{Files: files, Open: func(context.Context, func(string)) (*dispatch.Live, error) {
		return &dispatch.Live{Done: make(chan struct{}), Close: func(context.Context) error { return nil }, Info: dispatch.Info{Browser: "stub"}}, nil
	}})
	t.Cleanup(func() { s.Close(context.Background()) })
	registry := dispatch.NewRegistry(commands, dispatch.Access{})
	return s, func(tool, args string) *dispatch.Result {
		return s.Do(t.Context(), registry, dispatch.Request{Tool: tool, Args: json.RawMessage(args), Secrets: []string{"canary-given"}})
	}
}

func readTrace(t *testing.T, dir string) *trace.Trace {
	t.Helper()
	f, err := os.Open(filepath.Join(dir, trace.File))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	tr, err := trace.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

// One is one directory, made by duet, and what is in it.
func onlyTrace(t *testing.T, files *artifacts.Dir) string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(files.Made(), "*-trace*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no trace: %v %v", dirs, err)
	}
	return dirs[0]
}

// Every call is in the trace, the steps of a batch too, with its outcome and without
// what it enters; a trace whose process died holds all that had happened.
func TestTraceOfCalls(t *testing.T) {
	files := artifacts.New(artifacts.Options{Root: t.TempDir()})
	_, call := recorded(t, files)
	call("look", `{"name":"before"}`)
	if r := call("trace", `{"action":"start","name":"it"}`); r.IsError {
		t.Fatal(r.Text)
	}
	call("enter", `{"selector":"#a","value":"canary-typed","headers":"canary-header"}`)
	call("enter", `{"selector":"bad","value":"x","key":"q"}`)
	call("enter", `{"selector":"#a","key":"Enter"}`)
	call("enter", `{"selector":"#a","key":"Shift+q"}`)
	call("batch", `{"steps":[{"tool":"look","arguments":{"name":"http://h/?token=canary-query&canary-given"}},{"tool":"enter","arguments":{"selector":"bad","value":"canary-step"}},{"tool":"look"}]}`)
	call("panic", `{}`)

	tr := readTrace(t, onlyTrace(t, files)) // nothing was ended
	type line struct {
		Verb   string
		Parent int
		Args   string
		Code   string
	}
	var got []line
	for _, a := range tr.Actions {
		l := line{a.Verb, a.Parent, string(a.Args), ""}
		if a.Done == nil {
			t.Errorf("%s never ended", a.Verb)
		} else if a.Done.Error != nil {
			l.Code = a.Done.Error.Code
		}
		got = append(got, l)
	}
	want := []line{
		{"enter", 0, `{"headers":"•••","selector":"#a","value":"•••"}`, ""},
		{"enter", 0, `{"key":"•••","selector":"bad","value":"•••"}`, "NOT_EDITABLE"},
		{"enter", 0, `{"key":"Enter","selector":"#a"}`, ""},
		{"enter", 0, `{"key":"•••","selector":"#a"}`, ""},
		{"batch", 0, `{"steps":["look","enter","look"]}`, "NOT_EDITABLE"},
		{"look", 5, `{"name":"http://h/?token=•••&•••"}`, ""},
		{"enter", 5, `{"selector":"bad","value":"•••"}`, "NOT_EDITABLE"},
		{"panic", 0, `{}`, "INTERNAL"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	data, err := os.ReadFile(filepath.Join(onlyTrace(t, files), trace.File))
	if err != nil {
		t.Fatal(err)
	}
	for _, canary := range []string{"canary-typed", "canary-header", "canary-query", "canary-given", "canary-step"} {
		if strings.Contains(string(data), canary) {
			t.Errorf("%s is in the trace", canary)
		}
	}
	if tr.Stop != nil || tr.Broken != 0 {
		t.Errorf("stop %v, %d broken lines", tr.Stop, tr.Broken)
	}
}

// There is one trace at a time; it ends with the browser, or with the session.
func TestTraceEnds(t *testing.T) {
	files := artifacts.New(artifacts.Options{Root: t.TempDir()})
	s, call := recorded(t, files)
	code := func(args string) string { return call("trace", args).Code }
	for _, c := range []struct{ args, want string }{
		{`{"action":"stop"}`, "STATE_INVALID"},
		{`{"action":"zip"}`, "STATE_INVALID"},
		{`{"action":"start","name":"a/b"}`, "INVALID_ARGUMENT"},
		{`{"action":"start","name":".hidden"}`, "INVALID_ARGUMENT"},
		{`{"action":"start","name":"first"}`, ""},
		{`{"action":"start","name":"other"}`, "STATE_INVALID"},
		{`{"action":"zip","name":"other"}`, "STATE_INVALID"},
		{`{"action":"stop"}`, ""},
		{`{"action":"start"}`, ""},
	} {
		if got := code(c.args); got != c.want {
			t.Errorf("%s: %q, want %q", c.args, got, c.want)
		}
	}
	call("look", `{}`)
	call("quit", `{}`)
	why := func(want string) {
		t.Helper()
		var st struct{ Result dispatch.TraceState }
		if err := json.Unmarshal(call("trace", `{}`).Structured, &st); err != nil || st.Result.Running || st.Result.Why != want {
			t.Errorf("%+v %v, want one that ended by %s", st.Result, err, want)
		}
		tr := readTrace(t, st.Result.Path)
		for _, a := range tr.Actions {
			if a.Done == nil {
				t.Errorf("%s never ended", a.Verb)
			}
		}
	}
	why("quit")
	call("trace", `{"action":"start"}`)
	call("look", `{}`)
	if err := s.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	dirs, _ := filepath.Glob(filepath.Join(files.Made(), "*-trace"))
	if tr := readTrace(t, dirs[len(dirs)-1]); tr.Stop == nil || tr.Stop.Why != "end" || len(tr.Browsers) != 1 {
		t.Errorf("stop %v, browsers %v", tr.Stop, tr.Browsers)
	}
}

// Where there is no room for it a trace is refused; one that is full says what it
// does not hold, and the commands go on.
func TestTraceQuota(t *testing.T) {
	files := artifacts.New(artifacts.Options{Root: t.TempDir(), MaxBytes: 2000})
	_, call := recorded(t, files)
	if r := call("trace", `{"action":"start"}`); r.IsError {
		t.Fatal(r.Text)
	}
	for range 20 {
		if r := call("look", `{"name":"much to tell"}`); r.IsError {
			t.Fatal(r.Text)
		}
	}
	r := call("trace", `{"action":"stop"}`)
	if r.Code != "QUOTA" || !strings.Contains(r.Text, "the trace is stopped, and lies in ") {
		t.Errorf("stop: %s", r.Text)
	}
	tr := readTrace(t, onlyTrace(t, files))
	if len(tr.Actions) == 0 || len(tr.Actions) == 20 {
		t.Errorf("%d commands", len(tr.Actions))
	}
	var st struct{ Result dispatch.TraceState }
	if err := json.Unmarshal(call("trace", `{}`).Structured, &st); err != nil || st.Result.Running || st.Result.Dropped == 0 {
		t.Errorf("%+v %v", st.Result, err)
	}
	if r := call("trace", `{"action":"start"}`); r.Code != "QUOTA" {
		t.Errorf("start: %s", r.Text)
	}
}

// Who began a trace sees no more in it than it may look at: not the pages of another
// caller, nor what was answered there.
func TestTraceShowsNoHiddenPage(t *testing.T) {
	files := artifacts.New(artifacts.Options{Root: t.TempDir()})
	s, _, _ := at(t, "file:///home/canary/letters.txt", dispatch.Options{Files: files})
	tracing := dispatch.Spec{Verb: "trace", Tool: "trace", Summary: "Test.", Idle: true, Untraced: true}
	registry := dispatch.NewRegistry([]*dispatch.Command{
		dispatch.Define(tracing, func(_ context.Context, c *dispatch.Act, _ struct{}) (dispatch.TraceState, error) {
			return c.StartTrace(dispatch.TraceOptions{Screenshots: true})
		}),
		dispatch.Define(dispatch.Spec{Verb: "act", Tool: "act", Summary: "Test."}, func(context.Context, *dispatch.Act, label) (done, error) {
			return done{true, "canary content"}, nil
		}),
	}, dispatch.Access{})
	call := func(tool, args string, judge func(string) error) *dispatch.Result {
		return s.Do(t.Context(), registry, dispatch.Request{Tool: tool, Args: json.RawMessage(args), Judge: judge})
	}
	if r := call("act", `{}`, nil); r.IsError {
		t.Fatal(r.Text)
	}
	if r := call("trace", `{}`, noFiles); r.IsError {
		t.Fatal(r.Text)
	}
	if r := call("act", `{"name":"canary"}`, nil); r.IsError {
		t.Fatal(r.Text)
	}
	dir := onlyTrace(t, files)
	data, err := os.ReadFile(filepath.Join(dir, trace.File))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "canary") || strings.Contains(string(data), `"file"`) {
		t.Errorf("the trace holds %s", data)
	}
	if tr := readTrace(t, dir); len(tr.Actions) != 1 || !tr.Actions[0].Done.OK || tr.Actions[0].Before.Skipped == "" {
		t.Errorf("%d commands in %s", len(tr.Actions), data)
	}
}
