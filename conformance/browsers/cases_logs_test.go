//go:build linux

package browsers

import (
	"strings"
	"time"

	json "github.com/goccy/go-json"
)

var logCases = []pageCase{
	{name: "79-console-odd-values", run: oddConsole, alone: true},
	{name: "91-streams-and-binaries", run: streams},
}

type logRow struct {
	Seq    int    `json:"seq"`
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	URL    string `json:"url"`
	Status int    `json:"status"`
}

// rows lists a kind of log entries after a cursor, those that contain a text.
func (k *kase) rows(since int, kind, contains string) []logRow {
	args := []any{"limit", 6, "contains", contains} // few enough to stay inline
	if since > 0 {
		args = append(args, "since", since)
	}
	if kind != "" {
		args = append(args, "kind", kind)
	}
	r := k.call("browser_logs", args...)
	var s struct {
		Result struct {
			Entries []logRow `json:"entries"`
			Cursor  int      `json:"logCursor"`
		} `json:"result"`
	}
	if err := json.Unmarshal(r.Structured, &s); err != nil || r.IsError {
		k.endf("the log: %v %.300s", err, r.Text)
	}
	k.logCursor = s.Result.Cursor
	return s.Result.Entries
}

// cursor is the log's last number.
func (k *kase) cursor() int {
	k.rows(0, "", "")
	return k.logCursor
}

func oddConsole(k *kase) {
	since := k.cursor()
	k.open("/")
	k.ok("browser_wait", "kind", "text", "target", "done")
	// What each call says, in order; the browsers tell nothing of the getter.
	calls := []string{"plain", "", "after-1", "undefined", "", "after-2", "", "Al is 42 years", "/re/g", "xxxxxxxx", " sep", "after-3"}
	first := 0
	for i, says := range calls {
		if says == "" {
			continue
		}
		found := k.rows(since, "console", says)
		if len(found) != 1 {
			k.faultf("%d rows with %q", len(found), says)
			continue
		}
		if len(found[0].Text) > 2000 {
			k.faultf("a row of %d bytes", len(found[0].Text))
		}
		if i == 0 {
			first = found[0].Seq
		}
		if found[0].Seq < first+i {
			k.faultf("the row with %q is number %d, want at least %d: a row before it is missing", says, found[0].Seq, first+i)
		}
	}
	failed := 0
	for _, want := range []string{"bad thing", "boom", "null", "nope", "frame boom"} {
		found := k.rows(since, "error", want)
		if len(found) == 0 {
			k.faultf("no error row with %q", want)
		}
		failed += len(found)
	}
	if failed < 6 { // boom is in two
		k.faultf("%d errors, want 5", failed-1)
	}
}

func streams(k *kase) {
	since := k.cursor()
	k.open("/")
	k.ok("browser_wait", "kind", "text", "target", "ready")
	var failed []logRow
	k.within(time.Second, "the log", func() { failed = k.rows(since, "request", "gone") })
	gone := false
	for _, row := range failed {
		gone = gone || strings.HasSuffix(row.URL, "/gone") && row.Status == 404
		if row.Text == "no" {
			k.faultf("a row has a body: %v", row)
		}
	}
	if !gone {
		k.faultf("no row for the request that was answered 404: %v", failed)
	}
	k.within(2*time.Second, "the map", func() { k.line(k.snap(), "ready") })
	var listed result
	k.within(time.Second, "the list of requests", func() {
		listed = k.call("browser_logs", "action", "requests", "limit", 30, "contains", k.base)
	})
	for _, words := range [][]string{{"/bin", " 200 "}, {"/moved", " 302 "}, {" from "}, {"/gone", " 404 "}, {"/ping"}, {"/sse", "pending"}, {"/open", "pending"}} {
		k.line(listed.Text, words...)
	}
}
