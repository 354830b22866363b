package tools

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
)

type logsArgs struct {
	Action    string `json:"action,omitzero" arg:"" enum:"list,wait,clear" default:"list"`
	Kind      string `json:"kind,omitzero" enum:"console,error,exception,warning,request" help:"error includes exceptions; request: failed ones."`
	Level     string `json:"level,omitzero" enum:"debug,info,warn,error"`
	Contains  string `json:"contains,omitzero" maxlen:"512"`
	Since     int    `json:"since,omitzero" min:"0" help:"A logCursor."`
	Limit     int    `json:"limit,omitzero" min:"1" max:"500" default:"20" help:"Newest entries."`
	TimeoutMS *int   `json:"timeout_ms,omitzero" min:"0" max:"300000"`
}

// logEntry is an entry as it is shown: no headers, bodies or cookies.
type logEntry struct {
	Seq    int    `json:"seq"`
	Kind   string `json:"kind"`
	Level  string `json:"level,omitzero"`
	Text   string `json:"text,omitzero"`
	URL    string `json:"url,omitzero"`
	Line   int    `json:"line,omitzero"`
	Method string `json:"method,omitzero"`
	Status int    `json:"status,omitzero"`
	Tab    int    `json:"tab,omitzero"`
}

type logs struct {
	Entries []logEntry `json:"entries"`
	Cursor  int        `json:"logCursor"`
	Earlier int        `json:"earlier,omitzero"` // matched too, and are held
	Dropped int        `json:"dropped,omitzero"` // of any kind, no longer held
	Cleared *int       `json:"cleared,omitzero"`
}

var _ = declareSplit(dispatch.Spec{
	Verb:    "logs",
	Aliases: []string{"log"},
	Tool:    "browser_logs",
	Title:   "Logs",
	Summary: "Console messages, exceptions and failed requests since launch; wait for one, or clear.",
	Detail:  "Entries are numbered for the life of the session; since takes the number of the last one seen. wait looks at what is there first, and returns the first entry that fits; other callers of the session go on meanwhile. No headers, bodies or cookies are shown, and values in addresses whose names read like a secret's are masked. On the command line, -f goes on printing new entries until it is interrupted.",
	Example: "logs --kind error",
}, "action", []string{"list", "wait"}, runLogs, runLogsClear)

// longestEntry is how much is shown of a text or an address.
const longestEntry = 1000

func runLogs(ctx context.Context, c *dispatch.Read, a logsArgs) (logs, error) {
	f := drive.LogFilter{After: a.Since, Kind: a.Kind, Level: a.Level, Contains: a.Contains, Limit: a.Limit}
	if a.Action == "wait" {
		return waitLogs(ctx, c, f)
	}
	// What was logged before the call is there, if the page answers.
	switch err := c.Sync(ctx); {
	case err == nil:
	case tolerable(err):
		c.Note("the page did not answer: what it logged last may be missing")
	default:
		return logs{}, err
	}
	return logsOf(c.Log(f)), nil
}

// tolerable reports whether a log can be read although its page did not answer.
func tolerable(err error) bool {
	code := fault.From(err).Code
	return code == fault.Timeout || code == fault.DialogOpen || code == fault.StateInvalid
}

func waitLogs(ctx context.Context, c *dispatch.Read, f drive.LogFilter) (logs, error) {
	ctx, cancel := context.WithTimeout(ctx, max(c.Timeout(), shortestWait))
	defer cancel()
	var l drive.Log
	err := c.Yield(ctx, func(ctx context.Context) error {
		var err error
		l, err = c.AwaitLog(ctx, f)
		return err
	})
	if err != nil {
		return logs{}, err
	}
	return logsOf(l), nil
}

func runLogsClear(ctx context.Context, c *dispatch.Act, a logsArgs) (logs, error) {
	if a.Kind != "" || a.Level != "" || a.Contains != "" || a.Since != 0 {
		return logs{}, fault.New(fault.InvalidArgument, "clear takes no filter")
	}
	n, _ := c.Browser().ClearLog()
	l := c.Browser().Log(drive.LogFilter{})
	return logs{Entries: []logEntry{}, Cursor: l.Cursor, Cleared: &n}, nil
}

func logsOf(l drive.Log) logs {
	out := logs{Entries: []logEntry{}, Cursor: l.Cursor, Earlier: l.Total - len(l.Entries), Dropped: l.Dropped}
	for _, e := range l.Entries {
		entry := logEntry{
			Seq: e.Seq, Kind: e.Kind, Text: shorten(e.Text, longestEntry), URL: shorten(e.URL, longestEntry), Line: e.Line,
			Method: e.Method, Status: e.Status, Tab: e.Tab,
		}
		if e.Kind == drive.KindConsole {
			entry.Level = e.Level
		}
		out.Entries = append(out.Entries, entry)
	}
	return out
}

// shorten cuts a text at n characters and marks the cut.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// Text implements dispatch.Texter: a line for each entry, the page's words in
// quotes.
func (l logs) Text() string {
	var lines []string
	if l.Dropped > 0 {
		lines = append(lines, fmt.Sprintf("dropped: %d older entries are no longer held", l.Dropped))
	}
	if l.Earlier > 0 {
		lines = append(lines, fmt.Sprintf("earlier: %d match too (raise limit)", l.Earlier))
	}
	for _, e := range l.Entries {
		lines = append(lines, e.line())
	}
	if l.Cleared != nil {
		lines = append(lines, fmt.Sprintf("cleared: %d", *l.Cleared))
	}
	return strings.Join(append(lines, fmt.Sprintf("logCursor: %d", l.Cursor)), "\n")
}

func (e logEntry) line() string {
	parts := []string{"console:", strconv.Itoa(e.Seq), e.Kind}
	if e.Level != "" && e.Level != e.Kind {
		parts = append(parts, e.Level)
	}
	if e.Method != "" {
		parts = append(parts, e.Method)
	}
	if e.Status != 0 {
		parts = append(parts, strconv.Itoa(e.Status))
	}
	if e.Text != "" {
		parts = append(parts, strconv.Quote(e.Text))
	}
	if e.URL != "" {
		parts = append(parts, strconv.Quote(e.URL))
	}
	if e.Line != 0 {
		parts = append(parts, "line "+strconv.Itoa(e.Line))
	}
	if e.Tab > 1 {
		parts = append(parts, "tab "+strconv.Itoa(e.Tab))
	}
	return strings.Join(parts, " ")
}
