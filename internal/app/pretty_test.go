package app

import "testing"

// A person reads lines; what is no object stays as it is.
func TestPretty(t *testing.T) {
	for text, want := range map[string]string{
		`{"ok":true}`: "done",
		`{"ok":true,"selector":"e7"}` + "\n~ e7: button \"x\"":                                          "selector: e7\n~ e7: button \"x\"",
		`{"ok":true,"tab":1,"tabs":[{"tab":1,"url":"http://x/","title":"Sign in"}],"seen":{"dpr":"1"}}`: "tab: 1\ntabs:\n  - tab=1 url=http://x/ title=\"Sign in\"\nseen:\n  dpr: 1",
		`{"exists":false,"count":0}`:      "exists: false\ncount: 0",
		`{"value":"a\nb","list":[]}`:      "value: \"a\\nb\"\nlist: none",
		"page: T\ne1: main (container)":   "page: T\ne1: main (container)",
		`{"running":false,"n":123456789}`: "running: false\nn: 123456789",
		`{"broken":`:                      `{"broken":`,
	} {
		if got := pretty(text); got != want {
			t.Errorf("%s\n got %q\nwant %q", text, got, want)
		}
	}
}
