package drive

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
)

// What finds, waits and what presses agree on what is visible: what takes no room is
// not, unless something shows that stands in it.
func TestLiveVisibleTakesRoom(t *testing.T) {
	onPage(t, `<style>button{padding:0;border:0}</style><button id=none style="width:0;height:0;overflow:hidden">Z</button><div id=contents style="display:contents"></div><span id=bare></span>
<div id=clipped style="width:0;height:0;overflow:hidden">in it</div><div id=veiled style="visibility:hidden">v</div>
<div id=over style="height:0;margin:40px 0">over</div><div id=deep style="height:0"><div style="display:contents"><b>deep</b></div></div><p style="margin:40px"><span id=full style="display:contents"><b>in</b></span></p>
<div id=apart style="height:0"><div style="position:absolute;left:300px;width:30px;height:30px"></div></div>`, func(t *testing.T, p *page) {
		for id, want := range map[string]bool{
			"none": false, "contents": false, "bare": false, "clipped": false, "veiled": false, "over": true, "deep": true, "full": true, "apart": true,
		} {
			f, err := p.tab.Find(p.ctx(), "#"+id, 1)
			if err != nil || (f.Visible == 1) != want || f.Matches[0].Visible != want {
				t.Errorf("%s: found %+v, %v", id, f, explain(err))
			}
			s, err := p.el("#" + id).State(p.ctx())
			if err != nil || s.Visible != want {
				t.Errorf("%s: read %v, %v", id, s.Visible, explain(err))
			}
			ctx, stop := p.ctx(), context.CancelFunc(func() {})
			if !want {
				ctx, stop = context.WithTimeout(ctx, 700*time.Millisecond)
			}
			_, err = p.el("#"+id).Click(ctx, ClickOptions{})
			stop()
			if want && err != nil || !want && !errors.Is(err, fault.NotVisible) {
				t.Errorf("%s: pressed: %v", id, explain(err))
			}
		}
	})
}

// A field without size takes text all the same, as that of a terminal in a page does.
func TestLiveTextIntoAFieldWithoutSize(t *testing.T) {
	onPage(t, `<style>textarea{width:0;height:0;padding:0;border:0;opacity:0;overflow:hidden;position:absolute;left:-9999px}</style><div id=term><textarea id=f aria-label=Terminal></textarea>$</div>`, func(t *testing.T, p *page) {
		if _, err := p.el("#f").Fill(p.ctx(), "ls", FillOptions{}); err != nil {
			t.Fatal(explain(err))
		}
		if got, err := p.el("#f").Value(p.ctx(), 0); err != nil || got.Text != "ls" {
			t.Errorf("%q, %v", got.Text, explain(err))
		}
	})
}

// Of several matches the visible ones come first where they are asked for.
func TestLiveFindSeen(t *testing.T) {
	onPage(t, `<p class=m hidden>first</p><p class=m>second</p>`, func(t *testing.T, p *page) {
		f, err := p.tab.FindSeen(p.ctx(), ".m", 1)
		if err != nil || f.Total != 2 || f.Visible != 1 || len(f.Matches) != 1 || f.Matches[0].Text != "second" {
			t.Errorf("%+v, %v", f, explain(err))
		}
	})
}

// One button is held at a time, and one that went down on something else is said to be down.
func TestLiveOneButtonIsHeld(t *testing.T) {
	onPage(t, say+`<button id=a onmouseup="say('up '+event.button)">A</button><button id=b onpointerdown="">B</button>
<script>b.addEventListener('mousemove',function(){var c=document.createElement('div');c.id='cov';c.style='position:fixed;inset:0';document.body.append(c)})</script>`, func(t *testing.T, p *page) {
		if _, err := p.el("#a").MouseDown(p.ctx(), "", nil); err != nil {
			t.Fatal(explain(err))
		}
		x, y := 300.0, 300.0
		_, byElement := p.el("#a").MouseDown(p.ctx(), "right", nil)
		_, byPoint := p.tab.Mouse(p.ctx(), MouseAction{Do: "down", X: &x, Y: &y})
		_, clicked := p.tab.Mouse(p.ctx(), MouseAction{Do: "click", X: &x, Y: &y})
		for _, err := range []error{byElement, byPoint, clicked} {
			if !errors.Is(err, fault.StateInvalid) || fault.From(err).Effect != fault.None || !strings.Contains(err.Error(), "left mouse button is down already") {
				t.Errorf("%v", explain(err))
			}
		}
		if _, err := p.el("#a").MouseUp(p.ctx(), "", nil); err != nil {
			t.Fatal(explain(err))
		}
		p.reads("#out", "up 0")
		_, err := p.el("#b").MouseDown(p.ctx(), "", nil)
		if !errors.Is(err, fault.ClickIntercepted) || !strings.HasSuffix(fault.From(err).Message, "; the button is down still") {
			t.Fatalf("%v", explain(err))
		}
		if _, err := p.tab.Mouse(p.ctx(), MouseAction{Do: "up", X: &x, Y: &y}); err != nil {
			t.Errorf("let go: %v", explain(err))
		}
	})
}

// A turn of the wheel that scrolls nothing says so, one that scrolls does not.
func TestLiveWheelThatMovesNothing(t *testing.T) {
	onPage(t, `<div id=s style="width:200px;height:100px;overflow:auto"><div style="height:2000px">Long</div></div><button>Short</button>`, func(t *testing.T, p *page) {
		down, err := p.el("#s").Wheel(p.ctx(), 0, 300)
		if err != nil || down.Facts.Unmoved {
			t.Errorf("%+v, %v", down, explain(err))
		}
		none, err := p.el("button").Wheel(p.ctx(), 0, 300)
		if err != nil || !none.Facts.Unmoved {
			t.Errorf("%+v, %v", none, explain(err))
		}
		x, y := 600.0, 400.0
		f, err := p.tab.Mouse(p.ctx(), MouseAction{Do: "wheel", X: &x, Y: &y, DeltaY: 100})
		if err != nil || !f.Unmoved {
			t.Errorf("%+v, %v", f, explain(err))
		}
	})
}

// A document without a root element is drawn, and an audit of it says what it is.
func TestLiveDocumentWithoutRoot(t *testing.T) {
	onPage(t, `<p>Gone soon</p><script>onload=function(){document.documentElement.remove()}</script>`, func(t *testing.T, p *page) {
		if _, err := p.tab.Audit(p.ctx(), nil, AuditSpec{}); !errors.Is(err, fault.StateInvalid) {
			t.Errorf("audit: %v", explain(err))
		}
		if _, err := p.tab.Screenshot(p.ctx(), Shot{}); err != nil {
			t.Errorf("screenshot: %v", explain(err))
		}
		if !p.tab.ShowsFailure() {
			return
		}
		t.Error("it is taken for the browser's own page")
	})
}

// What has no box of its own shows where what is in it does, however deep that is.
func TestLiveVisibleThroughManyWithoutABox(t *testing.T) {
	open, end := strings.Repeat("<div style=display:contents>", 60), strings.Repeat("</div>", 60)
	onPage(t, "<section id=full style=display:contents>"+open+"<button>Deep</button>"+end+"</section><section id=bare style=display:contents>"+open+end+"</section>", func(t *testing.T, p *page) {
		for id, want := range map[string]bool{"#full": true, "#bare": false} {
			s, err := p.el(id).State(p.ctx())
			if err != nil || s.Visible != want {
				t.Errorf("%s: %v, %v", id, s.Visible, explain(err))
			}
		}
	})
}
