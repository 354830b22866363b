package snapshot

import (
	"strings"

	"duet/internal/pagejs"
)

// A run of siblings of the same shape folds when it is long; the first few are
// shown, so that the map says what the rest looks like.
const (
	foldShown = 3  // siblings shown of a folded run
	foldMin   = 8  // a shorter run never folds
	foldLines = 24 // a run of fewer lines than this never folds
)

// fold is a run of siblings that is left out.
type fold struct {
	shown, total int
	noun         string
	next         int // the line after the run
}

// folds finds the runs to leave out between two lines, by the line they begin
// at. The direct children of a scope do not fold: that is how the rest of a
// folded run is reached.
func (p *printer) folds(from, to int, scope *pagejs.NodeKey) map[int]fold {
	kids := map[int][]int{}
	for i := from; i < to; i++ {
		kids[p.lines[i].Parent] = append(kids[p.lines[i].Parent], i)
	}
	found := map[int]fold{}
	for parent, siblings := range kids {
		if scope != nil && parent == from {
			continue
		}
		for start := 0; start < len(siblings); {
			end := p.runEnd(siblings, start)
			p.foldRun(siblings[start:end], found)
			start = end
		}
	}
	return found
}

// runEnd returns where the run of same-shaped siblings that begins at start ends.
func (p *printer) runEnd(siblings []int, start int) int {
	shape := p.shape(siblings[start])
	end := start + 1
	for end < len(siblings) && p.shape(siblings[end]) == shape {
		end++
	}
	return end
}

func (p *printer) foldRun(run []int, found map[int]fold) {
	if len(run) < foldMin || p.lines[run[0]].Role == "text" { // prose has a budget of its own
		return
	}
	last := run[len(run)-1]
	end := last + p.lines[last].Size
	if end-run[0] < foldLines {
		return
	}
	found[run[foldShown]] = fold{shown: foldShown, total: len(run), noun: noun(p.lines[run[0]].Role), next: end}
}

// shape is what makes two siblings alike: their role and the roles right below.
func (p *printer) shape(i int) string {
	line := &p.lines[i]
	if line.Size == 1 {
		return line.Role
	}
	var b strings.Builder
	b.WriteString(line.Role)
	for k := i + 1; k < i+line.Size && b.Len() < 200; k += p.lines[k].Size {
		b.WriteByte(' ')
		b.WriteString(p.lines[k].Role)
	}
	return b.String()
}

func noun(role string) string {
	switch role {
	case "row":
		return "rows"
	case "option":
		return "options"
	case "listitem", "treeitem", "menuitem":
		return "items"
	case "cell", "gridcell":
		return "cells"
	}
	return plainRole(role) + " lines"
}
