package drive

import "context"

// touch makes the page take for used what scripts of ours have filled in: a page
// asks before it is left only where a person has used it, and for that one browser
// counts no script, whatever it acts for, and no key that does nothing. So a wheel
// is turned by a pixel. It costs a round trip before a filled page is left, and
// nothing anywhere else.
func (t *Tab) touch(ctx context.Context) error {
	t.b.mu.Lock()
	due := t.acted == t.epoch+1 && t.b.quirks.UnloadNeedsInput && t.b.dialogs[t.id] == nil && t.b.frames[t.actedIn] != nil
	t.acted = 0
	t.b.mu.Unlock()
	if !due {
		return nil
	}
	var g gesture
	g.turn(Point{}, 0, -1) // a pixel: none at all is no input
	if err := t.input(ctx, t.actedIn, g.actions(), t.Mark()); err == nil {
		return nil
	}
	return t.b.LostErr() // whatever else kept it from arriving keeps nobody from leaving
}
