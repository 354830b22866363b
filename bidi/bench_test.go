package bidi_test

import (
	"strings"
	"testing"

	"duet/bidi"

	"github.com/goccy/go-json"
)

// BenchmarkStringResult is the way of a page function's answer, 20 KB of JSON in a
// string, from the frame to the text.
func BenchmarkStringResult(b *testing.B) {
	text, err := json.Marshal(strings.Repeat(`{"role":"button","name":"Save"},`, 640))
	if err != nil {
		b.Fatal(err)
	}
	p := &peer{sent: make(chan string, 1), arrive: make(chan string, 1), ended: make(chan struct{})}
	c := bidi.NewConn(p, bidi.Options{})
	defer c.Close()
	params := bidi.ScriptCallFunctionParameters{FunctionDeclaration: "f", AwaitPromise: true, Target: bidi.ScriptContextTarget{Context: "c", Sandbox: "duet"}, Arguments: []bidi.ScriptLocalValue{bidi.StringValue("{}")}}
	b.SetBytes(int64(len(text)))
	for i := int64(1); b.Loop(); i++ {
		pending := bidi.ScriptCallFunction.Send(c, params)
		<-p.sent
		p.reply(i, `{"type":"success","realm":"r","result":{"type":"string","value":`+string(text)+`}}`)
		result, err := pending.Wait(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if _, ok := result.Result.AsString(); !ok {
			b.Fatal("no string")
		}
	}
}
