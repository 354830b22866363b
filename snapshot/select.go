package snapshot

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// body prints the lines that the limits choose.
func (p *printer) body(lim Limits) error {
	from, to, base := 0, len(p.lines), 0
	if lim.Scope != nil {
		at, ok := p.m.index[*lim.Scope]
		if !ok {
			return fault.New(fault.NoMatch, "snapshot: %s is not in the map of the page", lim.ScopeRef).
				WithHint("it is hidden, or too deep in a page that was not read whole: take a snapshot of the whole page")
		}
		from, to, base = at, at+p.lines[at].Size, p.lines[at].Depth
	} else if p.modal != (pagejs.NodeKey{}) {
		at := p.m.index[p.modal]
		from, to, base = at, at+p.lines[at].Size, p.lines[at].Depth
	}
	b := p.budget(lim)
	switch {
	case lim.Query != "":
		return p.matching(from, to, base, lim)
	case lim.Offset > 0 || lim.Count > 0:
		p.page(from, to, base, lim)
	default:
		p.over(from, to, b)
		p.budgeted(from, to, base, b)
		p.cuts(b)
	}
	if lim.Scope == nil && p.modal != (pagejs.NodeKey{}) {
		if n := len(p.lines) - (to - from); n > 0 {
			p.note(0, "(behind the open dialog, inert: %s)", plural(n, "line"))
		}
	}
	return nil
}

// page prints a slice of the lines, unfolded.
func (p *printer) page(from, to, base int, lim Limits) {
	count := lim.Count
	if count == 0 {
		count = lim.Semantic
	}
	first := min(from+lim.Offset, to)
	last := min(first+count, to)
	for i := first; i < last; i++ {
		p.line(i, p.lines[i].Depth-base)
	}
	if first == last {
		p.note(0, "(no line at %s: there are %d)", with("offset", strconv.Itoa(lim.Offset)), to-from)
		return
	}
	p.note(0, "(lines %d-%d of %d%s)", first-from+1, last-from, to-from, moreAt(last < to, last-from))
}

func moreAt(more bool, offset int) string {
	if !more {
		return ""
	}
	return ": " + fault.More(tool, "offset", strconv.Itoa(offset)) + " for more"
}

// tool is the one whose arguments choose a part of the page.
const tool = "browser_snapshot"

func with(name, value string) string { return fault.With(tool, name, value) }

// matching prints the lines that hold a text or match an expression, each under
// the containers that it stands in.
func (p *printer) matching(from, to, base int, lim Limits) error {
	match, err := matcher(lim.Query)
	if err != nil {
		return err
	}
	count := lim.Count
	if count == 0 {
		count = 20
	}
	printed := map[int]bool{}
	total := 0
	for i := from; i < to; i++ {
		if !match(p.lines[i].Body) {
			continue
		}
		total++
		if total <= lim.Offset || total > lim.Offset+count {
			continue
		}
		p.ancestors(i, from, base, printed)
		if !printed[i] {
			printed[i] = true
			p.line(i, p.lines[i].Depth-base)
		}
	}
	shown := min(max(total-lim.Offset, 0), count)
	p.note(0, "(%d of %s of %s shown%s)", shown, plural(total, "match"), Quote(Cut(Clean(lim.Query), maxChars)), moreAt(lim.Offset+shown < total, lim.Offset+shown))
	return nil
}

func (p *printer) ancestors(i, from, base int, printed map[int]bool) {
	var chain []int
	for up := p.lines[i].Parent; up >= from; up = p.lines[up].Parent {
		chain = append(chain, up)
	}
	for k := len(chain) - 1; k >= 0; k-- {
		if up := chain[k]; !printed[up] {
			printed[up] = true
			p.line(up, p.lines[up].Depth-base)
		}
	}
}

// matcher compiles a query: text, found without regard to case, or /expression/.
func matcher(query string) (func(string) bool, error) {
	if len(query) > 2 && strings.HasPrefix(query, "/") && strings.HasSuffix(query, "/") {
		re, err := regexp.Compile(query[1 : len(query)-1])
		if err != nil {
			return nil, fault.New(fault.InvalidArgument, "snapshot: query is no regular expression: %v", err).
				WithHint("use RE2 syntax between slashes, or plain text without them")
		}
		return re.MatchString, nil
	}
	low := strings.ToLower(Clean(query))
	return func(s string) bool { return strings.Contains(strings.ToLower(s), low) }, nil
}

// budgeted prints the usual map: repeated siblings folded, each class of line
// within its own budget, everything cut counted.
func (p *printer) budgeted(from, to, base int, b *budget) {
	lim, left := b.Limits, b.left
	folds := p.folds(from, to, lim.Scope)
	for i := from; i < to; {
		line := &p.lines[i]
		if s, ok := b.skip[i]; ok {
			if s.inert > 0 {
				p.note(max(0, line.Depth-base), "(behind the open dialog, inert: %s)", plural(s.inert, "line"))
			}
			i = s.to
			continue
		}
		depth := line.Depth - base
		if fold, ok := folds[i]; ok {
			p.note(depth, "(%d of %d %s shown: %s)", fold.shown, fold.total, fold.noun, p.reach(line.Parent))
			i = fold.next
			continue
		}
		class := budgetClass(line.Class)
		switch {
		case lim.Depth > 0 && depth >= lim.Depth:
			b.deep++
		case lim.Interactive && !interactive(line):
		case left[class] == 0:
			b.cut[class]++
			if class == "semantic" && line.Class == "container" {
				b.cut[class] += line.Size - 1
				i += line.Size
				continue
			}
		default:
			left[class]--
			if lim.Interactive {
				depth = p.controlsAround(i, from)
			}
			p.line(i, depth)
		}
		i++
	}
}

// budget is what may still be printed, and what was not.
type budget struct {
	Limits
	left, cut map[string]int
	deep      int
	skip      map[int]span // by the line that they begin at
}

// span is a run of lines that is not printed in its place.
type span struct {
	from, to int
	inert    int // lines behind an open dialog, told here
}

func (p *printer) budget(lim Limits) *budget {
	return &budget{
		Limits: lim,
		left:   map[string]int{"semantic": lim.Semantic, "evidence": lim.Evidence, "text": lim.Text},
		cut:    map[string]int{},
		skip:   map[int]span{},
	}
}

// over prints first what stands above the page: its open popover, and open dialogs
// and popovers of frames. What is below can still be used, but for the frames of
// those dialogs.
func (p *printer) over(from, to int, b *budget) {
	if b.Scope != nil {
		return
	}
	printed := 0
	var what []string
	var above []span
	skip := map[int]span{}
	for _, t := range p.flattened.tops {
		at, ok := p.m.index[t.key]
		if !ok || at < from || at >= to || slices.ContainsFunc(above, func(s span) bool { return at >= s.from && at < s.to }) {
			continue
		}
		end := at + p.lines[at].Size
		p.budgeted(at, end, p.lines[at].Depth, b)
		printed += end - at
		skip[at] = span{from: at, to: end}
		above = append(above, skip[at])
		what = append(what, t.noun())
		if t.modal {
			p.inert(t.frame, at, end, skip)
		}
	}
	b.skip = skip
	if printed > 0 && printed < to-from {
		p.note(0, "(above: %s; below: the page)", strings.Join(what, ", "))
	}
}

func (t top) noun() string {
	switch {
	case t.modal:
		return "the open dialog of a frame"
	case t.frame >= 0:
		return "the open popover of a frame"
	}
	return "the open popover"
}

// inert leaves out the lines of a frame around its open dialog, and counts them once.
func (p *printer) inert(frame, at, end int, skip map[int]span) {
	first, last := frame+1, frame+p.lines[frame].Size
	n := (at - first) + (last - end)
	if n == 0 {
		return
	}
	if at > first {
		skip[first] = span{from: first, to: at, inert: n}
		n = 0
	}
	if last > end {
		skip[end] = span{from: end, to: last, inert: n}
	}
}

func (p *printer) cuts(b *budget) {
	cut, deep, lim := b.cut, b.deep, b.Limits
	var parts []string
	for _, c := range []struct{ class, noun string }{{"semantic", "more line"}, {"evidence", "more status text"}, {"text", "more text line"}} {
		if n := cut[c.class]; n > 0 {
			parts = append(parts, plural(n, c.noun))
		}
	}
	if len(parts) > 0 {
		p.note(0, "(%s not shown: %s, %s or %s)", strings.Join(parts, ", "),
			fault.More(tool, "offset", strconv.Itoa(min(lim.Semantic, p.m.count))), with("query", "TEXT"), with("scope", "REF"))
	}
	if deep > 0 {
		p.note(0, "(%s deeper than %s)", plural(deep, "line"), with("depth", strconv.Itoa(lim.Depth)))
	}
}

// reach says how to see what a fold left out. What it returns is printed next.
func (p *printer) reach(parent int) string {
	if parent < 0 || p.lines[parent].Key.Node == 0 {
		return fault.More(tool, "query", "TEXT") + " for more"
	}
	key := p.lines[parent].Key
	if p.m.shown[key] {
		p.m.lines = append(p.m.lines, parent)
		return fault.More(tool, "scope", refMark) + " for more"
	}
	if ref := p.ledger.Known(key); ref != "" {
		return fault.More(tool, "scope", ref) + " for more"
	}
	return fault.More(tool, "query", "TEXT") + " for more"
}

// controlsAround counts the lines around one that a map of controls alone shows: under
// those it stands, and under nothing else.
func (p *printer) controlsAround(i, from int) int {
	n := 0
	for up := p.lines[i].Parent; up >= from; up = p.lines[up].Parent {
		if interactive(&p.lines[up]) {
			n++
		}
	}
	return n
}

func interactive(line *Line) bool {
	return line.Class == "control" || line.Class == "frame" || line.Class == "shadow"
}

func budgetClass(class string) string {
	switch class {
	case "evidence", "text":
		return class
	}
	return "semantic"
}

func plural(n int, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "ch"):
		noun += "es"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
