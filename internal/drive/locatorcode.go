package drive

import (
	"strings"

	"github.com/goccy/go-json"

	"duet/internal/selector"
)

// code prints a selector as the code of a test: inside frames and shadow roots with
// the way into them. "" where there is none: no such code enters a closed shadow root in every browser.
func (f *finder) code(steps []selector.Step) string {
	if f.closed {
		return ""
	}
	switch f.as {
	case "playwright":
		return f.playwright(steps)
	case "selenium":
		return f.selenium(steps)
	case "webdriverio":
		return f.webdriverio(steps)
	}
	return ""
}

// literal is a string literal of JavaScript.
func literal(s string) string {
	b, err := json.MarshalWithOption(s, json.DisableHTMLEscape())
	if err != nil {
		return `""` // a string always marshals
	}
	return string(b)
}

func (f *finder) playwright(steps []selector.Step) string {
	out := "page"
	for _, s := range f.frames {
		out += ".frameLocator(" + literal(s.Value) + ")"
	}
	exact := func(method, value string) string {
		return "." + method + "(" + literal(value) + ", { exact: true })"
	}
	for _, s := range steps {
		switch s.Kind {
		case selector.Role:
			out += ".getByRole(" + literal(s.Value)
			if s.Name != nil {
				out += ", { name: " + literal(*s.Name) + ", exact: true }"
			}
			out += ")"
		case selector.Label:
			out += exact("getByLabel", s.Value)
		case selector.TestID:
			out += ".getByTestId(" + literal(s.Value) + ")"
		case selector.Placeholder:
			out += exact("getByPlaceholder", s.Value)
		case selector.Alt:
			out += exact("getByAltText", s.Value)
		case selector.Title:
			out += exact("getByTitle", s.Value)
		case selector.Text:
			out += exact("getByText", s.Value)
		default:
			out += ".locator(" + literal(s.Value) + ")"
		}
	}
	return out
}

func (f *finder) selenium(steps []selector.Step) string {
	out := ""
	for _, s := range f.frames {
		out += "await driver.switchTo().frame(await driver.findElement(By.css(" + literal(s.Value) + "))); "
	}
	from := "driver"
	for _, host := range f.hosts {
		if host == "" {
			return ""
		}
		from = "(await (await " + from + ".findElement(By.css(" + literal(host) + "))).getShadowRoot())"
	}
	for i, s := range steps {
		by := "By.css("
		if s.Kind == selector.XPath {
			by = "By.xpath("
		}
		if i > 0 {
			from = "(await " + from + ")"
		}
		if s.Kind == selector.TestID {
			s.Value = attribute("", "data-testid", s.Value)
		} else if s.Kind != selector.CSS && s.Kind != selector.XPath {
			return "" // a scope that only names a role
		}
		from += ".findElement(" + by + literal(s.Value) + "))"
	}
	return out + "await " + from
}

func (f *finder) webdriverio(steps []selector.Step) string {
	out := ""
	for _, s := range f.frames {
		out += "await browser.switchFrame($(" + literal(s.Value) + ")); "
	}
	call := "$("
	find := ""
	for _, host := range f.hosts {
		if host == "" {
			return ""
		}
		find += call + literal(host) + ")"
		call = ".shadow$("
	}
	for _, s := range steps {
		if s.Kind == selector.TestID {
			s.Value = attribute("", "data-testid", s.Value)
		} else if s.Kind != selector.CSS && s.Kind != selector.XPath {
			return ""
		}
		find += call + literal(s.Value) + ")"
		call = ".$("
	}
	return strings.TrimSpace(out + find)
}
