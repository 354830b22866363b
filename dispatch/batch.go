package dispatch

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/goccy/go-json"

	"duet/internal/drive"
	"duet/internal/fault"
)

// BatchStep is one call of a batch: a tool's name and its own arguments.
type BatchStep struct {
	Tool      string          `json:"tool" maxlen:"64"`
	Arguments json.RawMessage `json:"arguments,omitzero"`
}

// BatchArgs are the arguments of a batch.
type BatchArgs struct {
	Steps           []BatchStep `json:"steps" min:"1" max:"25" kong:"-"`
	ContinueOnError bool        `json:"continue_on_error,omitzero"`
	Observe         string      `json:"observe,omitzero" enum:"delta,page" help:"Diff or whole map afterwards."`
}

// BatchResult says what became of each step.
type BatchResult struct {
	OK         bool         `json:"ok"`
	Steps      []StepResult `json:"steps"`
	FailedStep *int         `json:"failedStep,omitempty"` // from 0
	Skipped    int          `json:"skipped,omitempty"`

	first      *fault.Fault
	over       bool // the browser is gone: no later step makes sense
	acted      bool // a step that acts is done
	observable bool // something was changed, and no recovery map came after it
	mapped     bool // a failed step brought such a map
}

// StepResult says what became of one step. Results are bounded like those of a
// single call.
type StepResult struct {
	Tool       string          `json:"tool"`
	OK         bool            `json:"ok"`
	DurationMS int64           `json:"durationMs"`
	Result     json.RawMessage `json:"result,omitempty"`
	Error      *report         `json:"error,omitempty"`

	page bool // Result is a map
}

// CheckBatch makes a batch refuse, before its first step runs, steps that Do
// would refuse: unknown tools, tools that access forbids, wrong arguments, and
// batches in a batch.
func CheckBatch() Option {
	return func(c *Command) {
		c.check = func(r *Registry, args any) *ArgError {
			for i, step := range args.(*BatchArgs).Steps {
				if err := checkStep(r, step); err != nil {
					err.Data.Path = fmt.Sprintf("/steps/%d%s", i, err.Data.Path)
					err.Message = fmt.Sprintf("step %d (%s): %s", i, bounded(step.Tool, 64), err.Error())
					return err
				}
			}
			return nil
		}
	}
}

func checkStep(r *Registry, step BatchStep) *ArgError {
	v, ok := r.byName[step.Tool]
	if !ok {
		err := r.unknown(step.Tool)
		err.Data.Path = "/tool"
		return err
	}
	if v.steps {
		return wrong("/tool", "nested", "another tool", "a batch cannot be a step")
	}
	if _, _, err := r.decode(step.Tool, step.Arguments); err != nil {
		err.Data.Path = "/arguments" + err.Data.Path
		return err
	}
	return nil
}

// RunBatch is the handler of a batch: every step in the one slot, in order, each
// with its own deadline. It stops at the first failure unless told to go on; it
// repeats, heals and replaces nothing.
func RunBatch(ctx context.Context, c *Steps, a BatchArgs) (*BatchResult, error) {
	b := &BatchResult{OK: true}
	if a.Observe != "" {
		yes := true
		c.observe, c.page = &yes, a.Observe == string(ObservePage)
	}
	var filled *drive.Tab // fills may have been sent ahead in it
	for i, step := range a.Steps {
		if ctx.Err() != nil || b.over || !c.holds || !b.OK && !a.ContinueOnError {
			b.Skipped = len(a.Steps) - i
			break
		}
		c.Progress(float64(i), float64(len(a.Steps)), step.Tool)
		tab, sent := c.tab, c.ahead(a.Steps, i)
		if sent > 0 {
			filled = tab
		}
		b.add(i, c.step(ctx, a.Steps, i))
		switch {
		case !b.OK: // the page held back what was sent after it
			c.heldBack = patience
			if tab != nil {
				tab.DropAhead()
			}
		case sent > 0 && tab.Ahead() != sent-1:
			c.heldBack++ // this page takes its time
		}
	}
	if filled != nil {
		filled.DropAhead() // where the batch was cut short: no later call takes their answers for its own
	}
	if b.OK && b.Skipped > 0 {
		f := fault.From(context.Cause(ctx))
		if b.acted {
			f = f.At(fault.InEffect, fault.Partial)
		}
		return nil, f
	}
	return b, nil
}

// fencedWithNext reports whether a step only enters text and its neighbour does
// too: then the page settles once, after the last of them.
func (c *Steps) fencedWithNext(steps []BatchStep, i int) bool {
	entersText := func(n int) bool {
		if n >= len(steps) {
			return false
		}
		v, args, err := c.registry.decode(steps[n].Tool, steps[n].Arguments)
		return err == nil && v.EntersText && !submits(args)
	}
	return entersText(i) && entersText(i+1)
}

// Filler is what the arguments of a step that fills one field implement.
type Filler interface {
	Fills() (target, value string, secret bool)
}

// window is how many fills are on their way at once; patience is how often one may be
// held back before a batch goes on step by step.
const (
	window   = 3
	patience = 3
)

// ahead sends the fills from step i on before those before them are answered, where
// the page settles once for all of them, and returns how many are on their way. The
// first step goes alone, since a page is slow at what it does for the first time. What a
// trace has pictures of goes step by step.
func (c *Steps) ahead(steps []BatchStep, i int) int {
	if c.tab == nil || c.heldBack >= patience || c.span != nil || i == 0 {
		return 0
	}
	sent := c.tab.Ahead()
	for ; sent < window; sent++ {
		n := i + sent
		if n > i && !c.fencedWithNext(steps, n-1) || n == i && !c.fencedWithNext(steps, n) {
			break
		}
		_, args, err := c.registry.decode(steps[n].Tool, steps[n].Arguments)
		f, ok := args.(Filler)
		if err != nil || !ok {
			break
		}
		if target, value, secret := f.Fills(); !c.tab.FillAhead(target, value, secret) {
			break
		}
	}
	return sent
}

// submits reports whether a text entering step goes on to press Enter.
func submits(args any) bool {
	s, ok := args.(interface{ Submits() bool })
	return ok && s.Submits()
}

// stepOutcome is a step that has run.
type stepOutcome struct {
	StepResult
	fault *fault.Fault
	acted bool
}

// step runs one step in the slot that the batch holds.
func (c *Steps) step(ctx context.Context, steps []BatchStep, i int) stepOutcome {
	step := steps[i]
	s, began := c.session, time.Now()
	out := stepOutcome{StepResult: StepResult{Tool: step.Tool}}
	v, args, wrong := c.registry.decode(step.Tool, step.Arguments)
	if wrong != nil { // it was checked before the first step ran
		out.fault = fault.New(fault.InvalidArgument, "%s", wrong.Error())
		return out.done(c.printer(), began)
	}
	k := s.newCall(ctx, c.registry, v, args, c.request.step(step))
	k.base = c.base // what bounds the batch is no caller that went away
	k.batch, k.index = c.span, i
	defer func() { k.span.release() }()
	k.holds, k.fenced = c.holds, c.fencedWithNext(steps, i)
	k.carry = i == len(steps)-1 // its settling reads what the batch will show
	a := s.perform(ctx, k, args)
	c.holds = k.holds // a wait may have given the slot back and lost it
	c.notes = append(c.notes, a.notes...)
	out.acted, out.fault = k.acts, a.fault
	if !k.idle() || k.live == nil {
		c.live, c.tab = k.live, k.tab
	}
	if a.fault == nil {
		if value, err := k.printer().render(a.value); err != nil {
			out.fault = fault.From(err)
		} else {
			object, _ := value.within(value.usual(k.printer().limits(), k.printer().limits().SpillBytes))
			out.Result = news(object, step.Arguments)
		}
		_, out.page = a.value.(PageMap)
	}
	out = out.done(k.printer(), began)
	k.span.endStep(k, out, a)
	return out
}

// step is the request of one step: by the same caller, under the same rules, and
// without an observation of its own.
func (r Request) step(step BatchStep) Request {
	r.Tool, r.Args, r.Observe, r.nested = step.Tool, step.Arguments, ObserveNone, true
	return r
}

func (o stepOutcome) done(s printer, began time.Time) stepOutcome {
	o.DurationMS = time.Since(began).Milliseconds()
	o.OK = o.fault == nil
	if o.fault != nil {
		rep := s.report(o.fault)
		rep.Recovery = s.bounded("recovery", rep.Recovery, s.o.Limits.SpillBytes)
		o.Error = &rep
	}
	return o
}

// news is what a step's result says beyond ok and the step's own arguments; nil
// where that is nothing.
func news(object, arguments json.RawMessage) json.RawMessage {
	var members, given map[string]json.RawMessage
	if object[0] != '{' || json.Unmarshal(object, &members) != nil {
		return object
	}
	_ = json.Unmarshal(arguments, &given) // none are given where there are no arguments
	told := func(name string) bool {
		v, ok := given[name]
		return ok && bytes.Equal(bytes.TrimSpace(v), members[name]) || name == "ok" && string(members[name]) == "true"
	}
	var out bytes.Buffer
	for _, name := range sortedNames(members) {
		if told(name) {
			continue
		}
		out.WriteByte(sep(out.Len()))
		out.Write(quoted(name))
		out.WriteByte(':')
		out.Write(members[name])
	}
	if out.Len() == 0 {
		return nil
	}
	return append(out.Bytes(), '}')
}

func sep(written int) byte {
	if written == 0 {
		return '{'
	}
	return ','
}

func (b *BatchResult) add(i int, o stepOutcome) {
	b.Steps = append(b.Steps, o.StepResult)
	if o.acted {
		b.observable = true
	}
	if o.fault == nil {
		b.acted = b.acted || o.acted
		return
	}
	if o.fault.Code == fault.BrowserLost || o.fault.Code == fault.LaunchFailed {
		b.over = true // what comes next was meant for the page that is gone
	}
	if o.fault.Recovery != "" {
		b.observable, b.mapped = false, true
	}
	if b.OK {
		b.OK, b.FailedStep, b.first = false, &i, o.fault
	}
}

// fault is that of the first failed step, with where it stands; nil where every
// step is done. Where other steps acted the batch is done in part: to repeat it
// would repeat them.
func (b *BatchResult) fault() *fault.Fault {
	if b.first == nil {
		return nil
	}
	f := *b.first
	i := *b.FailedStep
	f.Message = fmt.Sprintf("step %d (%s): %s", i, b.Steps[i].Tool, f.Message)
	f.Recovery = "" // the step holds it
	if b.acted {
		f.Phase, f.Effect = fault.InEffect, fault.Partial
	}
	return &f
}

// Inline implements Inliner: each step's answer is bounded by itself.
func (b *BatchResult) Inline() {}

// Text implements Texter: a line for each step, what it answered, and where the
// batch stopped.
func (b *BatchResult) Text() string {
	var lines []string
	for i, s := range b.Steps {
		line := fmt.Sprintf("%d ok %s %d ms", i, s.Tool, s.DurationMS)
		if !s.OK {
			line = fmt.Sprintf("%d FAILED %s %d ms", i, s.Tool, s.DurationMS)
		}
		var page string
		switch {
		case len(s.Result) > 0 && s.page && json.Unmarshal(s.Result, &page) == nil && strings.Contains(page, "\n"):
			line += "\n" + strings.TrimRight(page, "\n") // a map, which is lines
		case len(s.Result) > 0:
			line += " " + string(s.Result)
		}
		lines = append(lines, line)
		if s.Error != nil {
			if b.FailedStep != nil && i == *b.FailedStep { // its error is the batch's own, which follows
				lines[len(lines)-1] += ": " + string(s.Error.Code)
			} else {
				lines = append(lines, "  error: "+oneLine(s.Error.Message), "  code: "+string(s.Error.Code))
			}
			if s.Error.Recovery != "" {
				lines = append(lines, "  recoverySnapshot:", s.Error.Recovery)
			}
		}
	}
	if b.Skipped > 0 {
		lines = append(lines, fmt.Sprintf("skipped: %d", b.Skipped))
	}
	return strings.Join(lines, "\n")
}
