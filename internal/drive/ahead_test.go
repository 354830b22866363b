package drive

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goccy/go-json"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// Fills that were sent ahead of one that is cancelled are given up: nothing further is
// sent for them, what the page answers to them later is nobody's, the next call sends its
// own and takes its own answer, and what they typed is a secret where the field may be one.
func TestFillsSentAheadOfACancelledOne(t *testing.T) {
	const done = `{"line":"textbox","kind":"text","done":true,"match":"equal","value":`
	synctest.Test(t, func(t *testing.T) {
		var waiting []command
		var fills []string
		answering := false
		tab, w := begun(t, "chrome", func(w *wire, c command) {
			name, args := asked(c)
			switch {
			case name == "fill" && answering:
				fills = append(fills, args)
				w.doc(c, done+`"now"}`)
			case name == "fill":
				fills = append(fills, args)
				waiting = append(waiting, c)
			case name != "":
				w.doc(c, emptyDoc)
			default:
				w.started(c)
			}
		})
		refs := testRefs{}
		for i, ref := range []string{"e1", "e2", "e3"} {
			refs[ref] = Match{Key: pagejs.NodeKey{Context: "t1", Doc: "d1", Node: i + 1}}
		}
		tab.b.SetRefs(refs)
		texts := map[string]string{"e1": "first of all", "e2": "second text", "e3": "third text"}
		for _, ref := range []string{"e1", "e2", "e3"} {
			if !tab.FillAhead(ref, texts[ref], false) {
				t.Fatalf("%s was not sent ahead", ref)
			}
		}
		fill := func(ctx context.Context, ref, value string) (FilledIn, error) {
			e, err := tab.Element(ctx, ref)
			if err != nil {
				t.Fatal(err)
			}
			return e.Fill(ctx, value, FillOptions{Skip: true})
		}
		cancelled, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		if _, err := fill(cancelled, "e1", texts["e1"]); !errors.Is(err, fault.Cancelled) || fault.From(err).Effect == fault.None {
			t.Fatalf("the cancelled fill: %s", explain(err))
		}
		tab.DropAhead()
		synctest.Wait()
		if tab.Ahead() != 0 || len(fills) != 3 {
			t.Fatalf("%d are still ahead, %d were sent", tab.Ahead(), len(fills))
		}
		for ref, text := range texts {
			if !strings.Contains(tab.b.Redact(text), secretMask) {
				t.Errorf("what was filled into %s, which may be a secret field, is told", ref)
			}
		}
		for _, c := range waiting { // too late
			w.doc(c, done+`"of a dropped one"}`)
		}
		answering = true
		r, err := fill(t.Context(), "e2", texts["e2"])
		if err != nil || r.Value != "now" || len(fills) != 4 {
			t.Errorf("the next call: %+v, %s, after %d fills", r, explain(err), len(fills))
		}
		var args struct {
			Turn int `json:"turn"`
		}
		if json.Unmarshal([]byte(fills[3]), &args); args.Turn != 0 {
			t.Errorf("the next call waits for the turn of a dropped one: %s", fills[3])
		}
		if !tab.FillAhead("e1", "again", false) || tab.Ahead() != 1 {
			t.Error("nothing is sent ahead any more")
		}
		if _, err := fill(t.Context(), "e1", "again"); err != nil || len(fills) != 5 || tab.Ahead() != 0 {
			t.Errorf("one that follows: %s, after %d fills", explain(err), len(fills))
		}
	})
}
