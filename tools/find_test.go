package tools

import (
	"testing"

	"duet/internal/fault"
)

// One match of several says that there are more, and how to have them.
func TestFoundSaysThatThereAreMore(t *testing.T) {
	one := []foundElement{{Ref: "e1", Line: "button", Visible: true}}
	for want, f := range map[string]found{
		"total: 3, visible: 3\ne1: button\n(2 more: all=true)": {Total: 3, Visible: 3, Elements: one, More: 2, first: true},
		"total: 3, visible: 3\ne1: button\n(2 more: offset=1)": {Total: 3, Visible: 3, Elements: one, More: 2},
		"total: 1, visible: 1\ne1: button":                     {Total: 1, Visible: 1, Elements: one, first: true},
	} {
		if got := fault.Say(f.Text(), nil); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
