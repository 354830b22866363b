package dispatch

import (
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"duet/internal/fault"
)

// defect logs a panic and says it to the caller. It is called while panicking.
func (s *Session) defect(k *call, p any) *fault.Fault {
	s.o.Log.Error("a command panicked", "command", k.view.name(), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
	effect := fault.None
	if k.acts {
		effect = fault.Possible
	}
	where := []string{"duet", s.o.Version}
	if k.live != nil {
		where = append(where, "with", k.live.Info.Browser, k.live.Info.Version)
	}
	return fault.New(fault.Internal, "%s: a defect of %s: %s", k.view.shortName(), strings.Join(strings.Fields(strings.Join(where, " ")), " "), clip(fmt.Sprint(p), 200)).
		WithHint("please report it with the call and the page").At(fault.InEffect, effect)
}

// overdue is what ends a call at its deadline where nothing better is known.
func (c *call) overdue() *fault.Fault {
	return fault.New(fault.Timeout, "%s: not done within %d ms", c.view.shortName(), c.timeout.Milliseconds()).
		WithHint("raise %s, or look at the page first: %s", fault.Arg("timeout_ms"), fault.Call("browser_snapshot"))
}

// named is a fault whose message begins with the command that it is of.
func (c *call) named(f *fault.Fault) *fault.Fault {
	verb := c.verb()
	if strings.HasPrefix(f.Message, verb+": ") || strings.HasPrefix(f.Message, verb+" ") || f.Code == fault.Cancelled {
		return f
	}
	n := *f
	n.Message = verb + ": " + f.Message
	return &n
}

// faultOf makes a fault of a handler's error, the one of a lost browser where
// that is what lies behind it.
func (c *call) faultOf(err error) *fault.Fault {
	if c.base.Err() != nil {
		f := fault.From(err)
		if f.Code != fault.Cancelled {
			f = fault.New(fault.Cancelled, "the call was cancelled").At(f.Phase, f.Effect).Because(err)
		}
		return f
	}
	f := fault.From(err)
	if c.live == nil || c.idle() {
		return f
	}
	gone := errors.Is(err, fault.BrowserLost)
	select {
	case <-c.live.Done:
		gone = true
	default:
	}
	if !gone {
		return f
	}
	c.session.drop(c.live)
	lost := f
	if why := c.live.lost(); why != nil && f.Message != why.Error() {
		lost = fault.From(why).At(f.Phase, f.Effect)
	}
	c.live, c.tab = nil, nil
	return hinted(lost)
}

// hinted is the fault of a lost browser, with what comes next.
func hinted(f *fault.Fault) *fault.Fault {
	if f.Hint != "" {
		return f
	}
	return f.WithHint("the next call starts a new browser")
}

func (l *Live) lost() error {
	if l.Lost == nil {
		return nil
	}
	return l.Lost()
}
