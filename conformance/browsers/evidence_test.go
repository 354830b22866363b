//go:build linux

package browsers

import (
	"strings"
	"testing"
)

// refused calls a tool that must fail with a code and say all the words.
func refused(t *testing.T, c *client, code, tool string, args map[string]any, words ...string) {
	t.Helper()
	r := c.call(tool, args)
	if !r.IsError || r.code() != code {
		t.Errorf("%s %v: %s, want %s", tool, args, r.Text, code)
		return
	}
	for _, w := range words {
		if !strings.Contains(r.Text, w) {
			t.Errorf("%s %v: no %q in %s", tool, args, w, r.Text)
		}
	}
}

// says calls a tool that must succeed and say all the words.
func says(t *testing.T, c *client, tool string, args map[string]any, words ...string) {
	t.Helper()
	r := c.call(tool, args)
	if r.IsError || r.Error != nil {
		t.Errorf("%s %v: %s %v", tool, args, r.Text, r.Error)
		return
	}
	for _, w := range words {
		if !strings.Contains(r.Text, w) {
			t.Errorf("%s %v: no %q in %s", tool, args, w, r.Text)
		}
	}
}

// An expectation waits until it holds, and says what was there where it does not.
func TestExpect(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		url := filesSite(t) + "/evidence.html"
		c.ok("browser_navigate", map[string]any{"url": url})
		says(t, c, "browser_expect", map[string]any{"what": "no-errors"}, `"errors":0`)
		for _, holds := range []map[string]any{
			{"what": "visible", "selector": "role=button[name=Say]"},
			{"what": "visible", "selector": "text=Inside"},
			{"what": "hidden", "selector": "#hidden"},
			{"what": "hidden", "selector": "#nothing"},
			{"what": "text", "selector": "#late", "expected": "Please wait"},
			{"what": "text", "contains": "Orders"},
			{"what": "value", "selector": "#email", "expected": "ada@example.com"},
			{"what": "url", "expected": url},
			{"what": "url", "contains": "/evidence"},
			{"what": "title", "expected": "Evidence"},
			{"what": "count", "selector": "text=Edit", "expected": "2"},
			{"what": "checked", "selector": "#keep"},
		} {
			says(t, c, "browser_expect", holds, `"ok":true`)
		}
		c.ok("browser_click", map[string]any{"selector": "#say"})
		says(t, c, "browser_expect", map[string]any{"what": "text", "selector": "#late", "contains": "Ada"}, `"actual":"Welcome, Ada"`)
		short := func(args map[string]any) map[string]any {
			args["timeout_ms"] = 700
			return args
		}
		refused(t, c, "EXPECT_MISMATCH", "browser_expect", short(map[string]any{"what": "text", "selector": "#late", "expected": "no"}), `actual: "Welcome, Ada"`)
		refused(t, c, "EXPECT_MISMATCH", "browser_expect", short(map[string]any{"what": "visible", "selector": "#hidden"}), "none visible")
		refused(t, c, "EXPECT_MISMATCH", "browser_expect", short(map[string]any{"what": "visible", "selector": "#lat"}), "no match", `near: `)
		refused(t, c, "EXPECT_MISMATCH", "browser_expect", short(map[string]any{"what": "count", "selector": "text=Edit", "expected": "3"}), `actual: "2"`)
		refused(t, c, "EXPECT_MISMATCH", "browser_expect", short(map[string]any{"what": "checked", "selector": "#keep", "expected": "false"}), `actual: "true"`)
		refused(t, c, "EXPECT_MISMATCH", "browser_expect", map[string]any{"what": "no-errors"}, "there are 1", "token=•••&q=1")
		refused(t, c, "STATE_INVALID", "browser_expect", short(map[string]any{"what": "value", "selector": "#pass", "expected": "hunter22"}))
		refused(t, c, "AMBIGUOUS", "browser_expect", map[string]any{"what": "text", "selector": "text=Edit", "expected": "Edit"})
		refused(t, c, "INVALID_ARGUMENT", "browser_expect", map[string]any{"what": "url"})
		// What an action caused later is counted all the same.
		c.ok("browser_logs", map[string]any{"action": "clear"})
		says(t, c, "browser_expect", map[string]any{"what": "no-errors"}, `"errors":0`)
		c.ok("browser_click", map[string]any{"selector": "#throw"})
		refused(t, c, "EXPECT_MISMATCH", "browser_expect", map[string]any{"what": "no-errors"}, "thrown late")
	})
}

// The log has what was said since the launch, and a wait finds what was said before it.
func TestLogs(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": filesSite(t) + "/evidence.html"})
		says(t, c, "browser_logs", nil, `console: 1 console info "loaded"`, "logCursor: 1")
		c.ok("browser_click", map[string]any{"selector": "#say"})
		says(t, c, "browser_logs", map[string]any{"kind": "error"}, `console: 2 error "bad at https://x.test/?token=•••&q=1"`)
		says(t, c, "browser_logs", map[string]any{"action": "wait", "contains": "LOADED"}, "console: 1 ", "logCursor: 1")
		c.ok("browser_click", map[string]any{"selector": "#tell"})
		says(t, c, "browser_logs", map[string]any{"action": "wait", "contains": "told", "since": 2}, `"told you"`)
		refused(t, c, "TIMEOUT", "browser_logs", map[string]any{"action": "wait", "contains": "never", "timeout_ms": 300}, "never")
		says(t, c, "browser_logs", map[string]any{"action": "clear"}, "cleared: 3", "logCursor: 3")
		if text := c.ok("browser_logs", nil); text != "logCursor: 3" {
			t.Errorf("after clear: %s", text)
		}
	})
}

// A script runs in the page's own realm, whatever that did to it.
func TestEvaluate(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": filesSite(t) + "/evidence.html"})
		for js, want := range map[string]string{
			"document.title":                      `{"value":"Evidence"}`,
			"const x = 2; return {x, y: [x, {}]}": `{"value":{"x":2,"y":[2,{}]}}`,
			"await Promise.resolve(7)":            `{"value":7}`,
			"() => document.querySelector('h1')":  `{"value":"<h1>"}`,
			"[NaN, 1n, undefined, new Date(0), /a/g, Symbol('s'), new Map([[1, 2]])]": `{"value":["NaN","1n",null,"1970-01-01T00:00:00.000Z","/a/g","[symbol]",[[1,2]]]}`,
			"'\\ud800-\\ud83d\\ude00'":           `{"value":"�-😀"}`,
			"const a = {}; a.a = a; return a":    `{"value":{"a":"[circular]"}}`,
			"({ get bad() { throw 1 }, ok: 1 })": `{"value":{"bad":"[threw]","ok":1}}`,
			"void 0":                             `{"value":null,"type":"undefined"}`,
			"JSON.stringify = () => { throw 1 }; return 'still here'": `{"value":"still here"}`,
		} {
			r := c.call("browser_advanced_eval", map[string]any{"js": js})
			if got, _, _ := strings.Cut(r.Text, "\n"); got != want {
				t.Errorf("%s: %s, want %s", js, r.Text, want)
			}
		}
		says(t, c, "browser_advanced_eval", map[string]any{"js": "'x'.repeat(1e6)"}, "text cut at 100,000 characters", "artifact=")
		says(t, c, "browser_advanced_eval", map[string]any{"js": "'x'.repeat(1e4)"}, "whole text:")
		refused(t, c, "EVAL_THREW", "browser_advanced_eval", map[string]any{"js": "throw new RangeError('out')"}, "RangeError: out", "effect: possible")
		refused(t, c, "EVAL_THREW", "browser_advanced_eval", map[string]any{"js": "a b c"}, "does not parse", "effect: none")
		refused(t, c, "TIMEOUT", "browser_advanced_eval", map[string]any{"js": "new Promise(() => {})", "timeout_ms": 200}, "effect: possible")
		says(t, c, "browser_advanced_eval", map[string]any{"js": "alert('hi')"}, `"pending":true`, `dialog open: alert "hi"`)
		c.ok("browser_dialog", map[string]any{"action": "accept"})
		says(t, c, "browser_advanced_eval", map[string]any{"js": "late.textContent = 'changed'; return 1"}, `text "changed"`)
	})
}

// Locators find the element and no other, and lead through frames and shadow roots.
func TestLocators(t *testing.T) {
	each(t, func(t *testing.T, s setup) {
		c := serve(t, s)
		c.ok("browser_navigate", map[string]any{"url": filesSite(t) + "/evidence.html"})
		best := func(want string, args map[string]any, words ...string) {
			t.Helper()
			says(t, c, "browser_locators", args, append(words, `"best":`+want)...)
		}
		best(`"role=button[name=Sign in]"`, map[string]any{"selector": "testid=go"}, `"testid=go"`, `"text=Sign in"`)
		best(`"role=textbox[name=Email]"`, map[string]any{"selector": "#email"}, `"label=Email"`, `"#email"`, `"input[name=\"email\"]"`)
		best(`"role=row[name=Bob Edit] >> role=button[name=Edit]"`, map[string]any{"selector": "role=row[name*=Bob] >> role=button"}, `"status":"ambiguous","matches":2`)
		best(`"role=button[name=5 items]"`, map[string]any{"selector": "#radix-12"}, `"volatile":true`, "data-testid")
		best(`"iframe[name=\"pay\"] >> role=button[name=Pay]"`, map[string]any{"selector": "text=Pay", "as": "playwright"}, `page.frameLocator(`, `getByRole(\"button\"`)
		best(`"button[title=\"Inner\"]"`, map[string]any{"selector": ".in", "as": "selenium"}, `By.css(\"#host\")`, "getShadowRoot()")
		best(`"button[title=\"Inner\"]"`, map[string]any{"selector": ".in", "as": "webdriverio"}, `.shadow$(`)
		refused(t, c, "NO_MATCH", "browser_locators", map[string]any{"selector": "#nothing"})
	})
}
