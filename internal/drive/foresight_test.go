package drive

import (
	"slices"
	"testing"
	"testing/synctest"

	"duet/internal/pagejs"
)

// The reading that settles a fill is sent before the fill is answered, once; where the
// fill had to be sent again, or came to nothing, that reading is nobody's.
func TestReadingSentWithAFill(t *testing.T) {
	const done = `{"line":"textbox","kind":"text","done":true,"match":"equal","value":"x"}`
	for name, c := range map[string]struct {
		first string // what the page answers to the first fill
		sent  []string
		fails bool
	}{
		"done":       {done, []string{"fill", "look"}, false},
		"no library": {`"no lib"`, []string{"fill", "look", "+fill", "look"}, false},
		"refused":    {`{"line":"button","tag":"button"}`, []string{"fill", "look"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var sent []string
				var held *command
				tab, _ := begun(t, "chrome", func(w *wire, cmd command) {
					name, _ := asked(cmd)
					if name == "" {
						w.started(cmd)
						return
					}
					sent = append(sent, name)
					switch {
					case name == "fill" && len(sent) == 1:
						held = &cmd
					case name == "+fill":
						w.doc(cmd, done)
					default:
						if held != nil { // it was sent before the fill had its answer
							w.doc(*held, c.first)
							held = nil
						}
						w.doc(cmd, emptyDoc)
					}
				})
				tab.Observe(true)
				tab.b.SetRefs(testRefs{"e1": Match{Key: pagejs.NodeKey{Context: "t1", Doc: "d1", Node: 1}}})
				e, err := tab.Element(t.Context(), "e1")
				if err != nil {
					t.Fatal(err)
				}
				if _, err := e.Fill(t.Context(), "x", FillOptions{}); (err != nil) != c.fails {
					t.Errorf("Fill: %s", explain(err))
				}
				if !slices.Equal(sent, c.sent) {
					t.Errorf("sent %v, want %v", sent, c.sent)
				}
			})
		})
	}
}
