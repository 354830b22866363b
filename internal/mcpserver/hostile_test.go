package mcpserver

import (
	"fmt"
	"strings"
	"testing"
)

func errorLine(id string, code int, message string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q}}`, id, code, message)
}

// padded is a call of status whose line is n bytes long.
func padded(n int) string {
	head := `{"jsonrpc":"2.0","id":"big","method":"tools/call","params":{"name":"status","arguments":{},"_meta":{"x":"`
	tail := `"}}}`
	return head + strings.Repeat("a", n-len(head)-len(tail)) + tail
}

const (
	parseError = "parse error: "
	badRequest = "invalid request: "
	badParams  = "invalid params: "
)

// hostile are lines that no client should send. want is the one answer that is
// due, "" where none is, and "…" where it is cut after what matters.
var hostile = []struct{ name, line, want string }{
	{"empty line", ``, errorLine("null", -32700, parseError+"the line is empty")},
	{"blanks", " \t ", errorLine("null", -32700, parseError+"the line is empty")},
	{"not JSON", `hello`, errorLine("null", -32700, parseError+"unexpected character for a value at byte 0")},
	{"cut off", `{"jsonrpc":"2.0","id":1,"method":"ping"`, errorLine("null", -32700, parseError+"the line ends inside a JSON value")},
	{"trailing garbage", `{"jsonrpc":"2.0","id":1,"method":"ping"} x`, errorLine("null", -32700, parseError+"unexpected character after the value at byte 41")},
	{"two on a line", `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}`, errorLine("null", -32700, parseError+"unexpected character after the value at byte 40")},
	{"trailing comma", `{"jsonrpc":"2.0","id":1,"method":"ping",}`, errorLine("null", -32700, parseError+"unexpected character for a member at byte 40")},
	{"single quotes", `{'jsonrpc':'2.0','id':1,'method':'ping'}`, errorLine("null", -32700, parseError+"unexpected character for a member at byte 1")},
	{"control character in a string", "{\"jsonrpc\":\"2.0\",\"id\":\"a\x01\",\"method\":\"ping\"}", errorLine("null", -32700, parseError+"unexpected character in a string at byte 24")},
	{"leading zero", `{"jsonrpc":"2.0","id":01,"method":"ping"}`, errorLine("null", -32700, parseError+"unexpected character behind a value at byte 23")},
	{"NaN", `{"jsonrpc":"2.0","id":NaN,"method":"ping"}`, errorLine("null", -32700, parseError+"unexpected character for a value at byte 22")},
	{"byte order mark", "\xef\xbb\xbf" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, errorLine("null", -32700, parseError+"unexpected character for a value at byte 0")},
	{"bad UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"params\":{\"x\":\"\xff\"}}", errorLine("null", -32700, parseError+"the line is not UTF-8")},
	{"UTF-16", "{\x00\"\x00j\x00", errorLine("null", -32700, parseError+"unexpected character for a member at byte 1")},
	{"depth 5000", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}}`, errorLine("null", -32700, parseError+"the line nests deeper than 1000")},
	{"one byte over 1 MiB", padded(MaxLine + 1), errorLine("null", -32700, parseError+errLong.Error())},
	{"64 MiB", strings.Repeat("x", 64<<20), errorLine("null", -32700, parseError+errLong.Error())},
	{"scalar", `42`, errorLine("null", -32600, badRequest+"a message is an object")},
	{"null", `null`, errorLine("null", -32600, badRequest+"a message is an object")},
	{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`, errorLine("null", -32600, badRequest+"batches are not served")},
	{"empty batch", `[]`, errorLine("null", -32600, badRequest+"batches are not served")},
	{"no version", `{"id":1,"method":"ping"}`, errorLine("1", -32600, badRequest+`jsonrpc must be "2.0"`)},
	{"old version", `{"jsonrpc":"1.0","id":1,"method":"ping"}`, errorLine("1", -32600, badRequest+`jsonrpc must be "2.0"`)},
	{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, errorLine("null", -32600, badRequest+"id must be a string or an integer")},
	{"id 1.5", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, errorLine("null", -32600, badRequest+"id must be a string or an integer")},
	{"id object", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, errorLine("null", -32600, badRequest+"id must be a string or an integer")},
	{"no method", `{"jsonrpc":"2.0","id":1}`, errorLine("1", -32600, badRequest+"method is missing")},
	{"method a number", `{"jsonrpc":"2.0","id":1,"method":7}`, errorLine("1", -32600, badRequest+"method must be a string")},
	{"wrong-case keys", `{"jsonrpc":"2.0","id":1,"Method":"ping"}`, errorLine("1", -32600, badRequest+"method is missing")},
	{"duplicate key", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, errorLine("null", -32600, badRequest+`member "id" occurs twice`)},
	{"duplicate key, escaped", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","n\u0061me":"act"}}`, errorLine("1", -32602, badParams+`member "name" occurs twice`)},
	{"params an array", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["status"]}`, errorLine("1", -32602, badParams+"params must be an object")},
	{"no params", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, errorLine("1", -32602, badParams+"name is missing")},
	{"key with NUL", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name\u0000":"status"}}`, errorLine("1", -32602, badParams+"name is missing")},
	{"name an object", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":{}}}`, errorLine("1", -32602, badParams+"name must be a string")},
	{"arguments a string", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":"{}"}}`, errorLine("1", -32602, badParams+"arguments must be an object")},
	{"arguments null", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":null}}`, errorLine("1", -32602, badParams+"arguments must be an object")},
	{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"info"}}`, errorLine("1", -32601, `method not found: "logging/setLevel"`)},
	{"second initialize", strings.Replace(helloLine, `"hello"`, `1`, 1), errorLine("1", -32600, badRequest+"initialize was received before")},
	{"unknown notification", `{"jsonrpc":"2.0","method":"notifications/nonsense","params":{"x":1}}`, ""},
	{"a call without id", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"act"}}`, ""},
	{"notification with bad params", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":[1]}`, ""},
	{"reply to nothing", `{"jsonrpc":"2.0","id":99,"result":{}}`, ""},
	{"cancel of nobody", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}`, ""},
}

// Each hostile line gets the one answer that is due, or none, and the next good
// call works. No call begins because of one.
func TestHostileLines(t *testing.T) {
	cat := &catalog{}
	s := serve(t, cat).hello()
	for _, h := range hostile {
		s.send(h.line)
		if h.want != "" {
			if got := s.recv(); got != h.want {
				t.Errorf("%s:\n got %s\nwant %s", h.name, clip(got), clip(h.want))
			}
		}
		s.expect(statusCall, statusReply)
	}
	if n := len(cat.began()); n != len(hostile) {
		t.Errorf("%d calls began, want %d", n, len(hostile))
	}
	if rest, _ := s.end(); rest != "" {
		t.Errorf("answers nobody asked for: %s", clip(rest))
	}
}

// A line of exactly 1 MiB is served, with LF and with CRLF; one byte more is not.
func TestLineLimitIsExact(t *testing.T) {
	s := serve(t, &catalog{}).hello()
	served := strings.Replace(statusReply, `"good"`, `"big"`, 1)
	for _, end := range []string{"\n", "\r\n"} {
		s.raw(padded(MaxLine) + end)
		if got := s.recv(); got != served {
			t.Errorf("1 MiB with %q: %s", end, clip(got))
		}
		s.raw(padded(MaxLine+1) + end)
		if got := s.recv(); !strings.Contains(got, `"id":null,"error":{"code":-32700`) {
			t.Errorf("1 MiB and a byte with %q: %s", end, clip(got))
		}
		s.expect(statusCall, statusReply)
	}
	s.raw(statusCall + "\r\n")
	if got := s.recv(); got != statusReply {
		t.Errorf("CRLF: %s", got)
	}
}

// Ids come back as they were sent: strings with their escapes, integers beyond
// what a float64 holds.
func TestIDsAreEchoedExactly(t *testing.T) {
	s := serve(t, &catalog{}).hello()
	for _, id := range []string{
		`0`, `-7`, `9007199254740991`, `9007199254740992`, `9007199254740993`, `-9007199254740993`, `123456789012345678901234567890`,
		`"x"`, `""`, `"1"`, `"caf\u00e9 \ud83d\ude00"`, `"<&>"`,
	} {
		s.expect(`{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`, `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`)
		s.expect(`{"jsonrpc":"2.0","id":`+id+`,"method":"tools/call","params":{"name":"status","arguments":{}}}`,
			strings.Replace(statusReply, `"good"`, id, 1))
	}
}

// Keys count by their case: Arguments are not arguments.
func TestWrongCaseHasNoEffect(t *testing.T) {
	cat := &catalog{}
	s := serve(t, cat).hello()
	s.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"act","Arguments":{"n":1}}}`)
	s.recv()
	if got := cat.began(); len(got) != 1 || got[0] != "" {
		t.Errorf("arguments = %q, want none", got)
	}
}
