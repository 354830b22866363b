//go:build linux

package browsers

import (
	"strings"
	"time"
)

var tabCases = []pageCase{
	{name: "23-window-close", run: windowClose, alone: true},
}

func windowClose(k *kase) {
	k.open("/")
	k.click("role=button[name=Open picker]")
	var opener, popup string
	for _, t := range k.tabs() {
		if strings.HasSuffix(t.URL, "/pick.html") {
			popup = t.number()
		} else {
			opener = t.number()
		}
	}
	if popup == "" {
		k.endf("no popup among the tabs")
	}
	k.ok("browser_page", "action", "select", "target", popup)
	k.within(6*time.Second, "the click that closes its tab", func() {
		r := k.call("browser_click", "selector", "role=button[name=Done]")
		if r.IsError && k.s.name != "chrome" {
			k.faultf("Done: %.300s", r.Text)
		}
	})
	k.within(5*time.Second, "the next map", func() {
		if r := k.call("browser_snapshot"); r.IsError && !strings.Contains(r.Text, "closed") {
			k.faultf("the next map: %.300s", r.Text)
		}
	})
	k.ok("browser_page", "action", "select", "target", opener)
	k.reads("#out", "picked")
	k.click("role=button[name=Timer popup]")
	if tabs := k.tabs(); len(tabs) == 0 {
		k.faultf("no tabs are left")
	}
}
