package drive

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goccy/go-json"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// asked is which page function a command calls, with its arguments.
func asked(c command) (name, args string) {
	var p struct {
		Text      string            `json:"functionDeclaration"`
		Arguments []json.RawMessage `json:"arguments"`
	}
	var first struct {
		Value string `json:"value"`
	}
	if json.Unmarshal(c.Params, &p) != nil || len(p.Arguments) == 0 || json.Unmarshal(p.Arguments[0], &first) != nil {
		return "", ""
	}
	name, _ = pagejs.Collapse(p.Text)
	return strings.TrimPrefix(name, "@"), first.Value
}

// pressable answers a page with one button: measured is what measure says, hit what
// a press hits.
func pressable(measured func(looks int) string, hit string, sent *[]string) func(*wire, command) {
	looks := 0
	return func(w *wire, c command) {
		name, _ := asked(c)
		*sent = append(*sent, strings.TrimSpace(c.Method+" "+name))
		switch {
		case name == "measure":
			looks++
			w.doc(c, measured(looks-1))
		case name == "twin":
			w.doc(c, "false")
		case name != "":
			w.doc(c, strings.TrimSuffix(emptyDoc, "}")+`,"hit":`+hit+`}`)
		case c.Method == "input.performActions":
			w.reply(c, `{}`)
		default:
			w.started(c)
		}
	}
}

const (
	ready     = `{"line":"button \"Go\"","still":true,"hit":true,"point":{"x":5,"y":6},"token":7}`
	landed    = `{"seen":true,"inside":true,"type":"pointerdown"}`
	elsewhere = `{"seen":true,"node":9,"by":"dialog \"Ask\""}`
)

func button(tab *Tab) *Element {
	return &Element{tab: tab, target: "e7", ref: true, key: pagejs.NodeKey{Context: "t1", Doc: "d1", Node: 1}, matches: 1}
}

// A click is one look, one press and one reading.
func TestAClickIsThreeRoundTrips(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var sent []string
		tab, _ := begun(t, "chrome", pressable(func(int) string { return ready }, landed, &sent))
		if _, err := button(tab).Click(t.Context(), ClickOptions{}); err != nil {
			t.Fatal(explain(err))
		}
		var counted []string
		for _, s := range sent {
			if s != "browsingContext.activate" {
				counted = append(counted, s)
			}
		}
		if len(counted) != 3 || counted[0] != "script.callFunction measure" || counted[1] != "input.performActions" {
			t.Errorf("sent %q", counted)
		}
	})
}

// Without evidence that the press arrived it is not reported as done.
func TestAPressNeedsEvidence(t *testing.T) {
	for hit, code := range map[string]fault.Code{elsewhere: fault.ClickIntercepted, `{"seen":false}`: fault.EffectUnknown} {
		synctest.Test(t, func(t *testing.T) {
			var sent []string
			tab, _ := begun(t, "chrome", pressable(func(int) string { return ready }, hit, &sent))
			_, err := button(tab).Click(t.Context(), ClickOptions{})
			if f := fault.From(err); f == nil || f.Code != code || f.Effect != fault.Possible || f.Retryable() {
				t.Errorf("%s: %s, want %s", hit, explain(err), code)
			}
		})
	}
}

// What else happens meanwhile is no evidence of a press that the document, asked
// afterwards, did not see: a page goes on by itself, and a timer opens what it likes.
func TestWhatHappensMeanwhileIsNoEvidence(t *testing.T) {
	for name, c := range map[string]struct{ method, params string }{
		"the address changes": {"browsingContext.historyUpdated", `{"context":"t1","url":"http://x/#2","timestamp":1}`},
		"a popup opens":       {"browsingContext.contextCreated", `{"context":"t2","url":"about:blank","parent":null,"children":null,"originalOpener":"t1"}`},
		"a download begins":   {"browsingContext.downloadWillBegin", `{"context":"t1","navigation":"n1","url":"http://x/f","suggestedFilename":"f","timestamp":1}`},
		"a load begins":       {"browsingContext.navigationStarted", `{"context":"t1","navigation":"n2","url":"http://x/2","timestamp":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				page := pressable(func(int) string { return ready }, `{"seen":false}`, new([]string))
				tab, _ := begun(t, "chrome", func(w *wire, k command) {
					if k.Method == "input.performActions" {
						w.event(c.method, c.params)
					}
					page(w, k)
				})
				ctx, stop := context.WithTimeout(t.Context(), 3*time.Second)
				defer stop()
				if _, err := button(tab).Click(ctx, ClickOptions{}); !errors.Is(err, fault.EffectUnknown) {
					t.Errorf("got %s", explain(err))
				}
			})
		})
	}
}

// What waiting can change is waited for, up to the deadline; what it cannot change is
// answered soon; a ref that went is answered at once. Nothing is pressed.
func TestWaitingUntilActionable(t *testing.T) {
	const covered = `{"line":"button","still":true,"point":{"x":5,"y":6},"cover":"div #veil"}`
	for name, c := range map[string]struct {
		measured func(int) string
		code     fault.Code
		from, to time.Duration
	}{
		"becomes ready": {func(n int) string {
			if n < 5 {
				return covered
			}
			return ready
		}, "", 0, time.Second},
		"stays covered":  {func(int) string { return covered }, fault.ClickIntercepted, 1500 * time.Millisecond, 2 * time.Second},
		"behind a modal": {func(int) string { return `{"line":"button","inert":true,"modal":"dialog"}` }, fault.ClickIntercepted, fixedBound, time.Second},
		"detached":       {func(int) string { return `{"gone":"detached"}` }, fault.StaleRef, 0, 10 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			var sent []string
			page := pressable(c.measured, landed, &sent)
			tab, _ := begun(t, "chrome", func(w *wire, cmd command) {
				if name, args := asked(cmd); name == "measure" && strings.Contains(args, `"pause"`) {
					var a pagejs.MeasureArgs
					_ = json.Unmarshal([]byte(args), &a)
					time.AfterFunc(time.Duration(a.Pause)*time.Millisecond, func() { page(w, cmd) })
					return
				}
				page(w, cmd)
			})
			ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
			defer stop()
			start := time.Now()
			_, err := button(tab).Click(ctx, ClickOptions{})
			took := time.Since(start)
			if c.code == "" && err != nil || c.code != "" && !errors.Is(err, c.code) {
				t.Errorf("%s: %s", name, explain(err))
			}
			if took < c.from || took > c.to {
				t.Errorf("%s: took %v, want %v to %v", name, took, c.from, c.to)
			}
			pressed := strings.Contains(fmt.Sprint(sent), "performActions")
			if pressed != (c.code == "") {
				t.Errorf("%s: pressed = %v", name, pressed)
			}
		})
	}
}

// A dialog keeps the page from being asked what a press hit: what was logged before it
// opened tells, and without that nothing does.
func TestADialogIsNoEvidence(t *testing.T) {
	for name, c := range map[string]struct {
		logged string
		count  int
		code   fault.Code
	}{
		"before":       {"", 1, fault.EffectUnknown},
		"forged":       {"duet press 8 in", 1, fault.EffectUnknown},
		"by it":        {"duet press 7 in", 1, ""},
		"other":        {`duet press 7 out button "Delete"`, 1, fault.ClickIntercepted},
		"by the first": {"duet press 7 in", 2, fault.EffectUnknown},
	} {
		synctest.Test(t, func(t *testing.T) {
			var sent []string
			page := pressable(func(int) string { return ready }, `{"seen":false}`, &sent)
			tab, _ := begun(t, "chrome", func(w *wire, cmd command) {
				if cmd.Method == "input.performActions" {
					if c.logged != "" {
						w.event("log.entryAdded", fmt.Sprintf(`{"type":"console","level":"debug","method":"debug","text":%q,"args":[],"timestamp":1,"source":{"realm":"r","context":"t1"}}`, c.logged))
					}
					w.event("browsingContext.userPromptOpened", `{"context":"t1","handler":"ignore","type":"alert","message":"Hi"}`)
					return
				}
				page(w, cmd)
			})
			got, err := button(tab).Click(t.Context(), ClickOptions{Count: c.count})
			if got.Facts.Dialog == nil || c.code == "" && err != nil || c.code != "" && (!errors.Is(err, c.code) || fault.From(err).Effect != fault.Possible) {
				t.Errorf("%s: %+v, %s", name, got.Facts, explain(err))
			}
			if entries := tab.b.Log(LogFilter{}).Total; (entries == 1) != (name == "forged") {
				t.Errorf("%s: %d log entries", name, entries)
			}
		})
	}
}
