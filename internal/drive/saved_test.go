package drive

import (
	"errors"
	"strings"
	"testing"

	"duet/internal/fault"
)

// What is wrong with a state file is named by its place, and no value is shown.
func TestParseState(t *testing.T) {
	for _, c := range []struct{ name, text, member string }{
		{"none", `{}`, ""},
		{"empty lists", `{"cookies":[],"origins":[]}`, ""},
		{"as another tool writes it", `{"cookies":[{"name":"a","value":"sesame","domain":".example.com","path":"/","expires":1999999999.5,"httpOnly":true,"secure":true,"sameSite":"None"},
			{"name":"b","value":"sesame","domain":"example.com","path":"/x","expires":-1,"httpOnly":false,"secure":false,"sameSite":"Lax","_crHasCrossSiteAncestor":false}],
			"origins":[{"origin":"https://example.com","localStorage":[{"name":"k","value":"sesame"}]},{"origin":"http://127.0.0.1:8080","localStorage":[],"indexedDB":[]}]}`, ""},
		{"no JSON", `{"cookies":`, "no JSON"},
		{"more behind it", `{} {}`, "no JSON"},
		{"a list", `[]`, "an object is expected"},
		{"too deep", strings.Repeat(`[`, 100000), "too deeply"},
		{"a word misspelt", `{"cookie":[]}`, `a member "cookie"`},
		{"no list", `{"cookies":{}}`, "cookies: a list"},
		{"no name", `{"cookies":[{"value":"sesame","domain":"a.b"}]}`, "cookies[0].name: it is missing"},
		{"no domain", `{"cookies":[{"name":"a","value":"sesame","domain":"a.b"},{"name":"a","value":"sesame"}]}`, "cookies[1].domain: it is missing"},
		{"a number", `{"cookies":[{"name":"a","value":1,"domain":"a.b"}]}`, "cookies[0].value: a text"},
		{"an address", `{"cookies":[{"name":"a","value":"sesame","domain":"https://a.b/"}]}`, "cookies[0].domain: it is no host"},
		{"a line", `{"cookies":[{"name":"a","value":"sesame\n","domain":"a.b"}]}`, "cookies[0].value: it holds"},
		{"a path", `{"cookies":[{"name":"a","value":"sesame","domain":"a.b","path":"x"}]}`, "cookies[0].path:"},
		{"a date", `{"cookies":[{"name":"a","value":"sesame","domain":"a.b","expires":"tomorrow"}]}`, "cookies[0].expires:"},
		{"sameSite", `{"cookies":[{"name":"a","value":"sesame","domain":"a.b","sameSite":"lax"}]}`, "cookies[0].sameSite: Strict"},
		{"None without secure", `{"cookies":[{"name":"a","value":"sesame","domain":"a.b","sameSite":"None"}]}`, ""},
		{"no origin", `{"origins":[{"origin":"https://a.b/x","localStorage":[]}]}`, "origins[0].origin:"},
		{"a file", `{"origins":[{"origin":"file:///x","localStorage":[]}]}`, "origins[0].origin:"},
		{"no storage", `{"origins":[{"origin":"https://a.b"}]}`, "origins[0].localStorage: it is missing"},
		{"an entry", `{"origins":[{"origin":"https://a.b","localStorage":[{"name":"a"}]}]}`, "origins[0].localStorage[0].value: it is missing"},
		{"a database", `{"origins":[{"origin":"https://a.b","localStorage":[],"indexedDB":[{}]}]}`, "origins[0].indexedDB[0].name: it is missing"},
	} {
		_, err := ParseState([]byte(c.text))
		if c.member == "" {
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err == nil || !errors.Is(err, fault.StateInvalid) || !strings.Contains(err.Error(), c.member) || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: %v, want %s in a STATE_INVALID without a value", c.name, err, c.member)
		}
	}
}
