package bidi_test

import (
	"math"
	"reflect"
	"testing"

	"duet/bidi"

	"github.com/goccy/go-json"
)

// Each union variant writes its discriminator, absent members are not written, and
// lists that must be there are.
func TestEncoding(t *testing.T) {
	for _, test := range []struct {
		value any
		want  string
	}{
		{bidi.ObjectValue(bidi.Pair{Name: "<b>", Value: bidi.StringValue("a => b")}), `{"type":"object","value":[["<b>",{"type":"string","value":"a => b"}]]}`},
		{bidi.NumberValue(1.5), `{"type":"number","value":1.5}`},
		{bidi.NumberValue(math.NaN()), `{"type":"number","value":"NaN"}`},
		{bidi.NumberValue(math.Copysign(0, -1)), `{"type":"number","value":"-0"}`},
		{bidi.NumberValue(math.Inf(-1)), `{"type":"number","value":"-Infinity"}`},
		{bidi.BoolValue(false), `{"type":"boolean","value":false}`},
		{bidi.NullValue(), `{"type":"null"}`},
		{bidi.UndefinedValue(), `{"type":"undefined"}`},
		{bidi.NodeValue("n"), `{"sharedId":"n"}`},
		{bidi.ArrayValue(), `{"type":"array","value":[]}`},
		{bidi.ArrayValue(bidi.NullValue(), bidi.NodeValue("n")), `{"type":"array","value":[{"type":"null"},{"sharedId":"n"}]}`},
		{bidi.ObjectValue(), `{"type":"object","value":[]}`},
		{bidi.ObjectValue(bidi.Pair{Name: "secret", Value: bidi.StringValue("s")}), `{"type":"object","value":[["secret",{"type":"string","value":"s"}]]}`},
		{bidi.ScriptMapLocalValue{Value: []bidi.Pair{{Key: bidi.NumberValue(1), Value: bidi.NullValue()}}}, `{"type":"map","value":[[{"type":"number","value":1},{"type":"null"}]]}`},
		{bidi.ChannelValue("c"), `{"type":"channel","value":{"channel":"c"}}`},
		{bidi.ScriptSerializationOptions{MaxDomDepth: new(bidi.Depth(-1)), MaxObjectDepth: new(bidi.Depth(0))}, `{"maxDomDepth":null,"maxObjectDepth":0}`},
		{
			bidi.ScriptCallFunctionParameters{FunctionDeclaration: "f", Target: bidi.ScriptContextTarget{Context: "c", Sandbox: "s"}},
			`{"functionDeclaration":"f","awaitPromise":false,"target":{"context":"c","sandbox":"s"}}`,
		},
		{
			bidi.ScriptCallFunctionParameters{FunctionDeclaration: "f", Target: bidi.ScriptRealmTarget{Realm: "r"}, Arguments: []bidi.ScriptLocalValue{}, This: bidi.NullValue()},
			`{"functionDeclaration":"f","awaitPromise":false,"target":{"realm":"r"},"arguments":[],"this":{"type":"null"}}`,
		},
		{bidi.InputPerformActionsParameters{Context: "c"}, `{"context":"c","actions":[]}`},
		{
			bidi.InputPerformActionsParameters{Context: "c", Actions: []bidi.InputSourceActions{
				bidi.InputPointerSourceActions{ID: "m", Actions: []bidi.InputPointerSourceAction{
					bidi.InputPointerMoveAction{X: 1.5, Y: 2, Origin: bidi.InputElementOrigin{Element: bidi.ScriptSharedReference{SharedID: "n"}}},
					bidi.InputPointerMoveAction{Origin: bidi.InputOriginPointer},
					bidi.InputPointerDownAction{},
					bidi.InputPauseAction{Duration: 5},
				}},
			}},
			`{"context":"c","actions":[{"type":"pointer","id":"m","actions":[{"type":"pointerMove","x":1.5,"y":2,"origin":{"type":"element","element":{"sharedId":"n"}}},{"type":"pointerMove","x":0,"y":0,"origin":"pointer"},{"type":"pointerDown","button":0},{"type":"pause","duration":5}]}]}`,
		},
		{bidi.BrowsingContextLocateNodesParameters{Context: "c", Locator: bidi.BrowsingContextContextLocator{Value: bidi.BrowsingContextContextLocatorValue{Context: "f"}}}, `{"context":"c","locator":{"type":"context","value":{"context":"f"}}}`},
		{bidi.BrowsingContextSetViewportParameters{Context: "c", Viewport: bidi.Some(bidi.BrowsingContextViewport{Width: 1, Height: 2}), DevicePixelRatio: bidi.Null[float64]()}, `{"context":"c","viewport":{"width":1,"height":2},"devicePixelRatio":null}`},
		{bidi.BrowsingContextHandleUserPromptParameters{Context: "c", Accept: new(false), UserText: new("")}, `{"context":"c","accept":false,"userText":""}`},
		{bidi.BrowserSetDownloadBehaviorParameters{}, `{"downloadBehavior":null}`},
		{bidi.BrowserSetDownloadBehaviorParameters{DownloadBehavior: bidi.BrowserDownloadBehaviorAllowed{DestinationFolder: "/d"}}, `{"downloadBehavior":{"type":"allowed","destinationFolder":"/d"}}`},
		{bidi.EmulationSetLocaleOverrideParameters{Contexts: []bidi.Context{"c"}}, `{"locale":null,"contexts":["c"]}`},
		{bidi.EmulationSetMediaFeaturesOverrideParameters{Features: bidi.EmulationMediaFeatures{"prefers-color-scheme": "dark"}}, `{"features":{"prefers-color-scheme":"dark"}}`},
		{bidi.SessionUnsubscribeByAttributesRequest{}, `{"events":[]}`},
		{bidi.SessionNewParameters{}, `{"capabilities":{}}`},
		{
			bidi.SessionNewParameters{Capabilities: bidi.SessionCapabilitiesRequest{AlwaysMatch: &bidi.SessionCapabilityRequest{AcceptInsecureCerts: new(true), Extra: bidi.Extra{"moz:b": json.RawMessage(`{}`), "goog:a": json.RawMessage(`1`)}}}},
			`{"capabilities":{"alwaysMatch":{"acceptInsecureCerts":true,"goog:a":1,"moz:b":{}}}}`,
		},
		{bidi.WebExtensionInstallParameters{ExtensionData: bidi.WebExtensionExtensionBase64Encoded{Value: []byte("a")}}, `{"extensionData":{"type":"base64","value":"YQ=="}}`},
	} {
		got, err := json.MarshalWithOption(test.value, json.DisableHTMLEscape())
		if err != nil || string(got) != test.want {
			t.Errorf("got  %s, %v\nwant %s", got, err, test.want)
		}
	}
}

func decode[T any](t *testing.T, text string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// Unknown members of open types are kept, and null, floating point and vendor
// members cost no event.
func TestDecoding(t *testing.T) {
	caps := decode[bidi.SessionNewResult](t, `{"sessionId":"s","capabilities":{"browserName":"firefox","moz:headless":true,"unhandledPromptBehavior":{"default":"ignore"}}}`).Capabilities
	if caps.BrowserName != "firefox" || string(caps.Extra["moz:headless"]) != "true" || len(caps.Extra) != 1 || caps.UnhandledPromptBehavior.Default != "ignore" {
		t.Errorf("capabilities = %+v", caps)
	}
	sent := decode[bidi.SessionCapabilitiesRequest](t, `{"alwaysMatch":{"webSocketUrl":true,"goog:chromeOptions":{"args":[]}}}`)
	if again, _ := json.MarshalWithOption(sent, json.DisableHTMLEscape()); string(again) != `{"alwaysMatch":{"goog:chromeOptions":{"args":[]},"webSocketUrl":true}}` {
		t.Errorf("capabilities come back as %s", again)
	}
	e, err := bidi.NetworkResponseCompleted.Decode(bidi.Event{Method: "network.responseCompleted", Params: json.RawMessage(
		`{"context":null,"isBlocked":false,"navigation":null,"redirectCount":0,"timestamp":1796032800123.0,"request":{"request":"7","bodySize":null,"goog:resourceType":"XHR","timings":{"tlsEnd":1},"headers":[{"name":"a","value":{"type":"base64","value":"Yg=="}}]},"response":{"status":200,"bodySize":3e9,"moz:x":1}}`)})
	if err != nil {
		t.Fatal(err)
	}
	if e.Context != "" || e.Timestamp != 1796032800123 || e.Request.BodySize != nil || *e.Response.BodySize != 3e9 || string(e.Request.Extra[bidi.ExtraResourceType]) != `"XHR"` || len(e.Response.Extra) != 1 {
		t.Errorf("event = %+v", e)
	}
	if b, err := e.Request.Headers[0].Value.Bytes(); err != nil || string(b) != "b" {
		t.Errorf("header = %q, %v", b, err)
	}
	if _, err := bidi.BrowsingContextLoad.Decode(bidi.Event{Method: "log.entryAdded"}); err == nil {
		t.Error("another event was decoded")
	}
	load, err := bidi.BrowsingContextLoad.Decode(bidi.Event{Method: "browsingContext.load", Params: json.RawMessage(`{"context":"c","navigation":"n","timestamp":1,"url":"u"}`)})
	if want := (bidi.BrowsingContextBaseNavigationInfo{Context: "c", Navigation: "n", Timestamp: 1, URL: "u"}); err != nil || load.BrowsingContextBaseNavigationInfo != want {
		t.Errorf("load = %+v, %v", load, err)
	}
}

// A remote value is decoded when it is asked for, as what its type says.
func TestRemoteValues(t *testing.T) {
	value := func(text string) bidi.ScriptRemoteValue { return decode[bidi.ScriptRemoteValue](t, text) }
	if s, ok := value(`{"type":"string","value":"a\"b"}`).AsString(); !ok || s != `a"b` {
		t.Errorf("string = %q, %v", s, ok)
	}
	if _, ok := value(`{"type":"number","value":1}`).AsString(); ok {
		t.Error("a number is a string")
	}
	if n, ok := value(`{"type":"number","value":"-Infinity"}`).AsNumber(); !ok || !math.IsInf(n, -1) {
		t.Errorf("number = %v, %v", n, ok)
	}
	if b, ok := value(`{"type":"boolean","value":true}`).AsBool(); !ok || !b {
		t.Errorf("boolean = %v, %v", b, ok)
	}
	list, ok := value(`{"type":"array","value":[{"type":"window","value":{"context":"c"}},{"type":"null"}]}`).AsList()
	if !ok || len(list) != 2 {
		t.Fatalf("array = %v, %v", list, ok)
	}
	if c, ok := list[0].AsWindow(); !ok || c != "c" {
		t.Errorf("window = %v, %v", c, ok)
	}
	pairs, ok := value(`{"type":"map","value":[["a",{"type":"null"}],[{"type":"number","value":1},{"type":"undefined"}]]}`).AsMapping()
	if !ok || len(pairs) != 2 || pairs[0].Name != "a" || pairs[1].Key.Type != "number" || pairs[1].Value.Type != "undefined" {
		t.Errorf("map = %+v, %v", pairs, ok)
	}
	node, ok := value(`{"type":"node","sharedId":"n","value":{"nodeType":1,"childNodeCount":1,"localName":"p","attributes":{"id":"x"},"children":[{"type":"node","sharedId":"m"}],"shadowRoot":null}}`).AsNode()
	if !ok || node.SharedID != "n" || node.Value.Children[0].SharedID != "m" || !reflect.DeepEqual(node.Value.Attributes, map[string]string{"id": "x"}) {
		t.Errorf("node = %+v, %v", node, ok)
	}
}
