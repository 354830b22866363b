//go:build linux

package browsers

import "strings"

var frameCases = []pageCase{
	{name: "11-cross-origin-iframe", run: crossOriginFrame, alone: true},
	{name: "13-nested-scaled-iframes", run: nestedFrames},
	{name: "20-frame-reload-stales-refs", run: frameReload, alone: true},
	{name: "44-focus-in-frame-typing", run: frameTyping},
	{name: "47-sandboxed-srcdoc-iframe", run: sandboxedFrame},
}

func crossOriginFrame(k *kase) {
	k.open("/")
	look := k.snap()
	k.line(look, `heading "Shop"`)
	frame, inside, ok := strings.Cut(look, `"Payment"`)
	if !ok || strings.Contains(frame, "Pay now") {
		k.endf("the button is not under the frame:\n%s", look)
	}
	k.click(k.ref(inside, `button "Pay now"`))
	k.click("text=Bank transfer")
	k.reads("iframe >> #out", "paid 1 bank 1")
	k.reads("#o ~ p #out", "outer 0")
}

func nestedFrames(k *kase) {
	k.open("/")
	look := k.snap()
	k.line(look, `heading "Level 0"`)
	k.line(look, "Level 1")
	k.once(look, "iframe", `"L1"`)
	k.once(look, "iframe", `"L2"`)
	k.click(k.ref(look, `button "Press leaf"`))
	k.reads("iframe >> iframe >> #out", "leaf 1")
}

func frameReload(k *kase) {
	k.open("/")
	look := k.snap()
	next, outer := k.ref(look, `button "Next"`), k.ref(look, `button "Outer"`)
	k.click(next)
	k.waitText("page 2: 0")
	k.fails("the old ref", k.call("browser_click", "selector", next), "STALE_REF")
	k.reads("iframe >> #s", "page 2: 0")
	k.click(outer)
	k.reads("body > p > #out", "outer 1")
	again := k.ref(k.snap(), `button "Next"`)
	if number(again) <= number(next) || number(again) <= number(outer) {
		k.faultf("the new button is %s, the old one was %s", again, next)
	}
}

func frameTyping(k *kase) {
	k.open("/")
	k.click("role=textbox[name=Card holder]")
	k.ok("browser_type", "text", "Ada")
	k.holds("iframe >> #i", "Ada")
	k.click("role=textbox[name=Memo]")
	k.ok("browser_type", "text", "xyz")
	k.holds("x-memo >> input", "xyz")
	k.reads("#out", "keys 3")
}

func sandboxedFrame(k *kase) {
	k.open("/")
	look := k.snap()
	k.line(look, `heading "Terms version 7"`)
	k.ok("browser_wait", "kind", "text", "target", "Terms version 7", "timeout_ms", 1000)
	k.click(k.ref(look, `button "Agree"`))
	k.click(k.ref(look, `button "Plain ok"`))
	k.reads(`iframe[title=Terms] >> #o`, "agreed 1")
	k.reads(`iframe[title=Plain] >> #o`, "plain 1")
}
