package drive

import (
	"strings"
	"testing"
)

// A secret is masked however it is spelled, and where the text was cut within it.
func TestRedactSpellings(t *testing.T) {
	long := "correct horse battery staple, and then a good deal more of the same"
	for value, texts := range map[string][]string{
		`open"sesame\9`:    {`open"sesame\9`, `value="open\"sesame\\9"`, `http://a/?q=open%22sesame%5C9`},
		"open\n  sesame 9": {"open\n  sesame 9", `"open sesame 9"`, `open\n  sesame 9`},
		long:               {long, `value="` + long[:50] + `…"`, long[:20] + "…"},
	} {
		var s secrets
		s.remember(value)
		for _, text := range texts {
			if got := s.redact(text); !strings.Contains(got, secretMask) || strings.Contains(got, "sesame") || strings.Contains(got, "horse") {
				t.Errorf("%q in %q: %q", value, text, got)
			}
		}
	}
}
