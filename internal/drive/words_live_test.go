package drive

import (
	"errors"
	"strings"
	"testing"

	"duet/internal/fault"
)

// Errors say what is meant, and what is near is near.
func TestLiveWhatErrorsSay(t *testing.T) {
	onPage(t, `<select><option>C<option>A</select><div id=hov style="width:50px;height:40px" onclick="">hov</div>
<label id=lab><input type=radio name=k>Small</label><p id=slow>slow</p>`, func(t *testing.T, p *page) {
		_, err := p.tab.Element(p.ctx(), "#nosuch")
		if f := p.refused(err, fault.NoMatch); strings.Contains(f.Hint, "near") {
			t.Errorf("what is near #nosuch: %s", f.Hint)
		}
		_, err = p.tab.Element(p.ctx(), "#slo")
		if f := p.refused(err, fault.NoMatch); !strings.Contains(f.Hint, "slow") {
			t.Errorf("what is near #slo: %s", f.Hint)
		}
		_, err = p.el("#hov").Click(p.ctx(), ClickOptions{At: &Point{X: 5000, Y: 1}})
		if f := p.refused(err, fault.InvalidArgument); !strings.Contains(f.Message, "which is 50 wide and 40 high") {
			t.Error(f.Message)
		}
		_, err = p.el("#lab").Check(p.ctx(), true)
		if f := p.refused(err, fault.StateInvalid); !strings.Contains(f.Hint, "label=") {
			t.Errorf("a label: %s", f.Hint)
		}
		_, err = p.el("#hov").MouseUp(p.ctx(), "", nil)
		p.refused(err, fault.StateInvalid)
		x := 5.0
		_, err = p.tab.Mouse(p.ctx(), MouseAction{Do: "up", X: &x, Y: &x})
		p.refused(err, fault.StateInvalid)
	})
}

// A row is found by the name that the map gives it, its cells apart, and by its own.
func TestLiveRowsByTheirNamesOnTheMap(t *testing.T) {
	onPage(t, `<table><tr><th>Name<th>State<th>Sum<tr><td>Ada<td>open | new<td>5<tr><td>Bob<td><button>Pay</button><td>7</table>`, func(t *testing.T, p *page) {
		for target, want := range map[string]int{
			`role=row[name="Name | State | Sum"]`: 1, `role=row[name="Name State Sum"]`: 1, `role=row[name*="Ada |"]`: 0,
			`role=row[name="Ada | open | new | 5"]`: 1, `role=row[name*="Name | State"]`: 1, `role=cell[name="Bob"]`: 1, `role=columnheader[name="Sum"]`: 1,
		} {
			n, err := p.tab.Count(p.ctx(), target)
			if err != nil || n != want {
				t.Errorf("%s: %d, %v", target, n, err)
			}
		}
	})
}

// What says something is found by what its line in the map says of it, though that is
// no name of it; where it has a name, by that alone. Secrets are not compared.
func TestLiveWhatIsSaidIsFoundByIt(t *testing.T) {
	onPage(t, `<ul><li>Tea pot<li aria-label=Mug>Cup<li>Plate <button>Add</button></ul><p role=status>All <b>saved</b></p><output>5</output><dl><dt>Size<dd>Large</dl>
<div role=alert>Wrong <a href="#">why</a></div><div role=log><div contenteditable aria-label=Password>hush</div></div>`, func(t *testing.T, p *page) {
		for target, want := range map[string]int{
			`role=listitem[name="Tea pot"]`: 1, `role=listitem[name="Cup"]`: 0, `role=listitem[name=Mug]`: 1, `role=listitem[name*=Plate] >> role=button`: 1,
			`role=status[name="All saved"]`: 1, `role=status[name=All]`: 0, `role=status[name="5"]`: 1, `role=term[name=Size]`: 1, `role=definition[name=Large]`: 1,
			`role=alert[name*=Wrong]`: 1, `role=log[name*=hush]`: 0, `role=list[name*=Tea]`: 0,
		} {
			n, err := p.tab.Count(p.ctx(), target)
			if err != nil || n != want {
				t.Errorf("%s: %d, %v", target, n, err)
			}
		}
	})
}

// A slider that cannot be what was asked for is not filled, and says what it is.
func TestLiveFillOfASliderBeyondItsEnd(t *testing.T) {
	onPage(t, `<label>Loud <input id=r type=range value=40 step=5></label>`, func(t *testing.T, p *page) {
		for value, holds := range map[string]string{"170": "100", "42": "40", "-1": "0"} {
			_, err := p.el("#r").Fill(p.ctx(), value, FillOptions{})
			if f := fault.From(err); !errors.Is(err, fault.ExpectMismatch) || f.Effect != fault.Confirmed || !strings.Contains(f.Message, `"`+holds+`"`) {
				t.Errorf("%s: %v", value, err)
			}
		}
		p.fill("#r", "45")
		p.holds("#r", "45")
	})
}

// Several options of a list that takes several are chosen at once, and none.
func TestLiveSelectSeveral(t *testing.T) {
	onPage(t, `<select id=m multiple><option>A<option selected>B<option>C</select><select id=s><option>A<option>B</select>`, func(t *testing.T, p *page) {
		for want, any := range map[string][]string{"A C": {"A", "C"}, "": {""}, "B": {"B"}} {
			r, err := p.el("#m").Select(p.ctx(), Choice{Any: any})
			var got []string
			for _, o := range r.Options {
				got = append(got, o.Label)
			}
			if err != nil || strings.Join(got, " ") != want {
				t.Errorf("%q: %v, %v", any, got, err)
			}
		}
		_, err := p.el("#s").Select(p.ctx(), Choice{Any: []string{"A", "B"}})
		p.refused(err, fault.InvalidArgument)
	})
}
