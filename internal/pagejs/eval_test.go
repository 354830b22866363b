package pagejs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A caller's script stands where it belongs, in either form, and the text parses.
func TestEvalHoldsTheScript(t *testing.T) {
	for _, c := range []struct {
		code       string
		statements bool
		want       string
	}{
		{"document.title; ", false, "((run = async () => (document.title\n)) =>"},
		{"const a = 1 // END BEGIN LIMIT\nreturn a", true, "((run = async () => {const a = 1 // END BEGIN LIMIT\nreturn a\n}) =>"},
	} {
		text := Eval(c.code, c.statements)
		if !strings.Contains(text, c.want) || strings.Contains(strings.Replace(text, c.code, "", 1), "LIMIT\n") {
			t.Errorf("%s", text)
		}
		node, err := exec.LookPath("node")
		if err != nil {
			continue
		}
		path := filepath.Join(t.TempDir(), "eval.js")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(node, filepath.Join("testdata", "syntax.js"), path).CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
}
