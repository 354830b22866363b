package dispatch

import (
	"slices"

	"duet/snapshot"
)

// keptBaselines is how many callers' last maps a session keeps.
const keptBaselines = 16

// baselines are the maps that callers last saw, the least recently used first.
type baselines struct {
	kept    []baseline
	dropped map[string]bool // callers whose map was dropped and who were not told
}

type baseline struct {
	caller string
	tab    int
	shown  *snapshot.Map
}

// last returns what a caller last saw of a tab, or nil and the reason why there
// is nothing to compare with.
func (b *baselines) last(caller string, tab int) (*snapshot.Map, string) {
	i := slices.IndexFunc(b.kept, func(k baseline) bool { return k.caller == caller })
	switch {
	case i >= 0 && b.kept[i].tab == tab:
		return b.kept[i].shown, ""
	case i >= 0:
		return nil, "another tab"
	case b.dropped[caller]:
		return nil, "your last map was dropped, more than 16 callers share this session"
	}
	return nil, "first look"
}

// show notes what a caller has just been shown.
func (b *baselines) show(caller string, tab int, m *snapshot.Map) {
	b.kept = slices.DeleteFunc(b.kept, func(k baseline) bool { return k.caller == caller })
	b.kept = append(b.kept, baseline{caller, tab, m})
	delete(b.dropped, caller)
	for len(b.kept) > keptBaselines {
		if b.dropped == nil || len(b.dropped) > 1000 {
			b.dropped = map[string]bool{}
		}
		b.dropped[b.kept[0].caller] = true
		b.kept = slices.Delete(b.kept, 0, 1)
	}
}
