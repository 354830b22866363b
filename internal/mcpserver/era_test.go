package mcpserver

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-json"

	"duet/dispatch"
)

func initialize(id int, version string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`, id, version)
}

// A handshake agrees on the version that was asked for, or else on the newest
// that has a handshake.
func TestHandshakeVersions(t *testing.T) {
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "1999-01-01": "2025-11-25", "banana": "2025-11-25",
	} {
		s := serve(t, &catalog{})
		s.send(initialize(1, asked))
		want := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{"capabilities":{"tools":{}},"protocolVersion":%q,"serverInfo":{"name":"duet","version":"1"}}}`, want)
		if got := s.recv(); got != want {
			t.Errorf("%s: got %s\nwant %s", asked, got, want)
		}
		s.expect(statusCall, statusReply) // also without notifications/initialized
	}
}

// Before the handshake only ping is served; a handshake that failed may be tried again.
func TestBeforeInitialize(t *testing.T) {
	cat := &catalog{}
	s := serve(t, cat)
	s.expect(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	s.expect(statusCall, errorLine(`"good"`, -32600, badRequest+"tools/call before initialize"))
	s.expect(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, errorLine("2", -32600, badRequest+"tools/list before initialize"))
	s.send(`{"jsonrpc":"2.0","id":3,"method":"server/discover"}`) // the probe of clients of both eras
	if got := s.recv(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":3,"error":{"code":-32601,`) {
		t.Errorf("discover without _meta: %s", got)
	}
	s.send(`{"jsonrpc":"2.0","id":4,"method":"initialize","params":{"protocolVersion":7}}`)
	if got := s.recv(); !strings.HasPrefix(got, `{"jsonrpc":"2.0","id":4,"error":{"code":-32602,`) {
		t.Errorf("bad initialize: %s", got)
	}
	s.hello()
	if n := len(cat.began()); n != 0 {
		t.Errorf("%d calls began", n)
	}
}

// A stateless request needs no handshake and gets the members of its era.
func TestStateless(t *testing.T) {
	s := serve(t, &catalog{})
	const info = `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"duet","version":"1"}}`
	s.expect(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+modernMeta+`}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete",`+info+`,"ttlMs":3600000,"cacheScope":"public",`+
			`"supportedVersions":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"capabilities":{"tools":{}}}}`)
	s.expect(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"status","arguments":{},`+modernMeta+`}}`,
		`{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"ok {}"}],"structuredContent":{"result":{"ok":true}},"isError":false,"resultType":"complete",`+info+`}}`)
	s.send(`{"jsonrpc":"2.0","id":3,"method":"tools/list","params":{` + modernMeta + `}}`)
	if got := s.recv(); !strings.HasSuffix(got, `],"ttlMs":3600000,"cacheScope":"public","resultType":"complete",`+info+`}}`) {
		t.Errorf("tools/list: %s", got)
	}
	for id, c := range map[int]struct{ meta, want string }{
		10: {`{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}`, `"code":-32022,"message":"unsupported protocol version","data":{"supported":["2026-07-28",`},
		11: {`{"io.modelcontextprotocol/protocolVersion":"2025-11-25","io.modelcontextprotocol/clientCapabilities":{}}`, `"code":-32022`},
		12: {`{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`, `"code":-32602`},
		13: {`{"io.modelcontextprotocol/protocolVersion":7,"io.modelcontextprotocol/clientCapabilities":{}}`, `"code":-32602`},
		14: {`{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":[]}`, `"code":-32602`},
	} {
		s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{"_meta":%s}}`, id, c.meta))
		if got := s.recv(); !strings.HasPrefix(got, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"error":{`, id)) || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", c.meta, got)
		}
	}
	for _, method := range []string{"ping", "initialize", "logging/setLevel", "resources/list"} {
		s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":20,"method":%q,"params":{%s}}`, method, modernMeta))
		if got := s.recv(); !strings.Contains(got, `"code":-32601`) {
			t.Errorf("%s: %s", method, got)
		}
	}
}

// Both eras live on one stream, whichever comes first; a stateless request is no
// handshake.
func TestErasInterleave(t *testing.T) {
	s := serve(t, &catalog{})
	stateless := `{"jsonrpc":"2.0","id":"m","method":"tools/call","params":{"name":"status","arguments":{},` + modernMeta + `}}`
	modern := func() {
		t.Helper()
		s.send(stateless)
		if got := s.recv(); !strings.Contains(got, `"resultType":"complete"`) {
			t.Errorf("stateless: %s", got)
		}
	}
	modern()
	s.expect(statusCall, errorLine(`"good"`, -32600, badRequest+"tools/call before initialize"))
	s.hello()
	s.expect(statusCall, statusReply)
	modern()
	s.expect(statusCall, statusReply)
	s.expect(initialize(9, "2025-06-18"), errorLine("9", -32600, badRequest+"initialize was received before"))
}

// The list is the same bytes each time, names what is declared and no more, and
// a tool that takes nothing comes first.
func TestToolsList(t *testing.T) {
	s := serve(t, &catalog{}).hello()
	const want = `{"jsonrpc":"2.0","id":1,"result":{"tools":[` +
		`{"name":"status","title":"Status","description":"Tells.","inputSchema":{"type":"object","additionalProperties":false},` +
		`"annotations":{"readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}},` +
		`{"name":"act","title":"Act","description":"Acts.","inputSchema":{"type":"object","properties":{"n":{"type":"integer","description":"<b> & co"}},"additionalProperties":false},` +
		`"annotations":{"readOnlyHint":false,"destructiveHint":true,"idempotentHint":false,"openWorldHint":true}}]}}`
	for range 3 {
		s.expect(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, want)
		s.expect(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":""}}`, want)
		s.expect(statusCall, statusReply)
	}
	s.expect(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"xyz"}}`, errorLine("1", -32602, badParams+"unknown cursor"))
	s.expect(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"statsu"}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"unknown tool \"statsu\"","data":{"tool":"statsu","rule":"unknown_tool","allowed":["act","status"],"did_you_mean":"status"}}}`)
}

// _meta carries what differs by front end; what is out of range is refused
// before anything runs.
func TestMetaOfACall(t *testing.T) {
	var got dispatch.Request
	cat := &catalog{do: func(_ context.Context, r dispatch.Request) *dispatch.Result {
		got = r
		return &dispatch.Result{Text: "no", Negative: true}
	}}
	s := serve(t, cat).hello()
	s.send(call(1, `{}`))
	if line := s.recv(); strings.Contains(line, MetaNegative) || got.Observe != dispatch.ObserveDelta || got.Progress != nil || got.Within != 0 {
		t.Errorf("plain call: %s, %+v", line, got)
	}
	with := func(meta string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"act","arguments":{"n":1},"_meta":` + meta + `}}`
	}
	s.send(with(`{"duet/observe":"none","duet/caller":"me","duet/session":"two","duet/secrets":["open sesame"],"duet/timeout_ms":5000}`))
	if line := s.recv(); !strings.Contains(line, `"_meta":{"duet/negative":true}`) {
		t.Errorf("no negative in %s", line)
	}
	if got.Observe != dispatch.ObserveNone || got.Caller != "me" || got.Session != "two" || got.Within != 5*time.Second || string(got.Args) != `{"n":1}` {
		t.Errorf("request %+v", got)
	}
	n := len(cat.began())
	for _, meta := range []string{`{"duet/observe":"all"}`, `{"duet/caller":1}`, `{"duet/secrets":"x"}`, `{"duet/secrets":[1]}`, `{"duet/timeout_ms":-1}`, `{"duet/timeout_ms":"5"}`, `[]`} {
		s.send(with(meta))
		if line := s.recv(); !strings.Contains(line, `"code":-32602`) {
			t.Errorf("%s: %s", meta, line)
		}
	}
	if len(cat.began()) != n {
		t.Error("a refused call ran")
	}
}

// Without structured content the text is all there is.
func TestTextOnly(t *testing.T) {
	tb := newToolbox(&catalog{}, Options{TextOnly: true})
	body := string(tb.body(&dispatch.Result{Text: "t", Structured: json.RawMessage(`{}`)}, false))
	if body != `"content":[{"type":"text","text":"t"}],"isError":false` {
		t.Errorf("body = %s", body)
	}
}
