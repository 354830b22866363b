package launch

import (
	"io"
	"strings"
	"testing"
)

// A message that the driver prints instead of delivering it is handed on as it would
// have come, and is neither kept nor copied; what else it could not read is not.
func TestUndeliveredMessages(t *testing.T) {
	const prefix = "[1796085068.263][SEVERE]: Bad inspector message: "
	long := strings.Repeat("x", 9000)
	lines := []string{
		"[1796085068.263][WARNING]: unknown error: unable to deserialize the BiDi payload",
		prefix + `{"method":"Runtime.bindingCalled","params":{"name":"sendBidiResponse","payload":"{\"method\":\"log.entryAdded\",\"params\":{\"text\":\"a\\ud800b\"}}","executionContextId":1}}`,
		prefix + `{"method":"Runtime.bindingCalled","params":{"name":"sendDebugMessage","payload":"{\"a\":\"\\ud800\"}"}}`,
		prefix + `{"method":"Runtime.bindingCalled","params":{"name":"sendBidiResponse","payload":"{\"text\":\"` + long + `\\udc00\"}"}}`,
		prefix + `{"broken`,
		`page says ` + prefix + `{"params":{"name":"sendBidiResponse","payload":"{}"}}`,
	}
	var copied strings.Builder
	out := newTail(&copied, nil)
	out.undelivered = chromeUndelivered
	var got []string
	out.overhear(func(m []byte) { got = append(got, string(m)) })
	out.read(io.NopCloser(strings.NewReader(strings.Join(lines, "\n") + "\n")))
	want := []string{`{"method":"log.entryAdded","params":{"text":"a\ud800b"}}`, `{"text":"` + long + `\udc00"}`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %.300q", got)
	}
	kept := lines[0] + "\n" + lines[5]
	if out.text() != kept || copied.String() != kept+"\n" {
		t.Errorf("kept %.300q, copied %.300q", out.text(), copied.String())
	}
}
