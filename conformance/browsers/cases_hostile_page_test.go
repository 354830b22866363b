//go:build linux

package browsers

import "time"

var hostileCases = []pageCase{
	{name: "05-dom-clobbering", run: clobberedForm, alone: true},
	{name: "07-overridden-builtins", run: overriddenBuiltins, alone: true},
	{name: "08-lone-surrogates", run: loneSurrogates, alone: true},
	{name: "35-strict-csp", run: strictCSP},
	{name: "94-csp-sandbox-document", run: sandboxedDocument},
}

func clobberedForm(k *kase) {
	k.open("/")
	look := k.snap()
	k.line(look, "form (container)", `"Sign up"`, "#signup")
	for _, name := range []string{"Tag", "Kids", "Attr", "Parent", "Ident"} {
		k.once(look, `textbox "`+name+`"`)
	}
	k.once(look, `button "Send"`)
	k.silent("the map", look, "[object")
	k.fill("role=textbox[name=Tag]", "x")
	k.fill("role=textbox[name=Kids]", "2")
	k.click("role=button[name=Send]")
	k.reads("#out", "sent x 2")
}

func overriddenBuiltins(k *kase) {
	k.says("the first observation", k.open("/"), "errors: 0")
	look := k.snap()
	k.line(look, `button "Ok"`)
	for _, name := range []string{"One", "Two", "Three"} {
		k.once(look, `link "`+name+`"`)
	}
	k.same("an asynchronous expression", k.eval("new (async()=>{}).constructor('return 5')()"), "5")
	k.waitText("Late")
	k.says("the click", k.click("role=button[name=Ok]"), "errors: 0")
	k.reads("#out", "ok")
}

func loneSurrogates(k *kase) {
	k.open("/")
	k.within(3*time.Second, "the snapshot", func() {
		k.line(k.snap(), `button "Half`, "smile")
	})
	text := k.text("#p")
	if text != "cut \ufffd here" {
		k.faultf("the text is %q", text)
	}
	k.same("the title", k.eval("document.title"), "T\ufffd!")
	k.click("role=button[name*=Half]")
	k.reads("#out", "half 1")
	k.holds("#i", "v\ufffd")
}

func strictCSP(k *kase) {
	k.says("the first observation", k.open("/"), "errors: 0")
	k.line(k.snap(), `textbox "Name"`)
	k.says("the audit", k.ok("browser_a11y"), "image-alt", "Images must have alternative text")
	k.fill("role=textbox[name=Name]", "Bo")
	k.says("the click", k.click("role=button[name=Ok]"), "errors: 0")
	k.reads("#out", "ok Bo; violations 0")
	k.silent("the log", k.ok("browser_logs"), "Security Policy", "Trusted")
}

func sandboxedDocument(k *kase) {
	k.open("/")
	look := k.snap()
	k.line(look, `heading "Static"`)
	k.line(look, `link "Next"`)
	k.reads("h1", "Static")
	k.click("role=link[name=Next]")
	k.same("the address", k.address(), k.base+"/next.html")
}
