//go:build linux

package browsers

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"duet/internal/golden"
)

// One conversation gives the same text on every set-up. The golden is the
// reader's copy of it.
func TestOneConversationOneAnswer(t *testing.T) {
	told := map[string]string{}
	each(t, func(t *testing.T, s setup) {
		told[s.name] = converse(t, s)
		golden.Check(t, "testdata/conversation.txt", told[s.name])
	})
	for name, text := range told {
		if diff := cmp.Diff(told["chrome"], text); told["chrome"] != "" && diff != "" {
			t.Errorf("%s differs from chrome:\n%s", name, diff)
		}
	}
}

func converse(t *testing.T, s setup) string {
	base := site(t)
	c := serve(t, s)
	var b strings.Builder
	say := func(tool string, args map[string]any) string {
		t.Helper()
		r := c.call(tool, args)
		if r.Error != nil {
			t.Fatalf("%s: %+v", tool, r.Error)
		}
		fmt.Fprintf(&b, "> %s %v\n%s\n\n", tool, args, r.Text)
		return r.Text
	}
	look := say("browser_navigate", map[string]any{"url": base + "/main.html"})
	say("browser_snapshot", nil)
	say("browser_fill", map[string]any{"selector": c.ref(look, `"Username"`), "value": "alice"})
	say("browser_fill", map[string]any{"selector": c.ref(look, `"Password"`), "value": "open sesame", "submit": true})
	say("browser_click", map[string]any{"selector": c.ref(look, `"Ask"`)})
	say("browser_click", map[string]any{"selector": c.ref(look, `"Target"`)})
	say("browser_dialog", map[string]any{"action": "inspect"})
	say("browser_dialog", map[string]any{"action": "accept"})
	frames := strings.SplitAfter(look, `"Elsewhere"`)
	if len(frames) != 2 {
		t.Fatalf("no cross-site frame in:\n%s", look)
	}
	say("browser_fill", map[string]any{"selector": c.ref(frames[0], `"Note"`), "value": "same"})
	say("browser_click", map[string]any{"selector": c.ref(frames[0], `"Pay"`)})
	say("browser_fill", map[string]any{"selector": c.ref(frames[1], `"Note"`), "value": "cross"})
	say("browser_click", map[string]any{"selector": c.ref(frames[1], `button "Pay"`)})
	say("browser_click", map[string]any{"selector": "role=button[name=Buy in shadow]"})
	say("browser_click", map[string]any{"selector": "#throw"})
	say("browser_screenshot", nil)
	target := c.ref(look, `"Target"`)
	say("browser_click", map[string]any{"selector": "#drop"})
	say("browser_click", map[string]any{"selector": target})
	say("browser_click", map[string]any{"selector": "#nope"})
	say("browser_click", map[string]any{"selector": "text=Open popup"})
	say("browser_page", map[string]any{"action": "list"})
	say("browser_click", map[string]any{"selector": "role=link[name=Second page]"})
	say("browser_navigate", map[string]any{"url": base + "/main.html"})
	say("browser_exists", map[string]any{"selector": "#user"})
	return normal(b.String())
}
