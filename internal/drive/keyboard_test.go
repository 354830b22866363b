package drive

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"duet/internal/fault"
)

// typing answers a page where the focus moves over fields by Tab and Enter; prompt
// says by which command of keys, from 1, a dialog opens.
func typing(fields []string, prompt int, keys *[]int) func(*wire, command) {
	at := 0
	return func(w *wire, c command) {
		switch fn, _ := asked(c); {
		case fn == "active":
			w.doc(c, fields[min(at, len(fields)-1)])
		case fn != "":
			w.doc(c, emptyDoc)
		case c.Method == "input.performActions":
			*keys = append(*keys, strings.Count(string(c.Params), `"keyDown"`))
			if strings.Contains(string(c.Params), keyNames["Tab"]) || strings.Contains(string(c.Params), keyNames["Enter"]) {
				at++
			}
			if len(*keys) == prompt {
				w.event("browsingContext.userPromptOpened", `{"context":"t1","handler":"ignore","type":"alert","message":"Hi"}`)
				return
			}
			w.reply(c, `{}`)
		default:
			w.started(c)
		}
	}
}

const (
	plainField  = `{"doc":"d1","active":"textbox \"User\"","editable":true}`
	secretField = `{"doc":"d1","active":"textbox \"Password\"","editable":true,"secret":true}`
)

// What follows a Tab or an Enter goes where these moved the focus: a secret field
// there is as secret as one that had it from the start.
func TestTypingJudgesTheFieldAfterATab(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var keys []int
		tab, _ := begun(t, "chrome", typing([]string{plainField, secretField, plainField}, 0, &keys))
		out, err := tab.Type(t.Context(), "alice\thunter22\nplain text")
		if err != nil || out.Keys != 25 || !out.Secret || out.Into != `textbox "User"` {
			t.Errorf("typed %+v, %s", out, explain(err))
		}
		for text, secret := range map[string]bool{"hunter22": true, "alice": false, "plain text": false} {
			if (tab.b.Redact(text) != text) != secret {
				t.Errorf("%s is a secret: %v", text, !secret)
			}
		}
	})
}

// A dialog that a key opens leaves it open how many of the keys sent with it were
// pressed, and that is said; a key that travels alone was.
func TestADialogWhileTyping(t *testing.T) {
	for _, c := range []struct {
		text    string
		prompt  int
		keys    int
		partial string
	}{
		{"abc", 1, 3, "at most 3 of 3 keys"},
		{"abc\n", 2, 4, ""},
		{"ab\ncd", 2, 3, "at most 3 of 5 keys"},
		{"x", 1, 1, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			var sent []int
			tab, _ := begun(t, "chrome", typing([]string{plainField}, c.prompt, &sent))
			out, err := tab.Type(t.Context(), c.text)
			if out.Keys != c.keys || out.Facts.Dialog == nil {
				t.Errorf("%q: %+v", c.text, out)
			}
			f := fault.From(err)
			if c.partial == "" && err != nil || c.partial != "" && (!errors.Is(err, fault.PartialEffect) || f.Effect != fault.Partial || !strings.Contains(f.Message, c.partial)) {
				t.Errorf("%q: %s", c.text, explain(err))
			}
		})
	}
}
