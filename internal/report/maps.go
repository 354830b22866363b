package report

import (
	"strings"

	"github.com/goccy/go-json"

	"duet/internal/lazyregexp"
	"duet/internal/trace"
)

var (
	tripwire = lazyregexp.New(`^errors: (at least )?\d+ \(logCursor \d+\)$`)
	fullWhy  = lazyregexp.New(`  \(full map: ([^()]*)\)$`)
	epoch    = lazyregexp.New(`  epoch (\d+)`)
	partial  = lazyregexp.New(`"(scope|query|depth|offset|limit)":|"mode":"interactive"`)
)

// seen is whose map it is: a caller's, of a tab.
type seen struct {
	caller string
	tab    int
}

// whole is the last whole map that somebody saw.
type whole struct {
	action int
	lines  []string
}

// mapper finds the maps of a trace, in its order.
type mapper struct {
	last map[seen]whole
}

// of returns the map that an action's caller got, and what else it was told.
func (m *mapper) of(i int, a *trace.Action) (*pageMap, []string) {
	d := a.Done
	if d == nil {
		return nil, nil
	}
	key := seen{a.Caller, d.Tab}
	if d.Error != nil && d.Error.Recovery != "" {
		return m.take(i, key, d.Error.Recovery, mapRecovery, false), nil
	}
	if text := mapText(a); text != "" {
		return m.take(i, key, text, mapDelta, partial().Match(a.Args)), nil
	}
	if d.Observation == "" {
		return nil, nil
	}
	lines := strings.Split(d.Observation, "\n")
	at := len(lines) - 1
	for ; at >= 0 && !tripwire().MatchString(lines[at]); at-- {
	}
	if at < 0 {
		return m.take(i, key, d.Observation, mapDelta, false), nil
	}
	var events []string
	for _, e := range lines[at:] {
		if strings.HasPrefix(e, "errors: 0 ") {
			continue
		}
		events = append(events, plain(e, maxLine))
	}
	if at == 0 {
		return nil, events
	}
	return m.take(i, key, strings.Join(lines[:at], "\n"), mapDelta, false), events
}

// mapText is the result of a command that reads the map.
func mapText(a *trace.Action) string {
	var text string
	if a.Verb != "snapshot" || json.Unmarshal(a.Done.Result, &text) != nil {
		return ""
	}
	return text
}

// take reads a map's text. One that begins with the page's line is whole, unless it
// shows a part alone.
func (m *mapper) take(i int, key seen, text string, kind mapKind, part bool) *pageMap {
	text = plain(text, maxMap)
	lines := strings.Split(text, "\n")
	out := &pageMap{Kind: kind, Base: -1, Than: -1}
	before, known := m.last[key]
	if !strings.HasPrefix(lines[0], "page: ") {
		if known {
			out.Base = before.action
		}
		out.Lines = strings.Join(marked(lines), "\n")
		return out
	}
	if kind == mapDelta {
		out.Kind = mapFull
	}
	if why := fullWhy().FindStringSubmatch(lines[0]); why != nil {
		out.Why = why[1]
		lines[0] = strings.TrimSuffix(lines[0], why[0])
	}
	if part {
		out.Lines = strings.Join(unmarked(lines), "\n")
		return out
	}
	if known && sameEpoch(before.lines[0], lines[0]) {
		out.Than = before.action
		out.Lines = strings.Join(compared(before.lines, lines), "\n")
	} else {
		out.Lines = strings.Join(unmarked(lines), "\n")
	}
	m.last[key] = whole{i, lines}
	return out
}

func sameEpoch(a, b string) bool {
	x, y := epoch().FindStringSubmatch(a), epoch().FindStringSubmatch(b)
	return x != nil && y != nil && x[1] == y[1]
}

// mark is a line without a sign of its own.
func mark(line string) string {
	switch {
	case strings.HasPrefix(line, "page: "):
		return "#" + line
	case strings.HasPrefix(strings.TrimLeft(line, " "), "("):
		return "!" + line
	}
	return " " + line
}

func unmarked(lines []string) []string {
	var out []string
	for _, l := range lines {
		out = append(out, mark(l))
	}
	return out
}

// marked are the lines of a difference, whose signs are followed by a space.
func marked(lines []string) []string {
	var out []string
	for _, l := range lines {
		if len(l) > 1 && l[1] == ' ' && strings.ContainsRune("+-~", rune(l[0])) {
			out = append(out, l[:1]+l[2:])
		} else {
			out = append(out, mark(l))
		}
	}
	return out
}

// compared marks the lines of a whole map against an earlier one of the document: a
// line of the same ref that says something else is changed, and what is gone stands
// where it was.
func compared(before, after []string) []string {
	was := map[string]string{} // by ref
	for _, l := range before {
		if r := refOf(l); r != "" {
			was[r] = strings.TrimSpace(l)
		}
	}
	is := map[string]bool{}
	for _, l := range after {
		is[refOf(l)] = true
	}
	gone := map[string][]string{} // by the ref that it stood behind
	last := ""
	for _, l := range before {
		switch r := refOf(l); {
		case r == "":
		case is[r]:
			last = r
		default:
			gone[last] = append(gone[last], "-"+l)
		}
	}
	out := []string{}
	for n, l := range after {
		r := refOf(l)
		old, known := was[r]
		switch {
		case r == "":
			out = append(out, mark(l))
		case !known:
			out = append(out, "+"+l)
		case old != strings.TrimSpace(l):
			out = append(out, "~"+l)
		default:
			out = append(out, " "+l)
		}
		if n == 0 {
			out = append(out, gone[""]...)
		}
		if r != "" {
			out = append(out, gone[r]...)
		}
	}
	return out
}

// refOf is the ref that begins a line, "" where none does.
func refOf(line string) string {
	ref, _, ok := strings.Cut(strings.TrimLeft(line, " "), ": ")
	if !ok || len(ref) < 2 || ref[0] != 'e' || strings.Trim(ref[1:], "0123456789") != "" {
		return ""
	}
	return ref
}
