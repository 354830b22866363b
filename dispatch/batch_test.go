package dispatch_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-json"

	"duet/dispatch"
)

// A batch stops at the first failure, says where, and counts what it left out.
func TestBatchStops(t *testing.T) {
	s := newStage(t, dispatch.Options{})
	steps := `"steps":[{"tool":"run","arguments":{"name":"a"}},{"tool":"panic"},{"tool":"run","arguments":{"name":"b"}}]`
	r := s.call(t.Context(), "batch", `{`+steps+`}`)
	var got struct {
		Error  struct{ Code, Effect string }
		Result struct {
			OK         bool
			FailedStep int `json:"failedStep"`
			Skipped    int
			Steps      []struct {
				Tool       string
				OK         bool
				DurationMS *int `json:"durationMs"`
				Result     struct{ Name string }
				Error      *struct{ Code string }
			}
		}
	}
	if err := json.Unmarshal(r.Structured, &got); err != nil {
		t.Fatal(err, string(r.Structured))
	}
	if !r.IsError || r.Code != "INTERNAL" || got.Error.Code != "INTERNAL" || got.Error.Effect != "partial" || got.Result.FailedStep != 1 || got.Result.Skipped != 1 || len(got.Result.Steps) != 2 {
		t.Errorf("%+v", got)
	}
	if first := got.Result.Steps[0]; !first.OK || first.Result.Name != "did a" || first.DurationMS == nil || got.Result.Steps[1].Error.Code != "INTERNAL" {
		t.Errorf("%s", r.Structured)
	}
	if !strings.Contains(r.Text, "0 ok run") || !strings.Contains(r.Text, "1 FAILED panic") || !strings.Contains(r.Text, "error: step 1 (panic)") || !strings.Contains(r.Text, "skipped: 1") {
		t.Error(r.Text)
	}
	if r := s.call(t.Context(), "batch", `{"steps":[{"tool":"idle","arguments":{"name":"z"}},{"tool":"hold","arguments":{"timeout_ms":0}}]}`); r.Code != "TIMEOUT" || !strings.Contains(r.Text, "effect: partial\nretryable: false") {
		t.Error(r.Text)
	}
	s.ran = []string{"a"}
	r = s.call(t.Context(), "batch", `{"continue_on_error":true,`+steps+`}`)
	if !r.IsError || !slices.Equal(s.ran, []string{"a", "a", "b"}) {
		t.Errorf("ran %v: %s", s.ran, r.Text)
	}
	if r := s.call(t.Context(), "batch", `{"steps":[{"tool":"run","arguments":{"name":"c"}}]}`); r.IsError || !strings.HasPrefix(string(r.Structured), `{"result":{"ok":true,"steps":[{"tool":"run","ok":true,"durationMs":`) {
		t.Errorf("%s", r.Structured)
	}
}

// Nothing of a batch runs where a step is wrong.
func TestBatchChecksFirst(t *testing.T) {
	s := newStage(t, dispatch.Options{})
	r := s.call(t.Context(), "batch", `{"steps":[{"tool":"run"},{"tool":"run","arguments":{"nam":"x"}}]}`)
	if r.ArgError == nil || r.ArgError.Data.DidYouMean != "name" || len(s.ran) != 0 || s.starts != 0 {
		t.Errorf("%+v, ran %v", r.ArgError, s.ran)
	}
}
