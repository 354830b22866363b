package snapshot

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"duet/internal/lazyregexp"
	"duet/internal/pagejs"
)

// Line is one line of a map before it has a ref: what it says, where it stands,
// and whose it is.
type Line struct {
	Key    pagejs.NodeKey // zero for marks without an element
	Depth  int            // nesting, from 0
	Class  string         // control, container, text, evidence, image, frame, shadow
	Role   string
	Name   string // quoted and cut, or empty
	Body   string // all that follows the ref: role, name, value, hint, states
	Calm   string // Body without the mark of the focus, which moves with every action
	Brief  string // Calm without the hint: a line that was shown before
	Stamp  string // what the element stands for
	Parent int    // index of the enclosing line, -1 at the top
	Size   int    // lines of the subtree, itself included
	Inert  bool   // behind an open modal dialog
	unread bool   // a frame whose document was not read
}

// maxChars is the longest name, value or address on a line.
const maxChars = 80

// flattened are the lines of a tree in document order.
type flattened struct {
	lines []Line
	modal pagejs.NodeKey // the open modal dialog, if any
	tops  []top          // what stands above the page: its open popover, dialogs and popovers of frames
	more  int            // elements that the page script left out
	tree  *pagejs.Tree
}

// flatten walks the documents of a tree, frames in their place.
func flatten(t *pagejs.Tree) *flattened {
	f := &flattened{tree: t}
	top := t.Docs[t.Top]
	if top == nil {
		return f
	}
	f.doc(t.Top, top, -1, 0, true, map[string]bool{})
	if f.modal != (pagejs.NodeKey{}) {
		f.markInert()
	}
	return f
}

// doc adds the lines of one document. active says whether the focus can be in
// it: every document keeps an active element, also one that has lost the focus.
func (f *flattened) doc(context string, d *pagejs.Doc, parent, depth int, active bool, seen map[string]bool) {
	if seen[context] {
		return
	}
	seen[context] = true
	f.more += d.More
	if d.Modal != 0 && parent < 0 {
		f.modal = pagejs.NodeKey{Context: context, Doc: d.Doc, Node: d.Modal}
	}
	if d.Modal != 0 && parent >= 0 {
		f.tops = append(f.tops, top{key: pagejs.NodeKey{Context: context, Doc: d.Doc, Node: d.Modal}, frame: parent, modal: true})
	} else if d.Over != 0 {
		f.tops = append(f.tops, top{key: pagejs.NodeKey{Context: context, Doc: d.Doc, Node: d.Over}, frame: parent})
	}
	for _, n := range d.Kids {
		f.node(context, d, n, parent, depth, active, seen)
	}
}

// top is something that stands above its document.
type top struct {
	key   pagejs.NodeKey
	frame int  // the line of the frame that it is in, -1 for the page
	modal bool // the rest of the frame is inert
}

func (f *flattened) node(context string, d *pagejs.Doc, n *pagejs.Node, parent, depth int, active bool, seen map[string]bool) {
	if wraps(n) {
		f.node(context, d, n.Kids[0], parent, depth, active, seen)
		return
	}
	at := len(f.lines)
	line := Line{Depth: depth, Class: n.Class, Role: n.Role, Stamp: n.Stamp, Parent: parent, Size: 1}
	if n.ID != 0 {
		line.Key = pagejs.NodeKey{Context: context, Doc: d.Doc, Node: n.ID}
	}
	line.describe(d, n)
	if !active {
		line.Body = line.Calm
	}
	f.lines = append(f.lines, line)
	for _, kid := range n.Kids {
		f.node(context, d, kid, at, depth+1, active, seen)
	}
	if n.Class == "frame" {
		f.frame(d.Frames[n.ID], at, depth, active && line.Body != line.Calm, seen)
	}
	f.more += n.More
	f.lines[at].Size = len(f.lines) - at
}

// wraps reports whether a node is a landmark that says nothing beyond the one
// container that it holds, such as the page header around its navigation.
func wraps(n *pagejs.Node) bool {
	switch n.Role {
	case "banner", "contentinfo", "complementary":
		return n.Class == "container" && n.Name == "" && len(n.States) == 0 && !n.Unseen && n.More == 0 &&
			len(n.Kids) == 1 && n.Kids[0].Class == "container"
	}
	return false
}

func (f *flattened) frame(context string, at, depth int, active bool, seen map[string]bool) {
	inner := f.tree.Docs[context]
	switch {
	case context == "" || inner == nil:
		f.lines[at].unread = true
		f.lines[at].add(" (not read)")
	case inner.Failed != "":
		f.lines[at].unread = true
		f.lines[at].add(" (not read: " + Cut(Clean(inner.Failed), maxChars) + ")")
	default:
		f.doc(context, inner, at, depth+1, active, seen)
	}
}

func (l *Line) add(text string) {
	l.Body += text
	l.Calm += text
	l.Brief += text
}

// markInert marks every line that is neither the modal dialog, nor in it.
func (f *flattened) markInert() {
	at := slices.IndexFunc(f.lines, func(l Line) bool { return l.Key == f.modal })
	if at < 0 {
		f.modal = pagejs.NodeKey{}
		return
	}
	end := at + f.lines[at].Size
	for i := range f.lines {
		f.lines[i].Inert = i < at || i >= end
	}
}

var plainHint = lazyregexp.New(`^[#\[\]A-Za-z0-9_="\-.:]+$`)

// describe fills in what the line of a node says.
func (l *Line) describe(d *pagejs.Doc, n *pagejs.Node) {
	if n.Class == "shadow" {
		mode := "open"
		if n.Role == "closed" {
			mode = "closed"
		}
		l.add("#shadow-root (" + mode + ")")
		return
	}
	var b strings.Builder
	b.WriteString(plainRole(n.Role))
	if n.Class == "container" || n.Class == "frame" {
		b.WriteString(" (container)")
	}
	if n.Name != "" {
		l.Name = Quote(Cut(Clean(n.Name), maxChars))
		b.WriteString(" " + l.Name)
	}
	if n.Level > 0 {
		b.WriteString(" [level=" + strconv.Itoa(n.Level) + "]")
	}
	if n.Href != "" {
		b.WriteString(" href=" + Quote(Cut(MaskAddress(shortHref(d.URL, n.Href)), maxChars)))
	}
	if n.Value != nil && *n.Value != "" && !withheld(n) {
		b.WriteString(" value=" + Quote(Cut(Clean(*n.Value), maxChars)))
	}
	hint := ""
	if n.Hint != "" && len(n.Hint) <= maxChars && plainHint().MatchString(n.Hint) {
		hint = " " + n.Hint
	}
	states := flags(n)
	all := marks(states)
	calm := marks(slices.DeleteFunc(states, func(s string) bool { return s == focused }))
	l.Brief = b.String() + calm
	l.Body, l.Calm = l.Brief, l.Brief
	if hint != "" {
		l.Calm = b.String() + hint + calm
		l.Body = l.Calm
	}
	if all != calm {
		l.Body = b.String() + hint + all
	}
}

// focused is the state of the element that has the focus.
const focused = "focused"

func marks(states []string) string {
	if len(states) == 0 {
		return ""
	}
	return " (" + strings.Join(states, ", ") + ")"
}

func flags(n *pagejs.Node) []string {
	var states []string
	for _, s := range n.States {
		if s = Cut(Clean(s), maxChars); s != "" {
			states = append(states, strings.NewReplacer("(", "", ")", "", ",", " ").Replace(s))
		}
	}
	if n.Filled || n.Value != nil && *n.Value != "" && withheld(n) {
		states = append(states, "filled")
	}
	if n.Unseen {
		states = append(states, "unseen")
	}
	return states
}

// plainRole keeps a role to the letters that roles are made of, so that a role
// attribute cannot forge anything.
func plainRole(role string) string {
	role = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '-' {
			return r
		}
		return -1
	}, role)
	if role == "" {
		return "generic"
	}
	return Cut(role, 30)
}

// shortHref drops the origin of an address that is the page's own.
func shortHref(page, href string) string {
	p, err1 := url.Parse(page)
	h, err2 := url.Parse(href)
	if err1 != nil || err2 != nil || p.Scheme != h.Scheme || p.Host != h.Host || h.Host == "" {
		return Clean(href)
	}
	origin := h.Scheme + "://" + h.Host
	if rest, ok := strings.CutPrefix(href, origin); ok && rest != "" {
		if base, _, _ := strings.Cut(page, "#"); strings.HasPrefix(href, base+"#") {
			return Clean(href[len(base):])
		}
		return Clean(rest)
	}
	return Clean(href)
}
