package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/goccy/go-json"

	"duet/internal/trace"
)

// What a page holds at most. What is beyond is left out, and the page says so.
const (
	maxRecords  = 256 << 20 // bytes of records that are read
	maxActions  = 20_000
	maxEntries  = 20_000
	maxRequests = 20_000
	maxFrames   = 5_000
	maxPictures = 64 << 20 // bytes
	maxPicture  = 16 << 20
	maxWrong    = 5_000
	maxText     = 16 << 10
	maxMap      = 64 << 10
	maxLine     = 2 << 10
	inChunk     = 50
)

// content is all that a page shows, before it is written.
type content struct {
	name     string
	facts    []fact
	notes    []string
	index    index
	details  []detail
	console  []entry
	network  []request
	wire     []frame
	pictures []picture
}

// fact is one of the few words about a trace at its top.
type fact struct{ Name, Value string }

// builder turns records into what is shown.
type builder struct {
	content
	t      *trace.Trace
	album  album
	maps   mapper
	byCall map[int]int // the index of an action
	starts []float64
}

func build(s *Source) (*content, error) {
	t, cutShort, err := s.read()
	if err != nil {
		return nil, err
	}
	b := &builder{t: t, album: album{files: s.files, known: map[string]int{}}, maps: mapper{last: map[seen]whole{}}, byCall: map[int]int{}}
	b.index.Ticks, b.index.Spans, b.index.Wrong, b.wire = [][2]float64{}, [][3]float64{}, []wrong{}, []frame{}
	b.name = short(cmp.Or(t.Start.Name, "trace"), 200)
	if cutShort {
		b.note("The records are more than %d MB; what is beyond is not shown.", maxRecords>>20)
	}
	b.limits()
	b.actions()
	b.entries()
	b.requests()
	b.frames(s)
	b.lost()
	b.time()
	b.finish()
	return &b.content, nil
}

func (b *builder) note(format string, args ...any) {
	b.notes = append(b.notes, fmt.Sprintf(format, args...))
}

// limits cuts lists that are too long for a page.
func (b *builder) limits() {
	t := b.t
	if n := len(t.Actions); n > maxActions {
		b.note("Of %d actions the first %d are shown.", n, maxActions)
		t.Actions = t.Actions[:maxActions]
	}
	if n := len(t.Console); n > maxEntries {
		b.note("Of %d console messages the first %d are shown.", n, maxEntries)
		t.Console = t.Console[:maxEntries]
	}
	if n := len(t.Network); n > maxRequests {
		b.note("Of %d requests the first %d are shown.", n, maxRequests)
		t.Network = t.Network[:maxRequests]
	}
}

func (b *builder) actions() {
	for i, a := range b.t.Actions {
		b.byCall[a.Call.Call] = i
		b.starts = append(b.starts, a.At)
	}
	b.index.Rows = make([]row, len(b.t.Actions))
	b.details = make([]detail, len(b.t.Actions))
	for i, a := range b.t.Actions {
		b.index.Rows[i], b.details[i] = b.action(i, a)
	}
	b.batches()
}

func (b *builder) action(i int, a *trace.Action) (row, detail) {
	r := row{
		N: a.Call.Call, At: a.At, Ms: -1, Verb: short(cmp.Or(a.Verb, a.Tool), 60), What: what(a), State: stateOpen, Acts: a.Acts,
		Step: a.Step, Parent: -1, Tab: a.Tab, URL: short(a.URL, maxLine), Before: -1, After: -1,
	}
	if p, ok := b.byCall[a.Parent]; ok && p < i {
		r.Parent = p
	} else {
		r.Step = 0
	}
	d := detail{Tool: short(a.Tool, 100), Args: pretty(a.Args), Caller: short(a.Caller, 100)}
	d.Map, d.Events = b.maps.of(i, a)
	b.shots(&r, &d, a)
	if a.Done == nil {
		return r, d
	}
	r.Ms, r.State = a.Done.Ms, stateOK
	if a.Done.Negative {
		r.State = stateNo
	}
	if mapText(a) == "" {
		d.Answer = pretty(a.Done.Result)
	}
	for _, n := range a.Done.Notes {
		d.Notes = append(d.Notes, plain(n, maxLine))
	}
	for _, n := range a.Done.Cut {
		d.Cut = append(d.Cut, short(n, 100))
	}
	d.EndURL = short(a.Done.URL, maxLine)
	if !a.Done.OK {
		b.failed(i, a, &r, &d)
	}
	return r, d
}

// failed fills in why an action failed.
func (b *builder) failed(i int, a *trace.Action, r *row, d *detail) {
	r.State, r.Code = stateFailed, "FAILED"
	f := a.Done.Error
	if f == nil {
		return
	}
	d.Error = &failure{
		Code: short(f.Code, 60), Message: plain(f.Message, maxText), Hint: plain(f.Hint, maxText), Detail: pretty(f.Detail),
		Phase: short(f.Phase, 40), Effect: short(f.Effect, 40), Retryable: f.Retryable,
	}
	r.Code = cmp.Or(d.Error.Code, r.Code)
	facts := []string{"phase " + d.Error.Phase, "effect " + d.Error.Effect}
	if f.Retryable {
		facts = append(facts, "may be repeated")
	}
	if f.Hint != "" {
		facts = append(facts, "hint: "+d.Error.Hint)
	}
	b.wrong(wrong{a.At + a.Done.Ms, i, r.Code, d.Error.Message, strings.Join(facts, " · ")})
}

func (b *builder) wrong(w wrong) {
	if len(b.index.Wrong) <= maxWrong {
		b.index.Wrong = append(b.index.Wrong, w)
	}
}

// shots takes the pictures of an action.
func (b *builder) shots(r *row, d *detail, a *trace.Action) {
	take := func(s *trace.Shot, when string) int {
		if s == nil {
			return -1
		}
		why := s.Skipped
		n := -1
		if why == "" {
			n, why = b.album.take(s)
		}
		if n < 0 {
			d.NoShot = short(why, 300)
			if d.ShotNote == nil {
				d.ShotNote = map[string]string{}
			}
			d.ShotNote[when] = "There is no such picture: " + d.NoShot + "."
		}
		return n
	}
	r.Before, r.After = take(a.Before, "before"), take(a.After, "after")
}

// batches show how the page looked before their first step and after their last one.
func (b *builder) batches() {
	for i := range b.index.Rows {
		step := &b.index.Rows[i]
		if step.Step == 0 {
			continue
		}
		batch, a := &b.index.Rows[step.Parent], b.t.Actions[step.Parent]
		if a.Before == nil && batch.Before < 0 {
			batch.Before = step.Before
		}
		if a.After == nil && step.After >= 0 {
			batch.After = step.After
		}
	}
}

// named are the arguments that say what an action is about, in the order of telling.
var named = []string{"action", "what", "selector", "target", "url", "key", "name", "pattern", "scope", "query", "js", "value", "text"}

// what says in a few words what an action was called on.
func what(a *trace.Action) string {
	var args map[string]json.RawMessage
	if json.Unmarshal(a.Args, &args) != nil {
		args = nil
	}
	var words []string
	said := a.Target
	for _, n := range named {
		var text string
		if a.Target != "" && (n == "value" || n == "text") || json.Unmarshal(args[n], &text) != nil || text == "" || text == a.Verb || text == said {
			continue
		}
		if words = append(words, text); len(words) == 2 {
			break
		}
	}
	if a.Target != "" {
		at := min(len(words), 1)
		if at == 1 && args["action"] == nil && args["what"] == nil {
			at = 0
		}
		words = slices.Insert(words, at, a.Target)
	}
	return short(strings.Join(words, " "), 200)
}

// at is the action that a time falls into: the last that had begun.
func (b *builder) at(t float64) int {
	n, _ := slices.BinarySearchFunc(b.starts, t, func(start, t float64) int {
		if start <= t {
			return -1
		}
		return 1
	})
	return n - 1
}

func (b *builder) entries() {
	slices.SortStableFunc(b.t.Console, func(x, y trace.Console) int { return cmp.Compare(x.At, y.At) })
	b.console = []entry{}
	for _, c := range b.t.Console {
		e := entry{At: c.At, Action: b.at(c.At), Type: short(c.Type, 40), Level: short(c.Level, 40), Text: plain(c.Text, maxText), Tab: c.Tab}
		if c.URL != "" {
			e.Where = short(c.URL, maxLine)
			if c.Line > 0 {
				e.Where += fmt.Sprintf(":%d", c.Line)
			}
		}
		b.console = append(b.console, e)
		bad := e.Level == "error"
		if e.Action >= 0 {
			r := &b.index.Rows[e.Action]
			r.Cons++
			if bad {
				r.Errs++
			}
		}
		if bad {
			title := "console error"
			if e.Type == "exception" {
				title = "exception"
			}
			b.wrong(wrong{e.At, e.Action, title, cut(e.Text, maxLine), e.Where})
		}
	}
}

// lost tells of browsers that ended.
func (b *builder) lost() {
	for _, e := range b.t.Browsers {
		if e.Event == "lost" {
			b.wrong(wrong{e.At, b.at(e.At), "browser lost", short(e.Browser.Name+" "+e.Browser.Version, 100), plain(e.Reason, maxLine)})
		}
	}
}

// time makes the timeline.
func (b *builder) time() {
	var busy []stretch
	end := b.t.Last
	for _, r := range b.index.Rows {
		busy = append(busy, stretch{r.At, r.At + max(0, r.Ms)})
		end = max(end, r.At+r.Ms)
	}
	for _, n := range b.network {
		busy = append(busy, stretch{n.At - max(0, n.Ms), n.At})
	}
	b.index.Scale, b.index.Pauses = fold(busy, end)
	seen := map[[3]float64]bool{}
	grain := max(end/4000, 1)
	first := func(kind, from, to float64) bool {
		key := [3]float64{kind, math.Floor(from / grain), math.Floor(to / grain)}
		known := seen[key]
		seen[key] = true
		return !known
	}
	for _, e := range b.console {
		bad := 0.0
		if e.Level == "error" {
			bad = 1
		} else if e.Level != "warn" {
			continue
		}
		if first(bad, e.At, e.At) {
			b.index.Ticks = append(b.index.Ticks, [2]float64{e.At, bad})
		}
	}
	for _, n := range b.network {
		bad, from := 2.0, n.At-max(0, n.Ms)
		if n.Failed {
			bad = 3
		}
		if first(bad, from, n.At) {
			b.index.Spans = append(b.index.Spans, [3]float64{from, n.At, bad - 2})
		}
	}
}
