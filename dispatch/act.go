package dispatch

import (
	"context"
	"slices"
	"time"

	"duet/artifacts"
	"duet/internal/drive"
	"duet/internal/fault"
	"duet/internal/profile"
)

// call is one command at work: what its handler may reach.
type call struct {
	session  *Session
	registry *Registry
	live     *Live // nil for an idle command without a browser
	tab      *drive.Tab
	view     *view
	acts     bool
	request  Request
	words    fault.Words // in which it is answered
	started  time.Time
	timeout  time.Duration
	due      time.Time       // when timeout has passed; zero for a batch, and before it runs
	target   string          // selector of the arguments
	action   string          // of the arguments
	base     context.Context // of the caller; the handler's ends earlier
	within   context.Context // base with the bound of the whole call
	notes    []string        // lines of ours that go before the result
	observe  *bool           // a handler's own word on whether an observation follows
	page     bool            // the observation is a whole map
	holds    bool            // the slot
	carry    bool            // the last step: its reading is shown by the batch
	mark     drive.Mark      // before the handler
	marked   bool            // it is set
	heldBack int             // of a batch: how often a fill that was sent ahead was held back
	fenced   bool            // a step whose neighbour settles for it
	quits    bool            // it ended the browser
	anew     bool            // it is the first of its browser
	span     *span           // in the running trace; nil where there is none
	batch    *span           // of a step: its batch in the trace
	index    int             // of a step
}

// Act is what a handler that acts is given. It is valid for the call only.
type Act struct{ *call }

// Read is what a handler that only looks is given. It is valid for the call only.
type Read struct{ *call }

// Steps is what the batch is given: it runs other commands, and acts as much as
// they do. It is valid for the call only.
type Steps struct{ *call }

func contextFor[C Kind](k *call) C {
	var c C
	switch any(c).(type) {
	case *Act:
		return any(&Act{k}).(C)
	case *Read:
		return any(&Read{k}).(C)
	}
	return any(&Steps{k}).(C)
}

// Tab is the active tab.
func (a *Act) Tab() *drive.Tab { return a.tab }

// Browser is the running browser; nil for an idle command where none runs.
func (a *Act) Browser() *drive.Browser { return a.browser() }

// idle reports whether the call runs without a browser.
func (c *call) idle() bool { return c.view.idleFor(c.action) }

// Quit ends the browser and reports whether one ran. The session goes on.
func (a *Act) Quit(ctx context.Context) (bool, error) {
	a.tab, a.live, a.quits = nil, nil, true
	return a.session.quit(ctx)
}

func (c *call) browser() *drive.Browser {
	if c.live == nil {
		return nil
	}
	return c.live.Browser
}

// Timeout is how long the call may wait: its timeout_ms, or the default.
func (c *call) Timeout() time.Duration { return c.timeout }

// Artifacts is the session's directory of files.
func (c *call) Artifacts() *artifacts.Dir { return c.session.files }

// States is where saved states are kept; nil where there is no place for them.
func (c *call) States() *profile.Store { return c.session.o.States }

// Uploads are the directories that files may be uploaded from: the session's and
// the caller's own.
func (c *call) Uploads() []string {
	return slices.Concat(c.session.o.Uploads, c.request.Uploads)
}

// SpillBytes is the size up to which a text stays inline.
func (c *call) SpillBytes() int { return c.session.o.Limits.SpillBytes }

// Status says what runs in the session.
func (c *call) Status() Status { return c.session.Status() }

// Fenced reports whether the call only enters text and the step after it does
// too, so that it need not wait for what it causes.
func (c *call) Fenced() bool { return c.fenced }

// Targets says that a selector is what the call is about, where that is not the
// argument of that name. It fails as such an argument does.
func (c *call) Targets(selector string) error {
	c.target = selector
	return c.session.issued(selector)
}

// Note adds a line of ours before the result.
func (c *call) Note(line string) { c.notes = append(c.notes, line) }

// Progress tells a listening caller what a long call is doing.
func (c *call) Progress(done, total float64, message string) {
	if c.request.Progress != nil {
		c.request.Progress(done, total, message)
	}
}

// Yield gives the session's slot back while wait runs and takes it again before
// it returns, so that others work while this call only waits. Its error is that
// of wait, or of the caller going away meanwhile.
func (c *call) Yield(ctx context.Context, wait func(context.Context) error) error {
	if !c.holds {
		return wait(ctx)
	}
	c.release()
	err := wait(ctx)
	if e := c.session.retake(c.within); e != nil {
		return e
	}
	c.holds = true
	if err == nil && c.tab != nil && !c.idle() {
		err = c.mayLook(c.tab) // others went on meanwhile
	}
	return err
}

// release gives the slot back, if the call holds it.
func (c *call) release() {
	if !c.holds {
		return
	}
	c.holds = false
	c.session.mu.Lock()
	c.session.last = time.Now()
	c.session.mu.Unlock()
	c.session.give()
}
