package drive

import (
	"context"
	"errors"
	"strings"
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

// Mark returns this moment.
func (t *Tab) Mark() Mark {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.markLocked()
}

func (t *Tab) markLocked() Mark {
	j := &t.b.journal
	return Mark{event: t.b.seq, entry: j.seq, errors: j.errors, failed: j.failed, epoch: t.epoch, tab: t.number, set: true}
}

// Since returns what happened since a mark, from the events received so far. It
// asks the browser nothing.
func (t *Tab) Since(m Mark) Facts {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.factsLocked(m)
}

// Told is Since with the moment that the answer goes up to: what happens next is
// in the answer for that mark, so that nothing is told twice and nothing is lost.
func (t *Tab) Told(m Mark) (Facts, Mark) {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.factsLocked(m), t.markLocked()
}

func (t *Tab) factsLocked(m Mark) Facts {
	b := t.b
	j := &b.journal
	other := m.set && m.tab != t.number // what it showed then is not known
	f := Facts{
		Navigated:      t.epoch != m.epoch && !other,
		SameDocument:   t.moved > m.event && t.epoch == m.epoch && !other,
		URL:            t.urlLocked(),
		Closed:         t.closed != 0,
		Dialog:         t.dialogLocked(),
		Errors:         j.errors - m.errors,
		FailedRequests: j.failed - m.failed,
		LogCursor:      j.seq,
	}
	f.ErrorsLost = max(0, f.Errors-j.keptErrors(m.entry))
	if top := b.frames[t.id]; top != nil {
		switch n := top.nav; {
		case n == nil || n.same != 0:
		case n.over() && n.committed == 0:
			if n.failed > m.event || n.download > m.event {
				f.Aborted = n.outcome()
			}
		case n.committed == 0 && n.started > m.event:
			f.Loading = n.url
		case top.ready != readyComplete && n.started > m.event:
			f.Loading = top.url
		}
	}
	for _, o := range b.tabs {
		// A page may hide that it opened a tab: one that nobody else opened counts.
		if o.opened > m.event && o != t && (o.opener == t.number || o.opener == 0 && !o.ours) {
			f.Popups = append(f.Popups, o.infoLocked())
		}
	}
	if t.refused != nil && t.refused.seq > m.event {
		f.Refused = &t.refused.what
	}
	f.Chooser = b.chooser.seq > m.event && t.ownsLocked(b.chooser.context)
	began := map[bidi.Context]int{}
	for _, d := range b.downloads {
		if d.began > m.event || d.end > m.event {
			if d.began > m.event {
				began[d.context]++
			}
			f.DownloadsCut = f.DownloadsCut || b.quirks.DownloadsDropped && began[d.context] >= DownloadsAtOnce
			d.Download.Name = b.kept().fileName(d.Download.Name)
			f.Downloads = append(f.Downloads, d.Download)
		}
	}
	for _, r := range b.requests {
		if r.data && r.started > m.event && t.ownsLocked(r.context) {
			f.Pending++
		}
	}
	return f
}

// outcome says in a word why a navigation showed no document.
func (n *navigation) outcome() string {
	switch {
	case n.download != 0:
		return "download"
	case n.status == 204 || n.status == 205:
		return "no content"
	case n.reason == "", strings.Contains(n.reason, "ABORTED"), strings.Contains(n.reason, "Beforeunload prompt was rejected"):
		return "cancelled"
	}
	return worded(n.reason)
}

func (t *Tab) ownsLocked(c bidi.Context) bool {
	f := t.b.frames[c]
	return f != nil && f.tab == t
}

// perform sends input to a frame and settles. The reply is raced against a prompt
// (the input stays pending until that is answered: AnswerDialog waits for it),
// against the end of the tab (a popup may close itself by the press: that is a
// success) and against the loss of the browser. On an error the fault says whether
// the input left.
func (t *Tab) perform(ctx context.Context, frame bidi.Context, actions []bidi.InputSourceActions, want settleWant) (settled, error) {
	if d := t.Dialog(); d != nil {
		return settled{}, dialogFault(d)
	}
	if err := t.toFront(ctx); err != nil {
		return settled{}, err
	}
	if !want.mark.set {
		want.mark = t.Mark()
	}
	if err := t.input(ctx, frame, actions, want.mark); err != nil {
		var f *fault.Fault
		errors.As(err, &f)
		switch {
		case errors.Is(err, errPrompt), errors.Is(err, errTabClosed):
			return settled{facts: t.Since(want.mark)}, nil
		case errors.Is(err, errFrameGone) && !t.Closed() && !t.shows(frame):
			// The press removed the very frame that it went to.
		default:
			return settled{facts: t.Since(want.mark)}, err
		}
	}
	return t.settle(ctx, frame, want)
}

// shows reports whether a frame is there, as events told.
func (t *Tab) shows(frame bidi.Context) bool {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.b.frames[frame] != nil
}

// input sends actions and waits for the reply.
func (t *Tab) input(ctx context.Context, frame bidi.Context, actions []bidi.InputSourceActions, mark Mark) error {
	if f := t.barred("send input"); f != nil {
		return f // kept back it would be done later, to another page
	}
	sent := t.Mark().event
	p := bidi.InputPerformActions.Send(t.b.conn, bidi.InputPerformActionsParameters{Context: frame, Actions: actions})
	err := t.raceInput(ctx, frame, p.Done(), sent)
	if err != nil {
		if errors.Is(err, errPrompt) {
			t.hold(held{done: p.Done(), since: mark})
		} else {
			p.Forget()
		}
		if errors.Is(err, errUnderway) {
			return nil // the input itself led away; what came of it is seen, or told to be under way
		}
		return fault.From(err).At(fault.InEffect, fault.Possible)
	}
	if _, err := p.Wait(ctx); err != nil {
		if t.Closed() {
			return t.closedFault() // it closed itself, and the browser answers for what is gone
		}
		if bidi.CodeOf(err) == bidi.CodeUnknownError && (navigatedAway(err) || transient(err)) {
			return nil // the press led away before its last event had a document to go to
		}
		return wireFault("send input", err)
	}
	return nil
}

// raceInput is race for input, which outlives a change of documents.
func (t *Tab) raceInput(ctx context.Context, frame bidi.Context, done <-chan struct{}, since int) error {
	for {
		err := t.race(ctx, frame, done, since, "send input")
		if !errors.Is(err, errNavigated) {
			return err
		}
		since = t.Mark().event
	}
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
