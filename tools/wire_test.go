package tools_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-json"

	"duet/dispatch"
	"duet/tools"
)

// recordedCall is a call of a transcript with the commands that it sent.
type recordedCall struct {
	file, tool, args string
	opens            bool // the browser was started by it
	sent             []string
}

var callHeader = regexp.MustCompile(`^-- call (\S+) --$`)

// recordedCalls reads the calls of every transcript, of all scenarios.
func recordedCalls(t *testing.T) []recordedCall {
	t.Helper()
	own, _ := filepath.Glob("testdata/*.txtar")
	shared, _ := filepath.Glob("../conformance/transcripts/*/*.txtar")
	var all []recordedCall
	for _, file := range append(own, shared...) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		part := ""
		for line := range strings.Lines(string(text)) {
			line = strings.TrimRight(line, "\n")
			switch m := callHeader.FindStringSubmatch(line); {
			case m != nil:
				all = append(all, recordedCall{file: file, tool: m[1]})
				part = "args"
			case strings.HasPrefix(line, "-- "):
				part = line
			case part == "args":
				all[len(all)-1].args += line
			case part == "-- wire --" && strings.HasPrefix(line, "> "):
				c := &all[len(all)-1]
				c.sent = append(c.sent, line[2:])
				c.opens = c.opens || strings.Contains(line, `"session.subscribe"`)
			}
		}
	}
	return all
}

// looks are the commands that change nothing that a page or a person could see.
var looks = []string{
	"browsingContext.getTree", "browsingContext.captureScreenshot", "browsingContext.print", "browsingContext.locateNodes",
	"storage.getCookies", "network.getData", "browsingContext.activate", "script.getRealms",
}

// scrolls are page functions that bring into view what is looked at, or make it ready
// to be printed.
var scrolls = []string{"shot_into", "paper"}

// What a caller may do who may change nothing sends no command that changes anything:
// page functions among it are those whose first line says that they read.
func TestReadOnlyCallsSendNothingThatActs(t *testing.T) {
	r := dispatch.NewRegistry(tools.All(), dispatch.Access{ReadOnly: true})
	reads := regexp.MustCompile(`\breads\b`)
	checked := 0
	for _, c := range recordedCalls(t) {
		if _, ok := r.Lookup(c.tool); !ok || r.Check(c.tool, []byte(c.args)) != nil || c.opens {
			continue
		}
		checked++
		for _, frame := range c.sent {
			var cmd struct {
				Method string `json:"method"`
				Params struct {
					Function string `json:"functionDeclaration"`
				} `json:"params"`
			}
			if err := json.Unmarshal([]byte(frame), &cmd); err != nil {
				t.Fatal(err)
			}
			name := strings.TrimLeft(cmd.Params.Function, "@+")
			if cmd.Method == "script.callFunction" && strings.HasPrefix(cmd.Params.Function, "@") {
				file, err := os.ReadFile("../internal/pagejs/js/" + name + ".js")
				first, _, _ := strings.Cut(string(file), "\n")
				if err != nil || !reads.MatchString(first) && !slices.Contains(scrolls, name) {
					t.Errorf("%s: %s %s runs @%s", c.file, c.tool, c.args, name)
				}
				continue
			}
			if !slices.Contains(looks, cmd.Method) {
				t.Errorf("%s: %s %s sends %s", c.file, c.tool, c.args, cmd.Method)
			}
		}
	}
	if checked < 30 {
		t.Errorf("only %d calls were looked at", checked)
	}
}

// Each action of each tool is told by a transcript.
func TestEveryActionHasATranscript(t *testing.T) {
	told := map[string]bool{}
	for _, c := range recordedCalls(t) {
		var args map[string]any
		_ = json.Unmarshal([]byte(c.args), &args)
		action, _ := args["action"].(string)
		told[c.tool+" "+action] = true
		for _, step := range stepsOf(args) {
			told[step] = true
		}
	}
	for _, c := range tools.All() {
		f := c.Field("action")
		if f == nil || c.Tool == "" {
			continue
		}
		for _, action := range f.Enum {
			if !told[c.Tool+" "+action] && !(f.Default == action && told[c.Tool+" "]) {
				t.Errorf("no transcript of %s %s", c.Tool, action)
			}
		}
	}
}

// stepsOf are the tools and actions of a batch.
func stepsOf(args map[string]any) []string {
	var all []string
	steps, _ := args["steps"].([]any)
	for _, s := range steps {
		step, _ := s.(map[string]any)
		in, _ := step["arguments"].(map[string]any)
		tool, _ := step["tool"].(string)
		action, _ := in["action"].(string)
		all = append(all, tool+" "+action)
	}
	return all
}
