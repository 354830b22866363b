package snapshot

import (
	"fmt"
	"strings"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// Limits bound a map. The zero value is the usual map of a whole page.
type Limits struct {
	Semantic int // controls, containers, images, frames; 0 is 80
	Evidence int // status and result text; 0 is 10
	Text     int // plain text; 0 is 7

	Scope       *pagejs.NodeKey // only this element and what it holds
	ScopeRef    string          // the ref that Scope was given by, for the notes
	Depth       int             // deepest nesting shown, counted from the top of the map; 0 is no bound
	Offset      int             // skip this many lines; with Offset or Count nothing folds
	Count       int             // at most this many lines
	Query       string          // only lines that hold this text, or match this /expression/
	Interactive bool            // only what can be acted on
	Words       fault.Words     // in which the rest is pointed to; nil are those of tools
}

// Map is a page as it was shown: all its lines, and which of them were printed.
// It is the base of the next diff. After Render only taking its text changes it.
type Map struct {
	Title string
	URL   string
	Epoch int

	all   []Line
	index map[pagejs.NodeKey]int // of all, keyed lines only
	modal pagejs.NodeKey
	more  int    // elements that the reading left out
	text  string // with a mark for each of lines
	shown map[pagejs.NodeKey]bool
	count int // lines printed

	ledger *Ledger
	lines  []int // of all: those whose refs are issued once the text is taken
}

// Text returns the map as it is printed, without a final newline. Who takes it
// shows it: that issues its refs, and from then on they stand for what their lines
// say.
func (m *Map) Text() string {
	m.show()
	return m.text
}

func (m *Map) show() {
	m.text, m.lines = m.ledger.fill(m.text, m.all, m.lines), nil
}

// Cut returns how many elements of the page the map's reading left out.
func (m *Map) Cut() int { return m.more }

// Count returns how many lines of the page were printed.
func (m *Map) Count() int { return m.count }

// Render writes the page as lines. It issues no ref: Text does, to the lines that it
// shows and only to those.
func Render(t *pagejs.Tree, l *Ledger, lim Limits) (*Map, error) {
	f := flatten(t)
	m := newMap(t, f)
	m.ledger = l
	p := &printer{flattened: f, ledger: l, m: m, part: lim.Scope != nil || lim.Query != "" || lim.Offset > 0 || lim.Count > 0}
	p.header()
	if err := p.body(lim.orDefaults()); err != nil {
		return nil, err
	}
	p.footer()
	m.text = fault.Say(strings.TrimRight(p.out.String(), "\n"), lim.Words)
	return m, nil
}

func (lim Limits) orDefaults() Limits {
	set := func(n *int, def int) {
		if *n == 0 {
			*n = def
		}
	}
	set(&lim.Semantic, 80)
	set(&lim.Evidence, 10)
	set(&lim.Text, 7)
	return lim
}

func newMap(t *pagejs.Tree, f *flattened) *Map {
	m := &Map{Epoch: t.Epoch, all: f.lines, modal: f.modal, more: f.more, index: make(map[pagejs.NodeKey]int, len(f.lines)), shown: map[pagejs.NodeKey]bool{}}
	if top := t.Docs[t.Top]; top != nil {
		m.Title, m.URL = Cut(Clean(top.Title), maxChars), Clean(top.URL)
	}
	for i, line := range f.lines {
		if line.Key.Node != 0 {
			m.index[line.Key] = i
		}
	}
	return m
}

// printer writes one map.
type printer struct {
	*flattened
	ledger *Ledger
	m      *Map
	part   bool // more than the usual reading was asked for
	out    strings.Builder
}

func (p *printer) header() {
	p.out.WriteString(p.m.Header())
	p.out.WriteByte('\n')
}

// Header returns the first line of the map.
func (m *Map) Header() string {
	title := plainTitle(m.Title)
	if title != "" {
		title += " — "
	}
	return fmt.Sprintf("page: %s%s  epoch %d", title, Cut(MaskAddress(m.URL), 200), m.Epoch)
}

// footer says what the page holds beyond the viewport and beyond the walk.
func (p *printer) footer() {
	top := p.tree.Docs[p.tree.Top]
	if top == nil {
		return
	}
	if top.Failed != "" {
		fmt.Fprintf(&p.out, "(the page could not be read: %s)\n", Cut(Clean(top.Failed), maxChars))
	}
	switch {
	case p.more > 0 && p.part:
		fmt.Fprintf(&p.out, "(%s not read: they are too many for the time of a reading)\n", plural(p.more, "element"))
	case p.more > 0:
		fmt.Fprintf(&p.out, "(%s not read: %s, %s or %s reaches them)\n", plural(p.more, "element"),
			fault.More(tool, "scope", "REF"), with("offset", "N"), with("query", "TEXT"))
	}
	switch {
	case top.Above >= 0.1 && top.Below >= 0.1:
		fmt.Fprintf(&p.out, "(scroll: %.1f screens above, %.1f below)\n", top.Above, top.Below)
	case top.Below >= 0.1:
		fmt.Fprintf(&p.out, "(scroll: %.1f screens below)\n", top.Below)
	case top.Above >= 0.1:
		fmt.Fprintf(&p.out, "(scroll: %.1f screens above)\n", top.Above)
	}
}

// line prints one line of the page, with a mark where its ref will stand.
func (p *printer) line(i, depth int) {
	line := &p.lines[i]
	p.out.WriteString(strings.Repeat("  ", depth))
	if line.Key.Node != 0 {
		p.m.shown[line.Key] = true
		p.m.lines = append(p.m.lines, i)
		p.out.WriteString(refMark + ": ")
	}
	p.out.WriteString(line.Body)
	p.out.WriteByte('\n')
	p.m.count++
}

func (p *printer) note(depth int, format string, args ...any) {
	p.out.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(&p.out, format, args...)
	p.out.WriteByte('\n')
}
