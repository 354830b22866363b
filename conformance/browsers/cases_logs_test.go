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

// rows lists a kind of log entries after a cursor.
func (k *kase) rows(since int, kind string) []logRow {
	args := []any{"limit", 200}
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
		} `json:"result"`
	}
	if err := json.Unmarshal(r.Structured, &s); err != nil || r.IsError {
		k.endf("the log: %v %.300s", err, r.Text)
	}
	return s.Result.Entries
}

// cursor is the log's last number.
func (k *kase) cursor() int {
	all := k.rows(0, "")
	if len(all) == 0 {
		return 0
	}
	return all[len(all)-1].Seq
}

func oddConsole(k *kase) {
	since := k.cursor()
	k.open("/")
	k.ok("browser_wait", "kind", "text", "target", "done")
	at, calls := 0, 0
	for _, row := range k.rows(since, "console") {
		calls++
		if len(row.Text) > 2000 {
			k.faultf("a row of %d bytes", len(row.Text))
		}
		for _, mark := range []string{"plain", "after-1", "after-2", "Al", "after-3"}[at:] {
			if strings.Contains(row.Text, mark) {
				at++
				break
			}
		}
	}
	if at != 5 {
		k.faultf("%d of the five marks came in order", at)
	}
	if calls < 13 {
		k.faultf("%d rows, want one for each call", calls)
	}
	errors := k.rows(since, "error")
	for _, want := range []string{"bad thing", "boom", "null", "nope", "frame boom"} {
		found := false
		for _, row := range errors {
			found = found || strings.Contains(row.Text, want)
		}
		if !found {
			k.faultf("no error row with %q", want)
		}
	}
	if len(errors) < 5 {
		k.faultf("%d errors, want 5", len(errors))
	}
}

func streams(k *kase) {
	since := k.cursor()
	k.open("/")
	k.ok("browser_wait", "kind", "text", "target", "ready")
	var failed []logRow
	k.within(time.Second, "the log", func() { failed = k.rows(since, "request") })
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
	k.t.Log("not tried, no command yet: a list of all requests")
}
