package drive

import (
	"strconv"
	"strings"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// The devices. They keep their names through a session, so that the browser
// remembers where the pointer is and what is pressed.
const (
	mouseID    = "mouse"
	keyboardID = "keyboard"
	wheelID    = "wheel"
)

// Point is a place: in a viewport, or inside an element's box.
type Point = pagejs.Point

// buttons are the names of mouse buttons and their numbers on the wire.
var buttons = map[string]int{"": 0, "left": 0, "middle": 1, "right": 2}

func buttonOf(name string) (int, error) {
	n, ok := buttons[strings.ToLower(name)]
	if !ok {
		return 0, fault.New(fault.InvalidArgument, "no mouse button is called %s", strconv.Quote(name)).
			WithHint("allowed: left, middle, right")
	}
	return n, nil
}

// gesture builds what the devices do, tick by tick. The zero value is empty.
type gesture struct {
	keys  []bidi.InputKeySourceAction
	mouse []bidi.InputPointerSourceAction
	wheel []bidi.InputWheelSourceAction
}

// level fills the devices up to the same tick, so that what follows comes after.
func (g *gesture) level() {
	n := max(len(g.keys), len(g.mouse), len(g.wheel))
	for len(g.keys) < n {
		g.keys = append(g.keys, bidi.InputPauseAction{})
	}
	for len(g.mouse) < n {
		g.mouse = append(g.mouse, bidi.InputPauseAction{})
	}
	for len(g.wheel) < n {
		g.wheel = append(g.wheel, bidi.InputPauseAction{})
	}
}

func (g *gesture) down(keys ...string) {
	g.level()
	for _, k := range keys {
		g.keys = append(g.keys, bidi.InputKeyDownAction{Value: k})
	}
}

func (g *gesture) up(keys ...string) {
	g.level()
	for i := len(keys) - 1; i >= 0; i-- {
		g.keys = append(g.keys, bidi.InputKeyUpAction{Value: keys[i]})
	}
}

func (g *gesture) tap(key string) {
	g.keys = append(g.keys, bidi.InputKeyDownAction{Value: key}, bidi.InputKeyUpAction{Value: key})
}

func (g *gesture) move(p Point) {
	g.level()
	g.mouse = append(g.mouse, bidi.InputPointerMoveAction{X: p.X, Y: p.Y})
}

func (g *gesture) press(button, count int) {
	g.level()
	for range count {
		g.mouse = append(g.mouse, bidi.InputPointerDownAction{Button: button}, bidi.InputPointerUpAction{Button: button})
	}
}

func (g *gesture) hold(button int) {
	g.level()
	g.mouse = append(g.mouse, bidi.InputPointerDownAction{Button: button})
}

func (g *gesture) release(button int) {
	g.level()
	g.mouse = append(g.mouse, bidi.InputPointerUpAction{Button: button})
}

func (g *gesture) turn(p Point, dx, dy int) {
	g.level()
	g.wheel = append(g.wheel, bidi.InputWheelScrollAction{X: int(p.X), Y: int(p.Y), DeltaX: dx, DeltaY: dy})
}

// actions are the devices that do something, the keyboard first: a modifier must
// be down before the button is.
func (g *gesture) actions() []bidi.InputSourceActions {
	var out []bidi.InputSourceActions
	if used(g.keys) {
		g.level()
		out = append(out, bidi.InputKeySourceActions{ID: keyboardID, Actions: g.keys})
	}
	if used(g.mouse) {
		g.level()
		out = append(out, bidi.InputPointerSourceActions{
			ID: mouseID, Actions: g.mouse,
			Parameters: &bidi.InputPointerParameters{PointerType: bidi.InputPointerTypeMouse},
		})
	}
	if used(g.wheel) {
		g.level()
		out = append(out, bidi.InputWheelSourceActions{ID: wheelID, Actions: g.wheel})
	}
	return out
}

// used reports whether a device does more than wait.
func used[A any](actions []A) bool {
	for _, a := range actions {
		if _, idle := any(a).(bidi.InputPauseAction); !idle {
			return true
		}
	}
	return false
}
