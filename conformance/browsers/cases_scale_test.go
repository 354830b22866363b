//go:build linux

package browsers

import (
	"strings"
	"time"
)

var scaleCases = []pageCase{
	{name: "81-hundred-thousand-nodes", run: hugePage, alone: true},
	{name: "92-infinite-scroll", run: infiniteScroll},
}

// mapLines is the most lines a map has by its budgets, with its head and notes.
const mapLines = 80 + 10 + 7 + 20

func hugePage(k *kase) {
	k.open("/")
	var look string
	k.within(5*time.Second, "the snapshot", func() { look = k.snap() })
	if n := strings.Count(look, "\n") + 1; n > mapLines {
		k.faultf("the map has %d lines, want at most %d", n, mapLines)
	}
	k.line(look, "shown")
	k.silent("the first map", look, `button "Last action"`)
	seen := k.click("role=button[name=Last action]")
	if n := strings.Count(seen, "\n") + 1; n > 15 {
		k.faultf("the observation after the click has %d lines:\n%s", n, seen)
	}
	k.once(k.ok("browser_find", "selector", "role=link[name=Row 2999]"), `link "Row 2999"`)
	k.reads("#out", "last 1")
}

func infiniteScroll(k *kase) {
	k.open("/")
	k.silent("the first map", k.snap(), "Post 25")
	k.call("browser_mouse", "action", "wheel", "selector", "#l", "delta_y", 3000)
	for range 4 { // a feed adds a few posts each time its end is near
		if r := k.call("browser_wait", "kind", "text", "target", "Post 25", "timeout_ms", 700); !r.IsError {
			break
		}
		k.ok("browser_mouse", "action", "wheel", "selector", "#l", "delta_y", 3000)
	}
	k.waitText("Post 25")
	if look := k.snap(); strings.Contains(look, "screens above") {
		k.faultf("the page itself was scrolled:\n%s", look)
	}
	k.click("role=button[name=Like 25]")
	k.reads("#out", "liked 25")
}
