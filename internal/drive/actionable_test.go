package drive

import (
	"testing"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// What a page measured decides the code, and whether waiting can help.
func TestJudge(t *testing.T) {
	good := pagejs.Measured{Line: `button "Go"`, Still: true, Hit: true, Point: &Point{X: 1, Y: 1}}
	for name, c := range map[string]struct {
		change func(*pagejs.Measured)
		code   fault.Code
		fixed  bool
	}{
		"good":         {func(*pagejs.Measured) {}, "", false},
		"hidden":       {func(m *pagejs.Measured) { m.Hidden = "display: none" }, fault.NotVisible, false},
		"disabled":     {func(m *pagejs.Measured) { m.Disabled = "disabled" }, fault.NotEnabled, false},
		"in fieldset":  {func(m *pagejs.Measured) { m.Disabled = "fieldset" }, fault.NotEnabled, true},
		"inert":        {func(m *pagejs.Measured) { m.Inert = true }, fault.NotEnabled, true},
		"behind modal": {func(m *pagejs.Measured) { m.Inert, m.Modal = true, "dialog" }, fault.ClickIntercepted, true},
		"outside":      {func(m *pagejs.Measured) { m.Outside, m.Point = true, nil }, fault.NotVisible, false},
		"covered":      {func(m *pagejs.Measured) { m.Hit, m.Cover = false, "div #veil" }, fault.ClickIntercepted, false},
		"moving":       {func(m *pagejs.Measured) { m.Still = false }, fault.Moving, false},
	} {
		m := good
		c.change(&m)
		e := &Element{tab: &Tab{b: &Browser{}}, target: "#go"}
		r := e.judge(m)
		switch {
		case r == nil && c.code != "", r != nil && r.fault.Code != c.code:
			t.Errorf("%s: %+v, want %q", name, r, c.code)
		case r != nil && (r.fixed != c.fixed || r.fault.Effect != fault.None || r.fault.Phase != fault.BeforeEffect):
			t.Errorf("%s: fixed %v, %s, %s", name, r.fixed, r.fault.Phase, r.fault.Effect)
		}
	}
}
