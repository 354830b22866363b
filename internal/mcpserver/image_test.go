package mcpserver

import (
	"testing"

	"duet/dispatch"
)

// A picture that goes with an answer is an item of its content, after the text.
func TestImageContent(t *testing.T) {
	box := &toolbox{cat: &catalog{}}
	got := string(box.body(&dispatch.Result{Text: "ok", Image: &dispatch.Image{Type: "image/jpeg", Data: []byte{0xff, 0xd8, 0xff}}}, false))
	want := `"content":[{"type":"text","text":"ok"},{"type":"image","data":"/9j/","mimeType":"image/jpeg"}],"isError":false`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
