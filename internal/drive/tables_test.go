package drive

import (
	"context"
	"errors"
	"strings"
	"testing"

	"duet/bidi"
	"duet/internal/fault"
)

func TestWhatABrowserAnswersBecomesACodeWithATrueEffect(t *testing.T) {
	for _, c := range []struct {
		err    error
		code   fault.Code
		effect fault.Effect
	}{
		{&bidi.Error{Code: "no such frame", Sent: true}, fault.StateInvalid, fault.None},
		{&bidi.Error{Code: "no such node", Sent: true}, fault.StaleRef, fault.None},
		{&bidi.Error{Code: "no such element", Sent: true}, fault.StaleRef, fault.None},
		{&bidi.Error{Code: "no such alert", Sent: true}, fault.NoDialog, fault.None},
		{&bidi.Error{Code: "move target out of bounds", Sent: true}, fault.NotVisible, fault.None},
		{&bidi.Error{Code: "unsupported operation", Sent: true}, fault.Unsupported, fault.None},
		{&bidi.Error{Code: "unknown command", Sent: true}, fault.Unsupported, fault.None},
		{&bidi.Error{Code: "invalid session id", Sent: true}, fault.BrowserLost, fault.None},
		{&bidi.Error{Code: "invalid argument", Sent: true}, fault.InvalidArgument, fault.None},
		{&bidi.Error{Code: "unknown error", Message: "odd", Sent: true}, fault.StateInvalid, fault.Possible},
		{&bidi.Error{Sent: false, Err: bidi.ErrClosed}, fault.BrowserLost, fault.None},
		{&bidi.Error{Sent: true, Err: bidi.ErrClosed}, fault.BrowserLost, fault.Possible},
		{&bidi.Error{Sent: true, Err: context.DeadlineExceeded}, fault.Timeout, fault.Possible},
		{&bidi.Error{Sent: false, Err: context.Canceled}, fault.Cancelled, fault.None},
	} {
		f := wireFault("do it", c.err)
		if f.Code != c.code || f.Effect != c.effect && !(f.Effect == "" && c.effect == fault.None) {
			t.Errorf("%+v: %s effect %s, want %s %s", c.err, f.Code, f.Effect, c.code, c.effect)
		}
	}
}

func TestReasonsOfBothBrowsersReadTheSame(t *testing.T) {
	for reason, want := range map[string]string{
		"unknown error: net::ERR_CONNECTION_REFUSED":                  "connection refused (net::ERR_CONNECTION_REFUSED)",
		"unknown error: Error: NS_ERROR_CONNECTION_REFUSED":           "connection refused (NS_ERROR_CONNECTION_REFUSED)",
		"Error: NS_ERROR_UNKNOWN_HOST":                                "no such host (NS_ERROR_UNKNOWN_HOST)",
		"unknown error: net::ERR_NAME_NOT_RESOLVED":                   "no such host (net::ERR_NAME_NOT_RESOLVED)",
		"unknown error: navigation canceled by concurrent navigation": reasonSuperseded + " (navigation canceled by concurrent navigation)",
		"something\nat stack":                                         "something",
	} {
		if got := worded(reason); got != want {
			t.Errorf("%q: %q, want %q", reason, got, want)
		}
	}
}

func TestTheJournalIsBoundedAndItsCountsAreNot(t *testing.T) {
	b := &Browser{state: newState()}
	for i := range 3 * journalEntries {
		kind := KindConsole
		if i%2 == 0 {
			kind = KindException
		}
		b.journal.add(Entry{Kind: kind, Text: strings.Repeat("é", 100)})
	}
	l := b.Log(LogFilter{})
	if len(l.Entries) != journalEntries || l.Dropped != 2*journalEntries || l.Cursor != 3*journalEntries {
		t.Errorf("%d entries, %d dropped, cursor %d", len(l.Entries), l.Dropped, l.Cursor)
	}
	tab := &Tab{b: b}
	if f := tab.factsLocked(Mark{}); f.Errors != 3*journalEntries/2 || f.ErrorsLost != journalEntries {
		t.Errorf("errors %d, lost %d", f.Errors, f.ErrorsLost)
	}
	if l := b.Log(LogFilter{After: l.Cursor - 10, Kind: KindError, Limit: 2}); len(l.Entries) != 2 || l.Total != 5 || l.Dropped != 0 {
		t.Errorf("filtered: %+v", l)
	}
	b.journal.add(Entry{Text: strings.Repeat("x", 2*journalBytes)})
	if n := len(b.journal.entries[len(b.journal.entries)-1].Text); n > entryTextBytes+3 {
		t.Errorf("one entry of %d bytes", n)
	}
}

func TestSecretsAreReplacedWholeAndShortOnesAreNone(t *testing.T) {
	b := &Browser{}
	for _, s := range []string{"abc", "hunter2", "hunter2!!", "ключ"} {
		b.Remember(s)
	}
	if got := b.Redact("abc hunter2!! hunter2 ключ hunter"); got != "abc ••• ••• ••• hunter" {
		t.Errorf("%q", got)
	}
}

func TestWarningsOfTheBrowserAreNoErrorsOfThePage(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, c := range []struct {
		e    logEvent
		kind string
	}{
		{logEvent{Type: "javascript", Level: "error", Text: text("Cookie “x” has been rejected")}, KindWarning},
		{logEvent{Type: "javascript", Level: "error", Text: text("TypeError: x is not a function")}, KindException},
		{logEvent{Type: "javascript", Level: "error", Text: text("Error: a rejection that nobody handled")}, KindException},
		{logEvent{Type: "javascript", Level: "error", Text: text("uncaught exception: null")}, KindException},
		{logEvent{Type: "javascript", Level: "error", Text: text("Errors in this document were ignored")}, KindWarning},
		{logEvent{Type: "javascript", Level: "warn", Text: text("old")}, KindWarning},
		{logEvent{Type: "console", Level: "error", Text: text("bad")}, KindError},
		{logEvent{Type: "console", Level: "warn", Text: text("hm")}, KindConsole},
	} {
		if got := entryOf(c.e, quirksOf("firefox"), 1); got.Kind != c.kind {
			t.Errorf("%s: %s, want %s", *c.e.Text, got.Kind, c.kind)
		}
	}
}

func TestAddressesAreCheckedBeforeAnythingIsSent(t *testing.T) {
	ctx := WithJudge(t.Context(), func(u string) error {
		if strings.HasPrefix(u, "file:") {
			return fault.New(fault.URLBlocked, "no files")
		}
		return nil
	})
	for address, code := range map[string]fault.Code{
		"http://x/": "", " https://x/a?b#c ": "", "about:blank": "", "data:text/html,x": "", "http://[::1]:80/": "",
		"": fault.InvalidArgument, "notaurl": fault.InvalidArgument, "localhost:8080/x": fault.InvalidArgument,
		"127.0.0.1:80": fault.InvalidArgument, "//x/y": fault.InvalidArgument, "/path": fault.InvalidArgument,
		"javascript:alert(1)": fault.URLBlocked, " JavaScript:1": fault.URLBlocked, "file:///etc/passwd": fault.URLBlocked,
	} {
		got, err := judged(ctx, address)
		if code == "" && (err != nil || got != strings.TrimSpace(address)) || code != "" && !errors.Is(err, code) {
			t.Errorf("%q: %q %v, want %q", address, got, err, code)
		}
	}
	if got := shown("http://ann:hunter2@x/p?q"); got != "http://•••@x/p?q" {
		t.Errorf("%q", got)
	}
}
