package drive

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"duet/internal/fault"
)

// Each kind of field takes a value as one edit, tells the page of it, and what it
// throws away is refused before anything changes.
func TestLiveFillKinds(t *testing.T) {
	onPage(t, `<p><output id=out></output></p><label>Sum <input id=n type=number step=any value=5></label><label>Day <input id=d type=date value=2024-01-01></label>
<label>Hue <input id=c type=color value="#112233"></label><label>Loud <input id=r type=range value=40></label><label>Text <input id=t value=old></label>
<label>Lines <textarea id=a>old
text</textarea></label><div id=e contenteditable>old <b>rich</b></div><label>At <input id=m type=time></label>
<script>var log=[];['input','change'].forEach(function(k){document.addEventListener(k,function(e){var w=k[0]+':'+e.target.id;if(log[log.length-1]!==w)log.push(w);out.textContent=log.join(' ')},true)})</script>`, func(t *testing.T, p *page) {
		for target, wrong := range map[string]string{"label=Sum": "eleven", "label=Day": "30/02/2024", "label=Hue": "greenish", "label=Loud": "very", "label=At": "noon"} {
			_, err := p.el(target).Fill(p.ctx(), wrong, FillOptions{})
			p.refused(err, fault.ExpectMismatch)
		}
		p.reads("#out", "")
		p.holds("#n", "5")
		p.holds("#d", "2024-01-01")
		p.fill("label=Sum", "-12.5")
		p.fill("label=Day", "2024-02-29")
		p.fill("label=Hue", "#00FF7f")
		p.fill("label=Loud", "70")
		p.fill("label=Text", "new 👩‍👩‍👧 né")
		p.fill("label=Lines", "one\ntwo")
		p.fill("#e", "plain")
		p.fill("label=At", "12:30")
		for id, want := range map[string]string{"n": "-12.5", "d": "2024-02-29", "c": "#00ff7f", "r": "70", "t": "new 👩‍👩‍👧 né", "a": "one\ntwo", "e": "plain", "m": "12:30"} {
			p.holds("#"+id, want)
		}
		p.reads("#out", "i:n c:n i:d c:d i:c c:c i:r c:r i:t c:t i:a c:a i:e i:m c:m")
		p.fill("label=Text", "")
		p.holds("#t", "")
	})
}

// What takes no text, or none now, is left as it is.
func TestLiveFillRefused(t *testing.T) {
	onPage(t, `<label>Order <input id=o readonly value=KEEP></label><label>Tax <input id=x disabled value=KEEP2></label><label>Code <input id=c maxlength=5></label>
<div id=box><p>Box</p><input id=in aria-label=Inner></div><select id=s><option>A</select><script>var n=0;document.addEventListener('input',function(){n++},true)</script>`, func(t *testing.T, p *page) {
		_, err := p.el("label=Order").Fill(p.short(), "X", FillOptions{})
		p.refused(err, fault.NotEditable)
		_, err = p.el("label=Tax").Fill(p.short(), "X", FillOptions{})
		p.refused(err, fault.NotEnabled)
		p.holds("#o", "KEEP")
		p.holds("#x", "KEEP2")
		_, err = p.el("#box").Fill(p.ctx(), "X", FillOptions{})
		if f := p.refused(err, fault.NotEditable); !strings.Contains(f.Message, "Inner") {
			t.Errorf("the field inside is not named: %s", f.Message)
		}
		_, err = p.el("#s").Fill(p.ctx(), "A", FillOptions{})
		p.refused(err, fault.NotEditable)
		_, err = p.el("label=Code").Fill(p.ctx(), "ABCDEFGH", FillOptions{})
		f := fault.From(err)
		if f == nil || f.Code != fault.ExpectMismatch || !strings.Contains(f.Message, `"ABCDE"`) {
			t.Errorf("a cut text = %v", explain(err))
		}
	})
}

// A mask reformats, a handler empties on focus, a box hands the focus on, another
// takes it back: each field holds what was meant for it.
func TestLiveFillReactive(t *testing.T) {
	onPage(t, `<label>Phone <input id=p></label><label>Agent <input id=g value=everyone></label><span id=w></span><label>One <input id=f1></label><label>Two <input id=f2></label>
<label>Never <input id=never></label><label>Sum <input id=sum oninput="this.value='$'+this.value.replace(/[^0-9.]/g,'').replace(/(.)(...)$/,'$1,$2')+'.00'"></label><label>More <input id=more oninput="this.value+='0'"></label><script>
p.addEventListener('input',function(){var d=p.value.replace(/\D/g,'').slice(0,10);p.value=d.length>6?'('+d.slice(0,3)+') '+d.slice(3,6)+'-'+d.slice(6):d});
g.onfocus=function(){g.value=''};for(let k=1;k<=3;k++){const e=document.createElement('input');e.maxLength=1;e.setAttribute('aria-label','Cell '+k);e.oninput=function(){e.value&&e.nextElementSibling&&e.nextElementSibling.focus()};w.append(e)}
let once=0;f1.addEventListener('blur',function(){if(!once++)setTimeout(function(){f1.focus()},60)});never.oninput=function(){never.value='no'}</script>`, func(t *testing.T, p *page) {
		if f := p.fill("label=Phone", "5551234567"); !f.Changed || f.Value != "(555) 123-4567" {
			t.Errorf("masked fill = %+v", f)
		}
		if f := p.fill("label=Sum", "1234"); !f.Changed || f.Value != "$1,234.00" {
			t.Errorf("fill of an amount = %+v", f)
		}
		if _, err := p.el("label=More").Fill(p.ctx(), "12", FillOptions{}); !errors.Is(err, fault.ExpectMismatch) {
			t.Errorf("a changed amount = %v", explain(err))
		}
		p.fill("label=Agent", "mar")
		p.holds("#g", "mar")
		p.fill("label=Cell 1", "4")
		p.fill("label=Cell 2", "7")
		p.holds("label=Cell 1", "4")
		p.holds("label=Cell 2", "7")
		p.holds("label=Cell 3", "")
		p.fill("label=One", "aa")
		p.fill("label=Two", "bb")
		p.holds("#f1", "aa")
		p.holds("#f2", "bb")
		_, err := p.el("label=Never").Fill(p.ctx(), "yes", FillOptions{})
		if f := fault.From(err); f == nil || f.Code != fault.ExpectMismatch || f.Effect != fault.Confirmed {
			t.Errorf("a value that does not hold = %v", explain(err))
		}
	})
}

// Filling and submitting is one edit and one key in that field.
func TestLiveFillSubmit(t *testing.T) {
	onPage(t, say+`<form onsubmit="event.preventDefault();say('sent '+q.value)"><label>Find <input id=q></label></form>`, func(t *testing.T, p *page) {
		if _, err := p.el("label=Find").Fill(p.ctx(), "whales", FillOptions{Submit: true}); err != nil {
			t.Fatal(explain(err))
		}
		p.reads("#out", "sent whales")
	})
}

// What is put into a secret field is never said again.
func TestLiveFillSecret(t *testing.T) {
	onPage(t, `<label>Password <input id=p type=password></label>`, func(t *testing.T, p *page) {
		f := p.fill("label=Password", "correct-horse-7")
		if !f.Secret || f.Value != "" || strings.Contains(p.tab.b.Redact("x correct-horse-7 y"), "horse") {
			t.Errorf("fill = %+v, redacted %q", f, p.tab.b.Redact("x correct-horse-7 y"))
		}
		v, err := p.el("#p").Value(p.ctx(), 0)
		if err != nil || v.Text != "" || !v.Secret || !v.Filled {
			t.Errorf("value = %+v, %v", v, explain(err))
		}
	})
}

// What is chosen in a secret field is not said, and what the page makes of it is masked;
// what it offers may be said where an option is missing.
func TestLiveSelectSecret(t *testing.T) {
	onPage(t, `<label>Security answer <select id=s onchange="p.textContent='chose '+s.value+', '+s.selectedOptions[0].text"><option>none<option value=opt-canary>Rex canary</select></label><p id=p></p>
<label>Card number <select id=k onchange="k.selectedIndex=0"><option>4111-0<option>4222-0</select></label>`, func(t *testing.T, p *page) {
		r, err := p.el("#s").Select(p.ctx(), Choice{Any: []string{"Rex canary"}})
		if err != nil || !r.Secret || len(r.Options) != 1 || r.Options[0].Label != secretMask || r.Options[0].Value != secretMask {
			t.Errorf("select = %+v, %s", r, explain(err))
		}
		if got := p.tab.b.Redact("chose opt-canary, Rex canary"); got != "chose •••, •••" {
			t.Errorf("told as %s", got)
		}
		if _, err := p.el("#k").Select(p.ctx(), Choice{Any: []string{"4222-0"}}); !errors.Is(err, fault.ExpectMismatch) || strings.Contains(explain(err), "4111") {
			t.Errorf("a choice that is not kept: %s", explain(err))
		}
		if _, err := p.el("#s").Select(p.ctx(), Choice{Any: []string{"else"}}); !errors.Is(err, fault.NoMatch) || !strings.Contains(fault.From(err).Hint, `"none"`) {
			t.Errorf("an option that is missing: %s", explain(err))
		}
	})
}

// Check is judged by the state that results.
func TestLiveCheck(t *testing.T) {
	onPage(t, say+`<style>#h{position:absolute;width:1px;height:1px;opacity:0;clip-path:inset(50%)}</style><button onclick="say('pressed')">Theme</button><label><input type=checkbox id=al> All</label>
<div id=sw role=switch aria-checked=false tabindex=0 onclick="this.setAttribute('aria-checked',this.getAttribute('aria-checked')!=='true')">Dark</div>
<label><input type=radio name=c checked> Red</label><label><input type=checkbox id=lk onclick="event.preventDefault()"> Locked</label>
<p><input type=checkbox id=h><label for=h id=lh style="padding-left:30px">I agree to <a href="/away">the long and winding terms</a></label></p>
<p style="position:relative;width:200px;height:30px"><input type=checkbox id=o style="position:absolute;inset:0;width:100%;height:100%;opacity:0;margin:0"><label for=o>Letters</label></p><script>al.indeterminate=true</script>`, func(t *testing.T, p *page) {
		check := func(target string, on bool, code fault.Code) Checked {
			t.Helper()
			c, err := p.el(target).Check(p.ctx(), on)
			if f := fault.From(err); (f == nil) != (code == "") || f != nil && f.Code != code {
				t.Errorf("check %s %v = %v, want %q", target, on, explain(err), code)
			}
			return c
		}
		check("text=Theme", true, fault.StateInvalid)
		p.reads("#out", "-")
		check("label=All", true, "")
		if s, _ := p.el("#al").State(p.ctx()); s.Checked != "true" {
			t.Errorf("All is %q", s.Checked)
		}
		if c := check("text=Dark", true, ""); !c.Changed {
			t.Error("Dark was not changed")
		}
		if c := check("text=Dark", true, ""); c.Changed {
			t.Error("Dark was changed again")
		}
		check("label=Red", false, fault.StateInvalid)
		check("label=Locked", true, fault.ExpectMismatch)
		check("#h", true, "")
		check("#o", true, "")
		check("#o", false, "")
		if url := p.tab.URL(); url != p.base+"/" {
			t.Errorf("the link in the label was followed: %s", url)
		}
	})
}

// Options by value, label and index, several, missing, disabled.
func TestLiveSelect(t *testing.T) {
	onPage(t, say+`<select id=s onchange="say('change '+this.value)"><option value=a>Apple<option value=b>Banana<option value=c disabled>Cherry</select><select id=m multiple><option>X<option>Y<option>Z</select>`, func(t *testing.T, p *page) {
		c, err := p.el("#s").Select(p.ctx(), Choice{Any: []string{"Banana"}})
		if err != nil || !c.Changed || c.Options[0].Value != "b" {
			t.Fatalf("select = %+v, %v", c, explain(err))
		}
		p.reads("#out", "change b")
		if _, err = p.el("#s").Select(p.ctx(), Choice{Indexes: []int{0}}); err != nil {
			t.Error(explain(err))
		}
		p.reads("#out", "change a")
		_, err = p.el("#s").Select(p.ctx(), Choice{Values: []string{"q"}})
		if f := p.refused(err, fault.NoMatch); !strings.Contains(f.Hint, "Banana") {
			t.Errorf("options are not named: %s", f.Hint)
		}
		_, err = p.el("#s").Select(p.short(), Choice{Labels: []string{"Cherry"}})
		p.refused(err, fault.NotEnabled)
		c, err = p.el("#m").Select(p.ctx(), Choice{Labels: []string{"X", "Z"}})
		if err != nil || len(c.Options) != 2 {
			t.Errorf("select several = %+v, %v", c, explain(err))
		}
	})
}

// Files go to inputs that nobody sees, and through their labels; too many are
// refused; paths are not echoed.
func TestLiveUpload(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{"one.txt", "two.txt"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	for d := dir; d != "/tmp" && d != "/"; d = filepath.Dir(d) {
		_ = os.Chmod(d, 0o755) // the browser runs under another uid
	}
	onPage(t, say+`<label>Photo<input id=f type=file style="display:none" onchange="say('got '+this.files.length+' '+this.files[0].name)"></label><input id=t>`, func(t *testing.T, p *page) {
		u, err := p.el("text=Photo").Upload(p.ctx(), paths[:1])
		if err != nil {
			t.Fatalf("upload = %+v, %v", u, explain(err))
		}
		p.reads("#out", "got 1 one.txt")
		_, err = p.el("#f").Upload(p.ctx(), paths)
		p.refused(err, fault.InvalidArgument)
		_, err = p.el("#t").Upload(p.ctx(), paths[:1])
		if f := p.refused(err, fault.NotEditable); strings.Contains(f.Message+f.Hint, dir) {
			t.Errorf("the path is echoed: %s", f.Message)
		}
	})
}

// A pointer drag, and the page's own kind of it.
func TestLiveDrag(t *testing.T) {
	onPage(t, say+`<div id=k style="width:40px;height:40px;background:red;position:absolute;left:20px;top:200px">K</div><div id=z style="position:absolute;left:300px;top:200px;width:80px;height:80px;background:#ddd">Zone</div>
<div id=h draggable=true style="position:absolute;left:20px;top:320px;width:60px;background:#8f8">Card</div><div id=l style="position:absolute;left:300px;top:320px;width:80px;height:60px;background:#88f">List</div>
<script>var on=0;k.onpointerdown=function(e){on=1;k.setPointerCapture(e.pointerId)};k.onpointermove=function(e){if(on){k.style.left=e.clientX-20+'px';k.style.top=e.clientY-20+'px'}};k.onpointerup=function(){on=0;say('at '+Math.round(k.getBoundingClientRect().left))};
h.ondragstart=function(e){e.dataTransfer.setData('text/plain','card-9')};l.ondragover=function(e){e.preventDefault()};l.ondrop=function(e){e.preventDefault();say('dropped '+e.dataTransfer.getData('text/plain'))}</script>`, func(t *testing.T, p *page) {
		p.drags("#k", "#z")
		p.reads("#out", "at 320")
		if d := p.drags("#h", "#l"); !d.HTML || !d.Dropped {
			t.Fatalf("drag = %+v", d)
		}
		p.reads("#out", "dropped card-9")
	})
}

// drags puts the mouse down on one element and lets go on another.
func (p *page) drags(from, to string) Released {
	p.Helper()
	if _, err := p.el(from).MouseDown(p.ctx(), "", nil); err != nil {
		p.Fatal(explain(err))
	}
	r, err := p.el(to).MouseUp(p.ctx(), "", nil)
	if err != nil {
		p.Fatal(explain(err))
	}
	return r
}

// A field behind nothing is found by none of these, and says what it may have been.
func TestLiveNoMatch(t *testing.T) {
	onPage(t, `<button id=submit>Submit order</button><a href=/x>Orders</a><li>A <button>Edit</button></li><li>B <button>Edit</button></li>`, func(t *testing.T, p *page) {
		_, err := p.tab.Element(p.ctx(), "role=button[name=Submit]")
		f := p.refused(err, fault.NoMatch)
		if !strings.Contains(f.Hint, "Submit order") {
			t.Errorf("no near miss: %s", f.Hint)
		}
		_, err = p.tab.Element(p.ctx(), "#submti")
		if f := p.refused(err, fault.NoMatch); !strings.Contains(f.Hint, "#submit") {
			t.Errorf("no near miss: %s", f.Hint)
		}
		_, err = p.tab.Element(p.ctx(), "role=button[name=Edit]")
		if f := p.refused(err, fault.Ambiguous); !strings.Contains(f.Message, `"B Edit"`) {
			t.Errorf("candidates are not told apart: %s", f.Message)
		}
		if c := p.click("css=li button"); c.Matches != 2 {
			t.Errorf("matches = %d", c.Matches)
		}
		if _, err := p.tab.Element(p.ctx(), "role=button[name=Edit] >> nth=-1"); err != nil {
			t.Error(explain(err))
		}
		_, err = p.tab.Element(p.ctx(), "css=li[")
		if !errors.Is(err, fault.InvalidArgument) {
			t.Error(explain(err))
		}
		_, err = p.tab.Element(p.ctx(), "css=li:nope(3)")
		if !errors.Is(err, fault.InvalidArgument) {
			t.Error(explain(err))
		}
	})
}
