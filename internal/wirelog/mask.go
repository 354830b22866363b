package wirelog

import (
	"bytes"

	"duet/internal/secret"
)

// Masked is what stands for a secret. It says nothing of the secret's length.
const Masked = "•••"

// triggers are names without which a frame holds nothing to mask. A name could be
// spelled with escapes, which no browser does and our encoder does not.
var triggers = [][]byte{
	[]byte(`"secret"`), []byte(`"keyDown"`), []byte(`"keyUp"`), []byte(`"cookie"`), []byte(`"cookies"`),
	[]byte(`"headers"`), []byte(`"body"`), []byte(`"bytes"`), []byte(`"password"`), []byte(`"filter"`),
	[]byte(`"userText"`), []byte(`"Input.insertText"`), []byte(`"goog:postData"`), []byte(`"attributes"`),
	[]byte(`"log.entryAdded"`), []byte(`"postData"`), []byte(`"postDataEntries"`),
	[]byte(`"responseHeaders"`), []byte(`"goog:responseHeaders"`), []byte(`"binaryResponseHeaders"`),
}

// Mask returns the frame with its secrets replaced, judged by structure alone: the
// argument of a page function after the word secret, the string that goes by that
// name in an object, keys that carry
// text (a run of them becomes one), values of cookies and of headers that
// authenticate, bodies, passwords, answers to prompts, the attributes of elements,
// and the values in addresses whose names read like a secret's. It knows them as the
// protocol spells them, and as the DevTools protocol within it does. A frame that holds
// none of them is returned as
// it is, and one that is not JSON as a note of its length.
func Mask(frame []byte) []byte {
	if !mayHold(frame) {
		return frame
	}
	n, err := parse(frame)
	if err != nil {
		return []byte(`{"unreadable":true}`)
	}
	n.walk("", mask)
	if n.member("method").is("log.entryAdded") {
		n.walk("", func(_ string, n *node) {
			if text, ok := n.text(); ok {
				if masked := secret.MaskNamed(text); masked != text {
					n.raw = quote(masked)
				}
			}
		})
	}
	return n.append(make([]byte, 0, len(frame)))
}

func mayHold(frame []byte) bool {
	if addressed(frame) {
		return true
	}
	for _, trigger := range triggers {
		if bytes.Contains(frame, trigger) {
			return true
		}
	}
	return false
}

func mask(name string, n *node) {
	if n.kind == '[' {
		if len(n.items) == 2 && n.items[0].is("secret") {
			n.items[1].hide()
		}
		if name == "actions" {
			n.maskKeys()
		}
		for i := 1; name == "arguments" && i < len(n.items); i++ {
			if n.items[i-1].member("value").is("secret") {
				n.items[i].hide()
			}
		}
		return
	}
	if n.kind != '{' {
		n.maskAddresses(name)
		return
	}
	switch name {
	case "cookie", "cookies", "filter":
		n.member("value").hide()
	case "headers", "responseHeaders", "goog:responseHeaders":
		if header, ok := n.member("name").text(); ok && secret.Header(header) {
			n.member("value").hide()
		}
		for i, header := range n.names { // DevTools: an object of all of them
			if secret.Header(header) {
				n.items[i].hide()
			}
		}
	case "body", "bytes":
		n.hide()
	case "attributes":
		n.names, n.keys, n.items = nil, nil, nil
	case "postDataEntries":
		n.member("bytes").hide()
	}
	for _, text := range []string{"password", "userText", "body", "goog:postData", "postData", "binaryResponseHeaders"} {
		if v := n.member(text); v != nil && v.kind == 0 {
			v.hide()
		}
	}
	if n.member("method").is("Input.insertText") {
		n.member("params").hide()
	}
}

// hide replaces a value: the member value of an object, or the whole of a scalar.
// Lists go.
func (n *node) hide() {
	switch {
	case n == nil:
	case n.kind == '{' && n.member("value") != nil:
		n.member("value").hide()
	default:
		*n = node{raw: quote(Masked)}
	}
}

// maskKeys hides the keys that carry text in the actions of a keyboard. A run of
// them, with the pauses between, becomes one press, so that its length does not
// show. Keys without text (Enter, Control) stay.
func (n *node) maskKeys() {
	var kept []*node
	var pauses []*node // since the last text key of a run
	inRun := false
	for _, action := range n.items {
		switch {
		case isText(action):
			if !inRun {
				kept = append(kept, key("keyDown"), key("keyUp"))
			}
			inRun, pauses = true, nil
		case inRun && action.member("type").is("pause"):
			pauses = append(pauses, action)
		default:
			kept = append(append(kept, pauses...), action)
			inRun, pauses = false, nil
		}
	}
	n.items = append(kept, pauses...)
}

// isText reports whether an action presses or releases a key that carries text.
// WebDriver gives the other keys code points of the private use area.
func isText(action *node) bool {
	kind := action.member("type")
	if !kind.is("keyDown") && !kind.is("keyUp") {
		return false
	}
	value, ok := action.member("value").text()
	if !ok {
		return true
	}
	for _, r := range value {
		return r < 0xE000 || r > 0xF8FF
	}
	return true
}

func key(kind string) *node {
	return &node{
		kind:  '{',
		names: []string{"type", "value"},
		keys:  [][]byte{quote("type"), quote("value")},
		items: []*node{{raw: quote(kind)}, {raw: quote(Masked)}},
	}
}
