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
	Action    string `json:"action,omitzero" arg:"" enum:"list,wait,clear,requests,capture,har" default:"list"`
	Kind      string `json:"kind,omitzero" enum:"console,error,exception,warning,request" help:"error includes exceptions; request: failed." cli:"Only these; error includes exceptions, request is those that failed."`
	Level     string `json:"level,omitzero" enum:"debug,info,warn,error" cli:"Only console messages of this level."`
	Contains  string `json:"contains,omitzero" maxlen:"512" cli:"Only what has this in its text or address."`
	Filter    string `json:"filter,omitzero" maxlen:"200" help:"POST 4xx xhr failed" cli:"Only requests that fit: methods, statuses, types, states, such as 'POST 4xx xhr failed'."`
	Request   int    `json:"request,omitzero" min:"1" cli:"One request by its number, with the action requests."`
	Bodies    bool   `json:"bodies,omitzero" cli:"Write bodies (and of a request its headers) to files."`
	Since     int    `json:"since,omitzero" min:"0" help:"A cursor." cli:"Only what came after this logCursor or requestCursor."`
	Limit     int    `json:"limit,omitzero" min:"1" max:"500" default:"20" help:"Newest entries." cli:"How many are told, the newest."`
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
	// Request is the number of the request that failed.
	Request int `json:"request,omitzero"`
}

type logs struct {
	Entries []logEntry `json:"entries"`
	Cursor  int        `json:"logCursor"`
	Earlier int        `json:"earlier,omitzero"` // matched too, and are held
	Dropped int        `json:"dropped,omitzero"` // of any kind, no longer held
	Cleared *int       `json:"cleared,omitzero"`
	// ClearedRequests is how many requests were forgotten with the entries.
	ClearedRequests int `json:"clearedRequests,omitzero"`
}

var _ = declareSplit(dispatch.Spec{
	Verb:    "logs",
	Aliases: []string{"log"},
	Tool:    "browser_logs",
	Title:   "Logs",
	Summary: "Console, exceptions and requests since launch; wait for one; HAR.",
	Detail: "Entries are numbered for the life of the session; since takes the number of the last one seen. wait looks at what is there first, and returns the first entry that fits; other callers of the session go on meanwhile. On the command line, duet logs -f goes on printing new entries until it is interrupted. " +
		requestsDetail + " With filter, wait waits for a request. " + oneDetail + " har writes the requests as an HTTP archive. " + maskedDetail,
	Example: "logs --kind error",
	Verbs:   requestVerbs,
	Writes:  true,
	Codes:   failing(fault.InvalidArgument, fault.NoMatch, fault.Timeout, fault.Quota),
}, "action", []string{"list", "wait", "requests", "har"}, runLogs, runLogsActs)

// How much is shown of a text or an address.
const (
	longestEntry = 1000
	longestData  = 64 // of a data: URL
)

func runLogs(ctx context.Context, c *dispatch.Read, a logsArgs) (any, error) {
	if err := a.judge(); err != nil {
		return nil, err
	}
	if a.Action == "requests" || a.Action == "har" || a.Filter != "" {
		return runRequests(ctx, c, a)
	}
	f := drive.LogFilter{After: a.Since, Kind: a.Kind, Level: a.Level, Contains: a.Contains, Limit: a.Limit}
	if a.Action == "wait" {
		return waitLogs(ctx, c, f)
	}
	if err := upToDate(ctx, c); err != nil {
		return nil, err
	}
	return logsOf(c.Log(f)), nil
}

// upToDate returns when what happened before the call is in the log, if the page
// answers.
func upToDate(ctx context.Context, c *dispatch.Read) error {
	err := c.Sync(ctx)
	if err != nil && tolerable(err) {
		c.Note("the page did not answer: what it logged last may be missing")
		return nil
	}
	return err
}

// judge refuses arguments that do not go with the action.
func (a logsArgs) judge() error {
	requests := a.Action == "requests" || a.Action == "har"
	wrong := func(format string, args ...any) error { return fault.New(fault.InvalidArgument, format, args...) }
	switch {
	case (requests || a.Filter != "") && (a.Kind != "" || a.Level != ""):
		return wrong("%s and %s are of log entries; requests take %s", fault.Arg("kind"), fault.Arg("level"), fault.Arg("filter"))
	case a.Filter != "" && !requests && a.Action != "wait":
		return wrong("%s goes with requests, har and wait", fault.Arg("filter"))
	case a.Request != 0 && a.Action != "requests":
		return wrong("%s goes with the action requests", fault.Arg("request"))
	case a.Request != 0 && (a.Filter != "" || a.Contains != "" || a.Since != 0):
		return wrong("%s names one; it takes no filter", fault.Arg("request"))
	case a.Bodies && a.Action != "har" && a.Request == 0:
		return wrong("%s goes with har, and with %s", fault.Arg("bodies"), fault.Arg("request"))
	}
	return nil
}

// tolerable reports whether a log can be read although its page did not answer.
func tolerable(err error) bool {
	code := fault.From(err).Code
	return code == fault.Timeout || code == fault.DialogOpen || code == fault.StateInvalid
}

func waitLogs(ctx context.Context, c *dispatch.Read, f drive.LogFilter) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, max(c.Timeout(), shortestWait))
	defer cancel()
	var l drive.Log
	err := c.Yield(ctx, func(ctx context.Context) error {
		var err error
		l, err = c.AwaitLog(ctx, f)
		return err
	})
	if err != nil {
		return nil, err
	}
	return logsOf(l), nil
}

// runLogsActs clears what is held, or begins to keep bodies.
func runLogsActs(ctx context.Context, c *dispatch.Act, a logsArgs) (any, error) {
	if a.Kind != "" || a.Level != "" || a.Contains != "" || a.Since != 0 || a.Filter != "" || a.Request != 0 || a.Bodies {
		return nil, fault.New(fault.InvalidArgument, "%s takes no filter", a.Action)
	}
	b := c.Browser()
	if a.Action == "capture" {
		already, err := b.Capture(ctx)
		return capturing{OK: err == nil, Already: already}, err
	}
	if err := b.EndCapture(ctx); err != nil {
		return nil, err
	}
	n, requests := b.ClearLog()
	return logs{Entries: []logEntry{}, Cursor: b.Log(drive.LogFilter{}).Cursor, Cleared: &n, ClearedRequests: requests}, nil
}

// capturing says that bodies are kept.
type capturing struct {
	OK      bool `json:"ok"`
	Already bool `json:"already,omitzero"` // it was so before
}

func logsOf(l drive.Log) logs {
	out := logs{Entries: []logEntry{}, Cursor: l.Cursor, Earlier: l.Total - len(l.Entries), Dropped: l.Dropped}
	for _, e := range l.Entries {
		entry := logEntry{
			Seq: e.Seq, Kind: e.Kind, Text: shorten(e.Text, longestEntry), URL: address(e.URL), Line: e.Line,
			Method: e.Method, Status: e.Status, Tab: e.Tab, Request: e.Request,
		}
		if e.Kind == drive.KindConsole {
			entry.Level = e.Level
		}
		out.Entries = append(out.Entries, entry)
	}
	return out
}

// address is an address as it is listed: data is no address to go to, and long.
func address(url string) string {
	if strings.HasPrefix(url, "data:") {
		return shorten(url, longestData)
	}
	return shorten(url, longestEntry)
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
		lines = append(lines, fmt.Sprintf("earlier: %d match too (%s)", l.Earlier, fault.More("browser_logs", "limit", strconv.Itoa(min(500, l.Earlier+len(l.Entries))))))
	}
	for _, e := range l.Entries {
		lines = append(lines, e.line())
	}
	if l.Cleared != nil {
		line := fmt.Sprintf("cleared: %d", *l.Cleared)
		if l.ClearedRequests > 0 {
			line += fmt.Sprintf(", and %d requests", l.ClearedRequests)
		}
		lines = append(lines, line)
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
	if e.Request != 0 {
		parts = append(parts, "request "+strconv.Itoa(e.Request))
	}
	if e.Tab > 1 {
		parts = append(parts, "tab "+strconv.Itoa(e.Tab))
	}
	return strings.Join(parts, " ")
}
