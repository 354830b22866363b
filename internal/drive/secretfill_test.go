package drive

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
	"duet/internal/wirelog"
)

// logged is begun with a protocol log.
func logged(t *testing.T, log *bytes.Buffer, answer func(*wire, command)) *Tab {
	t.Helper()
	starting := true
	w := newWire(nil)
	w.answer = func(w *wire, c command) {
		if starting && w.started(c) {
			return
		}
		answer(w, c)
	}
	b, err := New(t.Context(), w, bidi.Options{Log: wirelog.NewWriter(log)}, Info{Browser: "firefox", SessionExists: true})
	if err != nil {
		t.Fatal(err)
	}
	starting = false
	t.Cleanup(func() { _ = b.Close() })
	tab, err := b.Tab(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return tab
}

// A field whose page leaves by the text, before it has said what field it is, is
// taken for a secret one, unless it was seen to be none: then the text stands
// neither in what is told nor in the protocol log.
func TestAValueIsASecretUntilTheFieldSaysOtherwise(t *testing.T) {
	const value = "hunter-2000"
	for name, c := range map[string]struct {
		reply  string // of fill; "" leaves by the text
		seen   *pagejs.Node
		secret bool
	}{
		"left, never seen":      {"", nil, true},
		"left, seen as secret":  {"", &pagejs.Node{ID: 1, Class: "control", Role: "textbox", Secret: true}, true},
		"left, seen as plain":   {"", &pagejs.Node{ID: 1, Class: "control", Role: "searchbox"}, false},
		"answered, a secret":    {`{"line":"textbox","done":true,"match":"equal","secret":true}`, nil, true},
		"answered, not secret":  {`{"line":"textbox","done":true,"match":"equal","value":"hunter-2000"}`, nil, false},
		"gone before it was in": {`{"gone":"detached"}`, nil, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			var log bytes.Buffer
			tab := logged(t, &log, func(w *wire, cmd command) {
				switch fn, _ := asked(cmd); {
				case fn == "fill":
					w.event("browsingContext.navigationStarted", `{"context":"t1","navigation":"n1","url":"http://x/?p=hunter-2000","timestamp":1}`)
					if c.reply != "" {
						w.doc(cmd, c.reply)
						return
					}
					for _, e := range []string{"navigationCommitted", "domContentLoaded", "load"} {
						w.event("browsingContext."+e, `{"context":"t1","navigation":"n1","url":"http://x/?p=hunter-2000","timestamp":1}`)
					}
				case fn != "":
					w.doc(cmd, emptyDoc)
				default:
					w.started(cmd)
				}
			})
			e := button(tab)
			if c.seen != nil {
				tab.docs = map[bidi.Context]*pagejs.Doc{"t1": {Doc: "d1", Kids: []*pagejs.Node{{ID: 9, Kids: []*pagejs.Node{c.seen}}}}}
			}
			_, err := e.Fill(t.Context(), value, FillOptions{})
			if c.reply == "" && !errors.Is(err, fault.EffectUnknown) {
				t.Errorf("%s: %v", name, err)
			}
			if masked := tab.b.Redact(tab.URL()) != tab.URL(); masked != c.secret && c.reply == "" {
				t.Errorf("%s: the address is told as %s", name, tab.b.Redact(tab.URL()))
			}
			if tab.b.Redact(value) == value == c.secret {
				t.Errorf("%s: remembered %v, want %v", name, !c.secret, c.secret)
			}
			_ = tab.b.Close()
			if strings.Contains(log.String(), value) == c.secret || !strings.Contains(log.String(), "navigationStarted") {
				t.Errorf("%s: the log holds the value: %v", name, !c.secret)
			}
		})
	}
}
