package drive

import (
	"context"
	"fmt"
	"time"

	"duet/internal/fault"
)

// A driver that owes an answer and says nothing is looked after while the call still
// waits, so that its deadline finds the question answered whether it lives.
const (
	pulseEvery = 200 * time.Millisecond
	stirFirst  = 300 * time.Millisecond // of silence, before a driver that may have stalled is stirred
	askAfter   = time.Second            // of silence, before it is asked whether it lives
	// verdictGrace is how long after its deadline a call waits for the answer to that.
	verdictGrace = 1500 * time.Millisecond
	stirBound    = 2 * time.Second
)

// pulse is what is known of a driver that says nothing. Guarded by the browser's mutex.
type pulse struct {
	asked time.Time // it was asked whether it lives and has not answered; zero where not
	waits bool      // a call ended without knowing: whoever finds out gives the driver up
}

// follow looks after the driver until the connection ends.
func (b *Browser) follow() {
	tick := time.NewTicker(pulseEvery)
	defer tick.Stop()
	next := stirFirst
	for {
		select {
		case <-tick.C:
		case <-b.stalled:
			if b.stirring.CompareAndSwap(false, true) {
				b.work.Go(func() {
					defer b.stirring.Store(false)
					b.stir()
				})
			}
			continue
		case <-b.conn.Done():
			return
		}
		silent := b.conn.Silent()
		if silent < stirFirst {
			next = stirFirst
			continue
		}
		if b.quirks.StallsOnText && silent >= next {
			next = 2*silent + stirFirst
			b.work.Go(b.stir)
		}
		if silent >= askAfter {
			b.ask()
		}
		b.mu.Lock()
		p := b.pulse
		b.mu.Unlock()
		if p.waits && !p.asked.IsZero() && time.Since(p.asked) >= pingBound && silent >= pingBound {
			b.giveUp(deadFault("a call"))
		}
	}
}

// stir makes a driver that may have stalled go on.
func (b *Browser) stir() {
	ctx, stop := context.WithTimeout(context.Background(), stirBound)
	defer stop()
	b.info.Stir(ctx)
}

// Overhear takes a message of the browser's that its driver could not read, and which
// it left in its log instead of delivering it: what a page logged with half a character
// in it. A driver that owes an answer then may have stalled by it.
func (b *Browser) Overhear(message []byte) {
	b.conn.Overhear(message)
	if b.conn.Silent() == 0 {
		return
	}
	select {
	case b.stalled <- struct{}{}:
	default:
	}
}

// ask asks the driver whether it lives, unless it is being asked.
func (b *Browser) ask() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.pulse.asked.IsZero() {
		return
	}
	b.pulse.asked = time.Now()
	b.work.Go(func() {
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		_ = b.conn.Alive(ctx) // its end is the answer, or that of the connection
		b.mu.Lock()
		b.pulse.asked, b.pulse.waits = time.Time{}, false
		b.wakeLocked()
		b.mu.Unlock()
	})
}

// life is what is found out of a driver that has not answered.
type life int

const (
	dead life = iota
	living
	flooded // it delivers, and the answer waits behind that
	unsure  // it was too short to tell
)

// alive finds out whether the driver lives, in as short a time as a call may take to
// say so after its deadline, and what was heard meanwhile.
func (b *Browser) alive() (life, noise) {
	grace := verdictGrace
	if b.info.Stir == nil {
		grace = pingBound // nobody goes on looking
	}
	b.ask()
	start := time.Now()
	for {
		before := b.noiseNow()
		b.mu.Lock()
		asked := b.pulse.asked
		changed := b.changedLocked()
		b.mu.Unlock()
		if asked.IsZero() {
			return living, noise{}
		}
		said := asked // when it last had to say something, or did
		if heard := b.conn.Heard(); heard.After(said) {
			said = heard
		}
		if b.conn.Err() != nil || time.Since(said) >= pingBound {
			return dead, noise{}
		}
		if time.Since(start) >= grace {
			b.mu.Lock()
			b.pulse.waits = !b.pulse.asked.IsZero()
			b.mu.Unlock()
			return unsure, noise{}
		}
		timer := time.NewTimer(min(floodWindow, pingBound-time.Since(said), grace-time.Since(start)))
		select {
		case <-changed:
			if b.asking() { // what is heard is counted to the end of the window
				select {
				case <-timer.C:
				case <-b.conn.Done():
				}
			}
		case <-timer.C:
		case <-b.conn.Done():
		}
		timer.Stop()
		if heard := b.noiseNow().since(before); heard.events > 0 && b.asking() {
			return flooded, heard
		}
	}
}

// asking reports whether the driver has not answered yet whether it lives.
func (b *Browser) asking() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return !b.pulse.asked.IsZero()
}

func deadFault(doing string) *fault.Fault {
	return fault.New(fault.BrowserLost, "%s: the browser's driver no longer answers", doing).
		WithHint("the next call starts a new browser")
}

// unsureFault is a deadline that came before it could be known whether the driver lives.
func (b *Browser) unsureFault(doing string, why error) *fault.Fault {
	return fault.New(fault.Timeout, "%s: no answer by the deadline, and the browser's driver has said nothing for %s", doing,
		fmt.Sprintf("%.1f s", b.conn.Silent().Seconds())).
		WithHint("if it stays silent, duet gives the browser up, and the next call starts a new one").Because(why)
}
