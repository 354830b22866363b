package drive

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"duet/internal/fault"
)

// A drag that fails once the button is down lets it go, whatever failed; one that a
// dialog cuts off is not said to have come to anything.
func TestADragThatFailsLetsTheButtonGo(t *testing.T) {
	const scrolled = `{"line":"button","point":{"x":5,"y":5},"hit":true,"still":true,"scrolled":true,"token":1}`
	for name, c := range map[string]struct {
		at   int // the input that fails
		fail func(*wire, command)
		want fault.Code
	}{
		"the press fails":           {1, func(w *wire, c command) { w.fail(c, "unknown error", "no") }, fault.StateInvalid},
		"the way fails":             {2, func(w *wire, c command) { w.fail(c, "unknown error", "no") }, fault.StateInvalid},
		"the way is never answered": {2, func(*wire, command) {}, fault.Timeout},
		"a dialog opens on the way": {2, prompted, fault.EffectUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				inputs, up := 0, false
				page := answers(map[string]string{"measure": scrolled, "drag": `{}`}, new([]string))
				tab, _ := begun(t, "chrome", func(w *wire, k command) {
					if k.Method != "input.performActions" {
						page(w, k)
						return
					}
					inputs++
					if inputs == c.at {
						c.fail(w, k)
						return
					}
					up = inputs > c.at && strings.Contains(string(k.Params), `"pointerUp"`)
					w.reply(k, `{}`)
				})
				ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
				defer stop()
				from, to := button(tab), button(tab)
				_, err := from.MouseDown(ctx, "", nil)
				if err == nil {
					_, err = to.MouseUp(ctx, "", nil)
				}
				if !errors.Is(err, c.want) || fault.From(err).Effect == fault.None {
					t.Errorf("got %s with effect %s, want %s", explain(err), fault.From(err).Effect, c.want)
				}
				if !up {
					t.Error("the button stays down")
				}
			})
		})
	}
}

func prompted(w *wire, c command) {
	w.event("browsingContext.userPromptOpened", `{"context":"t1","handler":"ignore","message":"Move it?","type":"confirm"}`)
}

// Another button than the one that is down is not released, and the drag goes on.
func TestTheButtonThatIsDownIsReleased(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		inputs := 0
		page := answers(nil, new([]string))
		tab, _ := begun(t, "chrome", func(w *wire, c command) {
			if c.Method == "input.performActions" {
				inputs++
			}
			page(w, c)
		})
		tab.setGrip(&grip{button: 2, name: "a card"})
		_, byPoint := tab.Mouse(t.Context(), MouseAction{Do: "up", Button: "left"})
		_, byElement := (&Element{tab: tab}).MouseUp(t.Context(), "left", nil)
		for _, err := range []error{byPoint, byElement} {
			if f := fault.From(err); f == nil || f.Code != fault.StateInvalid || f.Effect != fault.None || !strings.Contains(f.Message, "right") {
				t.Errorf("releasing the left button: %v", err)
			}
		}
		if inputs != 0 || tab.grip() == nil {
			t.Errorf("%d inputs were sent, the grip is %v", inputs, tab.grip())
		}
	})
}
