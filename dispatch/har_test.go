package dispatch

import "testing"

// What was sent and is no text is not counted as if it were in the archive.
func TestAnArchiveKeepsOfWhatWasSentOnlyText(t *testing.T) {
	text, binary := SavedBody{}, SavedBody{}
	text.Text, text.Bytes, binary.Bytes = true, []byte("abc"), []byte{0, 1, 2}
	for _, c := range []struct {
		body   SavedBody
		answer bool
		room   int
		want   bool
	}{{text, false, 3, true}, {text, true, 2, false}, {binary, true, 3, true}, {binary, false, 3, false}} {
		if got := harKeeps(c.body, c.answer, c.room); got != c.want {
			t.Errorf("%+v: %t", c, got)
		}
	}
}
