package wirelog

import (
	"bytes"
	"strings"
	"testing"
)

// A hidden value stands nowhere in the log, however it is spelled; the frames
// before it was hidden stay as they are.
func TestHide(t *testing.T) {
	for value, frames := range map[string][]string{
		"open sesame":   {`{"title":"open sesame"}`, `{"value":"{\"name\":\"open sesame\"}"}`},
		`a"b\c` + "\nd": {`{"title":"a\"b\\c\nd"}`, `{"value":"{\"name\":\"a\\\"b\\\\c\\nd\"}"}`},
		"<b>&x":         {`{"title":"<b>&x"}`, `{"title":"\u003Cb>&x"}`, `{"title":"\u003cb\u003e\u0026x"}`, `{"value":"{\"name\":\"\u003Cb>&x\"}"}`},
		"日本語の":          {`{"title":"日本語の"}`},
	} {
		var out bytes.Buffer
		w := NewWriter(&out)
		w.Hide(value)
		for _, f := range frames {
			out.Reset()
			w.In([]byte(f))
			if !strings.Contains(out.String(), Masked) || strings.Contains(out.String(), "sesame") {
				t.Errorf("%q in %s is logged as %s", value, f, out.String())
			}
		}
	}
	var out bytes.Buffer
	w := NewWriter(&out)
	w.Hide("abc")
	w.In([]byte(`{"title":"abc"}`))
	if !strings.Contains(out.String(), "abc") {
		t.Error("a value of three characters is hidden")
	}
	w.Secrets()
	w.Hide("open sesame")
	w.In([]byte(`{"title":"open sesame"}`))
	if !strings.Contains(out.String(), "open sesame") {
		t.Error("Secrets leaves nothing masked")
	}
	(*Writer)(nil).Hide("open sesame")
}
