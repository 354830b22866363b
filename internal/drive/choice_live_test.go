package drive

import (
	"errors"
	"testing"

	"duet/internal/fault"
)

const choicePage = `<label>Security answer <select id=secret name=security_answer><option id=o1>Rex</option><option id=o2 selected>Bello</option></select></label>
<label>Colour <select id=plain><option id=p1>Red</option><option id=p2 selected>Blue</option></select></label>
<input type=checkbox id=box>`

// Which option of a secret field is chosen is told by no reading and by no selector,
// whatever is chosen; of any other field it is.
func TestLiveAChoiceInASecretFieldIsNotTold(t *testing.T) {
	onPage(t, choicePage, func(t *testing.T, p *page) {
		for _, selector := range []string{"#o1", "#o2"} {
			el, err := p.tab.Element(p.ctx(), selector)
			if err != nil {
				t.Fatal(err)
			}
			if s, err := el.State(p.ctx()); err != nil || s.Checked != "" || !s.Secret {
				t.Errorf("%s: checked %q, secret %v, %s", selector, s.Checked, s.Secret, explain(err))
			}
			if r, err := el.Attr(p.ctx(), "selected", 0); err != nil || r.Present || !r.Secret {
				t.Errorf("%s: selected %+v, %s", selector, r, explain(err))
			}
			for _, asks := range []string{selector + ":checked", selector + "[selected]", "#secret >> " + selector + ":checked", "xpath=//option[@id='" + selector[1:] + "'][@selected]", "#secret:has(" + selector + ":checked)"} {
				if f, err := p.tab.Find(p.ctx(), asks, 0); !errors.Is(err, fault.InvalidArgument) {
					t.Errorf("%s: %d, %s", asks, f.Total, explain(err))
				}
			}
		}
		for selector, want := range map[string]int{
			"option:checked": 1, "#p2:checked": 1, "#p1:checked": 0, "#plain:has(#p2:checked)": 1, "input:checked": 0, "xpath=//option[@selected]": 1,
		} {
			if f, err := p.tab.Find(p.ctx(), selector, 0); err != nil || f.Total != want {
				t.Errorf("%s: %d, want %d, %s", selector, f.Total, want, explain(err))
			}
		}
		for selector, want := range map[string]string{"#p1": "false", "#p2": "true"} {
			el, err := p.tab.Element(p.ctx(), selector)
			if err != nil {
				t.Fatal(err)
			}
			if s, err := el.State(p.ctx()); err != nil || s.Checked != want {
				t.Errorf("%s: checked %q, want %s, %s", selector, s.Checked, want, explain(err))
			}
		}
	})
}
