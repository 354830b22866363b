package dispatch

import (
	"slices"

	"duet/internal/drive"
	"duet/snapshot"
)

// keptBaselines is how many callers' last maps a session keeps.
const keptBaselines = 16

// baselines are what callers last saw, the least recently used first.
type baselines struct {
	kept    []baseline
	dropped map[string]baseline // without their map: callers who were not told that it was dropped
}

// baseline is what a caller has seen: the last map, of which tab and browser,
// and up to which event it was told what happened.
type baseline struct {
	caller string
	live   *Live
	tab    int
	shown  *snapshot.Map
	mark   drive.Mark
}

// last returns what a caller last saw of a tab, or nil and the reason why there
// is nothing to compare with, and up to where it was told what happened.
func (b *baselines) last(caller string, live *Live, tab int) (m *snapshot.Map, why string, mark drive.Mark) {
	i := slices.IndexFunc(b.kept, func(k baseline) bool { return k.caller == caller })
	switch {
	case i < 0 && b.dropped[caller].caller != "":
		if d := b.dropped[caller]; d.live == live {
			mark = d.mark // what came before was told
		}
		return nil, "your last map was dropped: more than 16 callers share this session", mark
	case i < 0 || b.kept[i].shown == nil && b.kept[i].live == live:
		return nil, "first look", b.markOf(i, live)
	case b.kept[i].live != live:
		return nil, "new browser", mark
	case b.kept[i].tab != tab:
		return nil, "another tab", b.kept[i].mark
	}
	return b.kept[i].shown, "", b.kept[i].mark
}

func (b *baselines) markOf(i int, live *Live) (mark drive.Mark) {
	if i >= 0 && b.kept[i].live == live {
		return b.kept[i].mark
	}
	return mark
}

// leave lets go of earlier browsers: what was seen there is compared with nothing.
func (b *baselines) leave(live *Live) {
	for i := range b.kept {
		if k := &b.kept[i]; k.live != live {
			k.live, k.shown, k.mark = ended, nil, drive.Mark{}
		}
	}
	for caller, d := range b.dropped {
		if d.live != live {
			d.live, d.mark = ended, drive.Mark{}
			b.dropped[caller] = d
		}
	}
}

// ended stands for every browser that has ended.
var ended = new(Live)

// show notes what a caller has just been shown. A nil map leaves the last one.
func (b *baselines) show(caller string, live *Live, tab int, m *snapshot.Map, mark drive.Mark) {
	next := baseline{caller, live, tab, m, mark}
	if i := slices.IndexFunc(b.kept, func(k baseline) bool { return k.caller == caller }); i >= 0 {
		if m == nil && b.kept[i].live == live {
			next.tab, next.shown = b.kept[i].tab, b.kept[i].shown
		}
		b.kept = slices.Delete(b.kept, i, i+1)
	}
	b.kept = append(b.kept, next)
	delete(b.dropped, caller)
	for len(b.kept) > keptBaselines {
		if b.dropped == nil || len(b.dropped) > 1000 {
			b.dropped = map[string]baseline{}
		}
		was := b.kept[0]
		was.shown = nil
		b.dropped[was.caller] = was
		b.kept = slices.Delete(b.kept, 0, 1)
	}
}
