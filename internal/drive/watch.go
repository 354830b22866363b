package drive

import (
	"context"
	"time"

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
			known, err := t.versions(ctx)
			if err == nil {
				_, err = t.anyChange(ctx, known, stay)
			}
			return false, seen, err
		}
		pause(ctx, stay)
		return false, seen, nil
	})
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
