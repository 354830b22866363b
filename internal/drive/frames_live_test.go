package drive

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
)

// onTwoSites serves pages on two sites: ALT in a body stands for the other one.
func onTwoSites(t *testing.T, pages site, test func(t *testing.T, p *page)) {
	t.Helper()
	whole := site{}
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { whole.ServeHTTP(w, r) }))
	defer other.Close()
	alt := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
	for path, body := range pages {
		whole[path] = strings.ReplaceAll(body, "ALT", alt)
	}
	onSite(t, whole, test)
}

// A target in a frame of another site, in a scaled frame inside it, scrolled out of
// view in each of them, is pressed where it is.
func TestLiveFrames(t *testing.T) {
	onTwoSites(t, site{
		"/":      say + `<div style="height:1500px">Top</div><iframe title=Mid src="ALT/mid" style="width:500px;height:300px;border:9px solid;padding:11px;margin:37px"></iframe><div style="height:900px"></div>`,
		"/mid":   say + `<div style="height:700px">Mid</div><button onclick="say('mid')">Press mid</button><iframe src="/leaf" style="width:400px;height:200px;transform:scale(.7) translate(30px,10px)"></iframe>`,
		"/leaf":  `<div style="height:400px">Leaf</div><button onclick="this.textContent='done'">Press leaf</button><div style="height:40px" onclick="document.title='wrong'">decoy</div>`,
		"/plain": `<button>Plain</button>`,
	}, func(t *testing.T, p *page) {
		p.click("text=Press leaf")
		if _, err := p.tab.Element(p.ctx(), "text=done"); err != nil {
			t.Error(explain(err))
		}
		p.click("role=button[name=Press mid]")
		p.reads("iframe >> #out", "mid")
		p.reads("css=#out >> nth=0", "-")
		if n, err := p.tab.Count(p.ctx(), "iframe >> iframe >> button"); n != 1 || err != nil {
			t.Errorf("count through two frames = %d, %v", n, err)
		}
		if n, err := p.tab.Count(p.ctx(), "iframe >> button"); n != 2 || err != nil {
			t.Errorf("count in the frame = %d, %v", n, err)
		}
	})
}

// What covers the frame in the outer page covers the target.
func TestLiveFrameCovered(t *testing.T) {
	onPage(t, say+`<iframe srcdoc="<button onclick='this.textContent=1'>Inner</button>" style="width:300px;height:100px"></iframe><div id=lid style="position:fixed;inset:0"></div>`, func(t *testing.T, p *page) {
		_, err := p.el("text=Inner").Click(p.short(), ClickOptions{})
		if f := p.refused(err, fault.ClickIntercepted); !strings.Contains(f.Message, "lid") {
			t.Errorf("the cover is not named: %s", f.Message)
		}
	})
}

// srcdoc frames, sandboxed without an origin and plain.
func TestLiveSrcdoc(t *testing.T) {
	onPage(t, `<iframe sandbox="allow-scripts" srcdoc="<p id=o>-</p><button onclick='o.textContent=&quot;agreed&quot;'>Agree</button>"></iframe><iframe srcdoc="<label>Note <input id=n></label>"></iframe>`, func(t *testing.T, p *page) {
		p.click("text=Agree")
		p.reads("#o", "agreed")
		p.fill("label=Note", "kept")
		p.holds("#n", "kept")
	})
}

// Keys go to what has the focus, in a frame of another site or a shadow root.
func TestLiveTypeIntoFocus(t *testing.T) {
	onTwoSites(t, site{
		"/":     say + `<iframe src="ALT/card" width=400 height=100></iframe><x-memo></x-memo><script>var n=0;addEventListener('keydown',function(){say('keys '+(++n))});customElements.define('x-memo',class extends HTMLElement{constructor(){super();this.attachShadow({mode:'open'}).innerHTML='<label>Memo <input></label>'}})</script>`,
		"/card": `<label>Holder <input id=h></label>`,
	}, func(t *testing.T, p *page) {
		p.click("label=Holder")
		typed, err := p.tab.Type(p.ctx(), "Ada")
		if err != nil || !strings.Contains(typed.Into, "Holder") || !typed.Editable {
			t.Errorf("type = %+v, %v", typed, explain(err))
		}
		p.holds("label=Holder", "Ada")
		p.click("label=Memo")
		if _, err := p.tab.Type(p.ctx(), "xyz"); err != nil {
			t.Error(explain(err))
		}
		p.holds("label=Memo", "xyz")
		p.reads("#out", "keys 3")
		p.fill("label=Holder", "Bea")
		if _, err := p.tab.Press(p.ctx(), "Control+a"); err != nil {
			t.Error(explain(err))
		}
		if _, err := p.tab.Press(p.ctx(), "Delete"); err != nil {
			t.Error(explain(err))
		}
		p.holds("label=Holder", "")
	})
}

// Chords, shifted keys, the plus key, letters that no keyboard has, emoji; nothing
// stays pressed, and an unknown key changes nothing.
func TestLiveKeys(t *testing.T) {
	onPage(t, say+`<input id=k aria-label=Keys><script>var log=[];k.onkeydown=function(e){if(e.key==='Control'||e.key==='Shift')return;log.push((e.ctrlKey?'C':'')+(e.shiftKey?'S':'')+(e.ctrlKey||e.shiftKey?':':'')+e.key);say(log.join(' '))}</script>`, func(t *testing.T, p *page) {
		p.click("#k")
		for _, key := range []string{"Control++", "Shift+a", "A", "+", "Control+Shift+ArrowLeft", "é", "Enter"} {
			if _, err := p.tab.Press(p.ctx(), key); err != nil {
				t.Errorf("%s: %v", key, explain(err))
			}
		}
		_, err := p.tab.Press(p.ctx(), "Foo")
		p.refused(err, fault.InvalidArgument)
		if _, err := p.tab.Type(p.ctx(), "b😀"); err != nil {
			t.Error(explain(err))
		}
		got, err := p.el("#out").Text(p.ctx(), 0)
		if err != nil || !strings.HasPrefix(got.Text, "C:+ S:A A + CS:ArrowLeft é Enter b") {
			t.Errorf("keys = %q, %v", got.Text, err)
		}
		v, _ := p.el("#k").Value(p.ctx(), 0)
		if !strings.HasSuffix(v.Text, "éb😀") {
			t.Errorf("value = %q", v.Text)
		}
	})
}

// Open shadow roots: slots, ids that stand in two roots, labels in their own root, a
// host of a closed root.
func TestLiveShadow(t *testing.T) {
	onPage(t, say+`<x-field data-l=Nick></x-field><x-field data-l=City></x-field><x-card><button onclick="say('slotted')">Save it</button><p slot=none>Ghost</p></x-card><x-rate tabindex=0 aria-label="Rate this" style="display:inline-block"></x-rate>
<script>customElements.define('x-field',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<label for=i>'+this.dataset.l+'</label><input id=i>'}});
customElements.define('x-card',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<section><slot></slot></section>'}});
customElements.define('x-rate',class extends HTMLElement{connectedCallback(){var r=this.attachShadow({mode:'closed'});r.innerHTML='<button style="width:80px;height:30px">Star</button>';r.firstChild.onclick=function(){say('star')}}})</script>`, func(t *testing.T, p *page) {
		p.fill("label=Nick", "Bo")
		p.fill("role=textbox[name=City]", "Rome")
		p.holds("x-field[data-l=Nick] >> #i", "Bo")
		p.holds("x-field[data-l=City] >> input", "Rome")
		p.click("role=button[name=Save it]")
		p.reads("#out", "slotted")
		p.click(p.ref("x-rate"))
		p.reads("#out", "star")
		if f, err := p.tab.Find(p.ctx(), "text=Ghost", 5); err != nil || f.Visible != 0 {
			t.Errorf("the unslotted text is visible: %+v, %v", f, err)
		}
	})
}

// A ref stays with its node when rows are sorted, and is refused once the node
// stands for another row, or its document is gone.
func TestLiveRefs(t *testing.T) {
	onSite(t, site{
		"/": say + `<table><tbody id=b><tr><td>Zed<td><button onclick="say('paid '+this.closest('tr').cells[0].textContent)">Pay Zed</button></tr><tr><td>Amy<td><button>Pay Amy</button></tr></table>
<button id=sort onclick="b.append(b.rows[0])">Sort</button><button id=next onclick="b.rows[1].cells[0].textContent='New';b.rows[1].querySelector('button').textContent='Pay New'">Next</button><iframe src=/f width=300 height=100></iframe>`,
		"/f":  `<button onclick="location='/f2'">Onward</button>`,
		"/f2": `<button onclick="document.title='bad'">Onward</button>`,
	}, func(t *testing.T, p *page) {
		ref := p.ref("role=button[name=Pay Zed]")
		p.click("#sort")
		p.click(ref)
		p.reads("#out", "paid Zed")
		p.click("#next")
		_, err := p.el(ref).Click(p.ctx(), ClickOptions{})
		if f := p.refused(err, fault.StaleRef); f.Detail.(map[string]string)["reason"] != "changed" {
			t.Errorf("detail = %v", f.Detail)
		}
		inner := p.ref("role=button[name=Onward]")
		p.click(inner)
		_, err = p.el("#sort").State(p.ctx())
		if err != nil {
			t.Error(explain(err))
		}
		_, err = p.tab.Element(p.ctx(), inner)
		if err == nil {
			_, err = p.el(inner).Click(p.ctx(), ClickOptions{})
		}
		if f := p.refused(err, fault.StaleRef); f.Detail.(map[string]string)["reason"] != "document-changed" {
			t.Errorf("detail = %v", f.Detail)
		}
	})
}

// Controls that shadow the form's own properties, and half characters.
func TestLiveHostile(t *testing.T) {
	onPage(t, say+`<img name=querySelectorAll><img name=createTreeWalker><img name=elementFromPoint><form id=f onsubmit="event.preventDefault();say('sent '+a.value)"><input name=nodeName><input name=getAttribute><input name=parentNode><label>Tag <input id=a name=children></label><button>Send</button></form>
<p id=half></p><script>half.textContent='x\ud83d';window.Map=window.Set=null;Array.prototype[Symbol.iterator]=null;document.querySelector=null;Promise=null</script>`, func(t *testing.T, p *page) {
		p.fill("label=Tag", "v")
		p.click("#f >> text=Send")
		p.reads("#out", "sent v")
		p.reads("#half", "x\ufffd")
	})
}

// Text as a map shows it: across inline elements, in controls, cut at the end.
func TestLiveTextSelectors(t *testing.T) {
	onPage(t, `<p>Total <b>12</b> items</p><input type=submit value="Go on"><label>Your   name <input></label><button>A very long name of a button that the map will cut at eighty characters because it is so long</button>
<p id=h hidden>Secret place</p><ul><li>One</li><li>One more</li></ul>`, func(t *testing.T, p *page) {
		for target, n := range map[string]int{
			"text=Total 12 items": 1, "text=12": 1, "text=Go on": 1, "label=Your name": 1, "text=One": 1, "text*=One": 2,
			"role=button[name=A very long name of a button that the map will cut at eighty characters becaus…]": 1,
			"role=listitem": 2, "text=total 12 items": 0, "tag=li": 2, "xpath=//li[2]": 1, "ul >> xpath=//li": 2,
		} {
			f, err := p.tab.Find(p.ctx(), target, 5)
			if err != nil || f.Visible != n {
				t.Errorf("%s matches %d (%v), want %d", target, f.Visible, err, n)
			}
		}
	})
}

// A selector is answered soon on a page of a thousand rows that all begin alike.
func TestLiveManyRows(t *testing.T) {
	row := `<div><p>Row</p><span>x</span><button>Item</button><i>y</i></div>`
	onPage(t, strings.Repeat(row, 1000)+`<button>Item last</button>`, func(t *testing.T, p *page) {
		for _, target := range []string{"text=Item last", "text*=last", "role=button[name=Item last]", "css=button:last-of-type"} {
			if _, err := p.tab.Element(deadline(t, 3*time.Second), target); err != nil {
				t.Errorf("%s: %v", target, explain(err))
			}
		}
	})
}
