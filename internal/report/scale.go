package report

import (
	"cmp"
	"math"
	"slices"
)

// stretch is a time in which something was done.
type stretch struct{ from, to float64 }

// fold makes the scale of a timeline on which pauses are short: what is longer than
// a small part of the time that was busy is drawn as that part. It returns where
// times stand, from 0 to 1, and the pauses that were folded.
func fold(busy []stretch, end float64) (scale [][2]float64, pauses [][3]float64) {
	scale, pauses = [][2]float64{}, [][3]float64{}
	merged := merge(busy)
	if len(merged) == 0 {
		return scale, pauses
	}
	total := 0.0
	for _, s := range merged {
		total += s.to - s.from
	}
	longest := min(max(total*0.04, 150), 5000)
	// Where everything is a moment, moments keep a width of their own.
	least := max(total/float64(len(merged))/8, 1)
	at, now := 0.0, 0.0
	knot := func(t float64) { scale = append(scale, [2]float64{t, at}) }
	pause := func(to float64) {
		if gap := to - now; gap > longest*1.5 {
			pauses = append(pauses, [3]float64{at, at + longest, gap})
			at += longest
		} else {
			at += gap
		}
		now = to
	}
	now = min(0, merged[0].from)
	knot(now)
	for _, s := range merged {
		pause(s.from)
		knot(s.from)
		at += max(s.to-s.from, least)
		now = s.to
		knot(s.to)
	}
	if end > now {
		pause(end)
		knot(end)
	}
	if at == 0 {
		at = 1
	}
	for i := range scale {
		scale[i][1] = round(scale[i][1] / at)
	}
	for i := range pauses {
		pauses[i][0], pauses[i][1] = round(pauses[i][0]/at), round(pauses[i][1]/at)
	}
	return scale, pauses
}

// merge puts stretches in order and joins those that touch.
func merge(busy []stretch) []stretch {
	busy = slices.Clone(busy)
	slices.SortFunc(busy, func(a, b stretch) int { return cmp.Compare(a.from, b.from) })
	var out []stretch
	for _, s := range busy {
		if n := len(out); n > 0 && s.from <= out[n-1].to {
			out[n-1].to = max(out[n-1].to, s.to)
		} else {
			out = append(out, s)
		}
	}
	return out
}

func round(x float64) float64 { return math.Round(x*1e5) / 1e5 }
