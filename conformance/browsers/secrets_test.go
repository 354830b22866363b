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

// echoPage shows what was entered as a password in every way that a page can.
const echoPage = `<!doctype html><html lang="en"><title>Echo</title>
<label>Password <input type="password" id="p"></label><button id="go">Go</button><output id="o"></output><p id="status" style="text-transform: uppercase"></p>
<script>
go.onclick = () => {
  const v = p.value
  document.title = v
  o.textContent = JSON.stringify({ note: v })
  document.getElementById('status').textContent = v
  o.insertAdjacentHTML('afterend', '<a href="/r/' + encodeURIComponent(v) + '">' + JSON.stringify(JSON.stringify(v)).replace(/&/g, '&amp;').replace(/</g, '&lt;') + '</a>')
  console.log(v, v.slice(0, 9) + '\u200b' + v.slice(9), { v })
  history.replaceState(1, '', '?x=' + encodeURIComponent(encodeURIComponent(v)) + '#' + v)
  setTimeout(() => { throw new Error(v) })
}
</script></html>`

// Of a secret that programs write in many ways no part is shown, however long some of
// them are: neither a tail nor what quotes, capitals and unseen characters make of it.
func TestNothingOfASecretIsLeft(t *testing.T) {
	server := onePage(t, echoPage)
	each(t, func(t *testing.T, s setup) {
		wire := filepath.Join(t.TempDir(), "wire.log")
		c := serveWith(t, s, []string{"DUET_WIRELOG=" + wire})
		var shown strings.Builder
		for _, secret := range []string{"abcdefghijklmnopqrst/uvwxyz0123456789ABCDEFGH", `Correct"Horse<Battery>Staple&Hunter2/Seventeen`} {
			c.ok("browser_navigate", map[string]any{"url": server.URL})
			c.ok("browser_fill", map[string]any{"selector": "#p", "value": secret})
			shown.WriteString(c.ok("browser_click", map[string]any{"selector": "#go"}))
			for _, call := range []struct {
				tool string
				args map[string]any
			}{
				{"browser_snapshot", nil}, {"browser_status", nil}, {"browser_logs", nil}, {"browser_read", map[string]any{}}, {"browser_read", map[string]any{"selector": "#status"}},
				{"browser_advanced_eval", map[string]any{"js": "[p.value, location.href, document.documentElement.outerHTML]"}}, {"browser_page", map[string]any{"action": "list"}},
			} {
				shown.WriteString(c.ok(call.tool, call.args))
			}
		}
		c.close()
		log, err := os.ReadFile(wire)
		if err != nil || len(log) == 0 {
			t.Fatal("no protocol log", err)
		}
		for where, text := range map[string]string{"answers": shown.String(), "protocol log": string(log)} {
			for _, part := range []string{"uvwxyz01", "abcdefghij", "hunter2", "staple", "seventeen", "correct"} {
				if at := strings.Index(strings.ToLower(text), part); at >= 0 {
					t.Errorf("the %s show %s: …%s…", where, part, text[max(0, at-80):min(len(text), at+60)])
				}
			}
		}
	})
}
