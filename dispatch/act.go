package dispatch

import (
	"context"
	"errors"
	"time"

	"duet/artifacts"
)

// call is one command at work: what its handler may reach.
type call struct {
	session *Session
	live    *Live // nil for an idle command without a browser
	view    *view
	acts    bool
	request Request
	started time.Time
	timeout time.Duration
	notes   []string // lines of ours that go before the result
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

// Timeout is how long the call may wait: its timeout_ms, or the default.
func (c *call) Timeout() time.Duration { return c.timeout }

// Artifacts is the session's directory of files.
func (c *call) Artifacts() *artifacts.Dir { return c.session.files }

// Progress tells a listening caller what a long call is doing.
func (c *call) Progress(done, total float64, message string) {
	if c.request.Progress != nil {
		c.request.Progress(done, total, message)
	}
}

// Yield gives the session's slot back while wait runs and takes it again before
// it returns, so that others work while this call only waits. An error of wait
// comes first, then that of taking the slot again.
func (c *call) Yield(ctx context.Context, wait func(context.Context) error) error {
	return errors.Join(wait(ctx))
}
