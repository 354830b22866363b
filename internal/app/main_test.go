package app

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"duet/dispatch"
	"duet/internal/launch"
)

// TestMain is also the program that tests start: the daemon, and the guard.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case launch.GuardArg:
			os.Exit(Main())
		case "daemon":
			a := &App{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Commands: testCommands()}
			os.Exit(a.Run(context.Background(), os.Args[1:]))
		}
	}
	os.Exit(m.Run())
}

type echoArgs struct {
	Selector string   `json:"selector" arg:"" help:"An element."`
	Value    string   `json:"value" arg:"" help:"A value."`
	Words    []string `json:"words,omitzero" help:"More."`
	Mode     string   `json:"mode,omitzero" enum:"loud,quiet" help:"How."`
	Count    int      `json:"count,omitzero" min:"-10" max:"10" help:"How often."`
	DeltaY   float64  `json:"delta_y,omitzero" help:"How far."`
	Twice    bool     `json:"twice,omitzero" help:"Once more."`
	Secret   bool     `json:"secret,omitzero" help:"Never print the value."`
	TimeMS   int      `json:"timeout_ms,omitzero" min:"0" max:"300000" help:"Longest wait."`
}

type yesArgs struct {
	No bool `json:"no,omitzero" help:"Say no."`
}

type said struct {
	Yes bool `json:"yes"`
}

// testCommands need no browser.
func testCommands() []*dispatch.Command {
	return []*dispatch.Command{
		dispatch.Define(dispatch.Spec{
			Verb: "echo", Aliases: []string{"say"}, Tool: "browser_echo", Title: "Echo", Summary: "Give back the arguments.", Idle: true,
			Example: "echo a b",
			Verbs:   []dispatch.Verb{{Name: "shout", Summary: "Give them back loudly.", Preset: map[string]string{"mode": "loud"}, Drop: []string{"count"}}},
		}, func(_ context.Context, _ *dispatch.Act, a echoArgs) (echoArgs, error) { return a, nil }),
		dispatch.Define(dispatch.Spec{Verb: "agree", Tool: "browser_agree", Title: "Agree", Summary: "Say yes or no.", Idle: true},
			func(_ context.Context, _ *dispatch.Read, a yesArgs) (said, error) { return said{!a.No}, nil },
			dispatch.FailWhen(func(s said) bool { return !s.Yes })),
	}
}

// outcome is what one run of the program left.
type outcome struct {
	stdout, stderr string
	status         int
}

func runApp(t *testing.T, stdin string, args ...string) outcome {
	t.Helper()
	return runIn(t, &App{Commands: testCommands()}, strings.NewReader(stdin), args...)
}

func runIn(t *testing.T, a *App, stdin io.Reader, args ...string) outcome {
	t.Helper()
	var out, err bytes.Buffer
	a.Stdin, a.Stdout, a.Stderr = stdin, &out, &err
	s := a.Run(t.Context(), args)
	return outcome{out.String(), err.String(), s}
}

// inProject moves the test into a project of its own, with a daemon of its own.
func inProject(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("DUET_RUNTIME_DIR", t.TempDir()+"/run")
	t.Setenv("DUET_ARTIFACTS_DIR", t.TempDir())
	for _, name := range []string{"DUET_BROWSER", "DUET_SESSION", "DUET_CALLER", "DUET_HEADED"} {
		t.Setenv(name, "")
	}
	if err := os.WriteFile("go.mod", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { runStop(t) })
}

func runStop(t *testing.T) {
	var out bytes.Buffer
	a := &App{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Commands: testCommands()}
	if status := a.Run(context.Background(), []string{"daemon", "stop"}); status != 0 {
		t.Errorf("daemon stop: %s", out.String())
	}
}
