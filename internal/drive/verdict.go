package drive

import (
	"context"
	"errors"
	"time"

	"duet/internal/fault"
)

// verdict tells a page that is busy from a driver that is dead, when a command
// had no answer by its deadline. A dead driver is lost for good: the connection is
// closed, so that whoever owns the process starts another. doing says what was
// not answered, for the message; phase and effect are what is known of it by who sent
// it.
func (b *Browser) verdict(ctx context.Context, doing string, phase fault.Phase, effect fault.Effect) *fault.Fault {
	return b.judged(ctx, doing, "no answer by the deadline; a page whose script works for long, or without end, can hold it up").At(phase, effect)
}

// unanswered is the verdict on a command that ended in err at its deadline: it may
// have done what it was sent for, unless it never left.
func (b *Browser) unanswered(ctx context.Context, doing string, err error) *fault.Fault {
	return b.verdict(ctx, doing, phaseOf(sent(err)), sent(err))
}

// pageVerdict is verdict where it is the page that was asked.
func (b *Browser) pageVerdict(ctx context.Context, doing string, phase fault.Phase, effect fault.Effect) *fault.Fault {
	return b.judged(ctx, doing, pageSilent).At(phase, effect)
}

// pageSilent says why a page gives no answer where its driver does.
const pageSilent = "the page gave no answer by the deadline: a script in it works for long, or without end"

func (b *Browser) judged(ctx context.Context, doing, silent string) *fault.Fault {
	if !errors.Is(context.Cause(ctx), context.DeadlineExceeded) && !errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fault.New(fault.Cancelled, "%s: the call was cancelled", doing).Because(context.Cause(ctx))
	}
	switch found, heard := b.alive(); found {
	case flooded:
		return floodFault(doing, heard, time.Now(), context.Cause(ctx))
	case unsure:
		return b.unsureFault(doing, context.Cause(ctx))
	case living:
		// A dialog holds every page of its process, its opener's and its popups' too.
		if all := b.Dialogs(); len(all) > 0 {
			return fault.New(fault.DialogOpen, "%s: no answer by the deadline, and a dialog is open in tab %d: %s", doing, all[0].Tab, all[0].Line()).
				WithHint("%s", answerFirst).Because(context.Cause(ctx))
		}
		return fault.New(fault.Timeout, "%s: %s", doing, silent).
			WithHint("%s", leaveIt).Because(context.Cause(ctx))
	}
	f := deadFault(doing)
	b.giveUp(f)
	return f
}
