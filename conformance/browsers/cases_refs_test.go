//go:build linux

package browsers

import (
	"strconv"
	"strings"
)

var refCases = []pageCase{
	{name: "48-ref-survives-move", run: refSurvivesMove, alone: true},
	{name: "97-diff-noise", run: diffNoise},
}

// number is the number of a ref.
func number(ref string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(ref, "e"))
	return n
}

func refSurvivesMove(k *kase) {
	k.open("/")
	look := k.snap()
	zed, item := k.ref(look, `button "Pay Zed"`), k.ref(look, `button "Open Item 1"`)
	k.click("role=button[name=Sort]")
	k.click(zed)
	k.reads("#out", "paid Zed")
	seen := k.click("role=button[name=Next page]")
	if len(lines(seen, "~ "+item+":", `button "Open Item 6"`)) == 0 {
		k.faultf("the new name is no changed line of %s in:\n%s", item, seen)
	}
	k.line(k.snap(), item+":", `"Open Item 6"`)
	k.click(item)
	k.reads("#out", "opened 6")
}

func diffNoise(k *kase) {
	k.open("/")
	look := k.snap()
	first, last := k.ref(look, `link "Entry 1"`), k.ref(look, `link "Entry 3"`)
	seen := k.click("role=button[name=Save]")
	k.none(seen, `"Entry`)
	seen += k.waitText("Saved")
	seen += k.ok("browser_snapshot", "mode", "diff")
	k.none(seen, `"Entry`)
	if len(lines(seen, "status", "Saved")) == 0 {
		k.faultf("the status line was never told:\n%s", seen)
	}
	look = k.snap()
	k.same("the ref of the first entry", k.ref(look, `link "Entry 1"`), first)
	k.same("the ref of the third entry", k.ref(look, `link "Entry 3"`), last)
}
