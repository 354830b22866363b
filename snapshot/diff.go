package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"duet/internal/pagejs"
)

// Delta is what a caller is told after an action.
type Delta struct {
	Text   string
	Full   bool   // Text is a whole map
	Reason string // why it is
	Same   bool   // nothing changed
}

// deltaLines bounds each kind of line in a diff.
const deltaLines = 40

// Diff tells what changed between the map that a caller last saw and now. The
// comparison is over all lines of both, also those that were folded or cut, so
// that nothing that changed is passed over. A whole map comes instead, saying
// why, where there is no base, on another document, when more than half turned
// over, and when it is shorter.
func Diff(before, after *Map, l *Ledger) Delta {
	switch {
	case before == nil:
		return full(after, "first look")
	case before.Epoch != after.Epoch:
		return full(after, "navigation")
	}
	d := &differ{before: before, after: after, ledger: l, focus: -1}
	d.compare()
	if n := d.turned(); n > 12 && 2*n > max(len(before.all), len(after.all)) {
		return d.whole("more than half changed")
	}
	return d.told("(no a11y changes)")
}

func (d *differ) told(nothing string) Delta {
	text := d.text()
	if text == "" {
		return Delta{Text: nothing + d.unread(), Same: true}
	}
	if d.printed(text, d.lines) > d.printed(d.after.text, d.after.lines) {
		return d.whole("shorter than the diff")
	}
	return Delta{Text: d.show(text) + d.unread()}
}

func full(m *Map, why string) Delta {
	return Delta{Text: m.FullText(why), Full: true, Reason: why}
}

// whole is the map instead of the difference, with the status texts that are new
// and that its budgets cut.
func (d *differ) whole(why string) Delta {
	out := full(d.after, why)
	d.lines = nil
	for _, i := range slices.Concat(d.added, d.changed) {
		if line := &d.after.all[i]; line.Class == "evidence" && !d.after.shown[line.Key] && len(d.lines) < 10 {
			out.Text += "\n~ " + d.print(i, line.Brief)
		}
	}
	out.Text = d.show(out.Text)
	return out
}

// unread says that a very large page was compared in part.
func (d *differ) unread() string {
	if d.after.more == 0 {
		return ""
	}
	return fmt.Sprintf("\n(%s of the page not compared)", plural(d.after.more, "element"))
}

// print returns a line of the page now, with a mark where its ref will stand once
// show sends it.
func (d *differ) print(i int, body string) string {
	if d.after.all[i].Key.Node == 0 {
		return body
	}
	d.lines = append(d.lines, i)
	return refMark + ": " + body
}

// show issues the refs of the lines that were printed.
func (d *differ) show(text string) string {
	for _, i := range d.lines {
		d.after.shown[d.after.all[i].Key] = true
	}
	return d.ledger.fill(text, d.after.all, d.lines)
}

// printed is about how long a text is once these lines have their refs.
func (d *differ) printed(text string, lines []int) int { return len(text) + 2*len(lines) }

// FullText returns the map with the reason for which it is sent whole.
func (m *Map) FullText(why string) string {
	m.show()
	header, rest, _ := strings.Cut(m.text, "\n")
	text := header + "  (full map: " + why + ")"
	if rest != "" {
		text += "\n" + rest
	}
	return text
}

type differ struct {
	before, after *Map
	ledger        *Ledger

	added, removed, changed []int // of after, of before, of after
	again                   map[int]int
	moved                   []int        // of after
	into                    map[int]bool // of after: those that stand in something else now
	focus                   int          // of after: the line that got the focus, -1 for none
	within                  bool         // only a part of the page is told of
	lines                   []int        // of after: those printed
}

// turned counts the lines that came, went or stand for something else now. One
// that says something new of the same thing, such as a field's value, is no
// reason for a whole map.
func (d *differ) turned() int {
	n := len(d.added) + len(d.removed)
	for _, i := range d.changed {
		line := &d.after.all[i]
		if was := d.before.all[d.before.index[line.Key]].Stamp; was != "" && was != line.Stamp {
			n++
		}
	}
	return n
}

func (d *differ) compare() {
	opened := d.before.modal != d.after.modal
	var common []int // positions in before, in the order of after
	var at []int
	for i := range d.after.all {
		line := &d.after.all[i]
		if line.Key.Node == 0 {
			continue
		}
		k, ok := d.before.index[line.Key]
		switch {
		case !ok:
			d.added = append(d.added, i)
		case d.before.all[k].Calm != line.Calm || d.ledger.refused(line.Key, line.Stamp):
			d.changed = append(d.changed, i)
		case line.Body != line.Calm && line.Class == "control" && d.before.all[k].Body == d.before.all[k].Calm:
			d.focus = i
		}
		if ok {
			common, at = append(common, k), append(at, i)
		}
	}
	// A reading that was cut short read up to some line: what stood behind the last one
	// that both have may stand there still.
	last := -1
	for _, k := range common {
		last = max(last, k)
	}
	for k := range d.before.all {
		line := &d.before.all[k]
		if _, ok := d.after.index[line.Key]; !ok && line.Key.Node != 0 && (d.after.more == 0 || k < last) && !d.unreadAround(k) {
			d.removed = append(d.removed, k)
		}
	}
	d.pair()
	if !opened {
		d.findMoves(common, at)
	}
}

// unreadAround reports whether a line of before stood in a frame that was not read now.
func (d *differ) unreadAround(k int) bool {
	for k = d.before.all[k].Parent; k >= 0; k = d.before.all[k].Parent {
		if i, ok := d.after.index[d.before.all[k].Key]; ok {
			return d.after.all[i].unread
		}
	}
	return false
}

// pair finds removed lines that an added line says again, word for word: a
// control that was re-created.
func (d *differ) pair() {
	d.again = map[int]int{}
	waiting := map[string][]int{}
	for _, k := range d.removed {
		body := d.before.all[k].Calm
		waiting[body] = append(waiting[body], k)
	}
	for _, i := range d.added {
		body := d.after.all[i].Calm
		if list := waiting[body]; len(list) > 0 && d.after.all[i].Depth == d.before.all[list[0]].Depth {
			d.again[i] = list[0]
			waiting[body] = list[1:]
		}
	}
}

func (d *differ) text() string {
	var out []string
	out = append(out, d.removals()...)
	out = append(out, d.additions()...)
	out = append(out, d.changes()...)
	if len(out) == 0 && d.focus >= 0 {
		out = append(out, "~ "+d.print(d.focus, d.after.all[d.focus].Body))
	}
	if d.before.modal != d.after.modal && !d.within {
		if d.after.modal != (pagejs.NodeKey{}) {
			out = append(out, "(a modal dialog is open: the rest of the page is inert)")
		} else {
			out = append(out, "(no modal dialog any more: the whole page can be used)")
		}
	}
	return strings.Join(out, "\n")
}

// removals names what is gone, the topmost line of each subtree.
func (d *differ) removals() []string {
	paired := map[int]bool{}
	for _, k := range d.again {
		paired[k] = true
	}
	gone := map[int]bool{}
	for _, k := range d.removed {
		gone[k] = true
	}
	var out []string
	left := 0
	for _, k := range d.removed {
		line := &d.before.all[k]
		if paired[k] || gone[line.Parent] && !paired[line.Parent] {
			continue
		}
		if len(out) == deltaLines {
			left++
			continue
		}
		text := plainRole(line.Role)
		if line.Name != "" {
			text += " " + line.Name
		}
		if ref := d.ledger.Known(line.Key); ref != "" {
			text = ref + ": " + text
		}
		if line.Size > 1 {
			text += " and " + plural(line.Size-1, "line") + " in it"
		}
		out = append(out, "- "+text)
	}
	return more(out, left, "-")
}

// additions prints what is new, in its nesting.
func (d *differ) additions() []string {
	isNew := map[int]bool{}
	for _, i := range d.added {
		isNew[i] = true
	}
	var out []string
	left, base := 0, map[int]int{}
	for _, i := range d.added {
		line := &d.after.all[i]
		if isNew[line.Parent] {
			base[i] = base[line.Parent]
		} else {
			base[i] = line.Depth
		}
		if old, ok := d.again[i]; ok {
			out = append(out, d.recreated(old, i)...)
			continue
		}
		if len(out) >= deltaLines {
			left++
			continue
		}
		indent := strings.Repeat("  ", line.Depth-base[i])
		out = append(out, "+ "+indent+d.print(i, line.Body))
	}
	return more(out, left, "+")
}

// recreated tells of an identical control under a new ref. Where the old one was
// never shown there is nothing to tell.
func (d *differ) recreated(old, i int) []string {
	was := d.ledger.Known(d.before.all[old].Key)
	if was == "" {
		return nil
	}
	text := "~ " + was + "→" + d.print(i, d.after.all[i].Brief)
	if d.into[i] {
		text += d.whereTo(i)
	}
	return []string{text}
}

// changes prints the lines of the same element that say something else now.
func (d *differ) changes() []string {
	var out []string
	left := 0
	// What tells of an outcome comes first, so that no bound cuts it.
	slices.SortStableFunc(d.changed, func(a, b int) int { return d.rank(a) - d.rank(b) })
	for _, i := range d.changed {
		if len(out) == deltaLines {
			left++
			continue
		}
		text := "~ " + d.print(i, d.after.all[i].Brief)
		if d.into[i] {
			text += d.whereTo(i)
		}
		out = append(out, text)
	}
	for n, i := range d.moved {
		if n == 10 {
			out = append(out, fmt.Sprintf("~ (%d more moved)", len(d.moved)-n))
			break
		}
		out = append(out, "~ "+d.print(i, d.after.all[i].Brief)+d.whereTo(i))
	}
	return more(out, left, "~")
}

// rank puts status texts before other lines where there are more than fit.
func (d *differ) rank(i int) int {
	if len(d.changed) <= deltaLines || d.after.all[i].Class == "evidence" {
		return 0
	}
	return 1
}

func more(out []string, left int, mark string) []string {
	if left > 0 {
		out = append(out, fmt.Sprintf("%s (%d more: take a snapshot to see them)", mark, left))
	}
	return out
}
