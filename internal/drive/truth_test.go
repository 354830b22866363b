package drive

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// page answers page functions by name; one that is not there is answered with an
// empty document, and one with "" never.
func answers(by map[string]string, calls *[]string) func(*wire, command) {
	return func(w *wire, c command) {
		fn, args := asked(c)
		if fn == "" {
			if c.Method == "input.performActions" {
				w.reply(c, `{}`)
				return
			}
			w.started(c)
			return
		}
		*calls = append(*calls, fn+" "+args)
		switch text, ok := by[fn]; {
		case !ok:
			w.doc(c, strings.TrimSuffix(emptyDoc, "}")+`,"hit":`+landed+`}`)
		case text != "":
			w.doc(c, text)
		}
	}
}

const recycled = `{"gone":"changed","line":"cell \"Bob\""}`

func refused(t *testing.T, err error, reason string) *fault.Fault {
	t.Helper()
	f := fault.From(err)
	detail, _ := f.Detail.(map[string]string)
	if f.Code != fault.StaleRef || detail["reason"] != reason || f.Effect != fault.None {
		t.Fatalf("got %s, want STALE_REF %s", explain(err), reason)
	}
	return f
}

// A ref at the head of a chain is checked as one alone: the row that it was shown
// for must still be that row.
func TestARefAtTheHeadOfAChainDoesNotHeal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls []string
		tab, _ := begun(t, "chrome", answers(map[string]string{"locate": recycled}, &calls))
		tab.b.SetRefs(testRefs{"e7": {Key: pagejs.NodeKey{Context: "t1", Doc: "d1", Node: 1}, Stamp: "s1"}})
		_, err := tab.Element(t.Context(), "e7 >> css=button")
		if f := refused(t, err, "changed"); !strings.Contains(f.Message, "e7 now stands for something else: cell \"Bob\"") {
			t.Errorf("it says %q", f.Message)
		}
		if !strings.Contains(calls[0], `"stamp":"s1"`) {
			t.Errorf("asked by %s", calls[0])
		}
	})
}

// What a ref's node says is not read where it stands for something else by now; an
// element that was read is followed.
func TestAReadChecksWhatTheRefStandsFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls []string
		by := map[string]string{"read": recycled}
		tab, _ := begun(t, "chrome", answers(by, &calls))
		e := button(tab)
		e.stamp = "s1"
		_, err := e.Text(t.Context(), 0)
		refused(t, err, "changed")
		by["read"] = `{"line":"cell","text":"Bob"}`
		for range 2 {
			if r, err := e.Text(t.Context(), 0); err != nil || r.Text != "Bob" {
				t.Errorf("read %q, %v", r.Text, err)
			}
		}
		for i, stamped := range []bool{true, true, false} {
			if strings.Contains(calls[i], `"stamp":"s1"`) != stamped {
				t.Errorf("call %d is %s", i, calls[i])
			}
		}
	})
}

// A look that may have acted and got no answer is told as that, whatever the look
// before it said.
func TestAnUnansweredActIsNotTheRefusalBeforeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var calls []string
		by := map[string]string{"fill": `{"line":"textbox","kind":"text","disabled":"disabled"}`}
		page := answers(by, &calls)
		tab, _ := begun(t, "chrome", func(w *wire, c command) {
			if c.Method == "browsingContext.getTree" {
				w.reply(c, `{"contexts":[]}`)
				return
			}
			page(w, c)
			by["fill"] = "" // and then it hangs
		})
		ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
		defer stop()
		_, err := button(tab).Fill(ctx, "text", FillOptions{})
		if f := fault.From(err); f.Code != fault.Timeout || f.Effect != fault.Possible {
			t.Errorf("got %s, want TIMEOUT with effect possible", explain(err))
		}
	})
}

// Only where the press took the element away is its state no longer asked for; what
// else keeps the state from being read is told, with the press done.
func TestAStateThatCannotBeReadBackIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		read string
		code fault.Code
	}{
		"detached": {`{"gone":"detached"}`, fault.EffectUnknown},
		"hangs":    {"", fault.Timeout},
		"took":     {`{"line":"checkbox","checked":"true"}`, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			var calls []string
			by := map[string]string{"again": `{"found":false}`, "read": c.read, "measure": strings.TrimSuffix(ready, "}") + `,"checked":"false"}`}
			page := answers(by, &calls)
			tab, _ := begun(t, "chrome", func(w *wire, cmd command) {
				if cmd.Method == "browsingContext.getTree" {
					w.reply(cmd, `{"contexts":[]}`)
					return
				}
				page(w, cmd)
			})
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
			defer stop()
			_, err := button(tab).Check(ctx, true)
			if c.code == "" && err != nil || c.code != "" && (!errors.Is(err, c.code) || fault.From(err).Effect == fault.None) {
				t.Errorf("%s: %s", name, explain(err))
			}
		})
	}
}

// Leave is for a page that asks before it is left: an alert or a confirmation is
// neither answered nor passed over.
func TestLeaveAnswersNoOtherDialog(t *testing.T) {
	for kind, answered := range map[string]bool{"alert": false, "confirm": false, "beforeunload": true} {
		synctest.Test(t, func(t *testing.T) {
			said := false
			tab, w := begun(t, "chrome", func(w *wire, c command) {
				switch c.Method {
				case "browsingContext.handleUserPrompt":
					said = true
					w.event("browsingContext.userPromptClosed", `{"context":"t1","accepted":true,"type":"beforeunload"}`)
					w.reply(c, `{}`)
				case "browsingContext.navigate":
					for _, e := range []string{"navigationStarted", "navigationCommitted", "domContentLoaded", "load"} {
						w.event("browsingContext."+e, `{"context":"t1","navigation":"n1","url":"http://x/","timestamp":1}`)
					}
					w.reply(c, `{"navigation":"n1","url":"http://x/"}`)
				case "script.callFunction":
					w.doc(c, emptyDoc)
				default:
					w.started(c)
				}
			})
			w.event("browsingContext.userPromptOpened", `{"context":"t1","handler":"ignore","type":"`+kind+`","message":"Sure?"}`)
			synctest.Wait()
			_, err := tab.Navigate(t.Context(), "http://x/", NavOptions{Leave: true})
			if said != answered || answered != (err == nil) || !answered && !errors.Is(err, fault.DialogOpen) {
				t.Errorf("%s: answered %v, %s", kind, said, explain(err))
			}
		})
	}
}

// A browser's own wish for an icon is no failed request; a page's is.
func TestAnIconThatThePageAskedForCounts(t *testing.T) {
	for request, failed := range map[string]int{
		`"destination":"image","initiatorType":null`:          0,
		`"initiatorType":"other","goog:resourceType":"Other"`: 0,
		`"destination":"","initiatorType":"fetch"`:            1,
		`"initiatorType":"img"`:                               1,
		`"initiatorType":"other","goog:resourceType":"Fetch"`: 1,
		`"initiatorType":"script","goog:resourceType":"XHR"`:  1,
	} {
		synctest.Test(t, func(t *testing.T) {
			tab, w := begun(t, "chrome", func(w *wire, c command) { w.started(c) })
			w.event("network.responseCompleted", `{"context":"t1","navigation":null,"isBlocked":false,"request":{"request":"1","url":"http://x/favicon.ico","method":"GET",`+request+`},"response":{"status":404}}`)
			synctest.Wait()
			if got := tab.Since(Mark{}).FailedRequests; got != failed {
				t.Errorf("%s: %d failed requests, want %d", request, got, failed)
			}
		})
	}
}

// A pointer that goes ahead of a press and then cannot go on has moved.
func TestAPointerThatWentAheadHasMoved(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looks, moves := 0, 0
		tab, _ := begun(t, "chrome", func(w *wire, c command) {
			switch fn, _ := asked(c); {
			case fn == "measure":
				looks++
				w.doc(c, strings.Replace(strings.TrimSuffix(ready, "}"), `"x":5`, `"x":`+string('1'+rune(looks)), 1)+`,"wary":true}`)
			case c.Method == "input.performActions":
				if moves++; moves == 2 {
					w.fail(c, "move target out of bounds", "away")
					return
				}
				w.reply(c, `{}`)
			default:
				w.started(c)
			}
		})
		_, err := button(tab).Click(t.Context(), ClickOptions{})
		if f := fault.From(err); moves != 2 || f.Code != fault.NotVisible || f.Effect != fault.Possible {
			t.Errorf("%d moves, %s", moves, explain(err))
		}
	})
}

// An answer that was refused leaves what the dialog holds up where it was: the right
// one then waits for it.
func TestARefusedAnswerForgetsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var press command
		tab, _ := begun(t, "chrome", func(w *wire, c command) {
			switch c.Method {
			case "input.performActions":
				press = c
				w.event("browsingContext.userPromptOpened", `{"context":"t1","type":"confirm","message":"Sure?","handler":"ignore"}`)
			case "browsingContext.handleUserPrompt":
				w.event("browsingContext.userPromptClosed", `{"context":"t1","accepted":true,"type":"confirm"}`)
				w.reply(c, `{}`)
				time.AfterFunc(300*time.Millisecond, func() { w.reply(press, `{}`) })
			case "script.callFunction":
				w.doc(c, emptyDoc)
			}
		})
		if _, err := tab.perform(t.Context(), "t1", nil, settleWant{}); err != nil {
			t.Fatal(err)
		}
		text := "yes"
		if _, _, err := tab.AnswerDialog(t.Context(), true, &text); !errors.Is(err, fault.InvalidArgument) {
			t.Errorf("text for a confirm: %s", explain(err))
		}
		start := time.Now()
		if _, _, err := tab.AnswerDialog(t.Context(), true, nil); err != nil || time.Since(start) != 300*time.Millisecond {
			t.Errorf("answered after %v, %s", time.Since(start), explain(err))
		}
	})
}
