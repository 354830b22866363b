package drive

import (
	"errors"
	"strings"
	"testing"

	"duet/internal/fault"
)

// A press that begins on the element and ends on another one, put in its place by the
// page, is no click on it; a page that draws the same thing anew, takes its element
// away, or reacts elsewhere has been clicked.
func TestLiveATargetReplacedUnderThePress(t *testing.T) {
	const other = `Object.assign(document.createElement('button'),{textContent:'Other',onclick:function(){say('other')}})`
	for _, c := range []struct {
		name, body string
		ok         bool
	}{
		{"by another at pointerdown", `<button id=b>Save</button><script>b.addEventListener('pointerdown',function(){b.replaceWith(` + other + `)})</script>`, false},
		{"by another at mousedown", `<button id=b>Save</button><script>b.onmousedown=function(){b.replaceWith(` + other + `)}</script>`, false},
		{"by another at mouseup", `<button id=b>Save</button><script>b.onmouseup=function(){b.replaceWith(` + other + `)}</script>`, true},
		{"with all around it", `<div id=w><p><button id=b>Save</button></p></div><script>b.addEventListener('pointerdown',function(){var p=document.createElement('p');p.append(` + other + `);w.replaceChildren(p)})</script>`, false},
		{"by its like at pointerdown", `<p id=w><button id=b>Save</button></p><script>b.addEventListener('pointerdown',function(){w.innerHTML='<button id=b>Save</button>'})</script>`, true},
		{"at click", `<button id=b onclick="b.replaceWith(` + strings.ReplaceAll(other, `"`, `'`) + `)">Save</button>`, true},
		{"a menu that closes at mousedown", `<p style="height:60px;background:#eee">Below</p><div id=m style="position:absolute;top:0;left:0"><button id=b>Save</button></div><script>b.onmousedown=function(){m.remove();say('chosen')}</script>`, true},
		{"a row that goes at mousedown", `<div id=b style="height:30px">One</div><div style="height:30px">Two</div><script>b.onmousedown=function(){b.remove();say('gone')}</script>`, true},
		{"hidden at pointerdown, another below", `<div style="position:relative;height:60px"><button id=u style="position:absolute;inset:0" onclick="say('under')">Under</button><button id=b style="position:absolute;inset:0">Save</button></div><script>b.addEventListener('pointerdown',function(){b.style.display='none'})</script>`, true},
		{"swallowed", `<button id=b>Save</button><script>b.addEventListener('pointerdown',function(e){e.preventDefault();e.stopPropagation()})</script>`, true},
		{"its text drawn anew", `<button id=b><i>Save</i></button><script>b.onmousedown=function(){b.innerHTML='<i>Saving</i>'}</script>`, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			onPage(t, say+c.body, func(t *testing.T, p *page) {
				r, err := p.el("#b").Click(p.ctx(), ClickOptions{})
				switch {
				case c.ok && err != nil:
					t.Errorf("%s", explain(err))
				case !c.ok && (!errors.Is(err, fault.ClickIntercepted) || fault.From(err).Effect != fault.Possible):
					t.Errorf("%+v, %s", r, explain(err))
				case !c.ok && !strings.Contains(fault.From(err).Message, "in its place"):
					t.Errorf("it says %q", fault.From(err).Message)
				}
				if c.name == "by its like at pointerdown" && !r.Replaced {
					t.Errorf("not said as replaced: %+v", r)
				}
			})
		})
	}
}

// A field that its page draws anew as text arrives is read back where it is now; one
// that went and left nothing in its place holds nothing that could be vouched for.
func TestLiveAFieldReplacedUnderTheText(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       fault.Code // "" is success
	}{
		{"emptied", `<p id=w></p><script>function draw(v){w.innerHTML='<input id=f aria-label=Name>';f.value=v;f.oninput=function(){draw('')}};draw('')</script>`, fault.ExpectMismatch},
		{"kept", `<p id=w></p><script>function draw(v){w.innerHTML='<input id=f aria-label=Name>';f.value=v;f.oninput=function(){draw(f.value)}};draw('')</script>`, ""},
		{"with all around it", `<div id=w></div><script>function draw(){w.innerHTML='<form><p><input id=f aria-label=Name></p></form>';f.oninput=draw};draw()</script>`, fault.ExpectMismatch},
		{"a password, emptied", `<p id=w></p><script>function draw(){w.innerHTML='<input id=f type=password aria-label=Name>';f.oninput=draw};draw()</script>`, fault.ExpectMismatch},
		{"taken away", `<p id=w><input id=f aria-label=Name oninput="w.textContent='thanks'"></p>`, fault.EffectUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			onPage(t, c.body, func(t *testing.T, p *page) {
				r, err := p.el("#f").Fill(p.ctx(), "Alice Liddell", FillOptions{})
				if got := fault.From(err); c.want == "" && err != nil || c.want != "" && (err == nil || got.Code != c.want || got.Effect == fault.None) {
					t.Errorf("%+v, %s", r, explain(err))
				}
				if err != nil && strings.Contains(c.body, "password") && strings.Contains(explain(err), "Liddell") {
					t.Errorf("the fault says %s", explain(err))
				}
			})
		})
	}
}

// A ref is gone for a wait only where its element is; what waits in vain for an
// element that stays disabled gets a hint; a name is near whatever its case and its
// slips; an address that cannot be read says why.
func TestLiveLeftovers(t *testing.T) {
	onPage(t, `<button id=b>Save</button><button id=off disabled>Off</button><ul><li id=row>Alice</li></ul>`, func(t *testing.T, p *page) {
		_, err := p.tab.Wait(p.short(), WaitSpec{Selector: "e999", State: "hidden"})
		if !errors.Is(err, fault.BareRef) && !errors.Is(err, fault.StaleRef) {
			t.Errorf("a ref that was never given: %s", explain(err))
		}
		ref := p.ref("#row")
		if _, err := p.tab.Eval(p.ctx(), `row.textContent = 'Bob'`); err != nil {
			t.Fatal(explain(err))
		}
		if _, err := p.tab.Wait(p.short(), WaitSpec{Selector: ref, State: "hidden"}); !errors.Is(err, fault.StaleRef) {
			t.Errorf("an element that is another row now: %s", explain(err))
		}
		ref = p.ref("#row")
		if _, err := p.tab.Eval(p.ctx(), `row.remove()`); err != nil {
			t.Fatal(explain(err))
		}
		if _, err := p.tab.Wait(p.short(), WaitSpec{Selector: ref, State: "hidden"}); err != nil {
			t.Errorf("an element that went: %s", explain(err))
		}
		if _, err := p.el("#off").Click(p.short(), ClickOptions{}); !errors.Is(err, fault.NotEnabled) || !strings.Contains(fault.From(err).Hint, "timeout_ms") {
			t.Errorf("disabled: %s", explain(err))
		}
		for _, s := range []string{"role=button[name=save]", "role=button[name=Svae]", "name=save", "name=svae", "text=SAVEE"} {
			if _, err := p.tab.Element(p.ctx(), s); !errors.Is(err, fault.NoMatch) || !strings.Contains(fault.From(err).Hint, `button "Save"`) {
				t.Errorf("%s: %s", s, explain(err))
			}
		}
		if _, err := p.tab.Navigate(p.ctx(), "http://[::1", NavOptions{}); !errors.Is(err, fault.InvalidArgument) || !strings.Contains(fault.From(err).Message, "missing ']'") {
			t.Errorf("an address: %s", explain(err))
		}
	})
}
