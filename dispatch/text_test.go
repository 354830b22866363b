package dispatch

import "testing"

func TestPrintableKeepsWhatAPersonSees(t *testing.T) {
	for text, want := range map[string]string{
		"a\tb\nc":                 "a\tb\nc",
		"a\u200bb\u202ec\x1b":     "abc",
		"a\u2028b":                "a b",
		"12\u202f345\u00a0€":      "12\u202f345\u00a0€",
		"👩\u200d👧":                "👩\u200d👧",
		"x\u200dy \U000e0041":     "xy ",
		"\xff half":               "\ufffd half",
		"a \u200d \u200c b\u2066": "a   b",
	} {
		if got := printable(text); got != want {
			t.Errorf("printable(%+q) = %+q, want %+q", text, got, want)
		}
	}
}
