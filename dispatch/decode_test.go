package dispatch_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-json"
	"github.com/google/go-cmp/cmp"

	"duet/dispatch"
)

type part struct {
	Name string          `json:"name" help:"Name." maxlen:"5"`
	More json.RawMessage `json:"more,omitzero"`
}

type everything struct {
	Text  string          `json:"text" arg:"" help:"Text." maxlen:"10"`
	Mode  string          `json:"mode,omitzero" enum:"fast,slow" default:"fast" help:"Mode."`
	Flag  bool            `json:"flag,omitzero" help:"Flag."`
	Count int             `json:"count,omitzero" min:"0" max:"10" help:"Count."`
	Limit *int            `json:"limit,omitzero" min:"1" help:"Limit."`
	Ratio float64         `json:"ratio,omitzero" min:"-1.5" max:"1.5" help:"Ratio."`
	Files []string        `json:"files,omitzero" max:"2" maxlen:"4" help:"Files."`
	Parts []part          `json:"parts,omitzero" min:"1" max:"2" kong:"-" help:"Parts."`
	Raw   json.RawMessage `json:"raw,omitzero" kong:"-" help:"Raw."`
}

func allFields() []dispatch.Field {
	return dispatch.Define(dispatch.Spec{Verb: "all", Summary: "All."},
		func(context.Context, *dispatch.Read, everything) (struct{}, error) { return struct{}{}, nil }).Fields()
}

// What is right arrives as it was meant, defaults included.
func TestDecode(t *testing.T) {
	var got everything
	raw := `{"text":"äöüäöüäöüä","count":10,"limit":1.0,"ratio":-1.5,"flag":true,"files":["a,b",""],"parts":[{"name":"x","more":{"a":[1]}}],"raw":{"k":"v"}}`
	if err := dispatch.Decode(json.RawMessage(raw), allFields(), &got); err != nil {
		t.Fatal(err)
	}
	one := 1
	want := everything{Text: "äöüäöüäöüä", Mode: "fast", Flag: true, Count: 10, Limit: &one, Ratio: -1.5, Files: []string{"a,b", ""},
		Parts: []part{{"x", json.RawMessage(`{"a":[1]}`)}}, Raw: json.RawMessage(`{"k":"v"}`)}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Each way of being wrong is refused, and the refusal says where, by which rule, and what is right.
func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ raw, path, rule, message string }{
		{`{}`, "/text", "required", "text is required"},
		{``, "/text", "required", "text is required"},
		{`{"text":"a","txet":"b"}`, "/txet", "unknown", `unknown argument "txet"; did you mean text?`},
		{`{"text":"a","Text":"b"}`, "/Text", "unknown", "did you mean text?"},
		{`{"text":"a","zzzzzz":"b"}`, "/zzzzzz", "unknown", "allowed: text, mode"},
		{`{"text":"a","text":"b"}`, "/text", "duplicate", "twice"},
		{`{"text":"a","raw":{"k":1,"k":2}}`, "/raw/k", "duplicate", "twice"},
		{`{"text":"a","parts":[{"name":"x","more":{"k":{"l":1,"l":2}}}]}`, "/parts/0/more/k/l", "duplicate", "twice"},
		{`{"text":"a","mode":"fats"}`, "/mode", "enum", `mode must be one of fast, slow, not "fats"`},
		{`{"text":"a","mode":""}`, "/mode", "enum", ""},
		{`{"text":null}`, "/text", "null", "leave it out"},
		{`{"text":"a","limit":null}`, "/limit", "null", ""},
		{`{"text":1}`, "/text", "type", "text must be a string"},
		{`{"text":"a","flag":"true"}`, "/flag", "type", "true or false, not a string: write true, without quotes"},
		{`{"text":"a","files":"b"}`, "/files", "type", `not a string: write it in brackets, ["…"]`},
		{`{"txt":"a","value":"b"}`, "/txt", "unknown", `unknown argument "txt"; did you mean text?; nor is there "value"`},
		{`{"content":"a"}`, "/content", "unknown", "did you mean text?"},
		{`{"text":"a","flag":0}`, "/flag", "type", ""},
		{`{"text":"a","count":"1"}`, "/count", "type", "not a string: write 1, without quotes"},
		{`{"text":"a","count":"NaN"}`, "/count", "type", ""},
		{`{"text":"a","count":1.5}`, "/count", "type", "whole"},
		{`{"text":"a","count":11}`, "/count", "range", "at most 10"},
		{`{"text":"a","count":-1}`, "/count", "range", "at least 0"},
		{`{"text":"a","limit":0}`, "/limit", "range", ""},
		{`{"text":"a","limit":1e300}`, "/limit", "range", ""},
		{`{"text":"a","ratio":1e999}`, "/ratio", "range", "finite"},
		{`{"text":"a","ratio":NaN}`, "", "json", ""},
		{`{"text":"a","ratio":[1]}`, "/ratio", "type", "an array"},
		{`{"text":"aaaaaaaaaaa"}`, "/text", "maxlen", "longer than 10"},
		{`{"text":"a","files":"x"}`, "/files", "type", ""},
		{`{"text":"a","files":["a","b","c"]}`, "/files", "items", "3 elements"},
		{`{"text":"a","files":["abcde"]}`, "/files/0", "maxlen", "files.0"},
		{`{"text":"a","files":[1]}`, "/files/0", "type", ""},
		{`{"text":"a","files":[null]}`, "/files/0", "null", ""},
		{`{"text":"a","parts":[]}`, "/parts", "items", ""},
		{`{"text":"a","parts":[{}]}`, "/parts/0/name", "required", ""},
		{`{"text":"a","parts":[{"name":"x","nmae":1}]}`, "/parts/0/nmae", "unknown", ""},
		{`{"text":"a","parts":["x"]}`, "/parts/0", "type", ""},
		{`{"text":"a","raw":"{}"}`, "/raw", "type", ""},
		{`{"text":"a"} {}`, "", "json", ""},
		{`{"text":"a"}x`, "", "json", ""},
		{`{"text":"a",}`, "", "json", ""},
		{`[]`, "", "type", "arguments must be an object, not an array"},
		{`null`, "", "type", ""},
		{`"x"`, "", "type", ""},
		{"{\"text\":\"\xff\"}", "", "json", ""},
		{`{"text":"\ud800"}`, "", "json", ""},
		{`{"text\u0000":"a"}`, `/text` + "\x00", "unknown", ""},
	} {
		var into everything
		err := dispatch.Decode(json.RawMessage(c.raw), allFields(), &into)
		switch {
		case err == nil:
			t.Errorf("%s was taken", c.raw)
		case err.Data.Rule != c.rule || c.path != "" && err.Data.Path != c.path || !strings.Contains(err.Error(), c.message):
			t.Errorf("%s\n got %q %q %q\nwant %q %q %q", c.raw, err.Data.Path, err.Data.Rule, err.Error(), c.path, c.rule, c.message)
		}
	}
}

// A schema is closed, in the order of declaration, and the same every time.
func TestSchema(t *testing.T) {
	want := `{"type":"object","properties":{"text":{"type":"string","maxLength":10,"description":"Text."},` +
		`"mode":{"type":"string","enum":["fast","slow"],"default":"fast","description":"Mode."},"flag":{"type":"boolean","description":"Flag."},` +
		`"count":{"type":"integer","minimum":0,"maximum":10,"description":"Count."},"limit":{"type":"integer","minimum":1,"description":"Limit."},` +
		`"ratio":{"type":"number","minimum":-1.5,"maximum":1.5,"description":"Ratio."},` +
		`"files":{"type":"array","items":{"type":"string","maxLength":4},"maxItems":2,"description":"Files."},` +
		`"parts":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string","maxLength":5,"description":"Name."},"more":{"type":"object"}},` +
		`"required":["name"],"additionalProperties":false},"minItems":1,"maxItems":2,"description":"Parts."},` +
		`"raw":{"type":"object","description":"Raw."}},"required":["text"],"additionalProperties":false}`
	for range 3 {
		if got := string(dispatch.Schema(allFields())); got != want {
			t.Fatalf("got  %s\nwant %s", got, want)
		}
	}
	if got := string(dispatch.Schema(nil)); got != `{"type":"object","additionalProperties":false}` {
		t.Error(got)
	}
}

type pick struct {
	Action string `json:"action,omitzero" enum:"list,drop" default:"list" help:"Action."`
}

type nothing struct{}

func commands() []*dispatch.Command {
	act := func(context.Context, *dispatch.Act, pick) (nothing, error) { return nothing{}, nil }
	read := func(context.Context, *dispatch.Read, pick) (nothing, error) { return nothing{}, nil }
	return []*dispatch.Command{
		dispatch.Define(dispatch.Spec{Verb: "act", Tool: "t_act", Summary: "Acts."}, act),
		dispatch.Define(dispatch.Spec{Verb: "see", Tool: "t_see", Summary: "Sees.", Profile: dispatch.Core, Verbs: []dispatch.Verb{{Name: "look", Preset: map[string]string{"action": "list"}}}}, read),
		dispatch.DefineSplit(dispatch.Spec{Verb: "both", Tool: "t_both", Summary: "Both."}, "action", []string{"list"}, read, act),
		dispatch.Define(dispatch.Spec{Verb: "state", Tool: "t_zero", Summary: "Zero."},
			func(context.Context, *dispatch.Read, nothing) (nothing, error) { return nothing{}, nil }),
		dispatch.Define(dispatch.Spec{Verb: "hidden", Summary: "No tool."}, act),
		dispatch.Define(dispatch.Spec{Verb: "batch", Tool: "t_batch", Summary: "Batch."}, dispatch.RunBatch, dispatch.CheckBatch()),
	}
}

// What is listed can be called and what is not listed cannot, whatever the access, also in a batch.
func TestListedIsCallable(t *testing.T) {
	for _, a := range []dispatch.Access{{}, {Profile: dispatch.Core}, {ReadOnly: true}, {Profile: dispatch.Core, ReadOnly: true}} {
		r := dispatch.NewRegistry(commands(), a)
		listed := map[string]bool{}
		for _, info := range r.Tools() {
			listed[info.Name] = true
			if a.ReadOnly && !info.ReadOnly {
				t.Errorf("%+v lists %s, which acts", a, info.Name)
			}
		}
		for _, c := range commands() {
			if c.Tool == "" || c.Tool == "t_batch" {
				continue
			}
			_, found := r.Lookup(c.Tool)
			direct := r.Check(c.Tool, nil)
			if found != listed[c.Tool] || (direct == nil) != listed[c.Tool] {
				t.Errorf("%+v: %s listed %v, found %v, checked %v", a, c.Tool, listed[c.Tool], found, direct)
			}
			if !listed["t_batch"] {
				continue
			}
			step := r.Check("t_batch", json.RawMessage(`{"steps":[{"tool":"`+c.Tool+`"}]}`))
			if (step == nil) != listed[c.Tool] {
				t.Errorf("%+v: %s as a step: %v", a, c.Tool, step)
			}
		}
	}
}

// In read-only mode the acting values of an enum are gone from the schema and refused.
func TestReadOnlyByAction(t *testing.T) {
	r := dispatch.NewRegistry(commands(), dispatch.Access{ReadOnly: true})
	err := r.Check("t_both", json.RawMessage(`{"action":"drop"}`))
	if err == nil || err.Data.Rule != "enum" || !slices.Equal(err.Data.Allowed, []string{"list"}) {
		t.Errorf("drop: %+v", err)
	}
	for _, info := range r.Tools() {
		if strings.Contains(string(info.Schema), "drop") && info.Name == "t_both" {
			t.Errorf("schema: %s", info.Schema)
		}
	}
	if err := dispatch.NewRegistry(commands(), dispatch.Access{}).Check("t_both", json.RawMessage(`{"action":"drop"}`)); err != nil {
		t.Error(err)
	}
}

// A tool without arguments is listed first, then the names rise.
func TestListOrder(t *testing.T) {
	var names []string
	for _, info := range dispatch.NewRegistry(commands(), dispatch.Access{}).Tools() {
		names = append(names, info.Name)
	}
	if want := []string{"t_zero", "t_act", "t_batch", "t_both", "t_see"}; !slices.Equal(names, want) {
		t.Errorf("order is %v", names)
	}
}

// A batch is refused whole, before anything runs, and says which step is wrong.
func TestBatchIsChecked(t *testing.T) {
	r := dispatch.NewRegistry(commands(), dispatch.Access{})
	for _, c := range []struct{ raw, path, rule string }{
		{`{}`, "/steps", "required"},
		{`{"steps":[]}`, "/steps", "items"},
		{`{"steps":[` + strings.Repeat(`{"tool":"t_see"},`, 25) + `{"tool":"t_see"}]}`, "/steps", "items"},
		{`{"steps":[{"tool":"t_see"},{"tool":"t_se"}]}`, "/steps/1/tool", "unknown_tool"},
		{`{"steps":[{"tool":"t_see","arguments":{"actoin":"list"}}]}`, "/steps/0/arguments/actoin", "unknown"},
		{`{"steps":[{"tool":"t_batch","arguments":{"steps":[{"tool":"t_see"}]}}]}`, "/steps/0/tool", "nested"},
		{`{"steps":[{"tool":"t_see","arguments":[]}]}`, "/steps/0/arguments", "type"},
		{`{"steps":[{"tool":"t_see","args":{}}]}`, "/steps/0/args", "unknown"},
		{`{"steps":[{"tool":"t_see"}],"observe":"all"}`, "/observe", "enum"},
	} {
		err := r.Check("t_batch", json.RawMessage(c.raw))
		if err == nil || err.Data.Path != c.path || err.Data.Rule != c.rule || err.Data.Tool != "t_batch" {
			t.Errorf("%s: %+v", c.raw, err)
		}
	}
}

// A tool that --read-only or the small set leaves out is said to be left out; only
// an unknown name is taken for a slip of the pen.
func TestWhatIsNotOfferedIsCalledSo(t *testing.T) {
	for _, c := range []struct {
		access dispatch.Access
		says   string
	}{
		{dispatch.Access{ReadOnly: true}, "not offered here, because --read-only"},
		{dispatch.Access{Profile: dispatch.Core}, "not offered here, because --tools core"},
	} {
		left := 0
		r := dispatch.NewRegistry(commands(), c.access)
		for _, info := range dispatch.NewRegistry(commands(), dispatch.Access{}).Tools() {
			if _, ok := r.Lookup(info.Name); ok {
				continue
			}
			left++
			err := r.Check(info.Name, json.RawMessage(`{}`))
			if err == nil || !strings.Contains(err.Message, c.says) || err.Data.DidYouMean != "" {
				t.Errorf("%s: %+v", info.Name, err)
			}
		}
		if left == 0 {
			t.Errorf("%+v leaves everything", c.access)
		}
	}
}
