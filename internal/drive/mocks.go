package drive

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"time"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/urlmatch"
)

// MockAction is what happens to a request that a mock takes.
type MockAction string

// The actions.
const (
	MockReply    MockAction = "reply"    // an answer in the server's stead
	MockBlock    MockAction = "block"    // a network failure
	MockContinue MockAction = "continue" // to the server, with other headers
	MockRedirect MockAction = "redirect" // an answer that leads elsewhere
	MockAuth     MockAction = "auth"     // credentials, where the server asks for them
)

// ParsePattern reads a pattern of URLs: a glob, or a URLPattern behind urlpattern=. Its
// error says what is wrong, for a sentence that names the pattern.
func ParsePattern(text string) (*urlmatch.Pattern, error) { return urlmatch.Compile(text) }

// MaxMocks is how many mocks a browser has at most.
const MaxMocks = 20

// MockRule says which requests a mock takes, and what happens to them.
type MockRule struct {
	Action  MockAction
	Pattern *urlmatch.Pattern
	Method  string // in capitals; "" is any
	Times   int    // how many requests it takes; 0 is all
	Delay   time.Duration

	Status   int // of a reply or redirect
	Headers  []MockHeader
	Type     string // Content-Type of a reply where no header gives one; "" is one that fits
	Body     string
	File     func() ([]byte, error) // the body instead, read for each request; nil for none
	FileName string                 // for Type
	Location string                 // of a redirect, relative to the request's address or not
	CORS     bool                   // pages of other origins may read it, and their preflights are answered

	Username, Password string

	id string // of its mock
}

// MockHeader is a header to set, or with Remove one to leave out.
type MockHeader struct {
	Name, Value string
	Remove      bool
}

// Mock is a rule with what became of it.
type Mock struct {
	ID   string
	Rule MockRule
	Hits int // requests that it took
	// Problem is why its last answer could not be given as it says; "" where it was.
	Problem string
}

// Spent reports whether it takes no further request.
func (m Mock) Spent() bool { return m.Rule.Times > 0 && m.Hits >= m.Rule.Times }

// mocker decides about the requests that the browser holds. The sink hands them
// over, one goroutine sends what becomes of them. An intercept is held only while a
// rule needs it, but for the one that some browsers need always (Quirks.AuthHangs).
type mocker struct {
	b    *Browser
	wake chan struct{} // holds a token when held is not empty
	// files holds a token for each answer from a file that is under way.
	files chan struct{}

	mu         sync.Mutex // guards the rest
	rules      []*Mock    // the one that was added last comes first
	lastID     int
	held       []heldRequest
	answered   map[bidi.RequestID]bool // challenges that were answered
	paused     map[bidi.RequestID]pausedEvent
	told       bidi.Subscription // to paused
	intercepts map[bidi.NetworkInterceptPhase]bidi.Intercept
	fresh      bool // the cache is passed by
	watched    bool // the driver is looked after
	asking     bool // it is being asked whether it lives
}

func newMocker(b *Browser) *mocker {
	return &mocker{
		files: make(chan struct{}, filesAtOnce),
		b:     b, wake: make(chan struct{}, 1), answered: map[bidi.RequestID]bool{}, paused: map[bidi.RequestID]pausedEvent{},
		intercepts: map[bidi.NetworkInterceptPhase]bidi.Intercept{},
	}
}

// filesAtOnce is how many answers from files are under way together.
const filesAtOnce = 2

// AddMock adds a mock in front of the others: of several that match, the one added
// last takes the request. It holds for all tabs and across navigations, until it is
// removed or the browser ends. Requests that are under way already are not touched.
// The verbs of mocks are meant to be called one after another.
func (b *Browser) AddMock(ctx context.Context, r MockRule) (Mock, error) {
	m := b.mocks
	m.mu.Lock()
	n := len(m.rules)
	m.mu.Unlock()
	if n >= MaxMocks {
		return Mock{}, fault.New(fault.StateInvalid, "there are %d mocks already", n).WithHint("remove one (%s), or all (%s)", fault.Call("browser_mock", "action", "remove", "pattern", "ID"), fault.Call("browser_mock", "action", "clear"))
	}
	if r.Password != "" {
		b.Remember(r.Password)
	}
	for _, h := range r.Headers {
		b.rememberHeader(h.Name, h.Value)
	}
	if err := m.intercept(ctx, mockPhase(r.Action)); err != nil {
		return Mock{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lastID++
	rule := &Mock{ID: "m" + strconv.Itoa(m.lastID), Rule: r}
	m.rules = append([]*Mock{rule}, m.rules...)
	return *rule, nil
}

// Mocks returns the mocks in the order in which they are tried.
func (b *Browser) Mocks() []Mock {
	m := b.mocks
	m.mu.Lock()
	defer m.mu.Unlock()
	all := make([]Mock, len(m.rules))
	for i, r := range m.rules {
		all[i] = *r
		all[i].Rule.Password = ""
	}
	return all
}

// RemoveMocks removes the mock with this id, or those with this pattern, and returns
// how many it were. What they took and still delay goes on as they say.
func (b *Browser) RemoveMocks(ctx context.Context, which string) (int, error) {
	m := b.mocks
	m.mu.Lock()
	var kept []*Mock
	for _, r := range m.rules {
		if r.ID != which && r.Rule.Pattern.String() != which {
			kept = append(kept, r)
		}
	}
	m.mu.Unlock()
	return m.release(ctx, kept)
}

// ClearMocks removes all mocks and returns how many there were.
func (b *Browser) ClearMocks(ctx context.Context) (int, error) {
	return b.mocks.release(ctx, nil)
}

func mockPhase(a MockAction) bidi.NetworkInterceptPhase {
	if a == MockAuth {
		return bidi.NetworkInterceptPhaseAuthRequired
	}
	return bidi.NetworkInterceptPhaseBeforeRequestSent
}

// phases are those that mocks hold requests in.
var phases = []bidi.NetworkInterceptPhase{bidi.NetworkInterceptPhaseBeforeRequestSent, bidi.NetworkInterceptPhaseAuthRequired}

// intercept makes the browser hold requests of a phase, where it does not yet. What
// a cache answers is never held, so the cache is passed by as long.
func (m *mocker) intercept(ctx context.Context, phase bidi.NetworkInterceptPhase) error {
	m.mu.Lock()
	_, holds := m.intercepts[phase]
	fresh := m.fresh
	m.mu.Unlock()
	m.watch()
	request := phase == bidi.NetworkInterceptPhaseBeforeRequestSent
	if holds || !request && m.b.quirks.AuthHangs { // one is held always
		return nil
	}
	if request && !fresh {
		if _, err := bidi.NetworkSetCacheBehavior.Call(ctx, m.b.conn, bidi.NetworkSetCacheBehaviorParameters{CacheBehavior: "bypass"}); err != nil {
			return m.setupFault(ctx, err)
		}
		m.mu.Lock()
		m.fresh = true
		m.mu.Unlock()
	}
	if err := m.listen(ctx, request); err != nil {
		return m.setupFault(ctx, err)
	}
	made, err := bidi.NetworkAddIntercept.Call(ctx, m.b.conn, bidi.NetworkAddInterceptParameters{Phases: []bidi.NetworkInterceptPhase{phase}})
	if err != nil {
		return m.setupFault(ctx, err)
	}
	m.mu.Lock()
	m.intercepts[phase] = made.Intercept
	m.mu.Unlock()
	return nil
}

// release removes all rules but those that are kept, with what no rule needs any
// more: the intercepts, the way past the cache, what is listened to. A rule goes once
// the browser has confirmed that it no longer holds requests for it. What is not
// confirmed is let go of next time. It returns how many rules went.
func (m *mocker) release(ctx context.Context, kept []*Mock) (int, error) {
	m.mu.Lock()
	needed := map[bidi.NetworkInterceptPhase]bool{}
	for _, r := range kept {
		needed[mockPhase(r.Rule.Action)] = true
	}
	var gone []bidi.NetworkInterceptPhase
	ids := map[bidi.NetworkInterceptPhase]bidi.Intercept{}
	for _, phase := range phases {
		if id, held := m.intercepts[phase]; held && !needed[phase] {
			gone, ids[phase] = append(gone, phase), id
		}
	}
	cached := m.fresh && !needed[bidi.NetworkInterceptPhaseBeforeRequestSent]
	told := m.told
	before := len(m.rules)
	m.mu.Unlock()
	for i, phase := range gone {
		_, err := bidi.NetworkRemoveIntercept.Call(ctx, m.b.conn, bidi.NetworkRemoveInterceptParameters{Intercept: ids[phase]})
		if err != nil && bidi.CodeOf(err) != bidi.CodeNoSuchIntercept { // gone by an earlier try
			f := m.b.unanswered(ctx, "remove mocks", err)
			if i > 0 {
				f = f.At(fault.InEffect, fault.Partial)
			}
			return before - m.left(), f
		}
		m.mu.Lock()
		delete(m.intercepts, phase)
		m.rules = slices.DeleteFunc(slices.Clone(m.rules), func(r *Mock) bool {
			return mockPhase(r.Rule.Action) == phase
		})
		m.mu.Unlock()
	}
	m.mu.Lock()
	m.rules = kept
	m.mu.Unlock()
	n := before - len(kept)
	if !cached {
		return n, nil
	}
	if _, err := bidi.NetworkSetCacheBehavior.Call(ctx, m.b.conn, bidi.NetworkSetCacheBehaviorParameters{CacheBehavior: "default"}); err != nil {
		return n, m.released(ctx, n, "the browser still passes its cache by", err)
	}
	m.mu.Lock()
	m.fresh, m.told = false, ""
	m.mu.Unlock()
	if told == "" {
		return n, nil
	}
	if _, err := bidi.SessionUnsubscribe.Call(ctx, m.b.conn, bidi.SessionUnsubscribeByIDRequest{Subscriptions: []bidi.Subscription{told}}); err != nil {
		return n, m.released(ctx, n, "the browser still tells of requests", err)
	}
	return n, nil
}

// left is how many rules there are.
func (m *mocker) left() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.rules)
}

// released is the fault of rules that are removed, with something left behind.
func (m *mocker) released(ctx context.Context, removed int, left string, err error) error {
	f := m.b.unanswered(ctx, "remove mocks", err)
	if removed == 0 {
		return f
	}
	f = f.At(fault.InEffect, fault.Partial)
	f.Message = fmt.Sprintf("%s (the mocks are removed: %d; %s)", f.Message, removed, left)
	return f.WithHint("clear the mocks once more")
}

// listen has the browser tell what detour needs, where it may be needed.
func (m *mocker) listen(ctx context.Context, request bool) error {
	m.mu.Lock()
	told := m.told
	m.mu.Unlock()
	if !request || told != "" || !m.b.quirks.WorkerRequestsStray {
		return nil
	}
	made, err := bidi.SessionSubscribe.Call(ctx, m.b.conn, bidi.SessionSubscribeParameters{Events: []string{paused}})
	m.mu.Lock()
	defer m.mu.Unlock()
	m.told = made.Subscription
	return err
}

// setupFault is the fault of a command that sets mocks up: no page noticed any of it.
func (m *mocker) setupFault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return m.b.verdict(ctx, "mocks", fault.Precondition, fault.None)
	}
	return wireFault("mocks", err).At(fault.Precondition, fault.None)
}

// choose returns the rule that takes a request, counted, or nil.
func (m *mocker) choose(h heldRequest) *MockRule {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.rules {
		if r.Spent() || !h.fits(&r.Rule) {
			continue
		}
		if h.phase == bidi.NetworkInterceptPhaseAuthRequired {
			if m.answered[h.id] {
				return nil // the credentials were wrong: the server's no is the answer
			}
			if len(m.answered) > maxAnswered {
				clear(m.answered)
			}
			m.answered[h.id] = true
		}
		rule := r.Rule
		if !h.preflight() {
			r.Hits++
			r.Problem = ""
		}
		rule.id = r.ID
		return &rule
	}
	return nil
}

// maxAnswered bounds the challenges that are remembered.
const maxAnswered = 1000

// problem notes why a rule's answer could not be given.
func (m *mocker) problem(id, why string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.rules {
		if r.ID == id {
			r.Problem = why
		}
	}
}
