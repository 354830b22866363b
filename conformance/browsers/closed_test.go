//go:build linux

package browsers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where a session is started with --pierce-closed, closed shadow roots are mapped,
// searched, waited for and acted in as open ones are; status says so, and a secret
// in one is shown nowhere. Without the flag they are left alone.
func TestClosedRootsWhereAskedFor(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		base := site(t)
		usual := serve(t, s)
		usual.ok("browser_navigate", arg("url", base+"/closed.html"))
		if text := usual.ok("browser_snapshot", nil); strings.Contains(text, "User") || strings.Contains(text, "closed)") {
			t.Errorf("closed roots are looked into:\n%s", text)
		}
		if text := usual.ok("browser_status", nil); strings.Contains(text, "pierce") {
			t.Errorf("status: %s", text)
		}

		wire := filepath.Join(t.TempDir(), "wire.log")
		k := &kase{t: t, s: s, base: base, c: serveWith(t, s, []string{"DUET_WIRELOG=" + wire}, "--pierce-closed")}
		k.attempt(func(k *kase) {
			k.open("/closed.html")
			k.says("status", k.ok("browser_status"), `"pierce_closed":true`)
			look := k.snap()
			for _, line := range []string{`textbox "User"`, `textbox "Password" (filled)`, `button "Send"`, `heading "Panel" [level=2]`, `button "Light"`} {
				k.once(look, line)
			}
			k.same("boundaries", strings.Repeat("#", strings.Count(look, "#shadow-root (closed)")), "##")
			if at := strings.Index(look, "Panel"); at < 0 || !strings.Contains(look[at:], "One") || strings.Index(look, "One") > strings.Index(look, "Light") {
				k.faultf("what is slotted does not stand in its slot:\n%s", look)
			}
			user, confirmed := k.ref(look, `textbox "User"`), "role=button[name=Confirm]"
			k.fill(user, "Ann")
			k.holds("label=User", "Ann")
			k.says("exists", k.ok("browser_exists", "selector", "user-form >> css=button"), "true")
			k.click("role=button[name=Send]")
			k.reads("#out", "sent Ann")
			k.ok("browser_wait", "kind", "selector", "target", confirmed)
			k.once(k.ok("browser_snapshot", "mode", "diff"), `button "Confirm"`)
			k.click(confirmed)
			k.reads("#out", "confirmed")
			k.fails("a ref of what has left the root", k.call("browser_fill", "selector", user, "value", "x"), "STALE_REF")
			k.click("role=button[name=Light]")
			k.reads("#out", "light")
			k.says("find", k.ok("browser_find", "selector", "css=li"), "One")
			k.says("a11y", k.ok("browser_a11y", "rules", "label"), "passed: 1")
			k.silent("the password's value", k.ok("browser_read", "selector", "label=Password", "field", "value"), "moonshine7")
			k.silent("everything said", k.said.String(), "moonshine7")
		})
		if len(k.faults) > 0 {
			t.Errorf("%s\n\nwhat was said:\n%s", strings.Join(k.faults, "\n"), k.said.String())
		}
		k.c.close()
		log, err := os.ReadFile(wire)
		if err != nil || strings.Contains(string(log), "moonshine7") {
			t.Errorf("the protocol log shows the password, or is not there: %v", err)
		}
	})
}
