package dispatch

import (
	"context"
	"slices"

	"duet/internal/drive"
	"duet/snapshot"
)

// View is a tab without the verbs that act: what a reading command may do.
type View struct{ tab *drive.Tab }

// Tab is the active tab, for looking only.
func (r *Read) Tab() View { return View{r.tab} }

// Number is the tab's number.
func (v View) Number() int { return v.tab.Number() }

// URL is the address shown.
func (v View) URL() string { return v.tab.URL() }

// Dialog is the open dialog, or nil.
func (v View) Dialog() *drive.Dialog { return v.tab.Dialog() }

// Find returns what a target matches now.
func (v View) Find(ctx context.Context, target string, limit int) (drive.Found, error) {
	return v.tab.Find(ctx, target, limit)
}

// FindSeen is Find whose matches are the visible ones, where any is.
func (v View) FindSeen(ctx context.Context, target string, limit int) (drive.Found, error) {
	return v.tab.FindSeen(ctx, target, limit)
}

// Count returns how many elements a target matches now, and adds a note where there
// may be more, in frames that do not answer.
func (r *Read) Count(ctx context.Context, target string) (int, error) {
	f, err := r.tab.Find(ctx, target, 1)
	if drive.LeftPage(err) {
		return 0, nil
	}
	r.Unasked(f)
	return f.Total, err
}

// Unasked adds a note that says which frames did not answer, where there are some.
func (r *Read) Unasked(f drive.Found) {
	if f.Silent != "" {
		r.Note("not known of all: " + snapshot.MaskAddress(f.Silent))
	}
}

// Wait waits until what is described is so.
func (v View) Wait(ctx context.Context, w drive.WaitSpec) (drive.Waited, error) {
	return v.tab.Wait(ctx, w)
}

// Screenshot draws the tab.
func (v View) Screenshot(ctx context.Context, s drive.Shot) (drive.Picture, error) {
	return v.tab.Screenshot(ctx, s)
}

// PDF prints the tab.
func (v View) PDF(ctx context.Context, p drive.Print) (drive.Paper, error) {
	return v.tab.PDF(ctx, p)
}

// Audit judges the accessibility of the page, or of what is in an element of it.
func (v View) Audit(ctx context.Context, in *Sight, spec drive.AuditSpec) (drive.Audit, error) {
	if in == nil {
		return v.tab.Audit(ctx, nil, spec)
	}
	return v.tab.Audit(ctx, in.el, spec)
}

// Browsers is the running browser without what acts.
type Browsers struct {
	b      *drive.Browser
	hidden func(address string) bool
}

// Browser is the running browser, for looking only; see Running.
func (r *Read) Browser() Browsers { return Browsers{r.browser(), r.Hidden} }

// Running reports whether there is a browser at all: an idle command may have none.
func (b Browsers) Running() bool { return b.b != nil }

// Capturing reports whether the bodies of requests are kept.
func (b Browsers) Capturing() bool { return b.b != nil && b.b.Capturing() }

// Tabs returns the open tabs; none where no browser runs.
func (b Browsers) Tabs() []drive.TabInfo {
	if b.b == nil {
		return nil
	}
	return b.b.Tabs()
}

// Dialogs returns the open dialogs of all tabs whose pages the caller may look at.
func (b Browsers) Dialogs() []drive.Dialog {
	if b.b == nil {
		return nil
	}
	return OpenDialogs(b.b, b.hidden)
}

// Mocks returns the mocks in the order in which they are tried; none where no browser
// runs.
func (b Browsers) Mocks() []drive.Mock {
	if b.b == nil {
		return nil
	}
	return b.b.Mocks()
}

// Sight is an element without the verbs that act.
type Sight struct{ el *drive.Element }

// Element resolves a target to one element, now.
func (v View) Element(ctx context.Context, target string) (Sight, error) {
	el, err := v.tab.Element(ctx, target)
	return Sight{el}, err
}

// Shot is the picture of the element alone.
func (s Sight) Shot() drive.Shot { return s.el.Shot() }

// Issued reports whether the element came from a ref alone: then it can be kept, and
// is followed through what it becomes.
func (s Sight) Issued() bool { return s.el.Issued() }

// Matches is how many visible elements the selector matched.
func (s Sight) Matches() int { return s.el.Matches() }

// Text returns the visible text.
func (s Sight) Text(ctx context.Context) (drive.ReadText, error) { return s.el.Text(ctx, 0) }

// Attr returns an attribute.
func (s Sight) Attr(ctx context.Context, name string) (drive.ReadText, error) {
	return s.el.Attr(ctx, name, 0)
}

// Value returns the current value of a control.
func (s Sight) Value(ctx context.Context) (drive.ReadText, error) { return s.el.Value(ctx, 0) }

// State returns what the element is now.
func (s Sight) State(ctx context.Context) (drive.State, error) { return s.el.State(ctx) }

// OpenDialogs returns the open dialogs of all tabs but those of pages that are hidden.
func OpenDialogs(b *drive.Browser, hidden func(address string) bool) []drive.Dialog {
	return slices.DeleteFunc(b.Dialogs(), func(d drive.Dialog) bool { return hidden(d.URL) })
}
