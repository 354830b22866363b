//go:build linux

package browsers

import (
	"strings"
	"time"
)

var dialogCases = []pageCase{
	{name: "02-deferred-dialog", run: deferredDialog},
	{name: "04-alert-during-load", run: alertDuringLoad, alone: true},
	{name: "18-beforeunload", run: beforeUnload, alone: true},
	{name: "52-dialog-in-iframe", run: dialogInFrame},
	{name: "53-eval-opens-dialog", run: evalDialog},
}

// answerSoon waits until a dialog is open, and accepts it.
func (k *kase) answerSoon(limit time.Duration, message string) {
	for at := time.Now(); ; {
		look := k.ok("browser_dialog", "action", "inspect")
		if strings.Contains(look, message) {
			break
		}
		if time.Since(at) > limit {
			k.endf("no dialog %q: %s", message, look)
		}
	}
	k.ok("browser_dialog", "action", "accept")
}

func deferredDialog(k *kase) {
	k.open("/")
	for _, step := range [][2]string{{"Save soon", "Save now?"}, {"Save later", "Save later?"}} {
		k.within(5*time.Second, "the click on "+step[0], func() {
			k.click("role=button[name=" + step[0] + "]")
		})
		if r := k.call("browser_read", "selector", "#out"); r.IsError {
			k.fails("a read beside the dialog", r, "DIALOG_OPEN")
		}
		k.within(5*time.Second, "answering", func() { k.answerSoon(3*time.Second, step[1]) })
	}
	k.reads("#out", "saved true / later true")
}

func alertDuringLoad(k *kase) {
	k.within(2*time.Second, "the navigation", func() {
		said := k.ok("browser_navigate", "url", k.base+"/", "timeout_ms", 10000)
		k.says("the navigation", said, "dialog open:", "Maintenance tonight")
	})
	k.says("inspect", k.ok("browser_dialog", "action", "inspect"), "Maintenance tonight", "alert")
	k.within(5*time.Second, "the screenshot", func() {
		if r := k.call("browser_screenshot"); r.IsError {
			k.fails("the screenshot", r, "DIALOG_OPEN")
		}
	})
	k.ok("browser_dialog", "action", "accept")
	look := k.snap()
	k.line(look, `heading "Welcome"`)
	k.same("the address", k.address(), k.base+"/")
}

func beforeUnload(k *kase) {
	leaving := func() string {
		var said string
		k.within(3*time.Second, "leaving", func() {
			said = k.ok("browser_navigate", "url", k.base+"/other.html")
		})
		k.says("leaving", said, "dialog open:", "beforeunload")
		return said
	}
	k.open("/")
	k.fill("role=textbox[name=Draft]", "abc")
	leaving()
	k.says("inspect", k.ok("browser_dialog", "action", "inspect"), "beforeunload")
	k.ok("browser_dialog", "action", "dismiss")
	k.same("the address after dismiss", k.address(), k.base+"/")
	k.holds("#i", "abc")
	leaving()
	k.ok("browser_dialog", "action", "accept")
	k.ok("browser_wait", "kind", "url", "target", "**/other.html", "timeout_ms", 2000)
	k.same("the address after accept", k.address(), k.base+"/other.html")
	k.line(k.snap(), `heading "Other"`)

	k.open("/")
	k.fill("role=textbox[name=Draft]", "again")
	k.within(3*time.Second, "closing", func() {
		k.says("closing", k.ok("browser_page", "action", "close"), "beforeunload")
	})
	k.within(3*time.Second, "closing for good", func() {
		k.ok("browser_dialog", "action", "accept")
		k.ok("browser_page", "action", "list")
	})
	if tabs := k.tabs(); len(tabs) != 1 || tabs[0].URL != "about:blank" {
		k.faultf("the tabs after closing the last: %v", tabs)
	}
}

func dialogInFrame(k *kase) {
	k.open("/")
	k.click("role=button[name=Ask]")
	for at := time.Now(); time.Since(at) < 2*time.Second; {
		if strings.Contains(k.ok("browser_dialog", "action", "inspect"), "Frame asks") {
			break
		}
	}
	k.says("inspect", k.ok("browser_dialog", "action", "inspect"), "Frame asks", "confirm")
	k.ok("browser_dialog", "action", "accept")
	k.waitText("answer true")
	k.reads("iframe >> #out", "answer true")
}

func evalDialog(k *kase) {
	k.open("/")
	k.within(5*time.Second, "the expression", func() {
		r := k.call("browser_advanced_eval", "js", "confirm('Proceed?') ? 'yes' : 'no'")
		k.says("the expression", r.Text, "dialog open:", "Proceed?")
	})
	k.within(2*time.Second, "accepting", func() { k.ok("browser_dialog", "action", "accept") })
	k.within(2*time.Second, "the next expression", func() { k.same("1+1", k.eval("1+1"), "2") })
}
