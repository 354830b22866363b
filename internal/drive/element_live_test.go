package drive

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// onPage opens one page on each browser.
func onPage(t *testing.T, body string, test func(t *testing.T, p *page)) {
	t.Helper()
	onSite(t, site{"/": body}, test)
}

func onSite(t *testing.T, pages site, test func(t *testing.T, p *page)) {
	t.Helper()
	eachBrowser(t, pages, func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 25*time.Second)
		if _, err := tab.Navigate(ctx, base+"/", NavOptions{}); err != nil {
			t.Fatal(err)
		}
		test(t, &page{T: t, tab: tab, base: base})
	})
}

// page says what a test does in a line each.
type page struct {
	*testing.T
	tab  *Tab
	base string
}

func (p *page) ctx() context.Context { return deadline(p.T, 8*time.Second) }

func (p *page) short() context.Context { return deadline(p.T, 900*time.Millisecond) }

func (p *page) el(target string) *Element {
	p.Helper()
	e, err := p.tab.Element(p.ctx(), target)
	if err != nil {
		p.Fatalf("%s: %v", target, explain(err))
	}
	return e
}

func (p *page) click(target string) Clicked {
	p.Helper()
	c, err := p.el(target).Click(p.ctx(), ClickOptions{})
	if err != nil {
		p.Fatalf("click %s: %v", target, explain(err))
	}
	return c
}

func (p *page) fill(target, value string) FilledIn {
	p.Helper()
	f, err := p.el(target).Fill(p.ctx(), value, FillOptions{})
	if err != nil {
		p.Fatalf("fill %s: %v", target, explain(err))
	}
	return f
}

func (p *page) reads(target, want string) {
	p.Helper()
	var got ReadText
	var err error
	for range 20 {
		got, err = p.el(target).Text(p.ctx(), 0)
		if err != nil || got.Text == want {
			break
		}
		pause(p.ctx(), 50*time.Millisecond)
	}
	if err != nil || got.Text != want {
		p.Errorf("%s reads %q (%v), want %q", target, got.Text, err, want)
	}
}

func (p *page) holds(target, want string) {
	p.Helper()
	got, err := p.el(target).Value(p.ctx(), 0)
	if err != nil || got.Text != want {
		p.Errorf("%s holds %q (%v), want %q", target, got.Text, err, want)
	}
}

// refused checks a fault's code and that nothing was done.
func (p *page) refused(err error, code fault.Code) *fault.Fault {
	p.Helper()
	f := fault.From(err)
	if f == nil || f.Code != code {
		p.Fatalf("got %v, want %s", explain(err), code)
	}
	if f.Effect != fault.None {
		p.Errorf("%s has effect %s, want none: %s", code, f.Effect, f.Message)
	}
	return f
}

// ref makes a ref of what a selector matches, as a map would.
func (p *page) ref(target string) string {
	p.Helper()
	f, err := p.tab.Find(p.ctx(), target, 1)
	if err != nil || len(f.Matches) == 0 {
		p.Fatalf("find %s: %v", target, explain(err))
	}
	r := testRefs{"e1": f.Matches[0]}
	p.tab.b.SetRefs(r)
	return "e1"
}

type testRefs map[string]Match

func (r testRefs) Resolve(ref string) (pagejs.NodeKey, string, error) {
	m, ok := r[ref]
	if !ok {
		return pagejs.NodeKey{}, "", fault.New(fault.BareRef, "%s was never issued", ref)
	}
	return m.Key, m.Stamp, nil
}

func explain(err error) string {
	f := fault.From(err)
	if f == nil {
		return "no error"
	}
	s := string(f.Code) + ": " + f.Message
	if f.Hint != "" {
		s += " (" + f.Hint + ")"
	}
	if f.Err != nil {
		s += " [" + f.Err.Error() + "]"
	}
	return s
}

const say = `<p><output id=out>-</output></p><script>function say(s){document.getElementById('out').textContent=s}</script>`

// A link that wraps over two lines is pressed on its letters, not in the middle of
// the column.
func TestLiveWrappedLink(t *testing.T) {
	onPage(t, say+`<p style="width:230px;font:20px/1.6 monospace" onclick="say('paragraph')">some words here <a href="#" onclick="event.stopPropagation();event.preventDefault();say('link')">yearly lighthouse paper</a> and more words after it</p>`, func(t *testing.T, p *page) {
		p.click("role=link[name=yearly lighthouse paper]")
		p.reads("#out", "link")
	})
}

// A target is brought out from under a sticky bar, whichever way it is scrolled to,
// without waiting for a smooth scroll.
func TestLiveScrolledUnderSticky(t *testing.T) {
	onPage(t, `<style>html{scroll-behavior:smooth}</style><div style="position:sticky;top:0;height:100px;background:#ccc;z-index:2" onclick="say('bar')">Bar</div>`+say+`
<div style="height:1500px"></div><button onclick="say('pressed')">Join</button><div style="height:4000px"></div><script>window.scrollTo({top:1e6,behavior:'instant'})</script>`, func(t *testing.T, p *page) {
		p.click("text=Join")
		p.reads("#out", "pressed")
	})
}

// What covers a target is named, and neither of the two is pressed.
func TestLiveCovered(t *testing.T) {
	onPage(t, say+`<button onclick="say('bought')">Order</button><div id=veil style="position:fixed;inset:0" onclick="say('veil')"></div>`, func(t *testing.T, p *page) {
		_, err := p.el("text=Order").Click(p.short(), ClickOptions{})
		f := p.refused(err, fault.ClickIntercepted)
		if !strings.Contains(f.Message, "veil") {
			t.Errorf("the cover is not named: %s", f.Message)
		}
		p.reads("#out", "-")
	})
}

// Behind an open modal dialog an answer comes well before the deadline.
func TestLiveBehindModal(t *testing.T) {
	onPage(t, say+`<button onclick="say('behind')">Back</button><dialog id=d aria-label="Ask"><button>Close</button></dialog><script>d.showModal()</script>`, func(t *testing.T, p *page) {
		start := time.Now()
		_, err := p.el("css=body > button").Click(p.ctx(), ClickOptions{})
		p.refused(err, fault.ClickIntercepted)
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("it took %v", d)
		}
		p.click("text=Close")
	})
}

// Disabled by itself, by a fieldset and by an ancestor's aria-disabled.
func TestLiveDisabled(t *testing.T) {
	onPage(t, say+`<fieldset disabled><legend><label><input type=checkbox id=free onchange="say('free')"> Free</label></legend><button onclick="say('in')">In</button></fieldset>
<div role=toolbar aria-disabled=true><button onclick="say('tool')">Tool</button></div><button id=late disabled onclick="say('late')">Late</button>
<script>setTimeout(function(){late.disabled=false},700)</script>`, func(t *testing.T, p *page) {
		p.click("text=Late")
		p.reads("#out", "late")
		_, err := p.el("role=button[name=In]").Click(p.ctx(), ClickOptions{})
		p.refused(err, fault.NotEnabled)
		_, err = p.el("text=Tool").Click(p.short(), ClickOptions{})
		p.refused(err, fault.NotEnabled)
		c, err := p.el("label=Free").Check(p.ctx(), true)
		if err != nil || c.State != "true" || !c.Changed {
			t.Errorf("check = %+v, %v", c, explain(err))
		}
		p.reads("#out", "free")
	})
}

// A box that goes on moving is not pressed; one that comes to rest is.
func TestLiveMoving(t *testing.T) {
	onPage(t, say+`<style>@keyframes go{from{margin-left:0}to{margin-left:400px}}#a{animation:go 1.2s infinite alternate linear}#b{animation:go .6s linear 1 both}</style>
<button id=a>Never</button><br><button id=b onclick="say('rest')">Soon</button>`, func(t *testing.T, p *page) {
		p.click("text=Soon")
		p.reads("#out", "rest")
		_, err := p.el("#a").Click(p.short(), ClickOptions{})
		p.refused(err, fault.Moving)
	})
}

// A press that lets through, a decoration that lets through to its own control.
func TestLivePointerEventsNone(t *testing.T) {
	onPage(t, say+`<div style="padding:30px" onclick="say('card')"><button style="pointer-events:none" onclick="say('busy')">Busy</button></div>
<button onclick="say('help')"><span style="pointer-events:none">Help</span></button>`, func(t *testing.T, p *page) {
		_, err := p.el("role=button[name=Busy]").Click(p.short(), ClickOptions{})
		p.refused(err, fault.ClickIntercepted)
		p.reads("#out", "-")
		p.click("text=Help")
		p.reads("#out", "help")
	})
}

// Image maps, SVG text and an SVG ring whose middle is empty.
func TestLiveOddShapes(t *testing.T) {
	onPage(t, say+`<img width=300 height=80 usemap="#m" alt=Zoo src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='300' height='80'/%3E">
<map name=m><area shape=rect coords="0,0,140,80" href="#a" alt=Owls onclick="say('owls');return false"><area shape=rect coords="160,0,300,80" href="#b" alt=Bees onclick="say('bees');return false"></map>
<svg width=300 height=200><rect width=300 height=200 fill="#eef" onclick="say('back')"/><a href="#x" onclick="say('text');return false"><text x=10 y=30>More 17</text></a>
<g role=button tabindex=0 aria-label=Hoop onclick="say('hoop')"><circle cx=180 cy=100 r=70 fill=none stroke=navy stroke-width=12 /></g></svg>`, func(t *testing.T, p *page) {
		p.click("role=link[name=Bees]")
		p.reads("#out", "bees")
		p.click("role=link[name=More 17]")
		p.reads("#out", "text")
		p.click("role=button[name=Hoop]")
		p.reads("#out", "hoop")
	})
}

// A press whose target is drawn anew by the pointer's arrival, and one that removes
// its own target.
func TestLiveTargetGoes(t *testing.T) {
	onPage(t, say+`<div id=row></div><div id=note><button onclick="note.remove();say('gone')">Away</button></div>
<script>var n=0;function draw(){var b=document.createElement('button');b.textContent='Change';b.onclick=function(){say('changed '+(++n))};row.replaceChildren(b)}
var once=0;row.addEventListener('mouseover',function(){if(!once){once=1;draw()}});draw()</script>`, func(t *testing.T, p *page) {
		c := p.click("role=button[name=Change]")
		if !c.Replaced {
			t.Errorf("not told that the button was drawn anew: %+v", c)
		}
		p.reads("#out", "changed 1")
		ref := p.ref("text=Away")
		p.click(ref)
		p.reads("#out", "gone")
		_, err := p.el(ref).Click(p.ctx(), ClickOptions{})
		f := p.refused(err, fault.StaleRef)
		if f.Detail.(map[string]string)["reason"] != "detached" {
			t.Errorf("detail = %v", f.Detail)
		}
	})
}

// A press that another element takes on arrival is not reported as done.
func TestLiveTakenOnArrival(t *testing.T) {
	onPage(t, say+`<button id=b onclick="say('b')">Trap</button><div id=cover hidden style="position:fixed;inset:0" onclick="say('cover')">Cover</div>
<script>b.addEventListener('mouseover',function(){cover.hidden=false})</script>`, func(t *testing.T, p *page) {
		_, err := p.el("#b").Click(p.ctx(), ClickOptions{})
		f := fault.From(err)
		if f == nil || f.Code != fault.ClickIntercepted || f.Effect != fault.Possible {
			t.Fatalf("click = %v", explain(err))
		}
	})
}

// A press that the page swallows on arrival did arrive.
func TestLiveSwallowed(t *testing.T) {
	onPage(t, `<script>['pointerdown','mousedown','mouseup','click'].forEach(function(n){window.addEventListener(n,function(e){e.preventDefault();e.stopImmediatePropagation()},true)})</script><button>Deaf</button>`, func(t *testing.T, p *page) {
		p.click("text=Deaf")
	})
}

// The states and effects of several clicks, buttons, modifiers and a point inside.
func TestLiveClickKinds(t *testing.T) {
	onPage(t, say+`<div id=pad style="width:200px;height:100px;background:#ddd">Pad</div><script>
var log=[];function add(k,e){log.push(k+(e.ctrlKey?'+C':'')+(e.shiftKey?'+S':'')+'@'+Math.round(e.offsetX)+','+Math.round(e.offsetY));say(log.join(' '))}
pad.addEventListener('dblclick',function(e){add('dbl',e)});pad.addEventListener('contextmenu',function(e){e.preventDefault();add('menu',e)});
pad.addEventListener('auxclick',function(e){if(e.button===1)add('mid',e)});pad.addEventListener('click',function(e){if(e.detail===1&&e.ctrlKey)add('click',e)})</script>`, func(t *testing.T, p *page) {
		at := &Point{X: 20, Y: 30}
		for _, o := range []ClickOptions{
			{Count: 2, At: at}, {Button: "right", At: at}, {Button: "middle", At: at}, {Modifiers: []string{"Control", "Shift"}, At: at},
		} {
			if _, err := p.el("#pad").Click(p.ctx(), o); err != nil {
				t.Errorf("%+v: %v", o, explain(err))
			}
		}
		p.reads("#out", "dbl@20,30 menu@20,30 mid@20,30 click+C+S@20,30")
	})
}

// A menu that opens under the pointer stays open for the next press, and a press
// after it finds its target where it is once the menu has closed.
func TestLiveHoverMenu(t *testing.T) {
	onPage(t, say+`<style>#m ul{display:none;margin:0}#m:hover ul{display:block}</style><div id=m style="width:200px">Menu<ul><li><a href="#" onclick="say('out');return false">Leave</a></li></ul></div>
<table><tr><td id=cell ondblclick="say('dbl')">Cell</td></tr></table>`, func(t *testing.T, p *page) {
		if _, err := p.el("text=Leave").Click(p.short(), ClickOptions{}); !errors.Is(err, fault.NotVisible) {
			t.Fatalf("click on a closed menu = %v", explain(err))
		}
		if _, err := p.el("text=Menu").Hover(p.ctx(), nil); err != nil {
			t.Fatal(explain(err))
		}
		p.click("text=Leave")
		p.reads("#out", "out")
		if _, err := p.el("#cell").Click(p.ctx(), ClickOptions{Count: 2}); err != nil {
			t.Fatal(explain(err))
		}
		p.reads("#out", "dbl")
	})
}
