package drive

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// pierced lets a test read closed roots.
func pierced(t *testing.T, pages site, test func(t *testing.T, p *page)) {
	t.Helper()
	onSite(t, pages, func(t *testing.T, p *page) {
		p.tab.b.info.PierceClosed = true
		defer func() { p.tab.b.info.PierceClosed = false }()
		test(t, p)
	})
}

// inClosed is a page that builds closed roots: closed(host, html) attaches one.
const inClosed = say + `<script>function closed(host, html){const r=host.attachShadow({mode:'closed'});r.innerHTML=html;return r}</script>`

// roles are the roles and names of the lines of a tree, in order.
func (p *page) roles() []string {
	p.Helper()
	tree, err := p.tab.Tree(p.ctx(), TreeOptions{Fresh: true})
	if err != nil {
		p.Fatal(explain(err))
	}
	var out []string
	var add func(context string, nodes []*pagejs.Node)
	add = func(context string, nodes []*pagejs.Node) {
		for _, n := range nodes {
			out = append(out, strings.TrimSpace(n.Role+" "+n.Name))
			add(context, n.Kids)
			if d := tree.Docs[tree.Docs[context].Frames[n.ID]]; d != nil {
				add(tree.Docs[context].Frames[n.ID], d.Kids)
			}
		}
	}
	add(tree.Top, tree.Docs[tree.Top].Kids)
	return out
}

// Without being asked for, a closed root is not looked into.
func TestLiveClosedRootsAreLeftAlone(t *testing.T) {
	onPage(t, inClosed+`<div id=h></div><script>closed(h,'<button>Inner</button>')</script>`, func(t *testing.T, p *page) {
		if got := p.roles(); slices.Contains(got, "button Inner") {
			t.Errorf("the map has %q", got)
		}
		if n, err := p.tab.Count(p.ctx(), "text=Inner"); n != 0 || err != nil {
			t.Errorf("text=Inner matches %d, %v", n, err)
		}
	})
}

// Closed roots are read as open ones are: in each other, in open ones, in frames,
// with what stands in their slots in its place, once.
func TestLiveClosedRootsAreRead(t *testing.T) {
	pierced(t, site{
		"/": inClosed + `<x-card><h2 slot=title>Title</h2><a href=#x>Light</a></x-card><div id=o></div><section id=s>Said</section><div id=frame></div><script>
customElements.define('x-card',class extends HTMLElement{connectedCallback(){closed(this,'<slot name=title></slot><button>First</button><slot></slot><p><slot name=none>Fallback</slot></p>')}})
const open=o.attachShadow({mode:'open'});open.innerHTML='<div></div>';const deep=closed(open.firstChild,'<span></span>');
closed(deep.firstChild,'<button>Deep</button>');closed(s,'<slot></slot><button>Beside</button>');closed(frame,'<iframe title=In src=/in></iframe>')</script>`,
		"/in": inClosed + `<p id=h></p><script>closed(h,'<button>Framed</button>')</script>`,
	}, func(t *testing.T, p *page) {
		want := []string{
			"status -", "closed", "heading Title", "button First", "link Light", "text Fallback",
			"shadow", "closed", "closed", "button Deep", "closed", "text Said", "button Beside",
			"closed", "iframe In", "status -", "closed", "button Framed",
		}
		if got := p.roles(); !slices.Equal(got, want) {
			t.Errorf("the map has\n%q, want\n%q", got, want)
		}
		for target, n := range map[string]int{
			"css=button": 4, "role=button[name=Deep]": 1, "text=Framed": 1, "x-card >> css=a": 1, "x-card >> text=First": 1,
			"#o >> role=button": 1, "iframe >> text=Framed": 1, "section >> css=button": 1, "xpath=//button": 4,
		} {
			if got, err := p.tab.Count(p.ctx(), target); got != n || err != nil {
				t.Errorf("%s matches %d, %v, want %d", target, got, explain(err), n)
			}
		}
		whole, err := p.tab.Tree(p.ctx(), TreeOptions{Whole: true})
		if err != nil || len(whole.Docs) != 2 {
			t.Errorf("the whole page: %v", explain(err))
		}
	})
}

// A closed root that comes after a reading is found by the next one, on a host of
// any kind, though nothing that could be observed has changed.
func TestLiveClosedRootComesLater(t *testing.T) {
	pierced(t, site{"/": inClosed + `<div id=a></div><div id=b>Light <b>child</b></div><x-late>Late light</x-late><main><p>Beside</p></main>`}, func(t *testing.T, p *page) {
		want := []string{"status -", "text Light child", "text Late light", "text Beside"}
		if got := p.roles(); strings.Join(got, "|") != strings.Join(append(want[:3:3], "main", "text Beside"), "|") {
			t.Errorf("before: %q", got)
		}
		if _, err := p.tab.Eval(p.ctx(), `closed(a,'<button>A</button>');closed(b,'<slot></slot><button>B</button>');closed(document.querySelector('x-late'),'<button>C</button>')`); err != nil {
			t.Fatal(explain(err))
		}
		got := strings.Join(p.roles(), "|")
		for _, name := range []string{"closed|button A", "closed|text Light child|button B", "closed|button C"} {
			if !strings.Contains(got, name) {
				t.Errorf("after: %s lacks %s", got, name)
			}
		}
		if strings.Contains(got, "Late light") {
			t.Errorf("what no slot shows is in the map: %s", got)
		}
	})
}

// A wait finds what a closed root brings that comes meanwhile, and its text.
func TestLiveWaitForClosedRoot(t *testing.T) {
	pierced(t, site{"/": inClosed + `<div id=a></div><div id=b></div><script>setTimeout(function(){closed(a,'<button>Ready</button>')},900);setTimeout(function(){closed(b,'<p>All is done</p>')},1800)</script>`}, func(t *testing.T, p *page) {
		if _, err := p.tab.Wait(p.ctx(), WaitSpec{Selector: "role=button[name=Ready]"}); err != nil {
			t.Error(explain(err))
		}
		if _, err := p.tab.Wait(p.ctx(), WaitSpec{Text: "All is done"}); err != nil {
			t.Error(explain(err))
		}
	})
}

// What stands in a closed root is acted on as anything else is, and read back.
func TestLiveActInClosedRoot(t *testing.T) {
	pierced(t, site{"/": inClosed + `<x-form></x-form><script>
customElements.define('x-form',class extends HTMLElement{connectedCallback(){const r=closed(this,'<label>User <input id=user></label><label><input type=checkbox> Agree</label><select aria-label=Size><option>S<option>M</select><div role=textbox contenteditable aria-label=Note></div><textarea aria-label=Text></textarea><button id=go>Go</button><input type=file aria-label=Papers><div id=tip style="width:90px;height:20px">Over</div><div id=n></div><label>Key <input id=key></label>');
r.getElementById('go').onclick=function(){say('went '+r.getElementById('user').value)};
r.getElementById('tip').onmouseenter=function(){say('over')};
r.getElementById('key').onkeydown=function(e){say('key '+e.key)};
r.querySelector('[type=file]').onchange=function(e){say('file '+e.target.files[0].name)};
const n=closed(r.getElementById('n'),'<button>Deep</button>');n.firstChild.onclick=function(){say('deep')}}})</script>`}, func(t *testing.T, p *page) {
		p.fill("label=User", "Ann")
		p.holds("label=User", "Ann")
		p.fill("label=Note", "a note")
		p.reads("label=Note", "a note")
		p.fill("label=Text", "two\nlines")
		p.holds("label=Text", "two\nlines")
		if _, err := p.el("label=Agree").Check(p.ctx(), true); err != nil {
			t.Error(explain(err))
		}
		if _, err := p.el("label=Size").Select(p.ctx(), Choice{Labels: []string{"M"}}); err != nil {
			t.Error(explain(err))
		}
		p.holds("label=Size", "M")
		p.click("role=button[name=Go]")
		p.reads("#out", "went Ann")
		p.click("role=button[name=Deep]")
		p.reads("#out", "deep")
		if _, err := p.el("text=Over").Hover(p.ctx(), nil); err != nil {
			t.Error(explain(err))
		}
		p.reads("#out", "over")
		file := filepath.Join(t.TempDir(), "paper.txt")
		if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		for d := filepath.Dir(file); d != "/tmp" && d != "/"; d = filepath.Dir(d) {
			_ = os.Chmod(d, 0o755) // the browser runs under another uid
		}
		if up, err := p.el("label=Papers").Upload(p.ctx(), []string{file}); err != nil || up.Files != 1 {
			t.Errorf("upload = %+v, %v", up, explain(err))
		}
		p.reads("#out", "file paper.txt")
		p.click("label=Key")
		typed, err := p.tab.Type(p.ctx(), "xy")
		if err != nil || !strings.Contains(typed.Into, "Key") || !typed.Editable {
			t.Errorf("type = %+v, %v", typed, explain(err))
		}
		p.holds("label=Key", "xy")
		p.reads("#out", "key y")
		state, err := p.el("label=Key").State(p.ctx())
		if err != nil || !state.Focused {
			t.Errorf("state = %+v, %v", state, explain(err))
		}
	})
}

// The press is judged by what it hits inside the closed root: what covers the target
// there, what takes its place while it is pressed, and what is not yet still.
func TestLiveHitsInClosedRoot(t *testing.T) {
	pierced(t, site{"/": inClosed + `<x-a></x-a><div id=late></div><script>
customElements.define('x-a',class extends HTMLElement{connectedCallback(){const r=closed(this,'<div style="position:relative"><button id=under>Under</button><div id=lid style="position:absolute;inset:0"></div></div><button id=swap style="width:150px;height:30px">Swap</button><button id=plain>Plain</button>');
const s=r.getElementById('swap');s.addEventListener('pointerdown',function(){const b=document.createElement('button');b.textContent='Other';b.style.cssText='width:150px;height:30px';b.onclick=function(){say('other')};s.replaceWith(b)})}})</script>`}, func(t *testing.T, p *page) {
		_, err := p.el("role=button[name=Under]").Click(p.short(), ClickOptions{})
		if f := p.refused(err, fault.ClickIntercepted); !strings.Contains(f.Message, "lid") {
			t.Errorf("the cover is not named: %s", f.Message)
		}
		_, err = p.el("role=button[name=Swap]").Click(p.ctx(), ClickOptions{})
		if f := fault.From(err); f == nil || f.Code != fault.ClickIntercepted || !strings.Contains(f.Message, "Other") {
			t.Errorf("swapped: %v", explain(err))
		}
		if c := p.click("role=button[name=Plain]"); !strings.Contains(c.Line, "Plain") {
			t.Errorf("clicked %+v", c)
		}
	})
}

// A ref of an element in a closed root stays that element's, and is stale once it is
// gone, or its root's host is.
func TestLiveRefInClosedRoot(t *testing.T) {
	pierced(t, site{"/": inClosed + `<x-a></x-a><script>customElements.define('x-a',class extends HTMLElement{connectedCallback(){window.r=closed(this,'<button>One</button><button>Two</button>')}})</script>`}, func(t *testing.T, p *page) {
		ref := p.ref("text=Two")
		eval := func(js string) {
			t.Helper()
			if _, err := p.tab.Eval(p.ctx(), js); err != nil {
				t.Fatal(explain(err))
			}
		}
		eval(`r.prepend(r.lastChild);r.firstChild.onclick=function(){say('two')}`)
		p.click(ref)
		p.reads("#out", "two")
		eval(`r.firstChild.remove()`)
		e, err := p.tab.Element(p.ctx(), ref)
		if err == nil {
			_, err = e.Click(p.short(), ClickOptions{})
		}
		p.refused(err, fault.StaleRef)
		ref = p.ref("text=One")
		eval(`document.querySelector('x-a').remove()`)
		if e, err = p.tab.Element(p.ctx(), ref); err == nil {
			_, err = e.Click(p.short(), ClickOptions{})
		}
		if !LeftPage(err) {
			t.Errorf("a ref in a root whose host is gone: %v", explain(err))
		}
	})
}

// A secret field in a closed root is one: its value is not read, and hidden where
// it would be said.
func TestLiveSecretInClosedRoot(t *testing.T) {
	pierced(t, site{"/": inClosed + `<div id=h></div><script>closed(h,'<label>Password <input type=password value=moonshine7></label>')</script>`}, func(t *testing.T, p *page) {
		tree, err := p.tab.Tree(p.ctx(), TreeOptions{})
		if err != nil {
			t.Fatal(explain(err))
		}
		field := tree.Docs[tree.Top].Kids[1].Kids[0]
		if !field.Secret || !field.Filled || field.Value != nil {
			t.Errorf("the field is %+v", field)
		}
		hidden, err := p.tab.concealed(p.ctx())
		if err != nil || strings.Contains(hidden.Redact("it is moonshine7"), "moonshine7") {
			t.Errorf("the value is not hidden: %v", explain(err))
		}
		marks, err := run(p.ctx(), p.tab, p.tab.id, pagejs.ShotMark, pagejs.ShotMarksArgs{}, "")
		if err != nil || len(marks.Readings) == 0 || len(marks.Readings[0].Masks) != 1 {
			t.Errorf("a picture would show the field: %+v, %v", marks, explain(err))
		}
		got, err := p.el("label=Password").Value(p.ctx(), 0)
		if err != nil || got.Text != "" {
			t.Errorf("the value reads %q, %v", got.Text, explain(err))
		}
	})
}

// Locators lead into closed roots for duet; there is no code for others. An audit
// judges what stands in one.
func TestLiveClosedRootLocatorsAndAudit(t *testing.T) {
	pierced(t, site{"/": `<!doctype html><html lang=en><title>A</title><main><h1>A</h1>` + inClosed + `<div id=h></div></main><script>closed(h,'<button>Save</button><img src="data:,">')</script>`}, func(t *testing.T, p *page) {
		l, err := p.tab.Locators(p.ctx(), "role=button[name=Save]", LocatorOptions{As: "playwright"})
		if err != nil || l.Best == nil || l.Best.Selector != "role=button[name=Save]" || l.Best.Code != "" || !l.Closed {
			t.Errorf("locators = %+v, %v", l, explain(err))
		}
		a, err := p.tab.Audit(deadline(t, 20*time.Second), nil, AuditSpec{Rules: []string{"image-alt", "button-name"}, Limit: 5, Nodes: 5})
		if err != nil || len(a.Violations) != 1 || a.Violations[0].ID != "image-alt" || a.Passes != 1 {
			t.Errorf("audit = %+v, %v", a.AuditReport, explain(err))
		}
	})
}

// On a page of many elements the questions stay bounded: the first reading asks about
// as many as it may, each later one about few, those first that were never asked.
func TestLivePierceIsBounded(t *testing.T) {
	var rows strings.Builder
	for range 6000 {
		rows.WriteString("<div>row</div>")
	}
	pierced(t, site{"/": inClosed + rows.String() + `<x-last></x-last>`}, func(t *testing.T, p *page) {
		asked := func() int {
			t.Helper()
			c := &pageCall[pagejs.PierceArgs, []any]{t: p.tab, frame: p.tab.id, fn: pagejs.Pierce, args: pagejs.Pierce.Args(pagejs.PierceArgs{Few: pierceFew, Many: pierceMany})}
			c.send(pagejs.Pierce.Source())
			v, err := c.answer(p.ctx())
			if err != nil {
				t.Fatal(explain(err))
			}
			hosts, _ := v.AsList()
			return len(hosts)
		}
		if n := asked(); n != pierceMany {
			t.Errorf("the first look asks about %d", n)
		}
		if n := asked(); n != pierceFew {
			t.Errorf("the second look asks about %d", n)
		}
		if _, err := p.tab.Eval(p.ctx(), `closed(document.querySelector('x-last'),'<button>Found</button>')`); err != nil {
			t.Fatal(explain(err))
		}
		if n, err := p.tab.Count(p.ctx(), "text=Found"); n != 1 || err != nil {
			t.Errorf("the custom element's root is not found: %d, %v", n, explain(err))
		}
	})
}

// A hung frame does not keep the page's own closed roots from being read.
func TestLivePierceBesideHungFrame(t *testing.T) {
	onTwoSites(t, site{
		"/":     inClosed + `<div id=h></div><iframe src="ALT/hang"></iframe><script>closed(h,'<button>Here</button>')</script>`,
		"/hang": `<script>onmessage=function(){for(;;);}</script>`,
	}, func(t *testing.T, p *page) {
		p.tab.b.info.PierceClosed = true
		defer func() { p.tab.b.info.PierceClosed = false }()
		err := p.tab.pierce(p.ctx(), p.tab.documents(p.tab.id))
		if err != nil && !errors.Is(err, errNavigated) {
			t.Error(explain(err))
		}
		if n, err := p.tab.Count(p.ctx(), "text=Here"); n != 1 || err != nil {
			t.Errorf("text=Here matches %d, %v", n, explain(err))
		}
	})
}

// A drag from one element of a closed root to another begins and ends at these.
func TestLiveDragInClosedRoot(t *testing.T) {
	pierced(t, site{"/": inClosed + `<div id=h></div><script>
const r=closed(h,'<div id=card draggable=true style="width:80px;height:30px">Card</div><div id=bin style="width:200px;height:60px;border:1px solid">Bin</div>');
let from='';r.getElementById('card').ondragstart=function(e){e.dataTransfer.setData('text/plain','7')};
r.getElementById('card').ondragend=function(){from+=' ended'};
const bin=r.getElementById('bin');bin.ondragover=function(e){e.preventDefault()};bin.ondrop=function(e){e.preventDefault();const d=e.dataTransfer.getData('text/plain');setTimeout(function(){say('dropped '+d+from)},50)}</script>`}, func(t *testing.T, p *page) {
		if d := p.drags("text=Card", "text=Bin"); !d.HTML || !d.Dropped {
			t.Errorf("drag = %+v", d)
		}
		p.reads("#out", "dropped 7 ended")
	})
}

// A host that another document takes over keeps its root, open or closed, where the
// browser hands a root over twice.
func TestLiveClosedRootMoves(t *testing.T) {
	pierced(t, site{
		"/":   inClosed + `<main></main><iframe src=/in></iframe>`,
		"/in": inClosed + `<div id=h></div><div id=o></div><script>closed(h,'<button>Moved</button>').firstChild.onclick=function(){parent.say('pressed')};o.attachShadow({mode:'open'}).innerHTML='<button>Open</button>'</script>`,
	}, func(t *testing.T, p *page) {
		if n, err := p.tab.Count(p.ctx(), "iframe >> text=Moved"); n != 1 || err != nil {
			t.Errorf("in the frame: %d, %v", n, explain(err))
		}
		if _, err := p.tab.Eval(p.ctx(), `document.querySelector('main').append(frames[0].document.getElementById('h'),frames[0].document.getElementById('o'))`); err != nil {
			t.Fatal(explain(err))
		}
		want := 1
		if strings.Contains(strings.ToLower(p.tab.b.info.Browser), "firefox") {
			want = 0
		}
		if n, err := p.tab.Count(p.ctx(), "main >> text=Moved"); n != want || err != nil {
			t.Errorf("taken over: %d, %v", n, explain(err))
		}
		p.click("main >> text=Open")
		if want == 1 {
			p.click("text=Moved")
			p.reads("#out", "pressed")
		}
	})
}

// A document that comes back from history has its closed roots.
func TestLiveClosedRootComesBack(t *testing.T) {
	pierced(t, site{"/": inClosed + `<div id=h></div><script>closed(h,'<button>Here</button>')</script>`, "/away": `<p>Away</p>`}, func(t *testing.T, p *page) {
		p.click("text=Here")
		if _, err := p.tab.Navigate(p.ctx(), p.base+"/away", NavOptions{}); err != nil {
			t.Fatal(explain(err))
		}
		if _, err := p.tab.Back(p.ctx(), NavOptions{}); err != nil {
			t.Fatal(explain(err))
		}
		p.click("text=Here")
	})
}
