package drive

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A secret is masked however it is spelled, and where the text was cut within it.
func TestRedactSpellings(t *testing.T) {
	long := "correct horse battery staple, and then a good deal more of the same"
	for value, texts := range map[string][]string{
		`open"sesame\9`:           {`open"sesame\9`, `value="open\"sesame\\9"`, `http://a/?q=open%22sesame%5C9`},
		`Zq9 p@sesame/w"o&rd‹é\7`: {"/x?q=Zq9%20p%40sesame%2Fw%22o%26rd%E2%80%B9%C3%A9%5C7", "/none/Zq9%20p@sesame/w%22o&rd%E2%80%B9%C3%A9/7", "?q=Zq9+p%40sesame%2Fw%22o%26rd%E2%80%B9%C3%A9%5C7"},
		"open\n  sesame 9":        {"open\n  sesame 9", `"open sesame 9"`, `open\n  sesame 9`},
		`sesame"9`:                {`{"v":"{\"v\":\"sesame\\\"9\"}"}`, `{\"v\":\"{\\\"v\\\":\\\"sesame\\\\\\\"9\\\"}\"}`, "http://a/b?c=sesam…", `<p id="sesame&quot;9">`, "b2Y6c2VzYW1lIjkh"},
		long:                      {long, `value="` + long[:50] + `…"`, long[:20] + "…"},
	} {
		var s Secrets
		s.Remember(value)
		for _, text := range texts {
			if got := s.Redact(text); !strings.Contains(got, secretMask) || strings.Contains(got, "sesame") || strings.Contains(got, "horse") {
				t.Errorf("%q in %q: %q", value, text, got)
			}
		}
	}
}

// A file's name says nothing of a secret, whatever was left out of it on its way.
func TestFileNamesHoldNoSecret(t *testing.T) {
	var s Secrets
	s.Remember(`Zq9/w"örd 77`)
	for name, want := range map[string]string{
		"report.txt": "report.txt", `of Zq9_w_örd 77.txt`: "download.txt", "zq9-wrd-77": "download", "a.zq9wrd77": "download", "zq9wrd.txt": "zq9wrd.txt",
	} {
		if got := s.fileName(name); got != want {
			t.Errorf("%s is called %s, want %s", name, got, want)
		}
	}
}

// What one browser was told stays secret with the next one that shares it.
func TestSecretsAreShared(t *testing.T) {
	var all Secrets
	first, hidden := &Browser{}, []string{}
	first.Remember("early bird")
	first.ShareSecrets(&all)
	first.Remember("open sesame")
	next := &Browser{hide: func(v string) { hidden = append(hidden, v) }}
	next.ShareSecrets(&all)
	if got := next.Redact("early bird, open sesame"); got != "•••, •••" {
		t.Error(got)
	}
	if !slices.Contains(hidden, "open sesame") || !slices.Contains(hidden, "early bird") {
		t.Errorf("kept out of the log: %q", hidden)
	}
}

// However many secrets a session is told, those told last are masked, and no more are
// kept than may be.
func TestSecretsGrowNoFurther(t *testing.T) {
	var s Secrets
	for i := range mostSecrets + 50 {
		s.Remember(fmt.Sprintf("canary-%d-", i))
		s.Remember("used all the time")
	}
	last := fmt.Sprintf("canary-%d-", mostSecrets+49)
	if got := s.Redact("used all the time: " + last); got != "•••: •••" {
		t.Errorf("told as %s", got)
	}
	if len(s.order) > mostSecrets {
		t.Errorf("%d values", len(s.order))
	}
}
