package transcripts_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-json"

	"duet/conformance/transcripts"
	"duet/dispatch"
	"duet/internal/pagejs"
	"duet/internal/wirelog"
	"duet/tools"
)

// looking are the methods that a reading call may send.
var looking = map[string]bool{
	"browsingContext.getTree": true, "browsingContext.captureScreenshot": true, "browsingContext.locateNodes": true,
	"browsingContext.print":    true,
	"browsingContext.activate": true, // a tab in the background draws nothing
	"network.getData":          true,
}

var reads = regexp.MustCompile(`^// \w+\(lib.*\breads\.`)

// A call that a read-only server would run sends nothing that changes a page, in any
// transcript of either browser.
func TestReadingCallsOnlyRead(t *testing.T) {
	readOnly := dispatch.NewRegistry(tools.All(), dispatch.Access{ReadOnly: true})
	cases := append(all(t), transcripts.Glob(t, filepath.Join("..", "..", "tools", "testdata", "*.txtar"))...)
	looked := map[string]bool{}
	for _, c := range cases {
		for _, k := range c.Calls {
			args := k.Args
			if args == "" {
				args = "{}"
			}
			starts := strings.Contains(string(k.Wire.Bytes()), `"session.subscribe"`)
			if starts || k.Tool == "browser_batch" || readOnly.Check(k.Tool, json.RawMessage(args)) != nil {
				continue
			}
			looked[k.Tool] = true
			for _, e := range k.Wire {
				if e.Kind == wirelog.Sent {
					frame(t, c.Path, k.Tool, string(e.Text))
				}
			}
		}
	}
	for _, info := range readOnly.Tools() {
		if !looked[info.Name] && info.Name != "browser_batch" {
			t.Logf("no transcript has a reading call of %s", info.Name)
		}
	}
}

func frame(t *testing.T, path, tool, text string) {
	t.Helper()
	var f struct {
		Method string `json:"method"`
		Params struct {
			Function string `json:"functionDeclaration"`
			Target   struct {
				Sandbox string `json:"sandbox"`
			} `json:"target"`
		} `json:"params"`
	}
	if err := json.Unmarshal([]byte(text), &f); err != nil {
		t.Fatalf("%s: %v in %s", path, err, text)
	}
	if looking[f.Method] {
		return
	}
	if f.Method != "script.callFunction" {
		t.Errorf("%s: %s sends %s", path, tool, f.Method)
		return
	}
	name := "@" + strings.TrimPrefix(strings.TrimPrefix(f.Params.Function, "@"), "+")
	body, ok := pagejs.Expand(name)
	first := ""
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, "// "+name[1:]+"(lib") {
			first = strings.TrimSpace(line)
		}
	}
	if name == "@shot_into" || name == "@paper" { // scrolls what hides an element, and back; blanks secrets for a print, and back
		return
	}
	if !ok || !reads.MatchString(first) || f.Params.Target.Sandbox != pagejs.Sandbox {
		t.Errorf("%s: %s runs %.60s, which does not say that it only reads", path, tool, f.Params.Function)
	}
}
