package dispatch

import (
	"strings"
	"testing"

	"duet/internal/fault"
)

// What a message says of a detail stands in each half of an answer once: in the text in
// the message, in the object in the detail.
func TestADetailIsToldOnce(t *testing.T) {
	told := `; actual: "seven"`
	f := fault.New(fault.ExpectMismatch, "expected six%s", told).Saying(map[string]string{"actual": "seven"}, told)
	by := printing(t, Limits{})
	r := by.print(&answer{fault: f})
	if n := strings.Count(r.Text, "seven"); n != 1 {
		t.Errorf("the text tells it %d times: %s", n, r.Text)
	}
	object := string(r.Structured)
	if n := strings.Count(object, "seven"); n != 1 || !strings.Contains(object, `"message":"expected six"`) || !strings.Contains(object, `"detail":{"actual":"seven"}`) {
		t.Errorf("the object tells it %d times: %s", n, object)
	}
	r = by.print(&answer{fault: f.WithDetail(map[string]string{"actual": "seven of nine"})})
	if !strings.Contains(r.Text, "seven of nine") || !strings.Contains(string(r.Structured), told[:9]) {
		t.Errorf("a detail that says more is left out: %s %s", r.Text, r.Structured)
	}
}
