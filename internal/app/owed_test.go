package app

import (
	"bytes"
	"strings"
	"testing"

	"github.com/goccy/go-json"
)

// What a daemon that ended left open is answered, once each and in order; what it
// answered, and what needs no answer, is not.
func TestARelayAnswersWhatItsDaemonLeftOpen(t *testing.T) {
	asked := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":"a\"b","method":"tools/call","params":{"name":"browser_click","arguments":{"id":7,"method":"x"}}}
{"jsonrpc":"2.0","id":3,"method":"tools/list"}
not json
`
	told := `{"jsonrpc":"2.0","id":1,"result":{}}
{"jsonrpc":"2.0","method":"notifications/progress","params":{"id":3}}
{"jsonrpc":"2.0","id":3,"resu`
	due := &owed{}
	var up, down bytes.Buffer
	_ = copyLines(&up, strings.NewReader(asked), due.asked, true)
	_ = copyLines(&down, strings.NewReader(told), due.told, false)
	if up.String() != asked || down.String() != told[:strings.LastIndex(told, "\n")+1] {
		t.Errorf("passed on: %q, %q", up.String(), down.String())
	}
	lines := strings.Split(strings.TrimSpace(string(due.answers(lostDaemon(bytes.ErrTooLarge)))), "\n")
	if len(lines) != 2 || !strings.Contains(lines[0], `"id":"a\"b"`) || !strings.Contains(lines[0], `"code":"BROWSER_LOST"`) || !strings.Contains(lines[0], `"isError":true`) ||
		!strings.Contains(lines[0], `"effect":"possible"`) || !strings.Contains(lines[1], `"id":3`) || !strings.Contains(lines[1], `"code":-32603`) {
		t.Errorf("answers:\n%s", strings.Join(lines, "\n"))
	}
	if left := due.answers(lostDaemon(bytes.ErrTooLarge)); len(left) != 0 {
		t.Errorf("again: %s", left)
	}
}

// What the client cancelled is answered neither, nor what the daemon answered under
// the same id, spelled otherwise.
func TestARelayOwesNoAnswerToWhatWasCancelled(t *testing.T) {
	due := &owed{}
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"requestId":5}}`,
		`{"jsonrpc":"2.0","id":"2","method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":"a\u0062","method":"tools/call"}`,
		`{"jsonrpc":"2.0","id":5,"method":"tools/list","params":[1]}`,
		`{"jsonrpc":"2.0","id":6,"method":"tools/list"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\u0036"}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":null}`,
	} {
		due.asked([]byte(line))
	}
	due.told([]byte(`{"jsonrpc":"2.0","id":"ab","result":{}}`))
	var ids []string
	for line := range strings.Lines(string(due.answers(lostDaemon(bytes.ErrTooLarge)))) {
		var e envelope
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatal(err)
		}
		ids = append(ids, string(e.ID))
	}
	if got := strings.Join(ids, " "); got != `1 "2" 5 6` {
		t.Errorf("answered: %s", got)
	}
}

// Lines of any length pass.
func TestCopyLinesPassesLongLines(t *testing.T) {
	text := strings.Repeat("x", 3*owedLine) + "\nshort\n" + strings.Repeat("y", 100_000) + "\n"
	var to bytes.Buffer
	seen := 0
	_ = copyLines(&to, strings.NewReader(text), func([]byte) { seen++ }, false)
	if to.String() != text || seen != 2 {
		t.Errorf("%d bytes of %d, saw %d", to.Len(), len(text), seen)
	}
}
