package tools

import "testing"

// What a script asks about is answered by the exit status: no for a state that is not
// so and for an attribute that is not there, whatever they hold otherwise.
func TestAReadingThatIsANo(t *testing.T) {
	for _, c := range []struct {
		r  reading
		no bool
	}{
		{reading{Field: "visible", Value: true}, false},
		{reading{Field: "visible", Value: false}, true},
		{reading{Field: "enabled", Value: false}, true},
		{reading{Field: "checked", Value: false}, true},
		{reading{Field: "checked", Value: "mixed"}, true},
		{reading{Field: "checked", Secret: true}, false},
		{reading{Field: "exists", Value: false}, true},
		{reading{Field: "exists", Value: true}, false},
		{reading{Field: "attr", Value: nil}, true},
		{reading{Field: "attr", Value: ""}, false},
		{reading{Field: "attr", Secret: true}, false},
		{reading{Field: "text", Value: ""}, false},
		{reading{Field: "value", Value: "false"}, false},
	} {
		if got := lacking(c.r); got != c.no {
			t.Errorf("%+v: a no %v, want %v", c.r, got, c.no)
		}
	}
}
