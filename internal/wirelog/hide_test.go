package wirelog

import (
	"bytes"
	"fmt"
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
		`sesame"9`:      {`{"text":"{\"v\":\"{\\\"v\\\":\\\"sesame\\\\\\\"9\\\"}\"}"}`, `{"text":"it is sesam…"}`},
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

// Only strings are masked: a number, a key word or the name of a member that spells
// the same stays, and the line can still be replayed.
func TestHideMasksStringsAlone(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	for _, v := range []string{"1234", "true", "value"} {
		w.Hide(v)
	}
	w.In([]byte(`{"id":1234,"ok":true,"value" : "is 1234, true","a\"b":["value\\",12345]}`))
	want := `{"id":1234,"ok":true,"value" : "is •••, •••","a\"b":["•••\\",12345]}`
	if !strings.Contains(out.String(), want) {
		t.Errorf("logged %s, want %s", out.String(), want)
	}
}

// What arrives before it is known whether a value is a secret is logged once it is,
// in order, without the value where it is one.
func TestSuspect(t *testing.T) {
	for _, secret := range []bool{true, false} {
		var out bytes.Buffer
		w := NewWriter(&out)
		told := w.Suspect("open sesame")
		w.In([]byte(`{"url":"/?p=open sesame"}`))
		w.Note("said open")
		if out.Len() > 0 {
			t.Errorf("logged before the verdict: %s", out.String())
		}
		told(secret)
		told(!secret)
		w.In([]byte(`{"after":"open sesame"}`))
		log := out.String()
		if strings.Contains(log, "sesame") == secret || strings.Count(log, "\n") != 5 || strings.Index(log, "said") > strings.Index(log, "after") {
			t.Errorf("secret %v: logged %s", secret, log)
		}
	}
	(*Writer)(nil).Suspect("open sesame")(true)
}

// What pages hold is hidden while it is new, and what was told first is forgotten where
// there is too much.
func TestHideGrowsNoFurther(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	logs := func(text string) bool {
		out.Reset()
		w.In([]byte(`{"text":"` + text + `"}`))
		return strings.Contains(out.String(), text)
	}
	w.Hide("hunter22")
	for i := range 100 {
		token := fmt.Sprintf("token-%d", i)
		w.HideForNow([]string{token, "steady"})
		if logs(token) || logs("steady") || logs("hunter22") {
			t.Fatalf("%s is logged", out.String())
		}
	}
	if !logs("token-1 ") || len(w.passing) > passes {
		t.Errorf("values of %d passes are hidden after rotating values", len(w.passing))
	}
	w.known = make([]string, mostHidden-5)
	for i := range mostHidden + 10 {
		if i > 10 && i < mostHidden {
			continue
		}
		w.Hide(fmt.Sprintf("word-%d", i))
	}
	if logs(fmt.Sprintf("word-%d", mostHidden+9)) || len(w.known) > mostHidden {
		t.Errorf("%d values are hidden", len(w.known))
	}
	(*Writer)(nil).HideForNow([]string{"open sesame"})
}

// However long a verdict is waited for, little is held: what has no room is written
// without the value, or left out where the value is not known yet.
func TestSuspectHoldsNoMoreThanItMay(t *testing.T) {
	for _, value := range []string{"open sesame", ""} {
		var out bytes.Buffer
		w := NewWriter(&out)
		told := w.Suspect(value)
		frame := `{"url":"/?p=open sesame","more":"` + strings.Repeat("x", 1<<20) + `"}`
		for range 20 {
			w.In([]byte(frame))
			if w.heldBytes > mostHeld+len(frame) || len(w.held) > 5 {
				t.Fatalf("%q: %d bytes in %d frames are held", value, w.heldBytes, len(w.held))
			}
		}
		if log := out.String(); len(log) == 0 || strings.Contains(log, "sesame") || strings.Contains(log, "left out") != (value == "") {
			t.Errorf("%q: before the verdict it has %.200s", value, log)
		}
		told(false)
		w.In([]byte(`{"url":"/?p=open sesame"}`))
		if !strings.HasSuffix(strings.TrimSpace(out.String()), `{"url":"/?p=open sesame"}`) {
			t.Errorf("%q: what was no secret is hidden after all", value)
		}
	}
}

// A log that nobody reads writes nothing and learns what is secret; once it is read
// it hides that, also where the log beside it shows secrets.
func TestIdleLog(t *testing.T) {
	var shown, traced strings.Builder
	w, idle := NewWriter(&shown), NewIdle()
	w.Secrets()
	w.Also(idle)
	w.Out([]byte(`{"text":"early"}`))
	w.Hide("canary")
	told := w.Suspect("perhaps")
	stop := idle.To(&traced)
	w.Out([]byte(`{"text":"canary, perhaps"}`))
	if strings.Contains(traced.String(), "text") {
		t.Errorf("it did not wait for the verdict: %s", traced.String())
	}
	told(true)
	stop()
	w.Out([]byte(`{"text":"late"}`))
	if got := traced.String(); !strings.Contains(got, "> {\"text\":\"•••, •••\"}\n") || strings.Count(got, "> ") != 1 {
		t.Errorf("it holds %s", got)
	}
	if got := shown.String(); !strings.Contains(got, "canary, perhaps") || !strings.Contains(got, "late") {
		t.Errorf("the other holds %s", got)
	}
}
