package dispatch

import (
	"slices"
	"strings"
	"unicode/utf8"

	"duet/snapshot"
)

// nearest returns the candidate that was most likely meant by a misspelt name,
// or "" where none is close.
func nearest(name string, candidates []string) string {
	name = strings.ToLower(clip(name, 64))
	best, least := "", 1+max(1, len(name)/3)
	for _, c := range candidates {
		if d := distance(name, c); d < least {
			best, least = c, d
		}
	}
	if best == "" && len(name) >= 3 {
		for _, c := range candidates {
			if strings.HasSuffix(c, "_"+name) || strings.HasPrefix(c, name) {
				return c
			}
		}
	}
	return best
}

// Near returns the candidates that were most likely meant by a misspelt name, the
// likeliest first, at most n.
func Near(name string, candidates []string, n int) []string {
	left := slices.Clone(candidates)
	var out []string
	for len(out) < n {
		best := nearest(name, left)
		if best == "" {
			break
		}
		out = append(out, best)
		left = slices.DeleteFunc(left, func(c string) bool { return c == best })
	}
	return out
}

// distance counts the edits from a to b; a swap of neighbours is one.
func distance(a, b string) int {
	prev2, prev, row := []int(nil), make([]int, len(b)+1), []int(nil)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row = make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev = prev, row
	}
	return prev[len(b)]
}

// clip bounds a text that a caller or a page chose.
func clip(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n]) + "…"
}

// show quotes a text that a caller or a page chose, bounded, on one line.
func show(s string) string { return snapshot.Quote(clip(s, 64)) }
