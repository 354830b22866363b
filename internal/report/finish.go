package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// finish says what the trace is, and what it lacks.
func (b *builder) finish() {
	t := b.t
	b.pictures = b.album.all
	b.index.Chunk, b.index.Pictures = inChunk, t.Start.Policy.Screenshots
	slices.SortStableFunc(b.index.Wrong, func(x, y wrong) int { return cmp.Compare(x.At, y.At) })
	if len(b.index.Wrong) > maxWrong {
		b.index.Wrong = b.index.Wrong[:maxWrong]
		b.note("Of what went wrong the first %d are listed.", maxWrong)
	}
	b.missing()
	failed := 0
	for _, r := range b.index.Rows {
		if r.State == stateFailed && r.Step == 0 {
			failed++
		}
	}
	b.fact("browser", strings.TrimSpace(t.Start.Browser.Name+" "+t.Start.Browser.Version))
	if b.facts == nil && len(t.Browsers) > 0 {
		b.fact("browser", strings.TrimSpace(t.Browsers[0].Browser.Name+" "+t.Browsers[0].Browser.Version))
	}
	if began, err := time.Parse(time.RFC3339, t.Start.Began); err == nil {
		b.fact("began", began.UTC().Format("2006-01-02 15:04:05 UTC"))
	}
	b.fact("took", lasted(t.Last))
	b.fact("actions", fmt.Sprint(len(b.index.Rows)))
	b.fact("failed", fmt.Sprint(failed))
	b.fact("session", t.Start.Session)
	b.fact("duet", t.Start.Duet)
}

func (b *builder) fact(name, value string) {
	if value != "" {
		b.facts = append(b.facts, fact{name, short(value, 100)})
	}
}

// missing notes what is not there, or not whole.
func (b *builder) missing() {
	t := b.t
	switch {
	case t.Stop == nil:
		b.note("The trace has no end: it is being written still, or what wrote it died.")
	case t.Stop.Why == "quota":
		b.note("The trace ended because it was full.")
	}
	if t.Broken > 0 {
		b.note("%s could not be read.", plural(t.Broken, "record"))
	}
	for _, d := range t.Drops {
		b.note("Not kept: %s. %s", plural(d.Count, cmp.Or(dropped[d.What], short(d.What, 40))), sentence(short(d.Why, 300)))
	}
	if n := b.album.left; n > 0 {
		b.note("%s left out: the page holds at most %d MB of them.", plural(n, "picture"), maxPictures>>20)
	}
}

// dropped is what the kinds of drops are called.
var dropped = map[string]string{"console": "console message", "network": "request", "shots": "picture", "calls": "record", "wire": "protocol message"}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// sentence begins with a capital letter and ends with a full stop.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + strings.TrimRight(s[1:], ".") + "."
}

// lasted says a duration for people.
func lasted(ms float64) string {
	d := time.Duration(ms * float64(time.Millisecond))
	switch {
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < time.Minute:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	}
	return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
}
