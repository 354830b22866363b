package drive

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// backstage is a tab that nobody sees, in which empty pages of any origin can be
// shown: what an origin keeps belongs to its documents. The pages are answered here
// and ask nobody, so no script of the origin runs. There is one at a time.
type backstage struct {
	b      *Browser
	root   bidi.Context
	caught bidi.Intercept
	heard  bidi.Subscription // "" where everything is heard anyway
	shown  bool              // a page was shown: the next one takes its place
	work   sync.WaitGroup    // answers to requests
	alive  context.Context   // they are waited for
	stop   context.CancelFunc

	mu     sync.Mutex // guards the rest
	over   bool       // no further request is answered
	mine   map[bidi.Context]bool
	pages  map[string]string // by address
	child  bidi.Context      // the frame of the page
	loads  int
	loaded chan struct{} // closed at the next load
}

// openBackstage opens the hidden tab: a popup of from with a copy of its session
// storage, or a tab without any where from is nil. It returns nil without a fault
// where from's page may open none. heard: the browser's events are subscribed to.
func (b *Browser) openBackstage(ctx context.Context, from *Tab, heard bool) (*backstage, error) {
	s := &backstage{b: b, mine: map[bidi.Context]bool{}, loaded: make(chan struct{})}
	s.alive, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	if from == nil {
		made, err := bidi.BrowsingContextCreate.Call(ctx, b.conn, bidi.BrowsingContextCreateParameters{Type: bidi.BrowsingContextCreateTypeTab, Background: true})
		if err != nil {
			return nil, b.stageFault(ctx, err)
		}
		s.root = made.Context
	} else {
		out, err := callBare(ctx, b, from.id, sandbox, pagejs.Clone, struct{}{}, "")
		if err != nil {
			return nil, b.stageFault(ctx, err)
		}
		root, ok := out.AsWindow()
		if !ok {
			return nil, nil
		}
		s.root = root
	}
	s.mine[s.root] = true
	b.stage.Store(s)
	b.conceal(s.root)
	if err := s.prepare(ctx, heard); err != nil {
		_ = s.close(ctx) // what came before matters
		return nil, err
	}
	return s, nil
}

func (b *Browser) stageFault(ctx context.Context, err error) *fault.Fault {
	if ctx.Err() != nil {
		return b.unanswered(ctx, "open a hidden tab", err)
	}
	return wireFault("open a hidden tab", err)
}

// conceal takes back what the events of a context's creation made of it.
func (b *Browser) conceal(root bidi.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.frames[root]
	if f == nil {
		return
	}
	for _, c := range b.orderLocked(root, nil) {
		delete(b.frames, c)
	}
	t := f.tab
	delete(b.byContext, root)
	b.tabs = without(b.tabs, t)
	if t.number == b.lastTab {
		b.lastTab--
	}
	if b.front == t {
		b.front = nil
	}
	b.wakeLocked()
}

func (s *backstage) prepare(ctx context.Context, heard bool) error {
	mine := []bidi.Context{s.root}
	if !heard {
		told, err := bidi.SessionSubscribe.Call(ctx, s.b.conn, bidi.SessionSubscribeParameters{
			Events: []string{bidi.NetworkBeforeRequestSent.Method, "browsingContext.contextCreated", "browsingContext.load"}, Contexts: mine,
		})
		if err != nil {
			return s.b.stageFault(ctx, err)
		}
		s.heard = told.Subscription
	}
	caught, err := bidi.NetworkAddIntercept.Call(ctx, s.b.conn, bidi.NetworkAddInterceptParameters{
		Phases: []bidi.NetworkInterceptPhase{bidi.NetworkInterceptPhaseBeforeRequestSent}, Contexts: mine,
	})
	if err != nil {
		return s.b.stageFault(ctx, err)
	}
	s.caught = caught.Intercept
	return nil
}

// stageBound is how long closing the hidden tab may take.
const stageBound = 3 * time.Second

// close ends the hidden tab, whatever became of ctx.
func (s *backstage) close(ctx context.Context) error {
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), stageBound)
	defer stop()
	closed := bidi.BrowsingContextClose.Send(s.b.conn, bidi.BrowsingContextCloseParameters{Context: s.root})
	s.free(ctx)
	_, err := closed.Wait(ctx)
	s.b.stage.CompareAndSwap(s, nil)
	if err != nil && bidi.CodeOf(err) != bidi.CodeNoSuchFrame {
		return wireFault("close the hidden tab", err)
	}
	return nil
}

// free ends what is caught and heard of the tab. It waits for answers under way, as
// long as ctx allows.
func (s *backstage) free(ctx context.Context) {
	var free, quiet *bidi.Pending[bidi.EmptyResult]
	if s.caught != "" {
		free = bidi.NetworkRemoveIntercept.Send(s.b.conn, bidi.NetworkRemoveInterceptParameters{Intercept: s.caught})
	}
	if s.heard != "" {
		quiet = bidi.SessionUnsubscribe.Send(s.b.conn, bidi.SessionUnsubscribeByIDRequest{Subscriptions: []bidi.Subscription{s.heard}})
	}
	for _, p := range []*bidi.Pending[bidi.EmptyResult]{free, quiet} {
		if p != nil {
			_, _ = p.Wait(ctx) // it may have ended with its tab
		}
	}
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	defer context.AfterFunc(ctx, s.stop)()
	s.work.Wait()
	s.stop()
}

// take is the sink of events meanwhile: it reports whether the event was of the
// hidden tab. It must neither block nor send.
func (s *backstage) take(ev bidi.Event) bool {
	var e struct {
		Context bidi.Context  `json:"context"`
		Parent  *bidi.Context `json:"parent"`
		Source  struct {
			Context bidi.Context `json:"context"`
		} `json:"source"`
		URL     string `json:"url"`
		Blocked bool   `json:"isBlocked"`
		Request struct {
			ID  bidi.RequestID `json:"request"`
			URL string         `json:"url"`
		} `json:"request"`
	}
	if json.Unmarshal(ev.Params, &e) != nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.Context == "" {
		e.Context = e.Source.Context
	}
	if !s.mine[e.Context] && (e.Parent == nil || !s.mine[*e.Parent]) {
		return false
	}
	s.mine[e.Context] = true
	switch ev.Method {
	case bidi.NetworkBeforeRequestSent.Method:
		if e.Blocked {
			s.answerLocked(e.Request.ID, e.Request.URL)
		}
	case "browsingContext.contextCreated":
		s.child = e.Context
	case "browsingContext.load":
		if e.Context == s.root {
			s.loads++
			close(s.loaded)
			s.loaded = make(chan struct{})
		}
	}
	return true
}

// answerLocked answers a request with the page of its address, an empty one as a rule.
func (s *backstage) answerLocked(id bidi.RequestID, address string) {
	if s.over {
		return
	}
	page, ok := s.pages[address]
	if !ok {
		page = pagejs.EmptyPage("")
	}
	s.work.Go(func() {
		body := bidi.NetworkText(page)
		// One that is gone meanwhile needs no answer.
		_, _ = bidi.NetworkProvideResponse.Send(s.b.conn, bidi.NetworkProvideResponseParameters{
			Request: id, StatusCode: 200, ReasonPhrase: "OK",
			Headers: []bidi.NetworkHeader{{Name: "Content-Type", Value: bidi.NetworkText("text/html")}},
			Body:    &body,
		}).Wait(s.alive)
	})
}

// visit shows an empty page of a place and returns the context of its document.
func (s *backstage) visit(ctx context.Context, p spot) (bidi.Context, error) {
	address := p.origin + "/"
	s.mu.Lock()
	s.pages, s.child = nil, ""
	if p.top != "" {
		s.pages = map[string]string{p.top + "/": pagejs.EmptyPage(address)}
		address = p.top + "/"
	}
	loads := s.loads
	s.mu.Unlock()
	if err := s.show(ctx, address, loads); err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.top != "" {
		if s.child == "" {
			return "", fault.New(fault.StateInvalid, "no frame of %s can be shown in a page of %s", p.origin, p.top)
		}
		return s.child, nil
	}
	return s.root, nil
}

func (s *backstage) show(ctx context.Context, address string, loads int) error {
	if !s.shown {
		s.shown = true
		_, err := bidi.BrowsingContextNavigate.Call(ctx, s.b.conn, bidi.BrowsingContextNavigateParameters{
			Context: s.root, URL: address, Wait: bidi.BrowsingContextReadinessStateComplete,
		})
		if err != nil {
			return s.failed(ctx, address, err)
		}
		return nil
	}
	if _, err := callBare(ctx, s.b, s.root, sandbox, pagejs.Replace, pagejs.ReplaceArgs{URL: address}, ""); err != nil {
		return s.failed(ctx, address, err)
	}
	for {
		s.mu.Lock()
		done, next := s.loads > loads, s.loaded
		s.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-next:
		case <-s.b.conn.Done():
			return afterEffect(s.b.LostErr())
		case <-ctx.Done():
			return s.failed(ctx, address, context.Cause(ctx))
		}
	}
}

func (s *backstage) failed(ctx context.Context, address string, err error) *fault.Fault {
	doing := "show an empty page of " + strings.TrimSuffix(address, "/")
	if ctx.Err() != nil {
		return s.b.unanswered(ctx, doing, err)
	}
	return wireFault(doing, err)
}

// callBare calls a page function without the library. It is repeated for a moment
// where it met the time between two documents.
func callBare[A any](ctx context.Context, b *Browser, where bidi.Context, realm string, fn pagejs.Bare[A], args A, secret string) (bidi.ScriptRemoteValue, error) {
	var none bidi.ScriptRemoteValue
	until := time.Now().Add(exchangeBound)
	for {
		arguments := []bidi.ScriptLocalValue{bidi.StringValue(fn.Args(args))}
		if secret != "" {
			arguments = append(arguments, bidi.ObjectValue(bidi.Pair{Name: "secret", Value: bidi.StringValue(secret)}))
		}
		out, err := bidi.ScriptCallFunction.Call(ctx, b.conn, bidi.ScriptCallFunctionParameters{
			FunctionDeclaration: fn.Source(), AwaitPromise: true,
			Target: bidi.ScriptContextTarget{Context: where, Sandbox: realm}, Arguments: arguments,
		})
		switch {
		case err != nil && transient(err) && time.Now().Before(until) && pause(ctx, 10*time.Millisecond):
			continue
		case err != nil:
			return none, err
		case out.ExceptionDetails != nil:
			// What it threw may hold what the origin keeps.
			return none, fault.New(fault.Internal, "page function @%s threw", fn.Name)
		}
		return out.Result, nil
	}
}
