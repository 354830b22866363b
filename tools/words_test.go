package tools_test

import (
	"testing"

	"duet/dispatch"
	"duet/internal/fault"
	"duet/tools"
)

// What an answer says of other calls is said to each caller as it can call them.
func TestWordsOfBothFronts(t *testing.T) {
	commands := map[string]*dispatch.Command{}
	for _, c := range tools.All() {
		commands[c.Tool] = c
	}
	for _, c := range []struct{ tool, verb, mark, tools, shell string }{
		{"", "", fault.Call("browser_upload", "selector", "label=Your file", "files", "FILE"), "browser_upload selector=label=Your file files=FILE", "duet upload 'label=Your file' FILE"},
		{"", "", fault.Call("browser_page", "action", "select", "target", "3"), "browser_page action=select target=3", "duet page select 3"},
		{"", "", fault.Call("browser_page", "action", "list"), "browser_page action=list", "duet tabs"},
		{"", "", fault.Call("browser_logs", "action", "capture"), "browser_logs action=capture", "duet capture"},
		{"", "", fault.Call("browser_logs", "kind", "error", "since", "12"), "browser_logs kind=error since=12", "duet logs --kind error --since 12"},
		{"", "", fault.Call("browser_element", "action", "check", "selector", "e4"), "browser_element action=check selector=e4", "duet check e4"},
		{"", "", fault.Call("browser_read", "selector", "--x", "field", "text"), "browser_read selector=--x field=text", "duet text -- --x"},
		{"", "", fault.Short("browser_read", "artifact", "result-1.txt"), "artifact=result-1.txt", "duet read --artifact result-1.txt"},
		{"", "", fault.More("browser_snapshot", "scope", "e12"), "scope=e12", "duet snapshot e12"},
		{"", "", fault.With("browser_snapshot", "query", "TEXT"), "query=TEXT", "--query TEXT"},
		{"", "", fault.With("browser_snapshot", "scope", "REF"), "scope=REF", "REF"},
		{"", "", fault.Either("end the client", "duet quit"), "end the client", "duet quit"},
		{"browser_screenshot", "shot", fault.Arg("full_page") + " or " + fault.Arg("selector"), "full_page or selector", "--full-page or SELECTOR"},
		{"browser_logs", "har", fault.Arg("contains"), "contains", "CONTAINS"},
		{"browser_logs", "logs", fault.Arg("contains"), "contains", "--contains"},
		{"browser_find", "find", fault.More("browser_find", "offset", "20"), "offset=20", "duet find role=row --all --offset 20"},
		{"browser_find", "find", fault.More("browser_snapshot", "offset", "80"), "offset=80", "duet snapshot --offset 80"},
		{"browser_find", "find", "cut " + fault.Arg("limit")[:9], "cut ", "cut "},
		{"browser_find", "find", "\x02kn\x1flimit\x03", "\x02kn\x1flimit\x03", "\x02kn\x1flimit\x03"}, // a page wrote it
	} {
		args := `{"selector":"role=row","all":true}`
		w := dispatch.ShellWords(tools.All(), commands[c.tool], dispatch.Shell{Verb: c.verb, Lead: "duet"}, []byte(args))
		if got := fault.Say(c.mark, nil); got != c.tools {
			t.Errorf("a model is told %q, want %q", got, c.tools)
		}
		if got := fault.Say(c.mark, w); got != c.shell {
			t.Errorf("a shell is told %q, want %q", got, c.shell)
		}
	}
}
