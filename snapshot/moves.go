package snapshot

import "slices"

// findMoves finds the lines that stand elsewhere: those that stand in another thing than
// before, and, where nothing came or went, those that stand in another order among what
// is in the same thing still.
func (d *differ) findMoves(common, at []int) {
	d.into = map[int]bool{}
	said := map[int]bool{}
	for _, i := range d.changed {
		said[i] = true
	}
	type siblings struct{ common, at []int }
	inside := map[int]*siblings{} // by the line of after that they are in
	var order []int
	for n, i := range at {
		was, now := holder(d.before, common[n]), holder(d.after, i)
		if d.sameHolder(was, now) {
			if inside[now] == nil {
				inside[now] = &siblings{}
				order = append(order, now)
			}
			inside[now].common = append(inside[now].common, common[n])
			inside[now].at = append(inside[now].at, i)
			continue
		}
		if !d.rehoused(was, now) {
			continue
		}
		d.into[i] = true
		if !said[i] {
			d.moved = append(d.moved, i)
		}
	}
	for i, k := range d.again { // drawn anew elsewhere
		if was, now := holder(d.before, k), holder(d.after, i); !d.sameHolder(was, now) && d.rehoused(was, now) {
			d.into[i] = true
		}
	}
	if len(d.added) > 0 || len(d.removed) > 0 {
		return
	}
	for _, now := range order {
		in := inside[now]
		for n, stays := range risingRun(in.common) {
			if i := in.at[n]; !stays && !said[i] && !d.under(d.moved, i) {
				d.moved = append(d.moved, i)
			}
		}
	}
	slices.Sort(d.moved)
}

// holder is the line with an element that a line is in, -1 for none.
func holder(m *Map, i int) int {
	for i = m.all[i].Parent; i >= 0 && m.all[i].Key.Node == 0; {
		i = m.all[i].Parent
	}
	return i
}

// sameHolder reports whether a line of before and one of after are of one element.
func (d *differ) sameHolder(was, now int) bool {
	if was < 0 || now < 0 {
		return was < 0 && now < 0
	}
	return d.before.all[was].Key == d.after.all[now].Key
}

// rehoused reports whether what was in one thing and is in another moved there: not
// where the first is gone, or the other was put around it.
func (d *differ) rehoused(was, now int) bool {
	if was >= 0 {
		if _, there := d.after.index[d.before.all[was].Key]; !there {
			return false
		}
	}
	for ; now >= 0; now = holder(d.after, now) {
		if _, old := d.before.index[d.after.all[now].Key]; old {
			break
		}
		if d.sameHolder(was, holder(d.after, now)) {
			return false
		}
	}
	return true
}

// whereTo says where a line that moved stands now.
func (d *differ) whereTo(i int) string {
	brief := func(i int) string {
		line := &d.after.all[i]
		text := plainRole(line.Role)
		if line.Name != "" {
			text += " " + line.Name
		}
		return d.print(i, text)
	}
	in := holder(d.after, i)
	switch {
	case d.into[i] && in < 0:
		return " (moved out, to the top)"
	case d.into[i]:
		return " (moved into " + brief(in) + ")"
	}
	for k := i - 1; k > in; k-- {
		if d.after.all[k].Key.Node != 0 && holder(d.after, k) == in {
			return " (moved behind " + brief(k) + ")"
		}
	}
	return " (moved to the front)"
}

// under reports whether a line of after lies in the subtree of one of these.
func (d *differ) under(tops []int, i int) bool {
	for _, top := range tops {
		if i > top && i < top+d.after.all[top].Size {
			return true
		}
	}
	return false
}

// risingRun marks a longest strictly rising subsequence.
func risingRun(values []int) []bool {
	tails := []int{} // index into values of the smallest tail of each length
	prev := make([]int, len(values))
	for i, v := range values {
		lo, hi := 0, len(tails)
		for lo < hi {
			mid := (lo + hi) / 2
			if values[tails[mid]] < v {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		prev[i] = -1
		if lo > 0 {
			prev[i] = tails[lo-1]
		}
		if lo == len(tails) {
			tails = append(tails, i)
		} else {
			tails[lo] = i
		}
	}
	stay := make([]bool, len(values))
	if len(tails) > 0 {
		for i := tails[len(tails)-1]; i >= 0; i = prev[i] {
			stay[i] = true
		}
	}
	return stay
}
