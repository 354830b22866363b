package selector_test

import (
	"testing"

	"duet/internal/selector"
)

// What is written as another tool has it, or as a map shows it, is told in our words;
// each of them is a selector, and CSS is left alone.
func TestMeant(t *testing.T) {
	for css, want := range map[string]string{
		"@e9": "e9", "[ref=e9]": "e9", `[ref="e12"]`: "e12", "aria-ref=e3": "e3", `e7: button "Save"`: "e7", "ref:e4": "e4",
		"#e9": "", "e9": "",
		`button "Place order"`:                         `role=button[name="Place order"]`,
		`text "Order 7"`:                               "text=Order 7",
		`getByRole('button', { name: 'Place order' })`: `role=button[name*="Place order"]`,
		`page.getByLabel("Email")`:                     "label=Email",
		`getByText('Hi')`:                              "text=Hi",
		`getByTestId('cart')`:                          "testid=cart",
		`button:has-text("Place order")`:               `role=button[name*="Place order"]`,
		`a:contains('Home')`:                           `role=link[name*="Home"]`,
		`li:has-text("Tea pot") button`:                `xpath=//li[contains(., "Tea pot")]//button`,
		`:text("Hi")`:                                  "text*=Hi",
		"aria/Save":                                    "text=Save",
		"li:has(a) > b":                                "", "[data-x='1']": "", "div.a": "", "button": "",
	} {
		got := selector.Meant(css)
		if got != want {
			t.Errorf("%s: %q, want %q", css, got, want)
		}
		if got == "" {
			continue
		}
		if _, err := selector.Parse(got); err != nil {
			t.Errorf("%s: %v", got, err)
		}
	}
}

// Words alone are read as CSS, which names elements by them.
func TestWords(t *testing.T) {
	for s, want := range map[string]string{"Place order": "Place order", "Checkout": "Checkout", "my-card": "", "a > b": "", "#x": "", "text=Save": "", "css=Save": "Save"} {
		c, err := selector.Parse(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Steps[0].Words(); got != want {
			t.Errorf("%s: %q", s, got)
		}
	}
}
