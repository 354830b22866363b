package drive

import (
	"context"
	"errors"
	"time"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// Until looks until it says yes, with what it saw last, and again after each change
// that the page reports, with a poll behind. what names it in the message of the
// TIMEOUT that ends it. With page false nothing is asked of the page between two
// looks, so that it goes on behind a dialog. It looks at least once.
func (t *Tab) Until(ctx context.Context, what string, page bool, look func(context.Context) (ok bool, seen string, err error)) error {
	_, err := t.until(ctx, what, func(ctx context.Context, stay time.Duration) (bool, string, error) {
		ok, seen, err := look(ctx)
		if ok || err != nil || stay == 0 {
			return ok, seen, err
		}
		stay = min(stay, lookAgain)
		if page {
			return false, seen, t.changes(ctx, stay)
		}
		pause(ctx, stay)
		return false, seen, nil
	})
	return err
}

// changes returns when a document changed, or after stay. A frame that hangs holds
// nothing up for long.
func (t *Tab) changes(ctx context.Context, stay time.Duration) error {
	bound, stop := context.WithTimeout(ctx, stay+frameBound)
	defer stop()
	known, err := t.versions(bound)
	if err == nil {
		_, err = t.anyChange(bound, known, stay)
	}
	if errors.Is(err, fault.Timeout) && ctx.Err() == nil {
		return nil // the next look says what is wrong
	}
	return err
}

// lookAgain is how long Until leaves a page alone that reports no change: what a
// field holds changes without one.
const lookAgain = 100 * time.Millisecond

// Title is the title of the document shown, asked of the page.
func (t *Tab) Title(ctx context.Context) (string, error) {
	d, err := run(ctx, t, t.id, pagejs.Look, pagejs.WalkArgs{Quiet: true}, "")
	return t.b.Redact(d.Title), err
}
