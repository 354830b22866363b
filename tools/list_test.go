package tools_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-json"

	"duet/dispatch"
	"duet/tools"
)

// browserTools is every tool there is. A name here is a promise to whoever wrote it
// into a configuration.
var browserTools = []string{
	"browser_a11y", "browser_advanced_eval", "browser_batch", "browser_click", "browser_dialog", "browser_element", "browser_exists",
	"browser_expect", "browser_fill", "browser_find", "browser_hover", "browser_key", "browser_locators", "browser_logs", "browser_mock",
	"browser_mouse", "browser_navigate", "browser_page", "browser_press", "browser_read", "browser_screenshot", "browser_snapshot",
	"browser_state", "browser_status", "browser_trace", "browser_type", "browser_upload", "browser_wait",
}

func TestTheToolsAreThese(t *testing.T) {
	var names []string
	for _, info := range dispatch.NewRegistry(tools.All(), dispatch.Access{}).Tools() {
		names = append(names, info.Name)
	}
	if names[0] != "browser_status" {
		t.Errorf("the first tool takes arguments: %s", names[0])
	}
	if slices.Sort(names); !slices.Equal(names, browserTools) {
		t.Errorf("tools are %q", names)
	}
}

// In read-only mode a tool keeps the actions that change nothing, and refuses the
// others by name.
func TestReadOnlyIsDecidedActionByAction(t *testing.T) {
	r := dispatch.NewRegistry(tools.All(), dispatch.Access{ReadOnly: true})
	for tool, actions := range map[string][2][]string{ // kept, refused
		"browser_logs":   {{"list", "wait"}, {"clear"}},
		"browser_page":   {{"list", "pdf"}, {"open", "select", "close", "viewport", "emulate"}},
		"browser_dialog": {{"inspect"}, {"accept", "dismiss"}},
		"browser_mock":   {{"list"}, {"reply", "block", "continue", "redirect", "auth", "remove", "clear"}},
		"browser_state":  {{"list"}, {"save", "load"}},
		"browser_trace":  {{"status"}, {"start", "stop"}},
	} {
		for i, expected := range []string{"", "enum"} {
			for _, action := range actions[i] {
				rule := ""
				if e := r.Check(tool, json.RawMessage(`{"action":"`+action+`"}`)); e != nil {
					rule = e.Data.Rule
				}
				if rule != expected {
					t.Errorf("%s %s: %q, want %q", tool, action, rule, expected)
				}
			}
		}
	}
	for _, tool := range []string{"browser_advanced_eval", "browser_click", "browser_fill", "browser_navigate", "browser_element", "browser_upload"} {
		if _, ok := r.Lookup(tool); ok {
			t.Errorf("%s is there", tool)
		}
	}
	for _, tool := range []string{"browser_expect", "browser_locators", "browser_a11y", "browser_logs", "browser_read", "browser_wait"} {
		if _, ok := r.Lookup(tool); !ok {
			t.Errorf("%s is not there", tool)
		}
	}
}

// What a model reads of the tools, and what it costs in tokens (o200k). The counter
// is an npm package that not every machine has; the bytes above hold everywhere.
func TestTokensOfTheToolList(t *testing.T) {
	home, err := os.UserHomeDir()
	modules := filepath.Join(home, ".cache", "peer-bench", "node_modules")
	if _, statErr := os.Stat(filepath.Join(modules, "gpt-tokenizer")); err != nil || statErr != nil {
		t.Skip("SKIPPED: gpt-tokenizer is not installed: the tokens of the tool list were not counted")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("SKIPPED: node is not installed: the tokens of the tool list were not counted")
	}
	type annotations struct {
		ReadOnly    bool `json:"readOnlyHint"`
		Destructive bool `json:"destructiveHint"`
		Idempotent  bool `json:"idempotentHint"`
		OpenWorld   bool `json:"openWorldHint"`
	}
	type read struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"inputSchema"`
	}
	type listed struct {
		read
		Title       string      `json:"title"`
		Annotations annotations `json:"annotations"`
	}
	for _, c := range []struct {
		profile     dispatch.Profile
		reads, list int
	}{{dispatch.All, 3000, 4000}, {dispatch.Core, 1400, 1900}} {
		var model []read
		var whole []listed
		for _, i := range dispatch.NewRegistry(tools.All(), dispatch.Access{Profile: c.profile}).Tools() {
			r := read{i.Name, i.Description, i.Schema}
			model = append(model, r)
			whole = append(whole, listed{r, i.Title, annotations{i.ReadOnly, i.Destructive, i.Idempotent, i.OpenWorld}})
		}
		for _, x := range []struct {
			what  string
			value any
			most  int
		}{{"what a model reads", model, c.reads}, {"the list", map[string]any{"tools": whole}, c.list}} {
			text, err := json.MarshalWithOption(x.value, json.DisableHTMLEscape())
			if err != nil {
				t.Fatal(err)
			}
			count := exec.Command(node, filepath.Join("testdata", "count.js"), modules)
			count.Stdin = strings.NewReader(string(text))
			out, err := count.Output()
			if err != nil {
				t.Fatal(err)
			}
			n, err := strconv.Atoi(strings.TrimSpace(string(out)))
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s: %s is %d tokens", c.profile, x.what, n)
			if n > x.most {
				t.Errorf("%s: %s is %d tokens, more than %d", c.profile, x.what, n, x.most)
			}
		}
	}
}
