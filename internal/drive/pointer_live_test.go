package drive

import (
	"testing"
	"time"
)

// The wheel over an element scrolls what is under it, and has done so when it
// answers; the mouse goes by coordinates.
func TestLiveWheelAndMouse(t *testing.T) {
	onPage(t, say+`<div id=s style="width:200px;height:100px;overflow:auto"><div style="height:2000px">Long</div></div><canvas id=c width=200 height=100 style="position:fixed;left:10px;top:300px;background:#eee"></canvas>
<script>c.onclick=function(e){say('at '+e.offsetX+','+e.offsetY)};s.onscroll=function(){s.title='y'+s.scrollTop}</script>`, func(t *testing.T, p *page) {
		if _, err := p.el("#s").Wheel(p.ctx(), 0, 300); err != nil {
			t.Fatal(explain(err))
		}
		if a, err := p.el("#s").Attr(p.ctx(), "title", 0); err != nil || a.Text != "y300" {
			t.Errorf("scrolled to %q, %v", a.Text, explain(err))
		}
		x, y := 50.0, 340.0
		if _, err := p.tab.Mouse(p.ctx(), MouseAction{Do: "click", X: &x, Y: &y}); err != nil {
			t.Fatal(explain(err))
		}
		p.reads("#out", "at 40,40")
	})
}

// A frame that hangs does not hold up what is outside it.
func TestLiveHungFrame(t *testing.T) {
	onTwoSites(t, site{
		"/":     say + `<button onclick="say('pressed')">Outside</button><iframe id=f src="ALT/loop" width=200 height=60></iframe>`,
		"/loop": `<p>Loop</p><script>setTimeout(function(){var end=Date.now()+12000;while(Date.now()<end);},300)</script>`,
	}, func(t *testing.T, p *page) {
		pause(p.ctx(), 600*time.Millisecond)
		e, err := p.tab.Element(p.ctx(), "text=Outside")
		if err != nil {
			t.Fatal(explain(err))
		}
		if _, err := e.Click(p.ctx(), ClickOptions{}); err != nil {
			t.Fatal(explain(err))
		}
		p.reads("#out", "pressed")
	})
}

// A hidden tab's element is pressed in the tab brought to the front.
func TestLiveBackgroundTab(t *testing.T) {
	onPage(t, say+`<button onclick="say('pressed')">Here</button><label>Name <input onfocus="say('focus')"></label>`, func(t *testing.T, p *page) {
		other, err := p.tab.b.Open(deadline(t, 20*time.Second))
		if err != nil {
			t.Fatal(err)
		}
		p.click("text=Here")
		p.reads("#out", "pressed")
		if _, err := p.tab.b.CloseTab(p.ctx(), other.Number(), true); err != nil {
			t.Error(explain(err))
		}
	})
}
