package drive

import (
	"fmt"
	"strings"
	"testing"
)

// A password that is typed key by key is a secret of the session as a whole, and none
// of its beginnings is one.
func TestLiveAPasswordPressedKeyByKey(t *testing.T) {
	onPage(t, `<input id=p type=password><input id=plain>`, func(t *testing.T, p *page) {
		p.click("#p")
		for _, key := range []string{"q", "u", "Shift+i", "z", "x", "Backspace", "2", "7", "ArrowLeft", "7"} {
			if _, err := p.tab.Press(p.ctx(), key); err != nil {
				t.Fatal(explain(err))
			}
		}
		if got := p.tab.b.Redact("it is quIz277 here"); strings.Contains(got, "quIz") {
			t.Errorf("told as %q", got)
		}
		if got := p.tab.b.Redact("quIz2 alone"); got != "quIz2 alone" {
			t.Errorf("a beginning is told as %q", got)
		}
		p.click("#plain")
		for _, key := range []string{"o", "p", "e", "n"} {
			if _, err := p.tab.Press(p.ctx(), key); err != nil {
				t.Fatal(explain(err))
			}
		}
		if got := p.tab.b.Redact("open"); got != "open" {
			t.Errorf("what a plain field holds is told as %q", got)
		}
	})
}

// A password that is typed in parts is a secret as a whole.
func TestLiveAPasswordTypedInParts(t *testing.T) {
	onPage(t, `<input id=p type=password>`, func(t *testing.T, p *page) {
		p.click("#p")
		for _, part := range []string{"hun", "ter", "x2\n"} {
			if _, err := p.tab.Type(p.ctx(), part); err != nil {
				t.Fatal(explain(err))
			}
		}
		if got := p.tab.b.Redact("it is hunterx2 here"); got != "it is ••• here" {
			t.Errorf("told as %s", got)
		}
		if _, err := p.tab.Press(p.ctx(), "!"); err != nil {
			t.Fatal(explain(err))
		}
		for text, want := range map[string]string{"it is hunterx2! here": "it is ••• here", "it is hunterx2": "it is hunterx2", "hunt": "hunt"} {
			if got := p.tab.b.Redact(text); got != want {
				t.Errorf("%s is told as %s", text, got)
			}
		}
	})
}

// A script does not print what the map would hide, in whatever it stands; what merely
// looks alike stays.
func TestLiveAScriptPrintsNoHiddenValue(t *testing.T) {
	onSite(t, site{
		"/": `<form id=f><input id=p type=password value='pre"set 99'><input id=pin autocomplete=one-time-code value=736251>
<select id=sel name=security_answer><option value=maiden>Mother's maiden</select><div id=combo role=combobox aria-label=Password>typed-in</div>
<input type=hidden name=csrf value=0123456789abcdef><input type=hidden name=lang value=true><input id=name value=Alice></form><iframe src="/in"></iframe>`,
		"/in": `<input id=p type=password value="inner-secret">`,
	}, func(t *testing.T, p *page) {
		for code, want := range map[string]string{
			`p.value`:                         `"•••"`,
			`[p.value, {[p.value]: p.value}]`: `["•••",{"•••":"•••"}]`,
			`'<' + p.value + '>'`:             `"<•••>"`,
			`encodeURIComponent(p.value)`:     `"•••"`,
			`Number(pin.value)`:               `"•••"`,
			`[sel.value, sel.selectedOptions[0].text, combo.textContent]`: `["•••","•••","•••"]`,
			`f.elements.csrf.value`:                           `"•••"`,
			`[document.forms.length, true, null]`:             `[1,true,null]`,
			`document.getElementById('name').value`:           `"Alice"`,
			`frames[0].document.querySelector('input').value`: `"•••"`,
		} {
			r, err := p.tab.Eval(p.ctx(), code)
			if err != nil || string(r.Value) != want {
				t.Errorf("%s is %s, %s", code, r.Value, explain(err))
			}
		}
		_, err := p.tab.Eval(p.ctx(), `throw new Error('it is ' + p.value)`)
		if s := explain(err); strings.Contains(s, "99") || !strings.Contains(s, "it is •••") {
			t.Errorf("it says %s", s)
		}
		if r, err := p.tab.Eval(p.ctx(), `const v = p.value; p.value = ''; return v`); err != nil || string(r.Value) != `"•••"` {
			t.Errorf("after it was emptied: %s %s", r.Value, explain(err))
		}
		p.tab.b.Remember("004812")
		if r, err := p.tab.Eval(p.ctx(), `[Number('004812'), '004812', 48120, 12]`); err != nil || string(r.Value) != `["•••","•••",48120,12]` {
			t.Errorf("a secret of the session: %s %s", r.Value, explain(err))
		}
		if p.tab.b.Redact("0123456789abcdef") != "0123456789abcdef" {
			t.Error("what a page holds became a secret of the session")
		}
	})
}

// A page may have any number of hidden fields before the one that holds the password;
// where it has more than are told, nothing of the value is.
func TestLiveManyHiddenFieldsHideNoPassword(t *testing.T) {
	fields := func(n int) string {
		var all strings.Builder
		for i := range n {
			fmt.Fprintf(&all, `<input type=hidden name=h%d value=viewstate-%d>`, i, i)
		}
		return all.String()
	}
	onSite(t, site{
		"/few":  `<form>` + fields(300) + strings.Repeat(`<input>`, 2100) + `<input id=p type=password value=canary77></form>`,
		"/many": `<form>` + fields(2100) + `<input id=p type=password value=canary77></form>`,
	}, func(t *testing.T, p *page) {
		for path, want := range map[string]string{
			"/few":  `["•••","plain",7,true,"•••"]`,
			"/many": `["•••","•••",7,true,"•••"]`,
		} {
			if _, err := p.tab.Navigate(p.ctx(), p.base+path, NavOptions{}); err != nil {
				t.Fatal(explain(err))
			}
			r, err := p.tab.Eval(p.ctx(), `[p.value, 'plain', 7, true, document.forms[0].h299.value]`)
			if err != nil || string(r.Value) != want || r.Withheld != (path == "/many") {
				t.Errorf("%s: %s, withheld %v, %s", path, r.Value, r.Withheld, explain(err))
			}
		}
	})
}

// A field whose text the page shows as dots is a secret one, and stays so when it no
// longer does; so is one for what gives an account back.
func TestLiveAFieldOfDots(t *testing.T) {
	onPage(t, `<style>.dots { -webkit-text-security: disc }</style><label>Code <input id=c class=dots value=quince77></label>
<label>Recovery phrase <textarea id=r>apple quince77</textarea></label><div id=e class=dots contenteditable aria-label=Note>quince77</div><label>Seed <input id=s value=plain></label>`, func(t *testing.T, p *page) {
		for range 2 {
			for selector, secret := range map[string]bool{"#c": true, "#r": true, "#e": true, "#s": false} {
				got, err := p.el(selector).Value(p.ctx(), 100)
				if err != nil {
					t.Fatal(explain(err))
				}
				if got.Secret != secret || strings.Contains(got.Text, "quince") {
					t.Errorf("%s is read as %+v", selector, got)
				}
			}
			if _, err := p.tab.Eval(p.ctx(), `for (const e of document.querySelectorAll('.dots')) e.className = ''`); err != nil {
				t.Fatal(explain(err))
			}
		}
	})
}
