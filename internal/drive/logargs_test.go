package drive

import "testing"

func TestWhatIsLoggedOfArguments(t *testing.T) {
	for _, c := range []struct{ text, args, want string }{
		{"plain", `[{"type":"string","value":"plain"}]`, "plain"},
		{"x Object(3) Array(2) node Map(1) undefined 1",
			`[{"type":"string","value":"x"},{"type":"object","value":[["a",{"type":"number","value":1}],["b",{"type":"string","value":"two"}],["e",{"type":"null"}]]},
			{"type":"array","value":[{"type":"number","value":1},{"type":"number","value":"NaN"}]},{"type":"node","value":{"nodeType":1,"localName":"body","childNodeCount":0}},
			{"type":"map","value":[["k",{"type":"boolean","value":true}]]},{"type":"undefined"},{"type":"bigint","value":"1"}]`,
			`x {a: 1, b: "two", e: null} [1, NaN] <body> map {k: true} undefined 1`},
		{"Object(1)", `[{"type":"object","value":[["a",{"type":"object","value":[["b",{"type":"object","value":[["c",{"type":"object","value":[["d",{"type":"null"}]]}]]}]]}]]}]`, `{a: {b: {c: {…}}}}`},
		{"Object(1)", `[{"type":"object","value":[["password",{"type":"string","value":"hunter-2000"}]]}]`, `{password: •••}`},
		{"fmt sub Object(1)", `[{"type":"string","value":"fmt %s"},{"type":"string","value":"sub"},{"type":"object","value":[]}]`, "fmt sub Object(1)"},
		{"Error: boom", `[{"type":"error","value":{}}]`, "Error: boom"},
		{"error", `[{"type":"error"}]`, "an error, of which this browser tells no message"},
		{"an error", `[{"type":"string","value":"an error"}]`, "an error"},
		{"Object(1)", `[{"type":"object"`, "Object(1)"},
		{"Object(1)", ``, "Object(1)"},
	} {
		if got := loggedText(c.text, []byte(c.args)); got != c.want {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
