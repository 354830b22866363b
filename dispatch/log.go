package dispatch

import (
	"context"
	"slices"
	"strings"

	"duet/internal/drive"
	"duet/snapshot"
)

// Redact replaces the values that must never be printed, so that what a caller
// gave compares with what was read.
func (c *call) Redact(text string) string { return c.session.Redact(text) }

// Log returns what the journal holds; see drive.Browser.Log.
func (r *Read) Log(f drive.LogFilter) drive.Log {
	may := r.may()
	if may == nil {
		return masked(r.live.Browser.Log(f))
	}
	limit := f.Limit
	f.Limit = 0
	l := r.live.Browser.Log(f)
	l.Entries = slices.DeleteFunc(l.Entries, func(e drive.Entry) bool { return !may(e.Origin, e.URL) })
	l.Total = len(l.Entries)
	if limit > 0 && len(l.Entries) > limit {
		l.Entries = l.Entries[len(l.Entries)-limit:]
	}
	return masked(l)
}

// AwaitLog waits for an entry; see drive.Browser.AwaitLog.
func (r *Read) AwaitLog(ctx context.Context, f drive.LogFilter) (drive.Log, error) {
	may := r.may()
	for {
		l, err := r.live.Browser.AwaitLog(ctx, f)
		if err != nil || may == nil || !slices.ContainsFunc(l.Entries, func(e drive.Entry) bool { return !may(e.Origin, e.URL) }) {
			return masked(l), err
		}
		f.After = l.Cursor
	}
}

// Errors returns the errors after a sequence number.
func (r *Read) Errors(after int) drive.ErrorLog {
	l := r.live.Browser.Errors(after)
	if r.may() != nil {
		held := r.Log(drive.LogFilter{After: after, Kind: drive.KindError}).Entries
		l.Count, l.First = len(held), held[:min(len(held), 3)]
	}
	l.First = masked(drive.Log{Entries: l.First}).Entries
	return l
}

// may is knowing for this caller.
func (r *Read) may() func(from drive.Origin, address string) bool {
	return knowing(r.request.looking())
}

// knowing returns what says whether a caller may know of something that a page did: by
// the addresses that were shown when it did it, whatever the tab shows now. It is nil
// where the caller may know of everything. Of a frame, and of what belongs to no tab,
// only files are hidden: what else a page may embed the browser decides. It is for one
// goroutine.
func knowing(judge func(address string) error) func(from drive.Origin, address string) bool {
	if judge == nil {
		return nil
	}
	known := map[string]bool{}
	open := func(address string) bool {
		may, ok := known[address]
		if !ok {
			may = judge(address) == nil
			known[address] = may
		}
		return may
	}
	return func(from drive.Origin, address string) bool {
		for _, a := range []string{from.Frame, address} {
			if isFile(a) && !open(a) {
				return false
			}
		}
		return from.Page == "" || open(from.Page)
	}
}

func isFile(address string) bool { return strings.HasPrefix(address, "file:") }

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
		l.Entries[i].Text, l.Entries[i].URL = MaskNamed(l.Entries[i].Text), MaskQuery(l.Entries[i].URL)
	}
	return l
}

// MaskQuery replaces, in every address that a text holds, the credentials and the
// values whose names read like a secret's.
func MaskQuery(text string) string { return snapshot.MaskAddress(text) }

// MaskNamed replaces in a text whatever its name gives away: in addresses, in what reads
// like JSON, in headers.
func MaskNamed(text string) string { return snapshot.MaskNamed(text) }
