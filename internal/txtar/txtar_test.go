package txtar_test

import (
	"testing"

	"duet/internal/txtar"
)

// What Format writes, Parse reads back; sections are found by name.
func TestRoundTrip(t *testing.T) {
	const text = "A comment.\n-- call --\n{}\n-- empty --\n-- result --\nok\n-- not a marker\n"
	a := txtar.Parse(text)
	if got := a.Format(); got != text {
		t.Errorf("Format = %q, want %q", got, text)
	}
	if a.Comment != "A comment.\n" || len(a.Files) != 3 {
		t.Errorf("parsed %+v", a)
	}
	if data, ok := a.File("result"); !ok || data != "ok\n-- not a marker\n" {
		t.Errorf("result = %q, %v", data, ok)
	}
	a.Set("result", "no")
	a.Set("more", "x\n")
	if got := a.Format(); got != "A comment.\n-- call --\n{}\n-- empty --\n-- result --\nno\n-- more --\nx\n" {
		t.Errorf("after Set: %q", got)
	}
}

// A last line without newline gets one; carriage returns go.
func TestLineEnds(t *testing.T) {
	a := txtar.Parse("c\r\n-- f --\r\nlast")
	if data, _ := a.File("f"); data != "last\n" || a.Comment != "c\n" {
		t.Errorf("got %+v", a)
	}
}
