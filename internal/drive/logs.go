package drive

import (
	"strings"
	"time"

	"duet/internal/lazyregexp"
)

// journalEntries and journalBytes bound what the journal keeps.
const (
	journalEntries = 2000
	journalBytes   = 1 << 20
	entryTextBytes = 8 << 10
)

// The kinds of journal entries.
const (
	KindConsole   = "console"   // console.* of the page, but for console.error
	KindError     = "error"     // console.error
	KindException = "exception" // uncaught error or rejection
	KindWarning   = "warning"   // of the browser, about the page
	KindRequest   = "request"   // a request that failed or was answered 400 and above
)

// Entry is one thing that the journal recorded.
type Entry struct {
	Seq    int // from 1, in order of arrival, never reused
	Kind   string
	Level  string // debug, info, warn, error
	Text   string
	URL    string // of the script, or of the request
	Line   int    // 1-based; 0 where unknown
	Tab    int    // 0 where it belongs to none
	Method string // of a request
	Status int    // of a request; 0 where there was no answer
	// Request is the Seq of the request that failed, for its details.
	Request int
	Time    time.Time
	Origin  Origin
}

// IsError reports whether the entry counts in the line `errors: N`: a console
// error or an uncaught exception, and nothing else.
func (e Entry) IsError() bool { return e.Kind == KindError || e.Kind == KindException }

// journal keeps the last entries and exact counts. Its owner's lock guards it.
type journal struct {
	entries []Entry // oldest first
	bytes   int
	seq     int // of the last entry
	errors  int // console errors and exceptions so far, those let go included
	failed  int // failed requests so far
	lost    int // seq of the newest error that was let go, 0 for none
	cleared int // seq of the last entry when somebody cleared the journal
}

func (j *journal) add(e Entry) {
	j.seq++
	e.Seq = j.seq
	// What the decoder hands over is a part of the whole message, which can be long.
	e.Text, e.URL = strings.Clone(cut(e.Text, entryTextBytes)), strings.Clone(cut(e.URL, urlBytes))
	e.Level, e.Method = strings.Clone(e.Level), strings.Clone(e.Method)
	j.entries = append(j.entries, e)
	j.bytes += len(e.Text) + len(e.URL)
	switch {
	case e.IsError():
		j.errors++
	case e.Kind == KindRequest:
		j.failed++
	}
	drop := 0
	for len(j.entries)-drop > journalEntries || j.bytes > journalBytes && drop < len(j.entries)-1 {
		if j.entries[drop].IsError() {
			j.lost = j.entries[drop].Seq
		}
		j.bytes -= len(j.entries[drop].Text) + len(j.entries[drop].URL)
		drop++
	}
	// The front is given back in one copy for many entries, not one for each.
	clear(j.entries[:drop]) // their texts go at once
	j.entries = j.entries[drop:]
	if drop > 0 && cap(j.entries) > 4*journalEntries {
		j.entries = append(make([]Entry, 0, 2*journalEntries), j.entries...)
	}
}

// keptErrors counts the errors after seq whose entries are still held.
func (j *journal) keptErrors(seq int) int {
	n := 0
	for i := len(j.entries) - 1; i >= 0 && j.entries[i].Seq > seq; i-- {
		if j.entries[i].IsError() {
			n++
		}
	}
	return n
}

// thrown matches the text of an uncaught error, for browsers that send warnings
// of their own in the same form.
var thrown = lazyregexp.New(`^(uncaught |([A-Za-z_$][\w$.]*)?(Error|Exception)\b)`)

// entryOf turns a log event into an entry.
func entryOf(e logEvent, q Quirks, tab int) Entry {
	out := Entry{Level: e.Level, Tab: tab, Time: time.Now(), Kind: KindConsole}
	if e.Text != nil {
		out.Text = *e.Text
		if e.Type == "console" {
			out.Text = loggedText(out.Text, e.Args)
		}
	}
	stack := e.Stack != nil && len(e.Stack.Frames) > 0
	if stack {
		top := e.Stack.Frames[0]
		out.URL, out.Line = top.URL, top.Line+1
	}
	switch {
	case e.Type == "javascript" && e.Level != "error":
		out.Kind = KindWarning
	case e.Type == "javascript" && q.WarningsAsErrors && !stack && !thrown().MatchString(out.Text):
		out.Kind, out.Level = KindWarning, "warn"
	case e.Type == "javascript":
		out.Kind = KindException
	case e.Level == "error":
		out.Kind = KindError
	}
	return out
}
