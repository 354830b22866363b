package bidi

import (
	"testing"

	"github.com/goccy/go-json"
)

// Ids stay below 2^31, start again, and pass over those that are still pending.
func TestIDsWrapAround(t *testing.T) {
	c := &Conn{lastID: maxID - 1, pending: map[int64]*call{1: {}, 2: {}}}
	for _, want := range []int64{maxID, 3, 4} {
		if got := c.nextIDLocked(); got != want {
			t.Errorf("id = %d, want %d", got, want)
		}
	}
}

// FuzzDecode holds the envelope's scanner against a complete JSON decoder: it never
// panics, and takes every object as the decoder does.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"type":"success","id":1,"result":{}}`,
		`{"type":"error","id":null,"error":"unknown error","message":"\u00e9\"\\","stacktrace":""}`,
		`{"type":"event","method":"log.entryAdded","params":{"text":"}]{[\\\"","args":[[],{}]}}`,
		` { "id" : 9.007199254740991e+15 , "result" : "\ud800" } `,
		`{"i\u0064":7,"result":[1,2.5e3,true,null]}`,
		`{}`, `[]`, `{"id":}`, `{"id":1`, `{"id":1}}`, `{"a":"\\"}`, `{"method":5}`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := parseMessage(data)
		stripped, stripErr := stripVendor(data)
		if !json.Valid(data) {
			return
		}
		var object map[string]json.RawMessage
		if json.Unmarshal(data, &object) != nil || object == nil {
			if err == nil {
				t.Fatalf("took %q, which is no object", data)
			}
			return
		}
		if err != nil {
			t.Fatalf("refused %q: %v", data, err)
		}
		if stripErr != nil || !json.Valid(stripped) {
			t.Fatalf("stripped %q to %q, %v", data, stripped, stripErr)
		}
		if _, has := object["result"]; has != (m.result != nil) {
			t.Fatalf("result of %q: %q", data, m.result)
		}
		if m.result != nil && !json.Valid(m.result) || m.params != nil && !json.Valid(m.params) {
			t.Fatalf("took %q apart into %q, %q", data, m.result, m.params)
		}
		var params ScriptEvaluateResult
		_ = json.Unmarshal(m.result, &params) // must not panic
		_, _ = NetworkResponseCompleted.Decode(Event{NetworkResponseCompleted.Method, m.params})
		_, _ = LogEntryAdded.Decode(Event{LogEntryAdded.Method, m.params})
	})
}
