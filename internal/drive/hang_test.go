package drive

import (
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goccy/go-json"

	"duet/internal/fault"
)

// Frames that hang are waited for together, once: ten of them cost no more than one.
func TestFramesThatHangDoNotAddUp(t *testing.T) {
	for name, ask := range map[string]func(*testing.T, *Tab) error{
		"map": func(t *testing.T, tab *Tab) error {
			tree, err := tab.Tree(t.Context(), TreeOptions{})
			if err == nil && (len(tree.Docs) != 11 || tree.Docs["f9"].Failed == "") {
				err = fmt.Errorf("read %d documents", len(tree.Docs))
			}
			return err
		},
		"selector": func(t *testing.T, tab *Tab) error {
			_, err := tab.Find(t.Context(), "css=b", 0)
			return err
		},
		"focus": func(t *testing.T, tab *Tab) error {
			_, err := tab.Type(t.Context(), "x")
			if errors.Is(err, fault.Timeout) {
				err = nil
			}
			return err
		},
	} {
		synctest.Test(t, func(t *testing.T) {
			tab, w := begun(t, "chrome", func(w *wire, c command) {
				var p struct {
					Target struct {
						Context string `json:"context"`
					} `json:"target"`
				}
				fn, _ := asked(c)
				switch {
				case c.Method == "browsingContext.getTree":
					w.reply(c, `{"contexts":[]}`)
				case fn == "":
					w.reply(c, `{}`)
				default:
					if _ = json.Unmarshal(c.Params, &p); p.Target.Context == "t1" {
						w.doc(c, emptyDoc)
					}
				}
			})
			for i := range 10 {
				w.event("browsingContext.contextCreated", fmt.Sprintf(`{"context":"f%d","url":"http://x/","parent":"t1","children":null,"originalOpener":null}`, i))
			}
			synctest.Wait()
			start := time.Now()
			err := ask(t, tab)
			if took := time.Since(start); err != nil || took > frameBound+100*time.Millisecond {
				t.Errorf("%s: %s after %v", name, explain(err), took)
			}
		})
	}
}
