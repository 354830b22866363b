package drive

import (
	"strings"
	"testing"

	"duet/internal/pagejs"
	"duet/internal/selector"
)

func selectorsOf(ps []proposal) string {
	var out []string
	for _, p := range ps {
		s := selector.Chain{Steps: p.steps}.String()
		if p.volatile {
			s += " volatile"
		}
		out = append(out, s)
	}
	return strings.Join(out, " | ")
}

func TestSelectorsAreProposedByHowLongTheyLast(t *testing.T) {
	for _, c := range []struct {
		trait pagejs.Trait
		want  string
		plain string
	}{
		{pagejs.Trait{Tag: "button", Role: "button", Name: "Save", Text: "Save", ID: "save", Test: [][2]string{{"data-testid", "s"}}},
			"role=button[name=Save] | testid=s | text=Save | #save",
			`[data-testid="s"] | #save | xpath=//button[normalize-space()="Save"]`},
		{pagejs.Trait{Tag: "input", Role: "textbox", Name: "Email", Labels: []string{"Email"}, Named: "email", Placeholder: "you@example.com"},
			`role=textbox[name=Email] | label=Email | placeholder=you@example.com | input[name="email"]`,
			`input[name="email"] | input[placeholder="you@example.com"]`},
		{pagejs.Trait{Tag: "div", Text: "Total: 12 €", ID: "radix-12"},
			"text=Total: 12 € volatile", `xpath=//div[normalize-space()="Total: 12 €"] volatile`},
		{pagejs.Trait{Tag: "button", Role: "button", Name: "٣ رسائل", Test: [][2]string{{"data-cy", `a"b`}}},
			`role=button[name=٣ رسائل] volatile | [data-cy="a\"b"]`, `[data-cy="a\"b"]`},
		{pagejs.Trait{Tag: "a", Role: "link", Name: strings.Repeat("x", 81), Text: strings.Repeat("x", 81)}, "", ""},
		{pagejs.Trait{Tag: "div"}, "", ""},
	} {
		if got := selectorsOf(proposals(c.trait)); got != c.want {
			t.Errorf("%+v:\n %s\n want %s", c.trait, got, c.want)
		}
		if got := selectorsOf(plain(c.trait, true)); got != c.plain {
			t.Errorf("%+v, plain:\n %s\n want %s", c.trait, got, c.plain)
		}
	}
}

func TestIdsThatAProgramMadeAreLeftOut(t *testing.T) {
	for id, want := range map[string]bool{
		"save": true, "main-menu": true, "login_form2": true, "step-12": true,
		"": false, "7up": false, "a:b": false, ":r1:": false, "ember123": false, "mui-4": false, "radix-1": false, "headlessui-menu-1": false,
		"react-aria-77": false, "u12345": false, "x-deadbeef12": false, "a b": false,
	} {
		if got := handWritten(id); got != want {
			t.Errorf("%q: %t", id, got)
		}
	}
}

func TestLocatorsAsCode(t *testing.T) {
	name := `Say "hi"`
	role := []selector.Step{{Kind: selector.Role, Value: "button", Name: &name, NameOp: "="}}
	css := []selector.Step{{Kind: selector.CSS, Value: `[data-testid="go"]`}}
	frames := []selector.Step{{Kind: selector.CSS, Value: "#pay"}}
	for _, c := range []struct {
		f    finder
		step []selector.Step
		want string
	}{
		{finder{as: "playwright"}, role, `page.getByRole("button", { name: "Say \"hi\"", exact: true })`},
		{finder{as: "playwright", frames: frames}, css, `page.frameLocator("#pay").locator("[data-testid=\"go\"]")`},
		{finder{as: "playwright"}, []selector.Step{{Kind: selector.TestID, Value: "row"}, {Kind: selector.Text, Value: "Edit"}},
			`page.getByTestId("row").getByText("Edit", { exact: true })`},
		{finder{as: "selenium"}, css, `await driver.findElement(By.css("[data-testid=\"go\"]"))`},
		{finder{as: "selenium", hosts: []string{"my-card"}}, css,
			`await (await (await driver.findElement(By.css("my-card"))).getShadowRoot()).findElement(By.css("[data-testid=\"go\"]"))`},
		{finder{as: "selenium", hosts: []string{""}}, css, ""},
		{finder{as: "selenium", frames: frames}, []selector.Step{{Kind: selector.XPath, Value: "//a"}},
			`await driver.switchTo().frame(await driver.findElement(By.css("#pay"))); await driver.findElement(By.xpath("//a"))`},
		{finder{as: "webdriverio", hosts: []string{"my-card"}}, css, `$("my-card").shadow$("[data-testid=\"go\"]")`},
		{finder{as: "webdriverio", frames: frames}, css, `await browser.switchFrame($("#pay")); $("[data-testid=\"go\"]")`},
		{finder{}, css, ""},
	} {
		if got := c.f.code(c.step); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.f.as, got, c.want)
		}
	}
}
