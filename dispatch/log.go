package dispatch

import (
	"context"
	"slices"

	"duet/internal/drive"
	"duet/snapshot"
)

// Redact replaces the values that must never be printed, so that what a caller
// gave compares with what was read.
func (c *call) Redact(text string) string { return c.session.Redact(text) }

// Log returns what the journal holds; see drive.Browser.Log.
func (r *Read) Log(f drive.LogFilter) drive.Log { return r.own(masked(r.live.Browser.Log(f))) }

// AwaitLog waits for an entry; see drive.Browser.AwaitLog.
func (r *Read) AwaitLog(ctx context.Context, f drive.LogFilter) (drive.Log, error) {
	l, err := r.live.Browser.AwaitLog(ctx, f)
	return r.own(masked(l)), err
}

// Errors returns the errors after a sequence number.
func (r *Read) Errors(after int) drive.ErrorLog {
	l := r.live.Browser.Errors(after)
	l.First = r.own(masked(drive.Log{Entries: l.First})).Entries
	return l
}

// own is a log without the entries of tabs whose pages the caller may not look at.
func (r *Read) own(l drive.Log) drive.Log {
	if r.request.Judge == nil {
		return l
	}
	hidden := map[int]bool{}
	for _, t := range r.live.Browser.Tabs() {
		hidden[t.Tab] = r.Hidden(t.URL)
	}
	l.Entries = slices.DeleteFunc(l.Entries, func(e drive.Entry) bool { return hidden[e.Tab] })
	return l
}

// Sync waits until every event that was caused before it is in the journal.
func (r *Read) Sync(ctx context.Context) error { return r.tab.Sync(ctx) }

// Until looks until it says yes; see drive.Tab.Until.
func (v View) Until(ctx context.Context, what string, page bool, look func(context.Context) (bool, string, error)) error {
	return v.tab.Until(ctx, what, page, look)
}

// Title is the title of the document shown.
func (v View) Title(ctx context.Context) (string, error) { return v.tab.Title(ctx) }

// Locators proposes selectors of an element that last.
func (v View) Locators(ctx context.Context, target string, o drive.LocatorOptions) (drive.Locators, error) {
	return v.tab.Locators(ctx, target, o)
}

// masked is a log whose addresses show no value that is named like a secret.
func masked(l drive.Log) drive.Log {
	l.Entries = slices.Clone(l.Entries)
	for i := range l.Entries {
		l.Entries[i].Text, l.Entries[i].URL = MaskQuery(l.Entries[i].Text), MaskQuery(l.Entries[i].URL)
	}
	return l
}

// MaskQuery replaces, in every address that a text holds, the credentials and the
// values whose names read like a secret's.
func MaskQuery(text string) string { return snapshot.MaskAddress(text) }
