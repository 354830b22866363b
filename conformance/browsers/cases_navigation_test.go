//go:build linux

package browsers

import (
	"strings"
	"time"
)

var navigationCases = []pageCase{
	{name: "19-back-forward-cache", run: backForward, alone: true},
	{name: "54-basic-auth", run: basicAuth, alone: true},
	{name: "55-no-content-and-download", run: noContent},
	{name: "57-same-document-navigation", run: sameDocument},
	{name: "58-slow-click-navigation", run: slowClick},
	{name: "103-pdf-and-non-html", run: nonHTML},
	{name: "104-blob-and-data-downloads", run: downloads},
}

func (k *kase) back() string { return k.ok("browser_navigate", "action", "back") }

func backForward(k *kase) {
	k.open("/")
	k.click("role=button[name=Count]")
	k.reads("#out", "count 1")
	old := k.ref(k.snap(), `button "Count"`)
	k.click("role=link[name=To B]")
	k.line(k.snap(), `heading "Page B"`)
	var seen string
	k.within(3*time.Second, "going back", func() { seen = k.back() })
	k.same("the address", k.address(), k.base+"/")
	k.none(seen, old+":")
	k.fails("the old ref", k.call("browser_click", "selector", old), "STALE_REF")
	look := k.snap()
	k.none(look, old+":")
	k.click(k.ref(look, `button "Count"`))
	if out := k.text("#out"); out != "count 2" && out != "count 1" {
		k.faultf("#out is %q", out)
	}
}

func basicAuth(k *kase) {
	k.within(4500*time.Millisecond, "the refused page", func() {
		r := k.call("browser_navigate", "url", k.base+"/secret.html", "timeout_ms", 4000)
		low := strings.ToLower(r.Text)
		if !strings.Contains(low, "401") && !strings.Contains(low, "auth") {
			k.faultf("neither 401 nor authentication is named: %.300s", r.Text)
		}
		if !r.IsError && !strings.Contains(string(r.Structured), `"status":401`) {
			k.faultf("told as a success: %.300s", r.Text)
		}
	})
	k.open("/")
	k.within(4*time.Second, "the click", func() { k.click("role=button[name=Fetch secret]") })
	if out := k.text("#out"); out != "status 401" && out != "-" {
		k.faultf("#out is %q", out)
	}
	k.line(k.snap(), `button "Fetch secret"`)
}

func noContent(k *kase) {
	look := k.open("/")
	report, quiet := k.ref(look, `link "Get report"`), k.ref(look, `link "Quiet"`)
	for path, outcome := range map[string]string{"/204": "no content", "/file": "download", "/to-file": "download"} {
		k.within(5*time.Second, path, func() {
			r := k.call("browser_navigate", "url", k.base+path)
			if r.code() == "TIMEOUT" || !strings.Contains(r.Text, outcome) {
				k.faultf("%s: want the outcome %q: %.300s", path, outcome, r.Text)
			}
		})
		k.same("the address", k.address(), k.base+"/")
	}
	k.click(report)
	k.click(quiet)
	k.same("the address", k.address(), k.base+"/")
	look = k.snap()
	k.line(look, `heading "Stay here"`)
	k.same("the ref of the first link", k.ref(look, `link "Get report"`), report)
}

func sameDocument(k *kase) {
	stay := k.ref(k.open("/"), `button "Stay"`)
	quick := func(what string, step func()) { k.within(2*time.Second, what, step) }
	for range 2 {
		quick("the fragment", func() { k.open("/#two") })
	}
	k.click(stay)
	quick("the route", func() {
		k.says("the click", k.click("role=link[name=Route B]"), "?route=b")
	})
	k.reads("#out", "stay 1 / route B")
	quick("going back", func() { k.back() })
	k.reads("#out", "stay 1 / route A")
}

func slowClick(k *kase) {
	old := k.ref(k.open("/"), `button "Continue"`)
	k.click("role=link[name=Next step]")
	k.waitText("Step 2 ready")
	k.fails("the old ref", k.call("browser_click", "selector", old), "STALE_REF")
	k.click("role=button[name=Continue]")
	k.reads("#out", "two 1")
}

func nonHTML(k *kase) {
	quick := func(path string) (r result) {
		k.within(5*time.Second, path, func() {
			r = k.call("browser_navigate", "url", k.base+path)
			if r.code() == "TIMEOUT" {
				k.faultf("%s: %.300s", path, r.Text)
			}
		})
		return r
	}
	pdf := quick("/doc.pdf")
	if strings.Contains(string(pdf.Structured), `"outcome":"download"`) { // so a browser without a viewer has it
		k.says("the answer", pdf.Text, "download:", "doc.pdf")
	} else if r := k.call("browser_snapshot"); !r.IsError {
		k.says("the map", r.Text, "doc.pdf")
	}
	quick("/plain.txt")
	k.snap()
	k.reads("body", "just text")
	quick("/data.json")
	k.snap()
	quick("/pic.svg")
	k.says("the map", k.snap(), "pic.svg")
}

func downloads(k *kase) {
	k.open("/")
	for _, selector := range []string{"role=button[name=Save blob]", "role=button[name=Save data]", "role=link[name=Cross copy]"} {
		k.within(5*time.Second, "the click on "+selector, func() { k.click(selector) })
	}
	k.line(k.snap(), `button "Save blob"`)
	if tabs := k.tabs(); len(tabs) != 1 {
		k.faultf("the tabs: %v", tabs)
	}
	k.reads("#out", "clicks 3")
}
