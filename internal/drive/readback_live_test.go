package drive

import (
	"errors"
	"testing"

	"duet/internal/fault"
)

// What the page draws anew as it is checked or chosen from is read where it is now; of
// one that it takes away nobody says what became of it.
func TestLiveWhatIsDrawnAnewIsReadBack(t *testing.T) {
	for name, c := range map[string]struct {
		draw string // what the page puts into w, s being the state or value
		want fault.Code
	}{
		"kept":       {`s ? on : off`, ""},
		"not kept":   {`off`, fault.ExpectMismatch},
		"taken away": {`'thanks'`, fault.EffectUnknown},
		"twice":      {`on + on`, fault.EffectUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			onPage(t, `<p id=w></p><p id=v></p><script>
(function(){ const on = '<input type=checkbox aria-label=News checked>', off = '<input type=checkbox aria-label=News>'; let s = false;
w.innerHTML = off; w.addEventListener('change', function(e){ s = e.target.checked; w.innerHTML = `+c.draw+` }) })();
(function(){ const list = function(b){ return '<select aria-label=Size><option>S</option><option'+(b ? ' selected' : '')+'>L</option></select>' }; const on = list(true), off = list(false); let s = false;
v.innerHTML = off; v.addEventListener('change', function(e){ s = e.target.value === 'L'; v.innerHTML = `+c.draw+` }) })()</script>`,
				func(t *testing.T, p *page) {
					judge := func(what string, err error) {
						if c.want == "" && err != nil || c.want != "" && !errors.Is(err, c.want) {
							t.Errorf("%s: %s, want %s", what, explain(err), c.want)
						}
					}
					r, err := p.el("role=checkbox").Check(p.ctx(), true)
					judge("check", err)
					if c.want == "" && r.State != "true" || c.want == fault.EffectUnknown && r.State != "" {
						t.Errorf("checked is said to be %q", r.State)
					}
					_, err = p.el("tag=select").Select(p.ctx(), Choice{Any: []string{"L"}})
					judge("select", err)
				})
		})
	}
}

// A field whose edit comes to nothing is set by script, which is said.
func TestLiveAFieldSetByScriptSaysSo(t *testing.T) {
	onPage(t, `<input id=plain aria-label=Plain><input id=f aria-label=Stubborn onfocus="this.readOnly=true">`, func(t *testing.T, p *page) {
		if r := p.fill("#plain", "abc"); r.Synthetic {
			t.Error("an edit is said to be synthetic")
		}
		if r := p.fill("#f", "abc"); !r.Synthetic {
			t.Errorf("set by script, and not said: %+v", r)
		}
	})
}
