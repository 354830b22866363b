//go:build linux

package browsers

var keyboardMouseCases = []pageCase{
	{name: "41-keys-and-modifiers", run: keysAndModifiers, alone: true},
	{name: "43-hover-menu", run: hoverMenu},
}

func keysAndModifiers(k *kase) {
	k.open("/")
	k.click("role=textbox[name=Keys]")
	for _, key := range []string{"Control++", "Shift+a", "A", "+", "Control+Shift+ArrowLeft", "é", "Enter"} {
		k.ok("browser_press", "key", key)
	}
	before := k.text("#out") + k.value("#i")
	k.fails("an unknown key", k.call("browser_press", "key", "Foo"), "INVALID_ARGUMENT")
	k.same("what an unknown key changed", k.text("#out")+k.value("#i"), before)
	k.ok("browser_type", "text", "b")
	k.reads("#out", "C:+ S:A A + CS:ArrowLeft é Enter b")
	k.holds("#i", "AA+éb")
}

func hoverMenu(k *kase) {
	k.open("/")
	k.none(k.snap(), "Log out")
	k.fails("a hidden link", k.call("browser_click", "selector", "#o", "timeout_ms", 800), "NOT_VISIBLE")
	k.ok("browser_hover", "selector", "text=Account")
	k.line(k.snap(), `link "Log out"`)
	k.click("role=link[name=Log out]")
	k.ok("browser_element", "action", "dblclick", "selector", "text=Edit me")
	k.reads("#out", "out 1 / clicks 2 dbl 1")
}
