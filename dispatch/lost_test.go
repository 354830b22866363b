package dispatch_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"duet/artifacts"
	"duet/dispatch"
	"duet/internal/fault"
)

// The browser starts at the first call that needs one, once, and a failed start is tried again.
func TestLazyLaunch(t *testing.T) {
	s := newStage(t, dispatch.Options{})
	if s.call(t.Context(), "idle", ``); s.starts != 0 {
		t.Error("an idle command started a browser")
	}
	s.fail = fault.New(fault.LaunchFailed, "no browser here").WithHint("apt-get install chromium")
	if r := s.call(t.Context(), "run", ``); r.Code != "LAUNCH_FAILED" || !strings.Contains(r.Text, "apt-get install chromium") {
		t.Error(r.Text)
	}
	s.fail = nil
	for range 3 {
		if r := s.call(t.Context(), "run", ``); r.IsError {
			t.Fatal(r.Text)
		}
	}
	if s.starts != 2 {
		t.Errorf("%d starts", s.starts)
	}
}

// A browser that is lost is named once; after that the next call has a new one.
func TestLostBrowser(t *testing.T) {
	s := newStage(t, dispatch.Options{})
	s.call(t.Context(), "run", ``)
	close(s.done) // between two calls
	if r := s.call(t.Context(), "run", ``); r.Code != "BROWSER_LOST" || !strings.Contains(r.Text, "the stub crashed") || !strings.Contains(r.Text, "effect: none") {
		t.Error(r.Text)
	}
	if r := s.call(t.Context(), "run", ``); r.IsError {
		t.Error(r.Text)
	}
	close(s.done)
	r := s.call(t.Context(), "fresh", ``)
	if r.IsError || !strings.Contains(r.Text, "the stub crashed") || !strings.Contains(string(r.Structured), "the stub crashed") {
		t.Error(r.Text)
	}
	if r := s.call(t.Context(), "lose", ``); r.Code != "BROWSER_LOST" || !strings.Contains(r.Text, "effect: possible") {
		t.Error(r.Text)
	}
	if r := s.call(t.Context(), "run", ``); r.IsError || s.starts != 4 {
		t.Errorf("%d starts: %s", s.starts, r.Text)
	}
}

// A panic outside the handler, here in the opener, costs its call alone too.
func TestPanicWhileStarting(t *testing.T) {
	boom := true
	s := dispatch.NewSession(dispatch.Options{
		Files: artifacts.New(artifacts.Options{Root: t.TempDir()}),
		Open: func(context.Context, func(string)) (*dispatch.Live, error) {
			if boom {
				panic("no")
			}
			return &dispatch.Live{Done: make(chan struct{}), Close: func(context.Context) error { return nil }}, nil
		},
	})
	read := func(context.Context, *dispatch.Read, label) (done, error) { return done{OK: true}, nil }
	r := dispatch.NewRegistry([]*dispatch.Command{dispatch.Define(dispatch.Spec{Verb: "see", Summary: "Sees."}, read)}, dispatch.Access{})
	if got := s.Do(t.Context(), r, dispatch.Request{Tool: "see"}); got.Code != "INTERNAL" || !strings.Contains(got.Text, "effect: none") {
		t.Error(got.Text)
	}
	boom = false
	if got := s.Do(t.Context(), r, dispatch.Request{Tool: "see"}); got.IsError {
		t.Error(got.Text)
	}
}

// Why a browser ended may take a moment to learn; nobody else waits for it.
func TestWhyABrowserEndedHoldsUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, dispatch.Options{})
		s.slow = make(chan struct{})
		s.call(t.Context(), "run", ``)
		close(s.done)
		go s.call(t.Context(), "run", ``)
		go s.session.Status()
		synctest.Wait()
		free := make(chan struct{})
		go func() { s.session.Activity(); close(free) }()
		synctest.Wait()
		select {
		case <-free:
		default:
			t.Error("the session is held up")
		}
		close(s.slow)
		synctest.Wait()
	})
}

// A browser that was lost and does not end keeps a caller no longer than the caller
// has time, the next one starts only when it has ended, and closing the session keeps
// to its own time.
func TestTheNextBrowserWaitsForTheLastAsLongAsItsCallerMay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newStage(t, dispatch.Options{})
		s.stuck = make(chan struct{})
		s.call(t.Context(), "fresh", `{}`)
		close(s.done)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		began := time.Now()
		if r := s.call(ctx, "fresh", `{}`); !r.IsError || time.Since(began) != 2*time.Second || s.starts != 1 {
			t.Errorf("after %v and %d starts: %s", time.Since(began), s.starts, r.Text)
		}
		go func() {
			<-time.After(3 * time.Second)
			close(s.stuck)
		}()
		if r := s.call(t.Context(), "fresh", `{}`); r.IsError || time.Since(began) != 5*time.Second || s.starts != 2 {
			t.Errorf("after %v and %d starts: %s", time.Since(began), s.starts, r.Text)
		}
		s.stuck = make(chan struct{})
		close(s.done)
		s.call(t.Context(), "run", `{}`)
		began = time.Now()
		if err := s.session.Close(ctx); err == nil || time.Since(began) != 0 {
			t.Errorf("closed after %v: %v", time.Since(began), err)
		}
		close(s.stuck)
	})
}
