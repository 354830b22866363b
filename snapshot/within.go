package snapshot

import "slices"

// DiffWithin is Diff for a part of the page: what came, went and changed in the
// scope, above the depth and in lines that the query finds, as they were or are.
// after is a map of that part. It fails where the query is no regular expression.
func DiffWithin(before, after *Map, l *Ledger, lim Limits) (Delta, error) {
	switch {
	case before == nil:
		return full(after, "first look"), nil
	case before.Epoch != after.Epoch:
		return full(after, "navigation"), nil
	}
	in, err := within(lim)
	if err != nil {
		return Delta{}, err
	}
	d := &differ{before: before, after: after, ledger: l, focus: -1, within: true}
	d.compare()
	out := func(i int) bool { return !in(after, i) }
	d.added = slices.DeleteFunc(d.added, out)
	d.moved = slices.DeleteFunc(d.moved, out)
	d.changed = slices.DeleteFunc(d.changed, func(i int) bool {
		return out(i) && !in(before, before.index[after.all[i].Key])
	})
	paired := map[int]bool{}
	for i, k := range d.again {
		if out(i) {
			delete(d.again, i) // what it was is gone from the part
		} else {
			paired[k] = true
		}
	}
	d.removed = slices.DeleteFunc(d.removed, func(k int) bool { return !paired[k] && !in(before, k) })
	if d.focus >= 0 && out(d.focus) {
		d.focus = -1
	}
	return d.told("(no a11y changes in that part)"), nil
}

// within says whether a line of a map is in the part that the limits name.
func within(lim Limits) (func(*Map, int) bool, error) {
	match := func(string) bool { return true }
	if lim.Query != "" {
		var err error
		if match, err = matcher(lim.Query); err != nil {
			return nil, err
		}
	}
	return func(m *Map, i int) bool {
		base := 0
		if lim.Scope != nil {
			from, ok := m.index[*lim.Scope]
			if !ok || i < from || i >= from+m.all[from].Size {
				return false
			}
			base = m.all[from].Depth
		}
		return (lim.Depth == 0 || m.all[i].Depth-base < lim.Depth) && match(m.all[i].Body)
	}, nil
}
