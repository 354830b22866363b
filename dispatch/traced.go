package dispatch

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-json"

	"duet/artifacts"
	"duet/internal/drive"
	"duet/internal/fault"
	"duet/internal/secret"
	"duet/internal/trace"
)

// span is one call in a trace. A nil span is a call that is in none.
type span struct {
	t      *tracing
	id     int
	began  time.Time
	holds  bool           // t.feeding
	hidden bool           // from the caller that began the trace
	last   *trace.Picture // of a batch: what its last step left
	masked []string       // arguments that stand masked in it
}

// traced begins the call in the running trace, if one runs.
func (s *Session) traced(k *call) {
	t := s.tracing()
	if t == nil || k.view.Untraced {
		return
	}
	sp := &span{t: t, began: time.Now()}
	c := trace.Call{
		Tool: k.view.name(), Verb: k.verb(), Acts: k.acts, Target: artifacts.Head(s.safeFault(k.target), longestText), Caller: s.safe(k.request.Caller),
	}
	if k.batch != nil {
		c.Parent, c.Step = k.batch.id, k.index+1
	}
	tab := k.standing()
	if sp.hidden = t.hides(tab); !sp.hidden {
		c.Args, sp.masked = s.redacted(k)
		if k.batch != nil {
			k.batch.masked = append(k.batch.masked, sp.masked...)
		}
	}
	if tab != nil && !sp.hidden {
		c.Tab, c.URL = tab.Number(), Address(s.Redact(tab.URL()))
	}
	if live := s.peek(); live != nil {
		t.feed(live.Browser) // so that nothing is cleared unread
	}
	if entersText(k) {
		t.feeding.Lock()
		sp.holds = true
	}
	sp.id = t.rec.Call(c)
	k.span = sp
}

// standing is the active tab as far as it is known without asking: before the call
// has its own.
func (c *call) standing() *drive.Tab {
	if c.tab != nil {
		return c.tab
	}
	live := c.session.peek()
	if live == nil || live.Browser == nil {
		return nil
	}
	for _, info := range live.Browser.Tabs() {
		if info.Active {
			if tab, err := live.Browser.ByNumber(info.Tab); err == nil {
				return tab
			}
		}
	}
	return nil
}

// release lets the trace's messages go on. It can be called more than once.
func (sp *span) release() {
	if sp != nil && sp.holds {
		sp.holds = false
		sp.t.feeding.Unlock()
	}
}

// pictureBound is how long a picture may take before the command goes on without.
const pictureBound = 2 * time.Second

// pictured takes the picture before or after the call's command.
func (k *call) pictured(when string, f *fault.Fault) {
	sp := k.span
	switch {
	case sp == nil || !sp.t.rec.Screenshots() || !k.acts || k.view.Idle || k.view.steps || k.tab == nil && when == "before":
		return
	case k.fenced:
		sp.t.rec.NoShot(sp.id, when, "the next step follows at once")
		return
	case f != nil && (f.Effect == fault.None || f.Effect == ""):
		sp.t.rec.NoShot(sp.id, when, "the command did nothing")
		return
	case k.base.Err() != nil:
		sp.t.rec.NoShot(sp.id, when, "the call was cancelled")
		return
	}
	if when == "before" && k.batch != nil && k.batch.last != nil {
		sp.t.rec.Shot(sp.id, when, *k.batch.last)
		return
	}
	ctx, cancel := context.WithTimeoutCause(k.base, pictureBound, fault.New(fault.Timeout, "the browser drew nothing within %v", pictureBound))
	defer cancel()
	p, err := k.picture(ctx)
	if k.batch != nil {
		k.batch.last = p
	}
	if err != nil {
		sp.t.rec.NoShot(sp.id, when, k.session.safeFault(fault.From(err).Error()))
		return
	}
	sp.t.rec.Shot(sp.id, when, *p)
}

func (k *call) picture(ctx context.Context) (*trace.Picture, error) {
	tab := k.tabOf(ctx)
	if tab == nil {
		return nil, fault.New(fault.StateInvalid, "there is no tab")
	}
	if err := k.mayLook(tab); err != nil {
		return nil, err
	}
	if k.span.t.hides(tab) {
		return nil, fault.New(fault.URLBlocked, hiddenPage)
	}
	p, err := tab.Screenshot(ctx, drive.Shot{})
	if err != nil {
		return nil, err
	}
	return &trace.Picture{Type: "image/png", Data: p.PNG, Width: p.Width, Height: p.Height, At: time.Now(), Tab: tab.Number()}, nil
}

// end writes what became of a call: what its caller is told.
func (sp *span) end(k *call, r *Result) {
	if sp == nil {
		return
	}
	var told struct {
		Result      json.RawMessage `json:"result"`
		Error       *trace.Fault    `json:"error"`
		Observation string          `json:"observation"`
		Note        string          `json:"note"`
	}
	_ = json.Unmarshal(r.Structured, &told) // it is ours
	s := sp.t.session
	if told.Error != nil {
		told.Error.Detail = sp.answered(told.Error.Detail)
	}
	d := trace.Done{OK: !r.IsError, Result: sp.answered(told.Result), Error: told.Error, Negative: r.Negative, Observation: s.safeFault(told.Observation)}
	if told.Note != "" {
		d.Notes = strings.Split(told.Note, "\n")
	}
	sp.done(k, d)
}

// endStep writes what became of a step of a batch.
func (sp *span) endStep(k *call, out stepOutcome, a *answer) {
	if sp == nil {
		return
	}
	d := trace.Done{OK: out.OK, Result: sp.answered(out.Result), Negative: a.negative, Notes: a.notes}
	if d.OK && len(d.Result) == 0 {
		d.Result = json.RawMessage(`{"ok":true}`)
	}
	if out.Error != nil {
		if text, err := marshal(out.Error); err == nil {
			d.Error = &trace.Fault{}
			_ = json.Unmarshal(sp.answered(text), d.Error) // it is ours
		}
	}
	sp.done(k, d)
}

func (sp *span) done(k *call, d trace.Done) {
	sp.release()
	d.Call, d.Ms = sp.id, trace.Millis(time.Since(sp.began))
	tab := k.standing()
	if sp.hidden || sp.t.hides(tab) {
		d.Result, d.Observation, d.Notes = nil, "", []string{"what it answered is not for the caller that began the trace"}
		if d.Error != nil {
			d.Error = &trace.Fault{Code: d.Error.Code, Phase: d.Error.Phase, Effect: d.Error.Effect, Retryable: d.Error.Retryable}
		}
	} else if tab != nil {
		d.Tab, d.URL = tab.Number(), Address(sp.t.session.Redact(tab.URL()))
	}
	if live := k.session.peek(); live != nil {
		sp.t.feed(live.Browser)
	}
	sp.t.rec.Done(d)
	if k.quits {
		k.session.endTrace("quit")
	}
}

// secretMembers are the arguments that never stand in a trace: what is typed, sent
// and answered.
var secretMembers = map[string]bool{
	"value": true, "text": true, "files": true, "headers": true, "body": true, "json": true, "password": true, "passphrase": true,
	"username": true, "credentials": true, "auth": true,
}

// longestArgument is how much of one argument is kept.
const longestArgument = 2000

// answered is what a call answered as a trace shows it: what stands masked among its
// arguments is masked where the answer repeats it.
func (sp *span) answered(text json.RawMessage) json.RawMessage {
	if len(sp.masked) > 0 {
		text = mapValues(text, func(value string) string {
			if slices.Contains(sp.masked, value) {
				return mask
			}
			return value
		})
	}
	return mapStrings(text, sp.t.session.safeFault)
}

// redacted is the arguments of a call as a trace shows them, and the texts that are
// masked there.
func (s *Session) redacted(k *call) (args json.RawMessage, masked []string) {
	var members map[string]json.RawMessage
	if json.Unmarshal(k.request.Args, &members) != nil {
		return nil, nil
	}
	out := map[string]json.RawMessage{}
	for name, v := range members {
		switch {
		case k.view.steps && name == "steps":
			v = stepNames(v)
		case k.acts && secretMembers[name], k.acts && name == "key" && entersKey(v):
			mapValues(v, func(text string) string {
				if text != "" {
					masked = append(masked, text)
				}
				return text
			})
			v = quoted(mask)
		default:
			v = mapStrings(v, func(text string) string { return artifacts.Head(s.safeFault(headerName(text)), longestArgument) })
		}
		if len(v) > 4*longestArgument {
			v = quoted("(too long to be kept)")
		}
		out[name] = v
	}
	text, err := marshal(out)
	if err != nil {
		return nil, masked
	}
	return text, masked
}

// headerName is a header that every request is to carry without its value; what is
// none stays.
func headerName(text string) string {
	kind, header, set := strings.Cut(text, "=")
	if set && strings.TrimSpace(kind) == "header" && strings.Contains(header, ":") {
		name, _, _ := strings.Cut(header, ":")
		return "header=" + strings.TrimSpace(name) + ": " + mask
	}
	if name, _, ok := strings.Cut(text, ":"); ok && secret.Header(strings.TrimSpace(name)) {
		return strings.TrimSpace(name) + ": " + mask // header= was forgotten
	}
	return text
}

// mask stands for what is not told.
const mask = "•••"

// stepNames are the tools of a batch's steps: each step is a call of its own.
func stepNames(steps json.RawMessage) json.RawMessage {
	var all []BatchStep
	_ = json.Unmarshal(steps, &all) // they were decoded before
	names := make([]string, len(all))
	for i, step := range all {
		names[i] = step.Tool
	}
	text, _ := marshal(names)
	return text
}

// entersKey reports whether a key enters a character, alone or with Shift: one of many
// that may spell a password.
func entersKey(v json.RawMessage) bool {
	var key string
	return json.Unmarshal(v, &key) == nil && drive.EntersText(key)
}

// entersText reports whether a call gives the page something that may be a secret.
func entersText(k *call) bool {
	if !k.acts || k.view.steps {
		return false
	}
	for _, f := range k.view.fields {
		if f.Name == "value" || f.Name == "text" || f.Name == "key" {
			return true
		}
	}
	return false
}
