package wirelog

import (
	"fmt"
	"strings"

	"duet/internal/lazyregexp"
)

// identifiers maps the members that hold an identifier of the browser's making to
// the word that stands for its kind.
var identifiers = map[string]string{
	"context": "ctx", "contexts": "ctx", "parent": "ctx", "root": "ctx", "referenceContext": "ctx", "originalOpener": "ctx",
	"sharedId": "node", "realm": "realm", "owners": "realm", "navigation": "nav", "request": "req",
	"userContext": "user", "userContexts": "user", "clientWindow": "window", "handle": "handle", "handles": "handle",
	"internalId": "internal", "intercept": "intercept", "intercepts": "intercept", "collector": "collector",
	"subscription": "sub", "subscriptions": "sub", "script": "script", "download": "download", "screencast": "cast",
	"sessionId": "session", "session": "session",
}

// embedded is the length from which an identifier is also looked for within other
// strings: shorter ones would be found where they are not.
const embedded = 16

// loopback is a server of a test, whose port is another in each run.
var loopback = lazyregexp.New(`(127\.0\.0\.1|localhost|\[::1\]|[a-z0-9.-]+\.localhost):(\d{4,5})\b`)

// Normaliser gives the identifiers of one run names that do not depend on the run:
// $ctx1, $node2, in order of their first use. Ports of loopback servers become
// $port1, times 0. It remembers what it named, so one Normaliser serves the frames
// of one connection, in their order. It is not safe for concurrent use.
type Normaliser struct {
	collapse func(string) string
	tidy     bool
	names    map[string]string // kind and identifier -> name
	counts   map[string]int
	long     []string // identifiers and names in turn, for the replacer
	replacer *strings.Replacer
}

// NewNormaliser returns a Normaliser. The function, which may be nil, shortens the
// text of a page function to its @name. The pairs are texts of this run, such as a
// temporary directory, and what stands for them.
func NewNormaliser(collapse func(string) string, pairs ...string) *Normaliser {
	n := &Normaliser{collapse: collapse, names: map[string]string{}, counts: map[string]int{}, long: pairs}
	n.replacer = strings.NewReplacer(pairs...)
	return n
}

// Frame returns the frame, masked and normalised. What is not JSON stays.
func (n *Normaliser) Frame(frame []byte) []byte {
	root, err := parse(Mask(frame))
	if err != nil {
		return frame
	}
	if n.tidy {
		n.tidyFrame(root)
	}
	root.walk("", n.bind)
	root.walk("", n.rewrite)
	return root.append(nil)
}

// Log normalises a whole log and drops its times.
func (n *Normaliser) Log(log Log) Log {
	var out Log
	for _, entry := range log {
		if entry.Kind != Note {
			out = append(out, Entry{entry.Kind, n.Frame(entry.Text)})
		} else if !strings.HasPrefix(string(entry.Text), "t=") {
			out = append(out, entry)
		}
	}
	return out
}

// bind names the identifiers of a frame.
func (n *Normaliser) bind(member string, v *node) {
	kind := identifiers[member]
	id, ok := v.text()
	if kind == "" || !ok || id == "" || id == "default" || strings.HasPrefix(id, "$") {
		return
	}
	name := n.names[kind+" "+id]
	if name == "" {
		name = n.name(kind)
		n.names[kind+" "+id] = name
		if len(id) >= embedded {
			n.long = append(n.long, id, name)
			n.replacer = strings.NewReplacer(n.long...)
		}
	}
	v.raw = quote(name)
}

func (n *Normaliser) name(kind string) string {
	n.counts[kind]++
	return fmt.Sprintf("$%s%d", kind, n.counts[kind])
}

// rewrite changes what is not an identifier itself.
func (n *Normaliser) rewrite(member string, v *node) {
	if v.kind != 0 || len(v.raw) == 0 {
		return
	}
	if member == "timestamp" && v.raw[0] != '"' {
		v.raw = []byte("0")
		return
	}
	text, ok := v.text()
	if !ok || identifiers[member] != "" {
		return
	}
	if n.collapse != nil && member == "functionDeclaration" {
		text = n.collapse(text)
	}
	text = n.documents(n.replacer.Replace(text))
	if !n.tidy {
		text = n.ports(text)
	}
	if text != unquote(v.raw) {
		v.raw = quote(text)
	}
}

func (n *Normaliser) ports(text string) string {
	return loopback().ReplaceAllStringFunc(text, func(address string) string {
		at := strings.LastIndexByte(address, ':')
		key := "port " + address[at+1:]
		if n.names[key] == "" {
			n.names[key] = n.name("port")
		}
		return address[:at+1] + n.names[key]
	})
}

// SplitID returns the frame's id and method (0 and "" where it has none), and the
// frame without its id: two commands are the same when that is.
func SplitID(frame []byte) (id int64, method string, rest []byte) {
	root, err := parse(frame)
	if err != nil || root.kind != '{' {
		return 0, "", frame
	}
	method, _ = root.member("method").text()
	if n := root.member("id"); n != nil {
		_, _ = fmt.Sscan(string(n.raw), &id) // what is no number leaves 0
		root.drop("id")
	}
	return id, method, root.append(nil)
}

// WithID returns the frame with another id.
func WithID(frame []byte, id int64) []byte {
	root, err := parse(frame)
	if err != nil || root.kind != '{' {
		return frame
	}
	if n := root.member("id"); n != nil {
		*n = node{raw: fmt.Appendf(nil, "%d", id)}
	}
	return root.append(nil)
}
