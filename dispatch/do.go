package dispatch

import (
	"context"
	"reflect"
	"strings"
	"time"

	"duet/internal/drive"
	"duet/internal/fault"
)

// Do runs one call under a registry and always answers: the one path from a
// request to a result. ctx cancels the call; the call's own deadline is its
// timeout_ms or the session's default, and begins when the browser is there. What
// the call came to is looked at also where the bound of the whole call has passed.
func (s *Session) Do(ctx context.Context, r *Registry, q Request) *Result {
	v, args, wrong := r.decode(q.Tool, q.Args)
	if wrong != nil {
		wrong.Message = fault.Say(wrong.Message, r.words(q, false))
		return &Result{ArgError: wrong}
	}
	s.remember(q.Secrets)
	within, cancel := q.bound(ctx)
	defer cancel()
	if err := s.take(within); err != nil {
		return s.printer(r, q).print(&answer{fault: fault.From(err)})
	}
	k := s.newCall(ctx, r, v, args, q)
	k.holds, k.within = true, within
	defer k.release()
	return s.guarded(within, k, args)
}

// guarded performs and prints a call. A panic anywhere on the way is a defect
// that costs this call alone.
func (s *Session) guarded(ctx context.Context, k *call, args any) (result *Result) {
	defer func() {
		if p := recover(); p != nil {
			result = k.printer().print(&answer{fault: s.defect(k, p)})
		}
		k.span.end(k, result)
	}()
	return k.printer().print(s.perform(ctx, k, args))
}

func (s *Session) newCall(ctx context.Context, r *Registry, v *view, args any, q Request) *call {
	return &call{
		session: s, registry: r, view: v, acts: v.actsFor(args), request: q,
		started: time.Now(), timeout: max(timeoutOf(args, s.o.Limits.Timeout), v.Bound), base: ctx, within: ctx, target: stringOf(args, "Selector", "Scope"), action: stringOf(args, "Action"),
		words: r.words(q, q.nested),
	}
}

func (c *call) printer() printer { return printer{c.session, c.words, c.request.Whole} }

// perform runs a call in the slot: browser, deadline, handler, observation.
func (s *Session) perform(ctx context.Context, k *call, args any) *answer {
	s.traced(k)
	ctx = drive.WithJudge(ctx, k.request.Judge)
	if err := s.attach(ctx, k); err != nil {
		return &answer{fault: fault.From(err), notes: k.notes}
	}
	if err := k.admitted(); err != nil {
		return k.answer(nil, err)
	}
	k.pictured("before", nil)
	looks := k.looks()
	k.begin(looks || k.carry)
	value, err := s.runWithin(ctx, k, args)
	a := k.answer(value, err)
	if k.observe != nil {
		looks = *k.observe
	}
	if b, ok := value.(*BatchResult); ok && b != nil {
		a.fault, a.value = b.fault(), value
	}
	s.finish(k, a, looks)
	k.pictured("after", a.fault)
	return a
}

// attach gives the call its browser and tab.
func (s *Session) attach(ctx context.Context, k *call) error {
	if k.idle() {
		k.live = s.peek()
	} else {
		live, told, err := s.browser(ctx, k.view.Fresh, func(message string) { k.Progress(0, 0, message) })
		if err != nil {
			return err
		}
		k.live, k.anew = live, s.firstUse(live)
		if told != "" {
			k.notes = append(k.notes, told)
		}
		if note := s.firstNote(live); note != "" {
			k.notes = append(k.notes, note)
		}
	}
	if k.live == nil || k.live.Browser == nil {
		return nil
	}
	// Where none is open the browser makes one, which it may not answer.
	ctx, cancel := context.WithTimeoutCause(ctx, max(k.timeout+grace, shortestDeadline), k.overdue())
	defer cancel()
	tab, err := k.live.Browser.Tab(ctx)
	if err != nil && !k.idle() {
		return err
	}
	k.tab = tab
	if k.anew && tab != nil && (!k.acts || k.target != "") && !k.view.Fresh && tab.URL() == "about:blank" {
		k.notes = append(k.notes, "no browser ran: a new one was started, and no page is open in it")
	}
	return nil
}

// admitted refuses a page that the caller may not look at, which another caller
// of the session, or a link, has opened. Commands that lead away from it are not
// refused; a batch is judged step by step.
func (c *call) admitted() error {
	if c.tab == nil || !c.view.Judged(c.action) {
		return nil
	}
	return c.mayLook(c.tab)
}

// Hidden reports whether the caller may not look at the page of an address.
func (c *call) Hidden(address string) bool {
	may := c.request.looking()
	return may != nil && may(address) != nil
}

func (c *call) mayLook(tab *drive.Tab) error {
	may := c.request.looking()
	if may == nil {
		return nil
	}
	err := may(tab.URL())
	for _, frame := range tab.FrameURLs() {
		// What a page may embed the browser decides, files beside a file apart.
		if err == nil && strings.HasPrefix(frame, "file:") {
			err = may(frame)
		}
	}
	if err == nil {
		return nil
	}
	f := fault.From(err)
	return fault.New(f.Code, "the page that is shown is not for this caller: %s", f.Message).
		WithHint("go to an address that may be opened, or select another tab: %s", fault.Call("browser_page", "action", "select", "target", "TAB"))
}

// begin tells the tab whether its next reading will be shown.
func (c *call) begin(looks bool) {
	if c.tab == nil {
		return
	}
	c.mark, c.marked = c.tab.Mark(), true
	c.tab.Observe(looks)
}

// A call's timeout bounds what it waits for. Its deadline comes a little later,
// so that what was then done can settle, and is never too short for one look.
const (
	grace            = 300 * time.Millisecond
	shortestDeadline = 600 * time.Millisecond
)

// runWithin runs the handler under its deadline. After a panic in it the page is
// still looked at.
func (s *Session) runWithin(ctx context.Context, k *call, args any) (value any, err error) {
	if !k.view.steps {
		var cancel context.CancelFunc
		bound := max(k.timeout+grace, shortestDeadline)
		ctx, cancel = context.WithTimeoutCause(ctx, bound, k.overdue())
		defer cancel()
		k.due = time.Now().Add(k.timeout)
	}
	defer func() {
		if p := recover(); p != nil {
			value, err = nil, s.defect(k, p)
		}
	}()
	if err := s.issued(k.target); err != nil {
		return nil, err
	}
	return k.view.run(ctx, k, args)
}

// issued refuses a bare ref that the session never printed: it is a guess, or
// the name of an element that was meant as CSS.
func (s *Session) issued(target string) error {
	ref, bare := drive.RefOf(target)
	if !bare || s.ledger.Issued(ref) {
		return nil
	}
	return fault.New(fault.BareRef, "%s is no ref of this session", ref).
		WithHint("%s shows the refs; css=%s is the element of that name", fault.Call("browser_snapshot"), ref)
}

// shortName is the command's name as messages begin with it.
func (c *Command) shortName() string {
	if c.Verb != "" {
		return c.Verb
	}
	return c.Tool
}

// answer turns what a handler returned into an answer.
func (c *call) answer(value any, err error) *answer {
	a := &answer{notes: c.notes}
	if err != nil {
		a.fault = c.named(c.faultOf(err))
		return a
	}
	a.value = value
	a.negative = c.view.negative != nil && c.view.negative(value)
	return a
}

// verb is what the call is called in messages: the verb that was typed, or that
// presets its action, where there is one.
func (c *call) verb() string {
	if typed := c.request.Shell.Verb; typed != "" && !c.request.nested {
		return typed
	}
	for _, v := range c.view.Spec.Verbs {
		if v.Preset["action"] != "" && v.Preset["action"] == c.action {
			return v.Name
		}
	}
	return c.view.shortName()
}

// timeoutOf is the timeout_ms of the arguments, or the default.
func timeoutOf(args any, def time.Duration) time.Duration {
	v := reflect.ValueOf(args).Elem().FieldByName("TimeoutMS")
	if v.IsValid() && v.Kind() == reflect.Pointer && !v.IsNil() {
		return time.Duration(v.Elem().Int()) * time.Millisecond
	}
	return def
}

// stringOf is the first argument of these Go names, "" where there is none.
func stringOf(args any, names ...string) string {
	for _, name := range names {
		if v := reflect.ValueOf(args).Elem().FieldByName(name); v.IsValid() && v.Kind() == reflect.String {
			return v.String()
		}
	}
	return ""
}

// wire connects a new browser with what the session keeps: refs, and what must
// never be printed.
func (s *Session) wire(live *Live) {
	b := live.Browser
	if b == nil {
		return
	}
	b.SetRefs(s.ledger)
	b.ShareSecrets(&s.secrets)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.before != nil {
		b.ContinueLog(s.before.Log(drive.LogFilter{Limit: 1}).Cursor)
		b.ContinueRequests(s.before.Requests(drive.RequestFilter{Limit: 1}).Cursor)
	}
	s.before = b
	s.seen.leave(live)
	s.retired = nil
}

// remember takes the secrets that a call brings, before anything is done with them.
func (s *Session) remember(values []string) {
	if len(values) == 0 {
		return
	}
	for _, v := range values {
		s.secrets.Remember(v)
	}
	if live := s.peek(); live != nil && live.Browser != nil {
		for _, v := range values {
			live.Browser.Remember(v) // its protocol log too
		}
	}
}

// peek returns the browser if it runs, and changes nothing.
func (s *Session) peek() *Live {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.live != nil {
		select {
		case <-s.live.Done:
		default:
			return s.live
		}
	}
	return nil
}

// firstUse reports, once, that a call is the first of a browser.
func (s *Session) firstUse(live *Live) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	first := s.used != live
	s.used = live
	return first
}

// firstNote is what the browser's start had to say, once.
func (s *Session) firstNote(live *Live) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.noted == live {
		return ""
	}
	s.noted = live
	return live.Info.Note
}

// tabOf returns the tab that is active now, or the call's own where that cannot
// be told.
func (c *call) tabOf(ctx context.Context) *drive.Tab {
	if c.live == nil || c.live.Browser == nil {
		return nil
	}
	tab, err := c.live.Browser.Tab(ctx)
	if err != nil {
		return nil
	}
	return tab
}
