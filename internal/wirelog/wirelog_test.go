package wirelog_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"duet/internal/wirelog"
)

// Each secret is masked where it stands, and nothing else is changed.
func TestMask(t *testing.T) {
	for _, test := range []struct{ name, frame, want string }{
		{
			"nothing to hide",
			`{ "id":1, "method":"session.status","params":{} }`,
			`{ "id":1, "method":"session.status","params":{} }`,
		},
		{
			"a secret argument",
			`{"id":1,"params":{"arguments":[{"type":"string","value":"{\"node\":7}"},{"type":"object","value":[["secret",{"type":"string","value":"hunter2"}],["other",{"type":"string","value":"x"}]]}]}}`,
			`{"id":1,"params":{"arguments":[{"type":"string","value":"{\"node\":7}"},{"type":"object","value":[["secret",{"type":"string","value":"•••"}],["other",{"type":"string","value":"x"}]]}]}}`,
		},
		{
			"the argument after the word",
			`{"id":1,"params":{"arguments":[{"type":"string","value":"{\"node\":7}"},{"type":"string","value":"secret"},{"type":"string","value":"hunter2"}]}}`,
			`{"id":1,"params":{"arguments":[{"type":"string","value":"{\"node\":7}"},{"type":"string","value":"secret"},{"type":"string","value":"•••"}]}}`,
		},
		{
			"typed text is one press, whatever its length; keys without text stay",
			`{"actions":[{"type":"key","id":"k","actions":[{"type":"keyDown","value":"a"},{"type":"keyUp","value":"a"},{"type":"pause","duration":9},{"type":"keyDown","value":"b"},{"type":"keyUp","value":"b"},{"type":"pause"},{"type":"keyDown","value":"` + "\ue007" + `"},{"type":"keyUp","value":"` + "\ue007" + `"}]}]}`,
			`{"actions":[{"type":"key","id":"k","actions":[{"type":"keyDown","value":"•••"},{"type":"keyUp","value":"•••"},{"type":"pause"},{"type":"keyDown","value":"` + "\ue007" + `"},{"type":"keyUp","value":"` + "\ue007" + `"}]}]}`,
		},
		{
			"cookies of every kind",
			`{"cookie":{"name":"s","value":{"type":"string","value":"v"}},"cookies":[{"name":"t","value":{"type":"base64","value":"dg=="},"domain":"d"}],"filter":{"name":"s","value":{"type":"string","value":"v"}}}`,
			`{"cookie":{"name":"s","value":{"type":"string","value":"•••"}},"cookies":[{"name":"t","value":{"type":"base64","value":"•••"},"domain":"d"}],"filter":{"name":"s","value":{"type":"string","value":"•••"}}}`,
		},
		{
			"headers that authenticate",
			`{"headers":[{"name":"AUTHORIZATION","value":{"type":"string","value":"Bearer x"}},{"name":"X-Api-Key","value":{"type":"string","value":"k"}},{"name":"Accept","value":{"type":"string","value":"*/*"}}]}`,
			`{"headers":[{"name":"AUTHORIZATION","value":{"type":"string","value":"•••"}},{"name":"X-Api-Key","value":{"type":"string","value":"•••"}},{"name":"Accept","value":{"type":"string","value":"*/*"}}]}`,
		},
		{
			"headers and bodies as the DevTools Protocol has them",
			`{"params":{"request":{"headers":{"Accept":"*/*","Cookie":"s=1","X-Functions-Key":"k"},"postData":"a=1","postDataEntries":[{"bytes":"YT0x"}],"bytes":3},"responseHeaders":[{"name":"Set-Cookie","value":"s=1"}]}}`,
			`{"params":{"request":{"headers":{"Accept":"*/*","Cookie":"•••","X-Functions-Key":"•••"},"postData":"•••","postDataEntries":[{"bytes":"•••"}],"bytes":3},"responseHeaders":[{"name":"Set-Cookie","value":"•••"}]}}`,
		},
		{
			"bodies and passwords",
			`{"body":{"type":"string","value":"a=1"},"bytes":{"type":"base64","value":"YQ=="},"credentials":{"type":"password","username":"u","password":"p"}}`,
			`{"body":{"type":"string","value":"•••"},"bytes":{"type":"base64","value":"•••"},"credentials":{"type":"password","username":"u","password":"•••"}}`,
		},
		{
			"an answer to a prompt, and text by way of DevTools",
			`{"params":{"context":"c","userText":"pin"},"more":{"method":"Input.insertText","params":{"text":"pin"}}}`,
			`{"params":{"context":"c","userText":"•••"},"more":{"method":"Input.insertText","params":"•••"}}`,
		},
		{
			"the attributes of elements",
			`{"type":"node","value":{"attributes":{"data-token":"t","id":"i"},"localName":"x-a"}}`,
			`{"type":"node","value":{"attributes":{},"localName":"x-a"}}`,
		},
		{
			"a request that DevTools holds",
			`{"method":"goog:cdp.Fetch.requestPaused","params":{"event":"Fetch.requestPaused","params":{"networkId":"12726.2","request":{"hasPostData":true,"headers":{"Accept":"*/*","Authorization":"Bearer x","Cookie":"a=b","X-Other":"plain"},"method":"POST","postData":"pw=hunter2","postDataEntries":[{"bytes":"cHc9aHVudGVyMg=="}],"url":"http://127.0.0.1:9/api"},"requestId":"interception-job-2.0","resourceType":"XHR"},"session":"3B02"},"type":"event"}`,
			`{"method":"goog:cdp.Fetch.requestPaused","params":{"event":"Fetch.requestPaused","params":{"networkId":"12726.2","request":{"hasPostData":true,"headers":{"Accept":"*/*","Authorization":"•••","Cookie":"•••","X-Other":"plain"},"method":"POST","postData":"•••","postDataEntries":[{"bytes":"•••"}],"url":"http://127.0.0.1:9/api"},"requestId":"interception-job-2.0","resourceType":"XHR"},"session":"3B02"},"type":"event"}`,
		},
		{
			"an answer by way of DevTools",
			`{"id":9,"method":"goog:cdp.sendCommand","params":{"method":"Fetch.fulfillRequest","params":{"requestId":"i","responseCode":200,"responseHeaders":[{"name":"Set-Cookie","value":"s=1"},{"name":"Content-Type","value":"text/html"}],"body":"YQ==","binaryResponseHeaders":"YTpi"}}}`,
			`{"id":9,"method":"goog:cdp.sendCommand","params":{"method":"Fetch.fulfillRequest","params":{"requestId":"i","responseCode":200,"responseHeaders":[{"name":"Set-Cookie","value":"•••"},{"name":"Content-Type","value":"text/html"}],"body":"•••","binaryResponseHeaders":"•••"}}}`,
		},
		{
			"a request that DevTools is to send on",
			`{"id":9,"params":{"method":"Fetch.continueRequest","params":{"requestId":"i","headers":[{"name":"Authorization","value":"Bearer x"}],"postData":"YQ=="}}}`,
			`{"id":9,"params":{"method":"Fetch.continueRequest","params":{"requestId":"i","headers":[{"name":"Authorization","value":"•••"}],"postData":"•••"}}}`,
		},
		{"what is not JSON is not shown", `{"secret":"hunter2`, `{"unreadable":true}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := string(wirelog.Mask([]byte(test.frame))); got != test.want {
				t.Errorf("Mask = %s\nwant   %s", got, test.want)
			}
			if again := string(wirelog.Mask([]byte(test.want))); again != test.want {
				t.Errorf("masking twice gives %s", again)
			}
		})
	}
}

// What a Writer writes, Parse reads back.
func TestWriteAndParse(t *testing.T) {
	var text bytes.Buffer
	w := wirelog.NewWriter(&text)
	w.Note("made by a test")
	w.Out([]byte("{\"id\":1,\n \"method\":\"m\"}"))
	w.In([]byte(`{"id":1,"result":{"text":"a\nb"}}`))
	w.Closed("EOF")
	log, err := wirelog.Parse(&text)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range log {
		if !strings.HasPrefix(string(e.Text), "t=") {
			got = append(got, string(e.Kind)+string(e.Text))
		}
	}
	want := []string{`#made by a test`, `>{"id":1,  "method":"m"}`, `<{"id":1,"result":{"text":"a\nb"}}`, `#closed: EOF`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if reason, ok := log[len(log)-1].Closed(); !ok || reason != "EOF" {
		t.Errorf("Closed = %q, %v", reason, ok)
	}
	if again, err := wirelog.Parse(bytes.NewReader(log.Bytes())); err != nil || len(again) != len(log) {
		t.Errorf("the log does not survive Bytes: %v", err)
	}
}

// A line that is none of the log's is named.
func TestParseNamesTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"# fine\n> {\"id\":1}\nwhat": "line 3",
		"> {\"id\":":                 "line 1",
	} {
		if _, err := wirelog.Parse(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Parse(%q) = %v, want %s", text, err, want)
		}
	}
}

// Secrets leaves the text as it is, a nil Writer writes nothing, and a full disk
// stops the log and nothing else.
func TestWriter(t *testing.T) {
	var text bytes.Buffer
	w := wirelog.NewWriter(&text)
	w.Secrets()
	w.Out([]byte(`{"password":"p"}`))
	if !strings.Contains(text.String(), `{"password":"p"}`) {
		t.Errorf("log = %s", &text)
	}
	(*wirelog.Writer)(nil).Out([]byte(`{}`))
	full := &failing{}
	w = wirelog.NewWriter(full)
	w.Out([]byte(`{}`))
	w.Out([]byte(`{}`))
	if full.writes != 1 {
		t.Errorf("%d writes after the first failed", full.writes-1)
	}
}

type failing struct{ writes int }

func (f *failing) Write([]byte) (int, error) {
	f.writes++
	return 0, errors.New("no space left")
}

// Two runs of one scenario have the same normalised log.
func TestNormalise(t *testing.T) {
	run := func(ctx, node, port, dir string) string {
		log := wirelog.Log{
			{Kind: wirelog.Note, Text: []byte("t=1")},
			{Kind: wirelog.Arrived, Text: []byte(`{"method":"browsingContext.load","params":{"context":"` + ctx + `","timestamp":17,"url":"http://127.0.0.1:` + port + `/a?c=` + ctx + `"}}`)},
			{Kind: wirelog.Sent, Text: []byte(`{"id":4,"method":"script.callFunction","params":{"functionDeclaration":"() => 1","target":{"context":"` + ctx + `"},"arguments":[{"sharedId":"` + node + `"}],"dir":"` + dir + `/x","userContext":"default"}}`)},
		}
		n := wirelog.NewNormaliser(func(text string) string {
			if text == "() => 1" {
				return "@one"
			}
			return text
		}, dir, "$dir")
		return string(n.Log(log).Bytes())
	}
	got := run("0A1B2C3D4E5F60718293A4B5C6D7E8F9", "f.1.d.2.e.3", "40123", "/tmp/one")
	want := `< {"method":"browsingContext.load","params":{"context":"$ctx1","timestamp":0,"url":"http://127.0.0.1:$port1/a?c=$ctx1"}}
> {"id":4,"method":"script.callFunction","params":{"functionDeclaration":"@one","target":{"context":"$ctx1"},"arguments":[{"sharedId":"$node1"}],"dir":"$dir/x","userContext":"default"}}
`
	if got != want {
		t.Errorf("log:\n%s\nwant:\n%s", got, want)
	}
	if other := run("7c9e6679-7425-40de-944b-e07fc1f90ae7", "n9", "55555", "/tmp/two"); other != got {
		t.Errorf("another run:\n%s", other)
	}
}

// FuzzMask never panics, and masks to JSON.
func FuzzMask(f *testing.F) {
	f.Add([]byte(`{"actions":[{"type":"keyDown","value":"a"}],"cookies":[1,{"value":{}}],"headers":[{}],"body":null}`))
	f.Add([]byte(`[["secret"],["secret",[]]]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		once := wirelog.Mask(data)
		if twice := wirelog.Mask(once); !bytes.Equal(once, twice) {
			t.Errorf("%q masks to %q and then to %q", data, once, twice)
		}
		wirelog.NewNormaliser(nil).Frame(data)
	})
}
