package drive

import (
	"strings"
	"testing"

	"duet/internal/pagejs"
)

// A field that becomes a password field when it gets the focus, or the text, is secret,
// and so is one that was and no longer is: by whatever what it holds was entered.
func TestLiveAFieldThatBecomesSecret(t *testing.T) {
	const fields = `<input id=focus onfocus="this.type='password'"><input id=input oninput="this.type='password'">` +
		`<input id=moment oninput="this.type='password';setTimeout(()=>this.type='text')"><input id=plain>` +
		`<select id=list onfocus="this.setAttribute('autocomplete','cc-exp')"><option>other<option>choice one</select>`
	onPage(t, fields, func(t *testing.T, p *page) {
		secret := func(value string, want bool) {
			t.Helper()
			if got := p.tab.b.Redact(value) != value; got != want {
				t.Errorf("%s is a secret: %v", value, got)
			}
		}
		for _, id := range []string{"focus", "input", "moment", "plain"} {
			filled := p.fill("#"+id, "filled into "+id)
			if hidden := id != "plain"; filled.Secret != hidden || (filled.Value == "") != hidden {
				t.Errorf("fill %s: %+v", id, filled)
			}
			secret("filled into "+id, id != "plain")
		}
		open(t, p.tab, p.tab.URL())
		for _, id := range []string{"focus", "input", "moment", "plain"} {
			for _, end := range []string{"", "\n"} {
				if _, err := p.el("#" + id).Focus(p.ctx()); err != nil {
					t.Fatal(err)
				}
				if _, err := p.tab.Type(p.ctx(), "typed "+id+end); err != nil {
					t.Fatal(err)
				}
			}
			secret("typed "+id, id != "plain")
		}
		open(t, p.tab, p.tab.URL())
		if _, err := p.el("#input").Focus(p.ctx()); err != nil {
			t.Fatal(err)
		}
		for _, key := range strings.Split("pressed", "") {
			if _, err := p.tab.Press(p.ctx(), key); err != nil {
				t.Fatal(err)
			}
		}
		secret("pressed", true)
		chosen, err := p.el("#list").Select(p.ctx(), Choice{Any: []string{"choice one"}})
		if err != nil || !chosen.Secret {
			t.Errorf("%+v, %v", chosen, err)
		}
		secret("choice one", true)
	})
}

// A field that the page takes out of the document has no style any more: that makes no
// secret of what was put into it, whether it is drawn anew or not.
func TestLiveAFieldTakenAwayIsNoSecret(t *testing.T) {
	const fields = `<input id=anew oninput="this.replaceWith(this.cloneNode(true))"><input id=gone oninput="this.remove()">` +
		`<input id=dots style="-webkit-text-security: disc" oninput="this.remove()">`
	onPage(t, fields, func(t *testing.T, p *page) {
		for _, id := range []string{"anew", "gone", "dots"} {
			got, err := p.el("#"+id).Fill(p.ctx(), "filled into "+id, FillOptions{})
			hidden := id == "dots"
			if (err == nil) != (id == "anew") || got.Secret != hidden {
				t.Errorf("fill %s: %+v, %v", id, got, err)
			}
			if masked := p.tab.b.Redact("filled into "+id) != "filled into "+id; masked != hidden {
				t.Errorf("what was filled into %s is masked: %v", id, masked)
			}
		}
	})
}

// What is typed is secret where the page moves the focus into a secret field on the
// way, and where it goes into a closed shadow root, of which nothing is known.
func TestLiveTypingThatGoesAstray(t *testing.T) {
	const fields = `<input id=user maxlength=5 oninput="if(this.value.length==5)p.focus()"><input id=p type=password><div id=host></div><input id=plain>` +
		`<script>host.attachShadow({mode:'closed'}).innerHTML='<input style="width:100%">'</script>` +
		`<div id=open></div><script>document.getElementById('open').attachShadow({mode:'open'}).innerHTML='<input id=in>'</script>`
	onPage(t, fields, func(t *testing.T, p *page) {
		secret := func(value string, want bool) {
			t.Helper()
			if got := p.tab.b.Redact(value) != value; got != want {
				t.Errorf("%s is a secret: %v", value, got)
			}
		}
		p.click("#user")
		if out, err := p.tab.Type(p.ctx(), "alicehunter22"); err != nil || !out.Secret {
			t.Errorf("%+v, %v", out, err)
		}
		secret("alicehunter22", true)
		secret("hunter22", true)
		p.click("#host")
		if out, err := p.tab.Type(p.ctx(), "in the closed root"); err != nil || !out.Secret {
			t.Errorf("%+v, %v", out, err)
		}
		secret("in the closed root", true)
		for _, target := range []string{"#plain", "#in"} {
			p.click(target)
			if out, err := p.tab.Type(p.ctx(), "in "+target); err != nil || out.Secret {
				t.Errorf("%+v, %v", out, err)
			}
			secret("in "+target, false)
		}
	})
}

// What was a hidden field is none that is shown when the page makes a text field of it.
func TestLiveAHiddenFieldThatIsShown(t *testing.T) {
	onPage(t, `<form><input type=hidden name=nonce value=kept-in-hiding id=f></form><button id=b onclick="f.type='text'">b</button>`, func(t *testing.T, p *page) {
		read := func(name string) ReadText {
			t.Helper()
			r, err := p.el("#f").Attr(p.ctx(), name, 1000)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if r := read("value"); !r.Secret || !r.Filled || r.Text != "" {
			t.Errorf("hidden: %+v", r)
		}
		p.click("#b")
		tree, err := p.tab.Tree(p.ctx(), TreeOptions{})
		if err != nil || strings.Contains(dump(tree), "kept-in-hiding") {
			t.Errorf("the map: %v\n%s", err, dump(tree))
		}
		if r, err := p.el("#f").Value(p.ctx(), 1000); err != nil || !r.Secret || !r.Filled || r.Text != "" {
			t.Errorf("shown: %+v, %v", r, err)
		}
	})
}

// What is typed into a prompt that asks for a secret by name is one.
func TestLiveAPromptForAPassword(t *testing.T) {
	onPage(t, `<button id=p onclick="prompt('Your password, please')">p</button><button id=n onclick="prompt('Your name')">n</button>`, func(t *testing.T, p *page) {
		for id, text := range map[string]string{"p": "told to the prompt", "n": "a name"} {
			p.click("#" + id)
			answer(t, p.tab, true, &text)
			if got := p.tab.b.Redact(text) != text; got != (id == "p") {
				t.Errorf("%s is a secret: %v", text, got)
			}
		}
	})
}

// A flag of a line says a word of the standard, whatever the page puts there.
func TestLiveFlagsAreWordsOfTheStandard(t *testing.T) {
	const forged = `x) (disabled) &quot;\n e99: button`
	onPage(t, `<button id=a aria-current="`+forged+`">a</button><button aria-current=page>b</button><table><tr><th aria-sort="`+forged+`">c</th><th aria-sort=ascending>d</th></tr></table>`, func(t *testing.T, p *page) {
		tree, err := p.tab.Tree(p.ctx(), TreeOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var states []string
		for _, d := range tree.Docs {
			var visit func([]*pagejs.Node)
			visit = func(nodes []*pagejs.Node) {
				for _, n := range nodes {
					states = append(states, n.States...)
					visit(n.Kids)
				}
			}
			visit(d.Kids)
		}
		if got := strings.Join(states, " "); got != "current current=page sort=ascending" {
			t.Errorf("states are %q", got)
		}
	})
}
