package drive

import (
	"context"

	"duet/bidi"
	"duet/internal/pagejs"
)

// foresight is the reading that follows an action, sent before the action's answer:
// the page keeps it back until the action has ended, and a way to the page and back is
// saved. It is for an action that ends well by far most times: where it did not, the
// reading is given up, as is one that a document came in the way of.
type foresight struct {
	call  *pageCall[pagejs.WalkArgs, pagejs.Doc]
	since int // event before the action left: a cause that came after it is looked at again
}

// foresee sends the reading that is to follow what was just sent to the page. It is
// nil where that must be asked otherwise: the page is not to be read, it shows frames,
// or closed shadow roots are looked for before it is read.
func (t *Tab) foresee(mark Mark) *foresight {
	t.b.mu.Lock()
	f := t.b.frames[t.id]
	known := t.docs[t.id]
	plain := t.observe && f != nil && len(f.kids) == 0
	t.b.mu.Unlock()
	if !plain || t.b.info.PierceClosed {
		return nil
	}
	args := pagejs.WalkArgs{Settle: ms(settleBound)}
	args.Know(known)
	call := begin(t, t.id, pagejs.Look, args, "")
	if call.err != nil {
		return nil
	}
	return &foresight{call: call, since: mark.event}
}

// drop gives it up.
func (f *foresight) drop() {
	if f != nil {
		f.call.drop()
	}
}

// doc is the reading; false where the page must be asked anew.
func (f *foresight) doc(ctx context.Context, top bidi.Context) (pagejs.Doc, bool) {
	if f == nil || f.call.frame != top {
		return pagejs.Doc{}, false
	}
	d, err := f.call.wait(ctx)
	return d, err == nil
}
