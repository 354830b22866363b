//go:build linux

package browsers

import (
	"strings"
	"time"
)

var clickGeometryCases = []pageCase{
	{name: "01-wrapped-inline-link", run: wrappedLink},
	{name: "25-sticky-header-upward", run: stickyHeader},
	{name: "26-smooth-scroll", run: smoothScroll, alone: true},
	{name: "61-image-map", run: imageMap},
	{name: "62-svg-link-and-ring", run: svgRing},
	{name: "64-visible-child-of-hidden", run: visibleChild},
	{name: "65-pointer-events-none", run: noPointerEvents},
	{name: "67-permanent-overlay", run: permanentOverlay, alone: true},
	{name: "68-sticky-in-fixed-scroller", run: stickyInFixed},
	{name: "70-hover-rerender", run: hoverRedraws},
	{name: "71-click-removes-itself", run: clickRemoves},
}

func wrappedLink(k *kase) {
	k.open("/")
	k.click(k.ref(k.snap(), `link "annual harbour report"`))
	k.reads("#out", "link 1 / paragraph 0")
}

func stickyHeader(k *kase) {
	k.open("/")
	k.click("role=button[name=Subscribe]")
	k.reads("#out", "subscribe 1 / bar 0")
}

func smoothScroll(k *kase) {
	k.open("/")
	k.click("role=button[name=Item 150]")
	k.reads("#out", "Item 150")
}

func imageMap(k *kase) {
	k.open("/")
	look := k.snap()
	k.once(look, `link "Birds"`)
	k.once(look, `link "Fish"`)
	k.click("role=link[name=Fish]")
	k.reads("#out", "fish")
}

func svgRing(k *kase) {
	k.open("/")
	look := k.snap()
	link, ring := k.ref(look, `link "Details 284"`), k.ref(look, `button "Ring"`)
	k.click(link)
	r := k.call("browser_click", "selector", ring)
	want := "link 1 / ring 1 / behind 0"
	if r.IsError {
		k.fails("the ring", r, "CLICK_INTERCEPTED")
		want = "link 1 / ring 0 / behind 0"
	}
	k.reads("#out", want)
}

func visibleChild(k *kase) {
	k.open("/")
	look := k.snap()
	k.once(look, `button "Shown A"`)
	k.once(look, `button "Shown B"`)
	k.none(look, "Gone C")
	k.click("role=button[name=Shown A]")
	k.click("role=button[name=Shown B]")
	k.reads("#out", "A,B")
	k.same("whether #c is visible", k.field("#c", "visible"), "false")
}

func noPointerEvents(k *kase) {
	k.open("/")
	r := k.call("browser_click", "selector", "role=button[name=Archive]", "timeout_ms", 1000)
	k.fails("Archive", r, append(notActionable, "CLICK_INTERCEPTED")...)
	k.click("role=button[name=Help]")
	k.reads("#out", "archive 0 / card 0 / help 1")
}

func permanentOverlay(k *kase) {
	k.open("/")
	k.within(2*time.Second, "the click", func() {
		r := k.call("browser_click", "selector", "role=button[name=Buy]", "timeout_ms", 1000)
		k.fails("Buy", r, "CLICK_INTERCEPTED")
		k.says("Buy", r.Text, "effect: none")
		if !strings.Contains(r.Text, "wall") && !strings.Contains(r.Text, "privacy settings") {
			k.faultf("what covers it is not named: %s", r.Text)
		}
	})
	k.reads("#out", "buy 0 / wall 0")
}

func stickyInFixed(k *kase) {
	k.open("/")
	k.click("role=button[name=Pick row 3]")
	k.reads("#out", "picked 3")
}

func hoverRedraws(k *kase) {
	k.open("/")
	k.click("role=button[name=Edit row]")
	k.reads("#out", "edited 1")

	k.ok("browser_mouse", "action", "move", "x", 600, "y", 600)
	old := k.ref(k.open("/"), `button "Edit row"`)
	want := "edited 1"
	if r := k.call("browser_click", "selector", old); r.IsError {
		k.fails("the old ref", r, "STALE_REF")
		want = "edited 0"
	}
	k.reads("#out", want)
}

func clickRemoves(k *kase) {
	k.open("/")
	ref := k.ref(k.snap(), `button "Dismiss"`)
	k.within(2*time.Second, "the click", func() { k.click(ref) })
	k.reads("#out", "dismissed 1")
	r := k.call("browser_click", "selector", ref)
	k.fails("the same ref again", r, "STALE_REF")
	k.says("the same ref again", r.Text, "detached")
}
