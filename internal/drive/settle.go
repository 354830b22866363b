package drive

import (
	"context"
	"errors"
	"time"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/pagejs"
)

// settleBound is how long the last cause seen is followed: a navigation under way,
// a request unanswered, a page that goes on changing.
const settleBound = 500 * time.Millisecond

// settleMost is how long causes that set off one another are followed: a page that
// asks for data all the time is never done.
const settleMost = 5 * settleBound

// movesMost is how many readings a document is given that changes its address during
// each: one that does so without end is never done.
const movesMost = 3

// aFrame is what a page gets to take in an answer before it is read.
const aFrame = 20 * time.Millisecond

// settleWant says what to settle for. The zero value is right for a verb that just
// ran a script.
type settleWant struct {
	mark   Mark          // taken before the first frame of the action left; zero is now
	hit    int           // token of the armed press, 0 for none
	bound  time.Duration // 0 is settleBound
	parsed bool          // a document that is parsed is enough, its load is not followed
	saves  bool          // a file is about to be saved: the beginning of that is waited for
	fills  int           // fills that the reading is to judge; any other verb lets them be
	skip   bool          // nothing is read or waited for: a step that only enters text, in a batch
}

// settled is what an action came to.
type settled struct {
	hit   pagejs.Hit   // what the armed press hit; not Seen where its document is gone
	took  bool         // what was entered went into something secret, or into what may be
	later pagejs.Later // what became of what was put in, by the last reading
	facts Facts
}

// reading is what the settling call read of the page.
type reading struct {
	epoch int
	tree  *pagejs.Tree
}

// settle reads the page after an action and waits for what the action caused:
// navigations of this tab's frames and of popups it opened, requests for data,
// downloads, changes of the document. Where the first reading shows none of these
// it waits for nothing. It follows each cause for want.bound past the last one, all
// of them for settleMost, a document under way for as long as there is of the
// deadline, and then reports what is still under way. It never fails because of what
// the action caused (a dialog, a closed tab, causes without an end): that is a fact.
// The error is a page that never answered, a cancelled call or a lost browser, with
// effect confirmed.
func (t *Tab) settle(ctx context.Context, frame bidi.Context, want settleWant) (settled, error) {
	start := time.Now()
	if !want.mark.set {
		want.mark = t.Mark()
	}
	if want.bound == 0 {
		want.bound = settleBound
	}
	t.forget()
	if !want.skip || want.fills == 0 {
		t.b.mu.Lock()
		t.filled = filledIn{}
		t.b.mu.Unlock()
	}
	var out settled
	if want.skip {
		out.facts = t.Since(want.mark)
		return out, nil
	}
	finish := func(unsettled bool, err error) (settled, error) {
		out.facts = t.Since(want.mark)
		out.facts.Unsettled = unsettled
		out.facts.Waited = time.Since(start)
		if err != nil {
			f := fault.From(err)
			return out, f.At(fault.Observation, fault.Confirmed)
		}
		return out, nil
	}
	// The last reading needs its share of the deadline.
	end := start.Add(time.Hour)
	if d, ok := ctx.Deadline(); ok {
		end = d.Add(-min(200*time.Millisecond, max(0, d.Sub(start)/10)))
	}
	most := earlier(start.Add(settleMost), end)
	until := earlier(start.Add(want.bound), most)
	read := false // the page has answered at least once
	last := 0
	again := false // a cause was seen after the last reading began
	hit := want.hit
	framed := 0 // a frame was left to the page since this event
	moved := 0  // readings in a row that a change of the address alone called for
	for first := true; ; first = false {
		if first || again {
			// The browser tells that a request has ended before the page has its answer.
			if c := t.cause(want); !first && c.answered > framed {
				framed = c.answered
				pause(ctx, aFrame)
			}
			before := t.Mark().event
			patient, stop := t.patience(ctx, want, until)
			h, err := t.look(patient, frame, hit, time.Until(until))
			floods := patient.Err() != nil && ctx.Err() == nil && !errors.Is(err, fault.BrowserLost)
			stop()
			if err != nil && floods {
				return finish(true, nil) // it is there, and its driver is behind with what it does
			}
			if h.Doc != "" {
				out.hit = h
			}
			out.took = out.took || h.Took
			if err == nil {
				told := out.later.Released
				if out.later = h.Later; told != nil {
					out.later.Released = told
				}
			}
			if h.Seen {
				hit = 0
				want.saves = want.saves || h.Saves
			}
			switch {
			case err == nil:
				again, read = false, true
			case errors.Is(err, fault.Timeout) && read:
				return finish(true, nil)
			case errors.Is(err, errPrompt), errors.Is(err, errTabClosed):
				return finish(false, nil)
			case errors.Is(err, errUnderway):
				return finish(true, nil) // what it set off is under way, which the facts say
			case errors.Is(err, errNavigated), errors.Is(err, errFrameGone), errors.Is(err, errTransient):
				// The next document is about to be there, unless it never is.
				frame, again = t.id, true
				if time.Now().After(until) {
					if errors.Is(err, errFrameGone) {
						return finish(true, err)
					}
					return finish(true, nil) // it goes on from one document to the next
				}
				pause(ctx, 5*time.Millisecond)
			default:
				return finish(true, err)
			}
			if c := t.cause(want); c.last > before {
				again = true
				if moved++; !c.moves || c.open {
					moved = 0
				}
			}
		}
		c := t.cause(want)
		if c.last != last {
			last, until = c.last, earlier(time.Now().Add(want.bound), most)
			if c.leaving {
				until = earlier(time.Now().Add(want.bound), end)
			}
		}
		switch {
		case c.over:
			return finish(false, nil)
		case !c.open && !again:
			t.awaitClose(ctx, want.bound)
			return finish(false, nil)
		case !c.open && read && (!time.Now().Before(most) || c.moves && moved > movesMost):
			return finish(true, nil)
		case !c.open:
			continue // everything has ended: one more look at what it left
		}
		again = true
		bounded, stop := context.WithDeadline(ctx, until)
		err := t.b.await(bounded, func() bool {
			now := t.causeLocked(want)
			return now.last != c.last || now.over || !now.open
		})
		stop()
		switch {
		case err == nil:
		case ctx.Err() != nil && !(read && errors.Is(ctx.Err(), context.DeadlineExceeded)):
			return finish(true, t.b.pageVerdict(ctx, "follow what it caused", fault.Observation, fault.Confirmed))
		case errors.Is(err, context.DeadlineExceeded):
			// Enough: what is still under way is said. A document that is whole enough
			// to be read is read.
			if !c.leaving {
				h, err := t.look(ctx, t.id, hit, 0)
				if h.Seen {
					out.hit = h
				}
				if err == nil && frame == t.id {
					out.later = h.Later
				}
				if err != nil && ctx.Err() != nil && !errors.Is(err, errUnderway) && !(read && errors.Is(err, fault.Timeout)) {
					return finish(true, err)
				}
			}
			return finish(true, nil)
		default:
			return finish(true, err)
		}
	}
}

// patience is how long a document that was led to is asked for: one that changes its
// address without end keeps its driver from answering for many seconds.
func (t *Tab) patience(ctx context.Context, want settleWant, until time.Time) (context.Context, context.CancelFunc) {
	if !want.parsed || !t.b.quirks.MovesHoldUp || !t.cause(want).moves {
		return ctx, func() {}
	}
	return context.WithDeadline(ctx, until.Add(settleBound))
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// settleStep is a rest of a bound in whole steps, rounded up: what is sent to a page
// must not depend on the milliseconds that it took to get to sending it.
func settleStep(d time.Duration) time.Duration {
	const step = 100 * time.Millisecond
	return (max(0, d) + step - 1) / step * step
}

// look reads the page after an action: what the press hit, and the tree where the
// caller wants to see it. Where the document changed it waits in the page for a
// frame without a change, for settle at most.
func (t *Tab) look(ctx context.Context, frame bidi.Context, hit int, settle time.Duration) (pagejs.Hit, error) {
	t.b.mu.Lock()
	observe := t.observe
	t.b.mu.Unlock()
	ms := ms(settleStep(settle))
	if observe {
		return t.read(ctx, frame, hit, ms)
	}
	t.b.mu.Lock()
	known := t.docs[frame]
	t.b.mu.Unlock()
	args := pagejs.WalkArgs{Hit: hit, Settle: ms, Quiet: true}
	if known != nil {
		args.Doc, args.Since = known.Doc, known.Version
	}
	d, err := run(ctx, t, frame, pagejs.Look, args, "")
	if err != nil {
		return pagejs.Hit{}, err
	}
	t.heardRefused(&d)
	if frame == t.id {
		t.b.mu.Lock()
		t.sawDocumentLocked(&d)
		t.b.mu.Unlock()
	}
	return docHit(&d), nil
}
