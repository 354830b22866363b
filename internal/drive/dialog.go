package drive

import (
	"context"
	"strconv"

	"duet/bidi"
	"duet/internal/fault"
	"duet/internal/secret"
)

// held is a command that its browser answers only once a dialog is: the input
// that opened it, or a navigation that asks before it leaves.
type held struct {
	done   <-chan struct{}
	since  Mark
	closes bool // the tab: where it stays open there may be no answer
}

// Line is the dialog as a line says it: confirm "Proceed?".
func (d *Dialog) Line() string {
	s := d.Type
	if d.Message != "" {
		s += " " + strconv.Quote(cut(d.Message, 200))
	}
	if d.Type == "prompt" {
		s += " default=" + strconv.Quote(cut(d.Default, 80))
	}
	return s
}

// answerFirst goes with every DIALOG_OPEN.
var answerFirst = "answer it first: " + fault.Call("browser_dialog", "action", "accept") + " (or dismiss)"

func dialogFault(d *Dialog) *fault.Fault {
	return fault.New(fault.DialogOpen, "a dialog is open: %s", d.Line()).
		WithHint("%s", answerFirst).
		WithDetail(map[string]string{"type": d.Type, "message": cut(d.Message, 200)}).
		Because(errPrompt)
}

// Dialog returns the open dialog of the tab, or nil. It asks the browser nothing.
func (t *Tab) Dialog() *Dialog {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return t.dialogLocked()
}

func (t *Tab) dialogLocked() *Dialog {
	d := t.b.dialogs[t.id]
	if d == nil {
		return nil
	}
	c := *d
	return &c
}

// Dialogs returns the open dialogs of all tabs, in the order of the tabs.
func (b *Browser) Dialogs() []Dialog {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []Dialog
	for _, t := range b.tabs {
		if d := t.dialogLocked(); d != nil {
			all = append(all, *d)
		}
	}
	return all
}

// AnswerDialog accepts or dismisses the open dialog of the tab, waits for the
// command that it held up, and settles. text is typed into a prompt; nil leaves
// its default, and is remembered as a secret of the session where the message asks for
// one by name. Without a dialog it is NO_DIALOG. The dialog returned is the one
// that was answered; another one may be open afterwards, which the facts say.
func (t *Tab) AnswerDialog(ctx context.Context, accept bool, text *string) (Dialog, Facts, error) {
	b := t.b
	mark := t.Mark()
	b.mu.Lock()
	d := t.dialogLocked()
	b.mu.Unlock()
	if d == nil {
		return Dialog{}, Facts{}, fault.New(fault.NoDialog, "no dialog is open in tab %d", t.number)
	}
	if text != nil && d.Type != "prompt" {
		return *d, Facts{}, fault.New(fault.InvalidArgument, "text is for a prompt, and this is %s", d.Line())
	}
	if text != nil && secret.Name(d.Message) {
		b.Remember(*text)
	}
	if err := t.answer(ctx, *d, accept, text); err != nil {
		return *d, Facts{}, err
	}
	b.mu.Lock()
	waiting := t.held
	t.held = nil
	b.mu.Unlock()
	for i, h := range waiting {
		if h.closes && !accept {
			continue
		}
		// Another prompt may hold the same command again.
		if err := t.raceOr(ctx, t.id, h.done, mark.event, "finish what the dialog held up", false); err != nil {
			if t.Dialog() != nil {
				for _, h := range waiting[i:] {
					t.hold(h)
				}
			}
			break
		}
	}
	// What was held up may have been set off long before the answer.
	cause := mark
	for _, h := range waiting {
		if h.since.event < cause.event {
			cause = h.since
		}
	}
	if d.Type == "beforeunload" && accept {
		b.mu.Lock()
		if n := t.underwayLocked(); n != nil && n.started <= cause.event {
			cause.event = n.started - 1 // it goes on
		}
		b.mu.Unlock()
	}
	s, err := t.settle(ctx, t.id, settleWant{mark: cause})
	facts := t.Since(mark)
	facts.Unsettled, facts.Waited = s.facts.Unsettled, s.facts.Waited
	facts.Loading, facts.Aborted = s.facts.Loading, s.facts.Aborted
	if facts.Dialog == nil {
		facts.Press = b.letPress()
	}
	return *d, facts, err
}

// hold remembers a command that waits for a dialog.
func (t *Tab) hold(h held) {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	t.held = append(t.held, h)
}

// answer sends the answer to a dialog.
func (t *Tab) answer(ctx context.Context, d Dialog, accept bool, text *string) error {
	b := t.b
	params := bidi.BrowsingContextHandleUserPromptParameters{Context: t.id, Accept: &accept}
	if accept && d.Type == "prompt" {
		answer := d.Default
		if text != nil {
			answer = *text
		}
		params.UserText = &answer
	}
	_, err := bidi.BrowsingContextHandleUserPrompt.Call(ctx, b.conn, params)
	b.mu.Lock()
	if open := b.dialogs[t.id]; open != nil && open.seq == d.seq && (err == nil || bidi.CodeOf(err) == bidi.CodeNoSuchAlert) {
		delete(b.dialogs, t.id) // the event may trail the reply
	}
	b.mu.Unlock()
	if err != nil {
		if ctx.Err() != nil {
			return b.unanswered(ctx, "answer the dialog", err)
		}
		return wireFault("answer the dialog", err)
	}
	return nil
}
