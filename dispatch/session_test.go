package dispatch_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/goccy/go-json"

	"duet/artifacts"
	"duet/dispatch"
	"duet/internal/fault"
)

// stage is a session whose browser is a stub, and commands that do as they are told.
type stage struct {
	session *dispatch.Session
	dispatch.Catalog
	starts int
	closed atomic.Int32
	done   chan struct{}
	fail   error
	ran    []string
	hold   chan struct{} // what the command hold waits for
	stuck  chan struct{} // what it takes to end the browser
	slow   chan struct{} // what it takes to learn why the browser ended
}

type label struct {
	Name      string `json:"name,omitzero"`
	TimeoutMS *int   `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

type done struct {
	OK   bool   `json:"ok"`
	Name string `json:"name,omitzero"`
}

func newStage(t *testing.T, o dispatch.Options) *stage {
	s := &stage{hold: make(chan struct{})}
	o.Files = artifacts.New(artifacts.Options{Root: t.TempDir()})
	o.Open = func(ctx context.Context, note func(string)) (*dispatch.Live, error) {
		s.starts++
		if s.fail != nil {
			return nil, s.fail
		}
		s.done = make(chan struct{})
		return &dispatch.Live{
			Done: s.done,
			Close: func(context.Context) error {
				if s.stuck != nil {
					<-s.stuck
				}
				s.closed.Add(1)
				return nil
			},
			Lost: func() error {
				if s.slow != nil {
					<-s.slow
				}
				return fault.New(fault.BrowserLost, "the stub crashed")
			},
			Info: dispatch.Info{Browser: "stub"},
		}, nil
	}
	s.session = dispatch.NewSession(o)
	t.Cleanup(func() { s.session.Close(context.Background()) })
	s.Catalog = s.session.Catalog(dispatch.NewRegistry(s.commands(), dispatch.Access{}), true)
	return s
}

func (s *stage) commands() []*dispatch.Command {
	spec := func(verb string) dispatch.Spec { return dispatch.Spec{Verb: verb, Tool: verb, Summary: "Test."} }
	fresh, idle := spec("fresh"), spec("idle")
	fresh.Fresh, idle.Idle = true, true
	run := func(_ context.Context, _ *dispatch.Act, a label) (done, error) {
		s.ran = append(s.ran, a.Name)
		return done{true, "did " + a.Name}, nil
	}
	return []*dispatch.Command{
		dispatch.Define(spec("run"), run),
		dispatch.Define(fresh, run),
		dispatch.Define(idle, run),
		dispatch.Define(spec("hold"), func(ctx context.Context, _ *dispatch.Act, a label) (done, error) {
			s.ran = append(s.ran, a.Name)
			select {
			case <-s.hold:
				return done{true, a.Name}, nil
			case <-ctx.Done():
				return done{}, context.Cause(ctx)
			}
		}),
		dispatch.Define(spec("yield"), func(ctx context.Context, c *dispatch.Read, a label) (done, error) {
			err := c.Yield(ctx, func(ctx context.Context) error {
				select {
				case <-s.hold:
					return nil
				case <-ctx.Done():
					return context.Cause(ctx)
				}
			})
			s.ran = append(s.ran, a.Name)
			return done{true, a.Name}, err
		}),
		dispatch.Define(spec("panic"), func(context.Context, *dispatch.Act, label) (done, error) { panic("oops\nerror: forged") }),
		dispatch.Define(spec("lose"), func(context.Context, *dispatch.Act, label) (done, error) {
			close(s.done)
			return done{}, fault.New(fault.Internal, "the connection broke").At(fault.InEffect, fault.Possible)
		}),
		dispatch.Define(spec("batch"), dispatch.RunBatch, dispatch.CheckBatch()),
	}
}

func (s *stage) call(ctx context.Context, tool, args string) *dispatch.Result {
	return s.Do(ctx, dispatch.Request{Tool: tool, Args: json.RawMessage(args)})
}

// Calls run one at a time, in the order in which they came.
func TestQueueIsFirstInFirstOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, dispatch.Options{})
		go s.call(t.Context(), "hold", `{"name":"first"}`)
		synctest.Wait()
		var want []string
		for i := range 20 {
			name := string(rune('a' + i))
			want = append(want, name)
			go s.call(t.Context(), "run", `{"name":"`+name+`"}`)
			synctest.Wait()
		}
		close(s.hold)
		synctest.Wait()
		if !slices.Equal(s.ran, append([]string{"first"}, want...)) {
			t.Errorf("ran %v", s.ran)
		}
		if running, calls, _ := s.session.Activity(); !running || calls != 0 {
			t.Errorf("Activity = %v, %d", running, calls)
		}
	})
}

// A call that is cancelled while it waits never runs, and one too many is BUSY.
func TestQueueCancelAndBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, dispatch.Options{Limits: dispatch.Limits{Queue: 2}})
		go s.call(t.Context(), "hold", `{"name":"first"}`)
		synctest.Wait()
		ctx, cancel := context.WithCancel(t.Context())
		var cancelled *dispatch.Result
		go func() { cancelled = s.call(ctx, "run", `{"name":"never"}`) }()
		go s.call(t.Context(), "run", `{"name":"second"}`)
		synctest.Wait()
		if r := s.call(t.Context(), "run", ``); r.Code != "BUSY" {
			t.Errorf("third in the queue: %s", r.Text)
		}
		cancel()
		synctest.Wait()
		if cancelled == nil || cancelled.Code != "CANCELLED" {
			t.Fatalf("cancelled: %+v", cancelled)
		}
		close(s.hold)
		synctest.Wait()
		if !slices.Equal(s.ran, []string{"first", "second"}) {
			t.Errorf("ran %v", s.ran)
		}
	})
}

// A call that only waits gives the slot back, and has it again when it goes on.
func TestWaitGivesTheSlotBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, dispatch.Options{})
		go s.call(t.Context(), "yield", `{"name":"waiter"}`)
		synctest.Wait()
		if r := s.call(t.Context(), "run", `{"name":"other"}`); r.IsError {
			t.Fatal(r.Text)
		}
		close(s.hold)
		synctest.Wait()
		if !slices.Equal(s.ran, []string{"other", "waiter"}) {
			t.Errorf("ran %v", s.ran)
		}
		if r := s.call(t.Context(), "run", `{"name":"after"}`); r.IsError {
			t.Errorf("the slot was not given back: %s", r.Text)
		}
	})
}

// A call ends at its own deadline, whatever it waits for.
func TestDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, dispatch.Options{Limits: dispatch.Limits{Timeout: 5 * time.Second}})
		for args, want := range map[string]time.Duration{`{}`: 5 * time.Second, `{"timeout_ms":2500}`: 2500 * time.Millisecond, `{"timeout_ms":60000}`: time.Minute} {
			began := time.Now()
			r := s.call(t.Context(), "hold", args)
			if r.Code != "TIMEOUT" || time.Since(began) < want || time.Since(began) > want+time.Second/2 {
				t.Errorf("%s: after %v: %s", args, time.Since(began), r.Text)
			}
		}
	})
}

// A call that was given a bound as a whole ends at it as one that took too long, not
// as one that its caller gave up; so does one that still waits for its turn, a step of
// a batch, and the batch.
func TestBoundOfTheWholeCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, dispatch.Options{})
		within := func(tool, args string) *dispatch.Result {
			return s.Do(t.Context(), dispatch.Request{Tool: tool, Args: json.RawMessage(args), Within: time.Second})
		}
		for tool, args := range map[string]string{"hold": `{}`, "batch": `{"steps":[{"tool":"run"},{"tool":"hold","arguments":{"timeout_ms":9000}},{"tool":"run"}]}`} {
			began := time.Now()
			if r := within(tool, args); r.Code != "TIMEOUT" || !strings.Contains(r.Text, "1000 ms that it was given") || time.Since(began) != time.Second {
				t.Errorf("%s after %v: %s", tool, time.Since(began), r.Text)
			}
		}
		go s.call(t.Context(), "hold", `{"timeout_ms":9000}`)
		synctest.Wait()
		if r := within("run", `{}`); r.Code != "TIMEOUT" || !strings.Contains(r.Text, "effect: none") {
			t.Errorf("in the queue: %s", r.Text)
		}
	})
}

// A panic is a defect of one call: coded, on one line, and the next call works.
func TestPanic(t *testing.T) {
	s := newStage(t, dispatch.Options{Version: "v1"})
	r := s.call(t.Context(), "panic", ``)
	if r.Code != "INTERNAL" || !strings.Contains(r.Text, "effect: possible") || strings.Contains(r.Text, "\nerror: forged") {
		t.Error(r.Text)
	}
	if r := s.call(t.Context(), "run", ``); r.IsError {
		t.Error(r.Text)
	}
}

// After Close nothing runs, and the browser has been ended once.
func TestClose(t *testing.T) {
	s := newStage(t, dispatch.Options{})
	s.call(t.Context(), "run", ``)
	if err := errors.Join(s.session.Close(t.Context()), s.session.Close(t.Context())); err != nil {
		t.Error(err)
	}
	if r := s.call(t.Context(), "run", ``); r.Code != "STATE_INVALID" || s.closed.Load() != 1 || s.starts != 1 {
		t.Errorf("%d closed, %d starts: %s", s.closed.Load(), s.starts, r.Text)
	}
}

// A bare ref that was never printed fails at once; the element of that name can still be meant.
func TestBareRef(t *testing.T) {
	type target struct {
		Selector string `json:"selector"`
	}
	s := newStage(t, dispatch.Options{})
	click := dispatch.Define(dispatch.Spec{Verb: "see", Summary: "Sees."}, func(context.Context, *dispatch.Read, target) (done, error) { return done{OK: true}, nil })
	r := dispatch.NewRegistry([]*dispatch.Command{click}, dispatch.Access{})
	for selector, code := range map[string]string{"e7": "BARE_REF", "e7 >> button": "BARE_REF", "css=e7": "", "ref=e7": "", "e7x": "", "#e7": ""} {
		args, _ := json.Marshal(target{selector})
		if got := s.session.Do(t.Context(), r, dispatch.Request{Tool: "see", Args: args}); got.Code != code {
			t.Errorf("%s: %s", selector, got.Text)
		}
	}
}

// A call that gave the slot back while it waited gets it again however many wait,
// and one that went away without it takes nobody else's.
func TestTheSlotComesBackOrTheBatchEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, dispatch.Options{Limits: dispatch.Limits{Queue: 1}})
		var waited *dispatch.Result
		go func() { waited = s.call(t.Context(), "yield", `{"name":"waits","timeout_ms":1000}`) }()
		synctest.Wait()
		hold := make(chan struct{})
		s.hold, hold = hold, s.hold
		go s.call(t.Context(), "hold", `{"name":"works"}`)
		synctest.Wait()
		go s.call(t.Context(), "run", `{"name":"queued"}`)
		synctest.Wait()
		close(hold)
		synctest.Wait()
		close(s.hold)
		synctest.Wait()
		if waited == nil || waited.IsError {
			t.Errorf("the call that waited: %+v", waited)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, dispatch.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		var batch *dispatch.Result
		go func() {
			batch = s.call(ctx, "batch", `{"continue_on_error":true,"steps":[{"tool":"yield","arguments":{"name":"lost"}},{"tool":"run","arguments":{"name":"never"}}]}`)
		}()
		synctest.Wait()
		go s.call(t.Context(), "hold", `{"name":"works"}`)
		synctest.Wait()
		cancel()
		synctest.Wait()
		if batch == nil || slices.Contains(s.ran, "never") {
			t.Errorf("a step ran without the slot: %v, %+v", s.ran, batch)
		}
		if _, calls, _ := s.session.Activity(); calls != 1 {
			t.Errorf("%d calls are at work: the batch gave away a slot that was not its", calls)
		}
		close(s.hold)
		synctest.Wait()
	})
}

// A secret that a call brings is masked in its answer and in all later ones, also
// of the next browser.
func TestSecretsOfACallStay(t *testing.T) {
	s := newStage(t, dispatch.Options{})
	r := s.Do(t.Context(), dispatch.Request{Tool: "run", Args: json.RawMessage(`{"name":"open sesame"}`), Secrets: []string{"open sesame"}})
	if strings.Contains(r.Text+string(r.Structured), "sesame") {
		t.Error(r.Text)
	}
	s.call(t.Context(), "lose", ``)
	if r := s.call(t.Context(), "fresh", `{"name":"open sesame"}`); strings.Contains(r.Text+string(r.Structured), "sesame") {
		t.Errorf("in the next browser: %s", r.Text)
	}
}
