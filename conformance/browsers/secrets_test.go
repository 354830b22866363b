//go:build linux

package browsers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What comes by --value-env or by standard input is typed, and stands nowhere
// afterwards: not in an answer in either form, not on stderr, not in an artifact,
// not in the daemon's log and not in the protocol log.
func TestTypedSecretIsNeverShown(t *testing.T) {
	const secret = `open"sesame<9`
	each(t, func(t *testing.T, s setup) {
		sh := newShell(t, s)
		wire := filepath.Join(t.TempDir(), "wire.log")
		sh.env = append(sh.env, "DUET_WIRELOG="+wire, "DUET_TEST_SECRET="+secret, patient)
		var shown strings.Builder
		run := func(stdin string, args ...string) string {
			t.Helper()
			cmd := sh.command(append(args, s.args...)...)
			cmd.Stdin = strings.NewReader(stdin)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("duet %v: %v\n%s", args, err, out)
			}
			shown.Write(out)
			return string(out)
		}
		run("", "navigate", site(t)+"/main.html")
		run("", "click", "#user")
		run("", "type", "--value-env", "DUET_TEST_SECRET", "--observe", "delta")
		if text := run("", "snapshot"); !strings.Contains(text, `textbox "Username" #user (focused, filled)`) {
			t.Errorf("the field is not told as filled in:\n%s", text)
		}
		run("", "read", "#user", "--field", "value")
		run("", "fill", "#user", "", "--json")
		run("", "click", "#user")
		run(secret+"\n", "type", "-", "--json", "--observe", "page")
		run("", "snapshot", "--json")
		run("", "find", "text*="+`sesame`)
		for _, spelled := range []string{secret, `sesame`} {
			if text := strings.ReplaceAll(shown.String(), "text*=sesame", ""); strings.Contains(text, spelled) {
				t.Errorf("%s is shown:\n%s", spelled, text)
				break
			}
		}
		log, err := os.ReadFile(wire)
		if err != nil || len(log) == 0 {
			t.Fatal("no protocol log", err)
		}
		for line := range strings.Lines(string(log)) {
			if strings.Contains(strings.ReplaceAll(line, `text*=sesame`, ""), `sesame<9`) || strings.Contains(line, `sesame\u003C9`) {
				t.Errorf("the protocol log has %.300s", line)
			}
		}
	})
}
