package drive

import (
	"errors"
	"testing"
	"time"

	"duet/internal/fault"
)

// A drop that makes the page ask is not said to have been taken, nor is one that a
// dialog kept from coming; once the dialog is answered the mouse works as before.
func TestLiveADragThatOpensADialog(t *testing.T) {
	for name, js := range map[string]string{
		"by the drop":  `k.onmousedown=function(e){e.preventDefault()};z.onmouseup=function(){confirm('Move it?')}`,
		"by the press": `k.onmousedown=function(e){e.preventDefault();confirm('Lift it?')}`,
		"on the way":   `k.onmousedown=function(e){e.preventDefault()};document.onmousemove=function(e){if(e.buttons){document.onmousemove=null;alert('Moving')}}`,
	} {
		t.Run(name, func(t *testing.T) {
			onPage(t, say+`<div id=k style="width:60px;height:40px;background:#888">lift</div><div id=z style="margin-top:60px;width:200px;height:80px;background:#ccc">zone</div>
<button id=b onclick="say('pressed')">Press</button><script>`+js+`</script>`, func(t *testing.T, p *page) {
				answer := func() {
					t.Helper()
					if _, _, err := p.tab.AnswerDialog(p.ctx(), true, nil); err != nil {
						t.Fatal(explain(err))
					}
				}
				zone := p.el("#z")
				down, err := p.el("#k").MouseDown(p.ctx(), "", nil)
				if err != nil || (down.Facts.Dialog != nil) != (name == "by the press") {
					t.Fatalf("%+v, %s", down, explain(err))
				}
				if down.Facts.Dialog != nil {
					answer()
				}
				up, err := zone.MouseUp(p.ctx(), "", nil)
				if down.Facts.Dialog != nil {
					if err != nil {
						t.Fatalf("%+v, %s", up, explain(err))
					}
				} else {
					if !errors.Is(err, fault.EffectUnknown) || up.Facts.Dialog == nil {
						t.Fatalf("%+v, %s", up, explain(err))
					}
					answer()
				}
				p.click("#b")
				p.reads("#out", "pressed")
			})
		})
	}
}

// A release that something else takes, which came to lie over the target during the drag,
// is not said to have been on the target; what moves along with the pointer is not in the
// way, nor is what is dragged.
func TestLiveADragWhoseReleaseIsTaken(t *testing.T) {
	for name, c := range map[string]struct {
		js    string
		taken bool
	}{
		"nothing comes": {``, false},
		"an overlay":    {`document.onmousemove=e=>{if(e.buttons&&e.clientY>60)o.style.display='block'}`, true},
		"the dragged":   {`document.onmousemove=e=>{if(e.buttons){k.style.position='fixed';k.style.left=e.clientX-9+'px';k.style.top=e.clientY-9+'px'}}`, false},
		"a ghost":       {`let g;document.onmousemove=e=>{if(e.buttons){if(!g){g=document.createElement('i');g.textContent='ghost';document.body.append(g);g.style.position='fixed'};g.style.left=e.clientX-9+'px';g.style.top=e.clientY-9+'px'}}`, false},
		"captured":      {`k.onpointerdown=e=>k.setPointerCapture(e.pointerId);document.onmousemove=e=>{if(e.buttons&&e.clientY>60)o.style.display='block'}`, false},
	} {
		t.Run(name, func(t *testing.T) {
			onPage(t, say+`<div id=k style="width:60px;height:40px;background:#888;user-select:none">lift</div><div id=z style="margin-top:60px;width:200px;height:80px;background:#ccc">zone</div>
<div id=o aria-label=Veil role=group style="display:none;position:fixed;inset:0;background:#0003">Veil</div><script>`+c.js+`</script>`, func(t *testing.T, p *page) {
				zone := p.el("#z")
				if _, err := p.el("#k").MouseDown(p.ctx(), "", nil); err != nil {
					t.Fatal(explain(err))
				}
				_, err := zone.MouseUp(p.ctx(), "", nil)
				if f := fault.From(err); c.taken && (err == nil || f.Code != fault.ClickIntercepted || f.Effect != fault.Confirmed) || !c.taken && err != nil {
					t.Fatalf("%s", explain(err))
				}
				if err != nil {
					t.Log(explain(err))
				}
			})
		})
	}
}

// A button that goes down where the pointer was led before drags what is there, on an
// element or by coordinates, and a drop that nothing takes is none.
func TestLiveDragFromWhereThePointerIs(t *testing.T) {
	page := `<style>*{margin:0}div{width:100px;height:100px}#to{position:absolute;left:300px;top:0}</style><div id=from draggable=true ondragstart="event.dataTransfer.setData('text','x')">From</div>
<div id=to ondragover="event.preventDefault()" ondrop="event.preventDefault();out.textContent+='dropped '">To</div><output id=out></output>`
	eachBrowser(t, site{"/": page}, func(t *testing.T, tab *Tab, base string) {
		ctx := deadline(t, 25*time.Second)
		open(t, tab, base+"/")
		at := func(v float64) *float64 { return &v }
		for _, led := range []bool{true, false} {
			if led {
				el, err := tab.Element(ctx, "#from")
				if err != nil {
					t.Fatal(err)
				}
				if _, err := el.MouseMove(ctx, nil); err != nil {
					t.Fatal(err)
				}
			} else if _, err := tab.Mouse(ctx, MouseAction{Do: "move", X: at(40), Y: at(40)}); err != nil {
				t.Fatal(err)
			}
			if _, err := tab.Mouse(ctx, MouseAction{Do: "down"}); err != nil {
				t.Fatal(err)
			}
			if _, err := tab.Mouse(ctx, MouseAction{Do: "move", X: at(340), Y: at(40)}); err != nil {
				t.Fatal(err)
			}
			if _, err := tab.Mouse(ctx, MouseAction{Do: "up"}); err != nil {
				t.Fatal(fault.From(err))
			}
		}
		if out, _ := tab.Eval(ctx, "out.textContent"); string(out.Value) != `"dropped dropped "` {
			t.Errorf("%s", out.Value)
		}
		if _, err := tab.Mouse(ctx, MouseAction{Do: "down", X: at(40), Y: at(40)}); err != nil {
			t.Fatal(err)
		}
		if _, err := tab.Mouse(ctx, MouseAction{Do: "up", X: at(200), Y: at(200)}); !errors.Is(err, fault.StateInvalid) {
			t.Errorf("nothing took it: %v", err)
		}
	})
}
