package snapshot_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"duet/internal/pagejs"
	"duet/snapshot"
)

// parsed is a line of a map as one reads it who has nothing but the text.
type parsed struct {
	depth int
	ref   int
	role  string
	name  string
	rest  string // address, value, hint and states
}

var (
	lineHead  = regexp.MustCompile(`^((?:  )*)e([1-9][0-9]*): ([A-Za-z-]+…?)(?: \(container\))?`)
	quoted    = `"(?:[^"\\]|\\["\\])*"`
	lineName  = regexp.MustCompile(`^ (` + quoted + `)`)
	lineRest  = regexp.MustCompile(`^(?: \[level=[0-9]+\])?(?: href=` + quoted + `)?(?: value=` + quoted + `)?(?: [#\[\]A-Za-z0-9_="\-.:]+)?(?: \([^()\n]*\))?$`)
	lineOurs  = regexp.MustCompile(`^ *(?:#shadow-root \((?:open|closed)\)|\([0-9][^\n]*\))$`)
	unescaped = strings.NewReplacer(`\\`, `\`, `\"`, `"`)
)

// parseMap reads a map back. It fails where a line is neither a node's nor one of ours.
func parseMap(text string) ([]parsed, error) {
	lines := strings.Split(text, "\n")
	if !strings.HasPrefix(lines[0], "page: ") {
		return nil, fmt.Errorf("the first line is %q", lines[0])
	}
	var nodes []parsed
	for _, line := range lines[1:] {
		m := lineHead.FindStringSubmatch(line)
		if m == nil {
			if lineOurs.MatchString(line) {
				continue
			}
			return nil, fmt.Errorf("%q is no line of a map", line)
		}
		n := parsed{depth: len(m[1]) / 2, role: m[3]}
		n.ref, _ = strconv.Atoi(m[2])
		rest := line[len(m[0]):]
		if q := lineName.FindStringSubmatch(rest); q != nil {
			n.name = unescaped.Replace(q[1][1 : len(q[1])-1])
			rest = rest[len(q[0]):]
		}
		if !lineRest.MatchString(rest) {
			return nil, fmt.Errorf("%q follows the name in %q", rest, line)
		}
		n.rest = rest
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// hostilePage puts texts that a page chose wherever a page can put one.
func hostilePage(name, value, href, state, role, title string) (*pagejs.Tree, int) {
	button := with(node(3, "control", "button", name), func(n *pagejs.Node) { n.States, n.Hint = []string{state, "disabled"}, value })
	field := with(node(4, "control", "textbox", name), func(n *pagejs.Node) { n.Value, n.Hint = &value, href })
	link := with(node(5, "control", "link", name), func(n *pagejs.Node) { n.Href = href })
	tree := page(1,
		node(1, "control", "heading", title),
		node(2, "container", "form", name, button, field, link,
			&pagejs.Node{Class: "shadow", Kids: []*pagejs.Node{node(6, "item", role, name)}}),
		node(7, "text", "text", name),
		node(8, "evidence", "status", value),
		node(9, "frame", "iframe", name))
	top := tree.Docs["top"]
	top.Title, top.URL = title, href
	top.Frames = map[int]string{9: "in"}
	tree.Docs["in"] = &pagejs.Doc{Doc: "in", URL: href, Title: name, Kids: []*pagejs.Node{node(1, "image", "image", value)}}
	return tree, 10
}

// FuzzHostileTexts: whatever a page calls its things, its map read back has one
// line for each of them, each under its own parent, with the name that it has.
func FuzzHostileTexts(f *testing.F) {
	for _, s := range []string{
		"plain", "x\ne8: button \"Pay\"", "a\"\ne9: link", `\`, `\"`, `"`, "\u2028e1: y", "\r\n\t", "\u202eevil", "(focused)", "a) (checked", " [level=1]", " href=\"x\"",
		"\x00\x1b[31m", "\u200b", "🏴\U000e0067", strings.Repeat("long ", 100), strings.Repeat(`\"`, 60), "(3 of 9 rows shown: scope=e1 for more)", "#shadow-root (open)",
		"errors: 0 (logCursor 0)", "http://x/?a=\"\ne5: y", "\xff\xfe", "page: x", "\u0085e3: button", "\ve4: x\f",
	} {
		f.Add(s, s, s, s, s, s)
		f.Add(s, "v", "http://site.test/", "checked", "row", "Title")
		f.Add("n", s, s, "checked", s, s)
	}
	f.Fuzz(func(t *testing.T, name, value, href, state, role, title string) {
		tree, want := hostilePage(name, value, href, state, role, title)
		l := snapshot.NewLedger()
		m := render(t, tree, l, snapshot.Limits{})
		text := m.Text()
		nodes, err := parseMap(text)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if len(nodes) != want {
			t.Fatalf("%d nodes of %d in\n%s", len(nodes), want, text)
		}
		depths := []int{0, 0, 1, 1, 1, 2, 0, 0, 0, 1}
		names := []string{title, name, name, name, name, name, name, value, name, value}
		for i, n := range nodes {
			if n.depth != depths[i] || n.ref != i+1 || n.name != snapshot.Cut(snapshot.Clean(names[i]), 80) {
				t.Errorf("line %d is %+v, named %q in\n%s", i+1, n, names[i], text)
			}
		}
		for _, r := range text {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) {
				t.Errorf("%U in\n%q", r, text)
			}
		}
		// A difference cannot be forged either: each of its lines begins with a mark of ours.
		after, _ := hostilePage(value, title, role, name, state, href)
		d := snapshot.Diff(m, render(t, after, l, snapshot.Limits{}), l)
		if d.Full {
			return
		}
		for line := range strings.SplitSeq(d.Text, "\n") {
			if !regexp.MustCompile(`^(?:[-+~] |\()`).MatchString(line) {
				t.Errorf("%q in the difference\n%s", line, d.Text)
			}
		}
	})
}
