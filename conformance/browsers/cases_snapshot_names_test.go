//go:build linux

package browsers

import (
	"strconv"
	"strings"
	"unicode"
)

var snapshotNameCases = []pageCase{
	{name: "09-forged-snapshot-lines", run: forgedLines, alone: true},
	{name: "29-labelledby-self-and-embedded", run: labelledBy},
	{name: "30-name-fallback-chain", run: nameFallback},
	{name: "32-invisible-whitespace", run: invisibleSpace, alone: true},
	{name: "33-style-script-in-names", run: codeInNames},
	{name: "84-hidden-variants", run: hiddenVariants},
	{name: "85-duplicate-ids-and-labels", run: duplicateIDs},
	{name: "87-clickable-divs", run: clickableDivs},
	{name: "88-block-and-inline-spacing", run: spacing},
}

func forgedLines(k *kase) {
	k.open("/")
	look := k.snap()
	buttons, links := 0, 0
	for line := range strings.SplitSeq(look, "\n") {
		ref, rest, _ := strings.Cut(strings.TrimLeft(line, " "), ": ")
		switch {
		case !isRef(ref):
		case strings.HasPrefix(rest, "button"):
			buttons++
		case strings.HasPrefix(rest, "link"):
			links++
		}
		if ref == "e999" || ref == "e998" {
			k.faultf("a forged line: %q", line)
		}
		if at := strings.Index(rest, `"`); at >= 0 && isRef(ref) {
			if _, err := strconv.QuotedPrefix(rest[at:]); err != nil {
				k.faultf("the name does not read back: %q", line)
			}
		}
		if strings.ContainsFunc(line, func(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }) {
			k.faultf("a control character in %q", line)
		}
	}
	if buttons != 5 || links != 1 {
		k.faultf("%d buttons and %d links, want 5 and 1", buttons, links)
	}
	k.line(look, `button "Say \"yes\" \\"`)
	k.click(k.ref(look, `button "Pay`))
	k.reads("#out", "pay 1")
	r := k.call("browser_click", "selector", "ref=e999")
	k.fails("ref=e999", r, "STALE_REF")
	k.says("ref=e999", r.Text, "unknown-ref")
}

func labelledBy(k *kase) {
	k.open("/")
	look := k.snap()
	for _, want := range []string{
		`button "Delete notes.txt"`, `button "Delete plan.md"`, `checkbox "Reboot after 15 minutes"`,
		`button "Secret words shown"`, `button "Second"`,
	} {
		k.once(look, want)
	}
	k.none(look, `button "Third"`)
}

func nameFallback(k *kase) {
	k.open("/")
	look := k.snap()
	for _, want := range []string{
		`textbox "Street"`, `button "Save"`, `textbox "Postcode"`, `button "Close dialog"`, `searchbox "Search site"`, `button "More"`,
	} {
		k.once(look, want)
	}
	k.fill("role=textbox[name=Street]", "Main")
	k.holds("#a", "Main")
}

func invisibleSpace(k *kase) {
	k.open("/")
	look := k.snap()
	for _, want := range []string{`button "Sign in"`, `button "Donaudampfschiff"`, `textbox "First name"`, `button "12 345 €"`, "button \"👩\u200d👩\u200d👧 family\""} {
		k.once(look, want)
	}
	for _, selector := range []string{"role=button[name=Sign in]", "text=Donaudampfschiff", "label=First name", "role=button[name=12 345 €]"} {
		var total string
		if found := lines(k.ok("browser_find", "selector", selector, "all", true), "total:"); len(found) > 0 {
			total = found[0]
		}
		k.same("what matches "+selector, total, "total: 1, visible: 1")
	}
	k.click("role=button[name=Sign in]")
	k.click("text=Donaudampfschiff")
	k.fill("label=First name", "A")
	k.click("role=button[name=12 345 €]")
	k.reads("#out", "signin ship price")
	k.holds("#c", "A")
}

func codeInNames(k *kase) {
	k.open("/")
	look := k.snap()
	k.once(look, `button "Go home"`)
	k.once(look, `checkbox "Remember me"`)
	k.line(look, "status", `3 new`)
	k.silent("the map", look, "color:red", "var secret", "template text", "no script")
	k.reads("#st", "3 new")
}

func hiddenVariants(k *kase) {
	k.open("/")
	look := k.snap()
	k.line(look, `"Shipping"`, "expanded=false")
	k.once(look, `button "Far away"`)
	k.silent("the map", look, "In details", "Until found", "Skipped", "Aria hidden", "Inert one")
	after := k.click("text=Shipping")
	if len(lines(after, "+ ", `button "In details"`)) == 0 {
		k.faultf("no + line for the button in:\n%s", after)
	}
	look = k.snap()
	k.line(look, `"Shipping"`, "expanded=true")
	k.line(look, `button "In details"`)
}

func duplicateIDs(k *kase) {
	k.open("/")
	look := k.snap()
	k.once(look, `textbox "Email"`)
	k.once(look, `textbox "Given name as in passport"`)
	k.once(look, `progressbar "Loading"`)
	k.once(look, `meter "Battery"`)
	k.fill("label=Email", "x@y.z")
	var second string // the textbox without a name
	for _, line := range lines(look, "textbox") {
		if !strings.Contains(line, `"`) {
			second = line
		}
	}
	if second == "" {
		k.endf("no textbox without a name in:\n%s", look)
	}
	ref, rest, _ := strings.Cut(second, ": ")
	k.holds("input >> nth=0", "x@y.z")
	k.holds(ref, "")
	if hint := strings.Fields(rest); len(hint) > 1 && strings.ContainsAny(hint[1], "#[.") {
		k.fill(hint[1], "second")
		k.holds(ref, "second")
		k.holds("input >> nth=0", "x@y.z")
	}
	k.fill(ref, "by ref")
	k.holds("input >> nth=1", "by ref")
	k.holds("input >> nth=0", "x@y.z")
}

func clickableDivs(k *kase) {
	k.open("/")
	look := k.snap()
	var icon string
	for _, line := range lines(look, "button") {
		if !strings.Contains(line, `"`) {
			icon, _, _ = strings.Cut(line, ": ")
		}
	}
	if !isRef(icon) {
		k.endf("no button without a name in:\n%s", look)
	}
	k.ref(look, "Row seven")
	k.ref(look, "Open drawer")
	k.ref(look, "Focus me")
	k.click(icon)
	k.click("text=Row seven")
	k.click("text=Open drawer")
	k.reads("#out", "icon row drawer")
}

func spacing(k *kase) {
	k.open("/")
	look := k.snap()
	for _, want := range []string{
		`link "Blue chair 40 EUR"`, `button "Subscribe"`, `button "Line one line two"`, `link "Inbox 12"`, `link "Go to Home page"`,
	} {
		k.once(look, want)
	}
}
