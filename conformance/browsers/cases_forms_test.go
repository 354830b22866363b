//go:build linux

package browsers

import (
	"path/filepath"
	"strings"
	"time"
)

var formCases = []pageCase{
	{name: "10-rejected-typed-values", run: rejectedValues, alone: true},
	{name: "15-readonly-disabled-maxlength", run: readonlyAndDisabled},
	{name: "16-textarea-combobox-fill", run: comboboxFill},
	{name: "36-styled-checkbox-with-link", run: styledCheckbox},
	{name: "37-check-semantics", run: checkSemantics},
	{name: "39-disabled-fieldset", run: disabledFieldset},
	{name: "40-astral-typing", run: astralTyping},
	{name: "73-otp-auto-advance", run: autoAdvance},
	{name: "74-custom-combobox", run: customCombobox},
	{name: "76-masked-phone", run: maskedPhone},
	{name: "77-hidden-file-inputs", run: hiddenFileInputs, fresh: true, args: []string{"--upload-root", uploads("77-hidden-file-inputs")}},
}

// uploads is the absolute folder of a case.
func uploads(name string) string {
	dir, err := filepath.Abs(filepath.Join(casesDir, name))
	if err != nil {
		return casesDir
	}
	return dir
}

func rejectedValues(k *kase) {
	k.open("/")
	fields := []struct{ label, id, bad, old, good, want string }{
		{"Amount", "#a", "twelve", "5", "12.5", "12.5"},
		{"Day", "#d", "31/02/2024", "2024-01-01", "2024-02-29", "2024-02-29"},
		{"Shade", "#c", "bluish", "#112233", "#00FF7f", "#00ff7f"},
		{"Level", "#r", "loud", "40", "70", "70"},
	}
	for _, f := range fields {
		r := k.call("browser_fill", "selector", "label="+f.label, "value", f.bad)
		k.fails(f.label+" with "+f.bad, r, "EXPECT_MISMATCH", "INVALID_ARGUMENT", "STATE_INVALID")
		if now := k.value(f.id); now != f.old && !strings.Contains(r.Text, "actual") {
			k.faultf("%s holds %q after a refused value, and the answer does not say so: %s", f.label, now, r.Text)
		}
	}
	before := k.text("#out")
	k.same("the events of the refused values", before, "0 inputs 0 changes")
	for _, f := range fields {
		k.fill("label="+f.label, f.good)
		k.holds(f.id, f.want)
	}
	inputs, changes, _ := strings.Cut(strings.TrimSuffix(k.text("#out"), " changes"), " inputs ")
	if number("e"+inputs) < 4 || number("e"+changes) < 4 {
		k.faultf("%s inputs and %s changes, want 4 of each", inputs, changes)
	}
}

func readonlyAndDisabled(k *kase) {
	k.open("/")
	k.line(k.snap(), `textbox "Tax"`, "disabled")
	k.fails("Order", k.call("browser_fill", "selector", "label=Order", "value", "X", "timeout_ms", 1000), notActionable...)
	k.fails("Tax", k.call("browser_fill", "selector", "label=Tax", "value", "X", "timeout_ms", 1000), notActionable...)
	k.holds("#o", "KEEP-1")
	k.holds("#t", "KEEP-2")
	k.reads("#out", "events 0")
	r := k.call("browser_fill", "selector", "label=Code", "value", "ABCDEFGH")
	now := k.value("#c")
	if now != "ABCDE" && now != "" {
		k.faultf("Code holds %q: a person gets no more than five characters in", now)
	}
	if !r.IsError && !strings.Contains(strings.ReplaceAll(r.Text, "ABCDEFGH", ""), "ABCDE") {
		k.faultf("the answer does not say what Code holds: %s", r.Text)
	}
}

func comboboxFill(k *kase) {
	k.open("/")
	look := k.snap()
	k.line(look, `combobox "Search"`)
	k.line(look, `combobox "Country"`)
	k.fill("role=combobox[name=Search]", "today")
	k.fill("role=combobox[name=Country]", "Peru")
	k.fill("role=textbox[name=Notes]", "line 1\nline 2")
	k.holds("#s", "today")
	k.holds("#c", "Peru")
	k.holds("#n", "line 1\nline 2")
	k.reads("#out", "today|Peru|line 1⏎line 2")
}

func styledCheckbox(k *kase) {
	k.open("/")
	look := k.snap()
	k.line(look, `checkbox "I accept the terms of service"`)
	k.line(look, `link "terms of service"`)
	k.ok("browser_element", "action", "check", "selector", "role=checkbox[name=I accept the terms of service]")
	k.same("the first box", k.field("#a", "checked"), "true")
	k.ok("browser_element", "action", "check", "selector", "role=checkbox[name=Weekly news]")
	k.same("the second box", k.field("#b", "checked"), "true")
	k.reads("#out", "a=true b=true")
	k.same("the address", k.address(), k.base+"/")
}

func checkSemantics(k *kase) {
	check := func(action, selector string) result {
		return k.call("browser_element", "action", action, "selector", selector, "timeout_ms", 2000)
	}
	k.open("/")
	if r := check("check", "role=button[name=Theme]"); !r.IsError {
		k.faultf("a button was checked: %s", r.Text)
	}
	k.reads("#out", "-")
	if r := check("check", "role=checkbox[name=All]"); r.IsError {
		k.faultf("All: %s", r.Text)
	}
	k.same("All", k.field("#al", "checked"), "true")
	for range 2 {
		if r := check("check", "role=switch[name=Dark]"); r.IsError {
			k.faultf("Dark: %s", r.Text)
		}
		k.same("Dark", k.field("#sw", "checked"), "true")
	}
	if r := check("uncheck", "role=radio[name=Red]"); !r.IsError {
		k.faultf("a radio button was unchecked: %s", r.Text)
	}
	k.same("Red", k.field("#rd", "checked"), "true")
	k.fails("Locked", check("check", "role=checkbox[name=Locked]"), "EXPECT_MISMATCH")
	k.same("Locked", k.field("#lk", "checked"), "false")
}

func disabledFieldset(k *kase) {
	k.open("/")
	look := k.snap()
	k.line(look, `button "Inside"`, "disabled")
	k.line(look, `checkbox "Second legend"`, "disabled")
	k.line(look, `button "Bold"`, "disabled")
	k.none(look, `checkbox "Use address"`, "disabled")
	for id, want := range map[string]string{"#i": "false", "#l2": "false", "#u": "true", "#b": "false"} {
		k.same("whether "+id+" is enabled", k.field(id, "enabled"), want)
	}
	k.fails("Inside", k.call("browser_click", "selector", "role=button[name=Inside]", "timeout_ms", 800), notActionable...)
	k.ok("browser_element", "action", "check", "selector", "role=checkbox[name=Use address]")
	k.fails("Bold", k.call("browser_click", "selector", "role=button[name=Bold]", "timeout_ms", 800), notActionable...)
	k.reads("#out", "use")
}

func astralTyping(k *kase) {
	k.open("/")
	k.click("role=textbox[name=Say]")
	k.ok("browser_type", "text", "a😀b")
	k.holds("#i", "a😀b")
	typed := k.text("#bad")
	if typed != "lone surrogates: 0" && (k.s.name == "chrome" || typed != "lone surrogates: 1") {
		k.faultf("after typing: %s", typed)
	}
	const all = "👩\u200d👩\u200d👧 né 日本 𠀀"
	k.fill("role=textbox[name=Say]", all)
	k.holds("#i", all)
	k.reads("#bad", typed)
}

func autoAdvance(k *kase) {
	k.open("/")
	digits := []string{"4", "7", "1", "", "", ""}
	for i, d := range digits[:3] {
		k.fill("role=textbox[name=Digit "+string(rune('1'+i))+"]", d)
	}
	k.fill("role=textbox[name=First]", "aa")
	k.fill("role=textbox[name=Second]", "bb")
	for i, d := range digits {
		k.holds("role=textbox[name=Digit "+string(rune('1'+i))+"]", d)
	}
	k.holds("#f1", "aa")
	k.holds("#f2", "bb")
}

func customCombobox(k *kase) {
	k.open("/")
	k.fill("role=textbox[name=Agent]", "mar")
	k.holds("#i", "mar")
	k.waitText("Marta (14)")
	k.click("text=Marta (14)")
	k.holds("#i", "Marta")
	k.reads("#out", "chosen 14")
}

func maskedPhone(k *kase) {
	k.open("/")
	said := k.fill("role=textbox[name=Phone]", "5551234567")
	k.holds("#p", "(555) 123-4567")
	if strings.Contains(said, `"value":`) {
		k.says("the fill", said, "(555) 123-4567")
	}
	k.click("role=button[name=Check]")
	k.reads("#out", "accepted (555) 123-4567")
}

func hiddenFileInputs(k *kase) {
	dir := uploads("77-hidden-file-inputs")
	one, two := filepath.Join(dir, "one.txt"), filepath.Join(dir, "two.txt")
	k.open("/")
	up := func(selector string, files ...string) result {
		r := k.call("browser_upload", "selector", selector, "files", files)
		k.silent("the answer", r.Text+string(r.Structured), dir)
		return r
	}
	if r := up("#hid", one); r.IsError {
		k.faultf("the hidden input: %s", r.Text)
	}
	k.says("#out", k.text("#out"), "hid:one.txt")
	if r := up("#single", one, two); !r.IsError {
		k.faultf("two files in an input for one: %s", r.Text)
	}
	k.silent("#out", k.text("#out"), "single:")
	again := k.ref(k.snap(), `"Again`)
	if r := up(again, one); r.IsError {
		k.faultf("Again: %s", r.Text)
	}
	k.fails("the old ref", up(again, two), "STALE_REF")
	k.same("#out", strings.TrimSpace(k.text("#out")), "hid:one.txt again:one.txt")
	fresh := k.ref(k.snap(), `"Again`)
	if number(fresh) <= number(again) {
		k.faultf("the new input is %s, the old one was %s", fresh, again)
	}
	k.within(5*time.Second, "the new input", func() {
		if r := up(fresh, two); r.IsError {
			k.faultf("the new input: %s", r.Text)
		}
	})
}
