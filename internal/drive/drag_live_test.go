package drive

import (
	"errors"
	"testing"

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
