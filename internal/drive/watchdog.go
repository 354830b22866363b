package drive

import (
	"context"
	"time"

	"duet/internal/fault"
)

// A driver can stop answering for good where requests are held (Chrome's). So that
// this is noticed within five seconds, it is asked whether it lives once it has owed
// an answer for resumeBound without a word.
const (
	resumeBound  = 1500 * time.Millisecond
	suspectBound = 1900 * time.Millisecond
	watchEvery   = 250 * time.Millisecond
	pings        = 2 // that are lost before it is given up
)

// suspect asks the driver whether it lives, and gives the browser up where not.
func (m *mocker) suspect() {
	m.mu.Lock()
	asking := m.asking
	m.asking = true
	m.mu.Unlock()
	if asking {
		return
	}
	defer func() {
		m.mu.Lock()
		m.asking = false
		m.mu.Unlock()
	}()
	since := time.Now()
	for range pings {
		if m.answers(suspectBound/pings) || m.b.conn.Heard().After(since) {
			return // it said something, though perhaps not this
		}
	}
	m.b.giveUp(fault.New(fault.BrowserLost, "the browser's driver no longer answers, as can happen with mocks").
		WithHint("the next call starts a new browser, without mocks"))
}

// answers asks the driver whether it lives. Time in which this process was not served
// either does not count: a machine that is short of time makes nobody dead, as far as
// pingBound.
func (m *mocker) answers(bound time.Duration) bool {
	ctx, stop := context.WithTimeout(context.Background(), pingBound)
	defer stop()
	alive := make(chan error, 1)
	go func() { alive <- m.b.conn.Alive(ctx) }() // ends with ctx
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	counted, last := time.Duration(0), time.Now()
	for counted < bound {
		select {
		case err := <-alive:
			return err == nil
		case now := <-tick.C:
			counted += min(now.Sub(last), watchEvery)
			last = now
		}
	}
	return false
}

// watch looks after the driver as long as the browser is made to hold requests. It
// is called before the first intercept is asked for.
func (m *mocker) watch() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.watched {
		return
	}
	m.watched = true
	m.b.work.Go(func() {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		for idle := 0; ; {
			select {
			case <-tick.C:
			case <-m.b.conn.Done():
				return
			}
			if m.b.conn.Silent() >= resumeBound {
				m.suspect()
			}
			m.mu.Lock()
			if idle++; len(m.intercepts) > 0 || len(m.held) > 0 {
				idle = 0
			}
			if idle > 20 { // five seconds after the last mock
				m.watched = false
				m.mu.Unlock()
				return
			}
			m.mu.Unlock()
		}
	})
}
