package secret

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Seeker finds values in texts, however they are written there: percent-encoded, as
// markup, within the quotes of JSON, each of them as often as there are texts within
// texts; with other white space, in capitals, and with characters between that nobody
// sees. The zero value finds nothing. Safe for concurrent use as long as nothing is added.
type Seeker struct {
	values []sought
	ascii  [utf8.RuneSelf][]int // the values that begin so, by lower
	beyond map[rune][]int       // the same of other characters
}

// sought is a value as it is looked for.
type sought struct {
	units []unit
	long  bool // its beginning tells enough of it
	fold  bool // in capitals and small letters alike
}

// unit is a character of a value, and how often it stands there: white space and
// backslashes come in runs.
type unit struct {
	r rune
	n int
}

// Of a value of more than longValue characters a text may show the beginning alone; so
// many of them, or more, are taken for that.
const (
	longValue = 40
	headOf    = 16
)

// shortestFolded is the length from which on capitals and small letters are alike.
const shortestFolded = 8

// cut stands where a text was cut.
const cut = "…"

// Add makes s find a value, and what programs make of it (Encoded). Values that are
// shorter than Shortest are not looked for.
func (s *Seeker) Add(value string) {
	if utf8.RuneCountInString(value) < Shortest {
		return
	}
	s.AddPlain(value)
	for _, form := range Encoded(value) {
		s.add(form, false)
	}
}

// Clone returns a copy to which more can be added.
func (s *Seeker) Clone() *Seeker {
	c := &Seeker{values: slices.Clip(s.values), beyond: map[rune][]int{}}
	for r, all := range s.ascii {
		c.ascii[r] = slices.Clip(all)
	}
	for r, all := range s.beyond {
		c.beyond[r] = slices.Clip(all)
	}
	return c
}

// AddPlain is Add without what Encoded has.
func (s *Seeker) AddPlain(value string) {
	s.add(value, utf8.RuneCountInString(value) >= shortestFolded)
}

func (s *Seeker) add(value string, fold bool) {
	length := utf8.RuneCountInString(value)
	units := unitsOf(value)
	if length < Shortest || len(units) == 0 {
		return
	}
	n := len(s.values)
	s.values = append(s.values, sought{units: units, long: length > longValue, fold: fold})
	if r := lower(units[0].r); r < utf8.RuneSelf {
		s.ascii[r] = append(s.ascii[r], n)
	} else {
		if s.beyond == nil {
			s.beyond = map[rune][]int{}
		}
		s.beyond[r] = append(s.beyond[r], n)
	}
}

// beginning are the values that begin with a character.
func (s *Seeker) beginning(r rune) []int {
	switch r = lower(r); {
	case r >= utf8.RuneSelf:
		return s.beyond[r]
	case r == '\t', r == '\n', r == '\r', r == '+':
		return slices.Concat(s.ascii[r], s.ascii[' '])
	}
	return s.ascii[r]
}

func unitsOf(value string) []unit {
	var all []unit
	for _, r := range value {
		switch last := len(all) - 1; {
		case unseen(r):
		case unicode.IsSpace(r) && last >= 0 && all[last].r == ' ':
		case unicode.IsSpace(r):
			all = append(all, unit{' ', 1})
		case r == '\\' && last >= 0 && all[last].r == '\\':
			all[last].n++
		default:
			all = append(all, unit{r, 1})
		}
	}
	return all
}

func lower(r rune) rune { return unicode.ToLower(r) }

// unseen reports whether a character shows nothing and takes no room.
func unseen(r rune) bool {
	return r >= 0xAD && (unicode.Is(unicode.Cf, r) || r == 0x34F || r >= 0xFE00 && r <= 0xFE0F)
}

// Replace returns text with mask wherever a value stands, or what a cut has left of it.
func (s *Seeker) Replace(text, mask string) string {
	return s.replace(text, mask, false)
}

// ReplaceQuoted is Replace for what stands within the quotes of JSON, and stays valid
// there.
func (s *Seeker) ReplaceQuoted(text, mask string) string {
	return s.replace(text, mask, true)
}

func (s *Seeker) replace(text, mask string, quoted bool) string {
	from, end := s.find(text, 0, quoted)
	if end == 0 {
		return text
	}
	var out strings.Builder
	done := 0
	for ; end > 0; from, end = s.find(text, end, quoted) {
		if quoted {
			end = whole(text, from, end)
		}
		out.WriteString(text[done:from] + mask)
		done = end
	}
	out.WriteString(text[done:])
	return out.String()
}

// whole is the end of what is taken out of a quoted text so that no escape is cut in two.
func whole(text string, from, end int) int {
	n := 0
	for end-n > from && text[end-n-1] == '\\' {
		n++
	}
	switch {
	case n%2 == 0 || end >= len(text):
		return end
	case text[end] == '"' && end-from > 1:
		return end - 1
	}
	return end + 1
}

// Finds reports whether a value stands in text.
func (s *Seeker) Finds(text string) bool {
	_, end := s.find(text, 0, false)
	return end > 0
}

// find is where the first value from a place on stands; its end is 0 where there is none.
// In a quoted text none begins within an escape.
func (s *Seeker) find(text string, from int, quoted bool) (start, end int) {
	if len(s.values) == 0 {
		return 0, 0
	}
	run, runEnd := 0, 0 // of backslashes: what its first one leads to, the others do
	for i := from; i < len(text); {
		after, escape := backslash(text, i)
		if i > runEnd {
			run = 0
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		second := i + size
		if quoted && r == '\\' {
			size = 2
			if strings.HasPrefix(text[i+1:], "u") {
				size = 6
			}
		}
		if escape {
			run, runEnd = run+1, after
			if size == 2 && strings.HasPrefix(text[after:], `\`) {
				runEnd = i + size
			}
		}
		end = s.beginningAt(text, i, second, r)
		if run%(longestRun/2) == 1 || !escape && (r == '%' || r == '&') {
			for _, c := range charactersAt(text, i)[1:] {
				end = max(end, s.beginningAt(text, i, c.end, c.r))
			}
		}
		if end > 0 {
			return i, end
		}
		i += size
	}
	return 0, 0
}

// beginningAt is where the longest value ends that begins at a place with this character,
// which ends at second; 0 where there is none.
func (s *Seeker) beginningAt(text string, i, second int, first rune) (end int) {
	all := s.beginning(first)
	if len(all) == 0 {
		return 0
	}
	var next []character
	clear := second < len(text) && plain(text[second])
	if !clear {
		next = charactersAt(text, second)
	}
	for _, v := range all {
		switch v := s.values[v]; {
		case clear && v.goesOn(rune(text[second])), !clear && slices.ContainsFunc(next, func(c character) bool { return v.goesOn(c.r) }):
			end = max(end, v.at(text, i))
		}
	}
	return end
}

// goesOn reports whether the second character of the value may be this one: it is asked
// often, and the answer is mostly no.
func (v sought) goesOn(c rune) bool {
	if len(v.units) < 2 {
		return true
	}
	r := v.units[1].r
	return lower(c) == lower(r) || r == ' ' && (c == '+' || unicode.IsSpace(c)) || r == '\\' && c == '/' || unseen(c)
}

// at is where the value ends that begins at a place of text, or what a cut has left of
// it; 0 where it does not stand there.
func (v sought) at(text string, i int) int {
	var held [4]int
	at, next := append(held[:0], i), []int(nil)
	furthest, matched := 0, 0
	for n, u := range v.units {
		if p := at[0]; len(at) == 1 && p < len(text) && plain(text[p]) && u.r != ' ' && u.r != '\\' {
			if c := rune(text[p]); c != u.r && !(v.fold && lower(c) == lower(u.r)) {
				break
			}
			at[0]++
			furthest, matched = p+1, n+1
			continue
		}
		next = next[:0]
		for _, p := range at {
			if n > 0 {
				p = pastUnseen(text, p)
			}
			for _, end := range u.at(text, p, v.fold) {
				if !slices.Contains(next, end) {
					next = append(next, end)
				}
			}
		}
		if len(next) == 0 {
			break
		}
		at, next = next, at
		furthest, matched = slices.Max(at), n+1
	}
	switch {
	case matched == len(v.units), v.long && matched >= headOf:
		return furthest
	case matched >= Shortest && slices.ContainsFunc(at, func(p int) bool { return strings.HasPrefix(text[p:], cut) }):
		return furthest
	}
	return 0
}

// plain reports whether a byte of a text means itself alone.
func plain(c byte) bool {
	return c > ' ' && c < utf8.RuneSelf && c != '\\' && c != '%' && c != '&'
}

// pastUnseen is where characters end that nobody sees.
func pastUnseen(text string, i int) int {
	for range longestRun {
		if i >= len(text) || text[i] < utf8.RuneSelf && text[i] != '\\' {
			break
		}
		all := charactersAt(text, i)
		n := slices.IndexFunc(all, func(c character) bool { return unseen(c.r) })
		if n < 0 {
			break
		}
		i = all[n].end
	}
	return i
}

// at are the places at which the unit can end that begins at one.
func (u unit) at(text string, i int, fold bool) []int {
	if u.r == '\\' {
		return u.backslashes(text, i)
	}
	var ends []int
	for _, c := range charactersAt(text, i) {
		switch {
		case c.r == u.r, fold && lower(c.r) == lower(u.r):
			ends = append(ends, c.end)
		case u.r == ' ' && (unicode.IsSpace(c.r) || c.r == '+'):
			ends = append(ends, spaces(text, c.end))
		}
	}
	return ends
}

// spaces is where a run of white space goes on to.
func spaces(text string, i int) int {
	for range longestRun {
		n := i
		for _, c := range charactersAt(text, i) {
			if unicode.IsSpace(c.r) {
				n = max(n, c.end)
			}
		}
		if n == i {
			return i
		}
		i = n
	}
	return i
}

// backslashes are the ends of a run that stands for those of the value: each level of
// quotes doubles them, and those before a quote are not all of the value's. Browsers make
// strokes of those in a path.
func (u unit) backslashes(text string, i int) []int {
	var ends []int
	n, count := 0, u.n
	for n < longestRun {
		end, ok := backslash(text, i)
		if !ok {
			if i >= len(text) || text[i] != '/' {
				break
			}
			end = i + 1
		}
		n++
		if i = end; n == count {
			ends, count = append(ends, i), count*2
		}
	}
	if n >= u.n && ends[len(ends)-1] != i {
		ends = append(ends, i)
	}
	return ends
}
