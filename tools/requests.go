package tools

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"duet/dispatch"
	"duet/internal/drive"
	"duet/internal/fault"
	"duet/internal/lazyregexp"
)

// What is told of each, together for the tool and alone for its verb.
const (
	requestsDetail = "requests lists every request, with numbers of their own; filter takes words: methods, statuses (404, 4xx), types (document, stylesheet, script, image, font, media, xhr, fetch, other), states (pending, finished, failed, aborted; failed includes answers of 400 and above) and tab:N; words of one sort are alternatives."
	oneDetail      = "request is one of them in detail; with bodies its headers, and what it carried, are written to files. " + captureDetail
	captureDetail  = "Bodies are there for requests that began after capture, which clear ends."
	maskedDetail   = "Credentials and values whose names read like a secret's are masked everywhere."
)

// requestVerbs are the CLI's words for what browser_logs does with requests.
var requestVerbs = []dispatch.Verb{
	{
		Name: "requests", Summary: "List requests: their status, type, size and time.", Example: "requests /api --filter 'POST 4xx failed'",
		Detail: requestsDetail + " " + maskedDetail,
		Preset: map[string]string{"action": "requests"}, Args: []string{"contains"}, Drop: []string{"kind", "level", "request", "bodies"},
	},
	{
		Name: "request", Summary: "Show one request with its timing; --bodies writes headers and bodies to files.", Example: "request 12 --bodies",
		Detail: oneDetail + " " + maskedDetail,
		Preset: map[string]string{"action": "requests"}, Args: []string{"request"}, Needs: []string{"request"}, Drop: []string{"kind", "level", "contains", "filter", "since", "limit"},
	},
	{
		Name: "har", Summary: "Write the requests to a HAR file.", Example: "har --bodies",
		Detail: "har writes the requests as an HTTP archive. " + captureDetail + " " + maskedDetail,
		Preset: map[string]string{"action": "har"}, Args: []string{"contains"}, Drop: []string{"kind", "level", "request", "limit"}, Saves: []string{"har"},
	},
	{
		Name: "capture", Summary: "Keep the bodies of requests from now on, until logs clear.", Example: "capture",
		Detail: captureDetail,
		Preset: map[string]string{"action": "capture"}, Args: []string{},
		Drop: []string{"kind", "level", "contains", "filter", "request", "bodies", "since", "limit"},
	},
}

// requestRow is a request as a list shows it: no headers, bodies or cookies.
type requestRow struct {
	Request int    `json:"request"`
	Method  string `json:"method"`
	URL     string `json:"url"`
	Type    string `json:"type"`
	State   string `json:"state"`
	Status  int    `json:"status,omitzero"`
	MIME    string `json:"mime,omitzero"`
	Size    int64  `json:"size,omitzero"` // of the answer's body in bytes, decoded where that is known
	MS      int64  `json:"ms,omitzero"`
	Reason  string `json:"reason,omitzero"`
	Cached  bool   `json:"cached,omitzero"`
	From    int    `json:"redirectedFrom,omitzero"`
	Tab     int    `json:"tab,omitzero"`
}

type requestList struct {
	Requests []requestRow `json:"requests"`
	Cursor   int          `json:"requestCursor"`
	Earlier  int          `json:"earlier,omitzero"` // matched too, and are held
	Dropped  int          `json:"dropped,omitzero"` // no longer held
}

// requestDetail is one request whole.
type requestDetail struct {
	requestRow
	Protocol string         `json:"protocol,omitzero"`
	Began    string         `json:"began"`
	Timing   map[string]any `json:"timing,omitzero"` // milliseconds; parts that there were not are missing
	Sent     int64          `json:"sentBytes"`       // of the body
	Received int64          `json:"receivedBytes"`   // of the body, on the wire
	Files    []requestFile  `json:"files,omitzero"`
	Missing  []string       `json:"missing,omitzero"`
	Masked   string         `json:"masked,omitzero"`
}

// requestFile is a file of a request's headers or of a body.
type requestFile struct {
	Holds string `json:"holds"`
	dispatch.File
}

func runRequests(ctx context.Context, c *dispatch.Read, a logsArgs) (any, error) {
	f, err := requestFilter(a)
	if err != nil {
		return nil, err
	}
	if a.Action == "wait" {
		return waitRequest(ctx, c, f)
	}
	if err := upToDate(ctx, c); err != nil {
		return nil, err
	}
	switch {
	case a.Action == "har":
		f.Limit = 0
		if a.Bodies && !c.Browser().Capturing() {
			c.Note("no bodies are in it: they are kept of requests that begin after capture, which was not called")
		}
		return c.HAR(ctx, f, a.Bodies)
	case a.Request != 0:
		return oneRequest(ctx, c, a)
	}
	return requestsOf(c.Requests(f)), nil
}

func waitRequest(ctx context.Context, c *dispatch.Read, f drive.RequestFilter) (any, error) {
	ctx, cancel := context.WithTimeout(ctx, max(c.Timeout(), shortestWait))
	defer cancel()
	var l drive.RequestLog
	err := c.Yield(ctx, func(ctx context.Context) error {
		var err error
		l, err = c.AwaitRequest(ctx, f)
		return err
	})
	if err != nil {
		return nil, err
	}
	return requestsOf(l), nil
}

var (
	requestTypes = []string{
		drive.TypeDocument, drive.TypeStylesheet, drive.TypeScript, drive.TypeImage, drive.TypeFont, drive.TypeMedia, drive.TypeXHR, drive.TypeFetch, drive.TypeOther,
	}
	requestStates = []string{drive.RequestPending, drive.RequestFinished, drive.RequestFailed, drive.RequestAborted}
	statusWord    = lazyregexp.New(`^[1-5](xx|[0-9][0-9])$`)
	methodWord    = lazyregexp.New(`^[A-Z]{3,10}$`)
)

// requestFilter reads the words of filter.
func requestFilter(a logsArgs) (drive.RequestFilter, error) {
	f := drive.RequestFilter{After: a.Since, Contains: a.Contains, Limit: a.Limit}
	for word := range strings.FieldsFuncSeq(a.Filter, func(r rune) bool { return r == ' ' || r == ',' || r == '\t' || r == '\n' }) {
		tab, isTab := strings.CutPrefix(strings.Replace(word, "=", ":", 1), "tab:")
		switch {
		case slices.Contains(requestTypes, word):
			f.Types = append(f.Types, word)
		case slices.Contains(requestStates, word):
			f.States = append(f.States, word)
		case statusWord().MatchString(word):
			n, _ := strconv.Atoi(strings.TrimSuffix(word, "xx")) // digits alone are left
			f.Statuses = append(f.Statuses, n)
		case isTab:
			n, err := strconv.Atoi(tab)
			if err != nil || n < 1 {
				return f, badWord(word)
			}
			f.Tab = n
		case methodWord().MatchString(word):
			f.Methods = append(f.Methods, word)
		default:
			return f, badWord(word)
		}
	}
	return f, nil
}

func badWord(word string) error {
	return fault.New(fault.InvalidArgument, "%s: %q is no method (GET), status (404, 4xx), type, state or tab:N", fault.Arg("filter"), shorten(word, 40)).
		WithHint("types: %s; states: %s", strings.Join(requestTypes, ", "), strings.Join(requestStates, ", "))
}

func rowOf(q *drive.Request) requestRow {
	row := requestRow{
		Request: q.Seq, Method: q.Method, URL: address(q.URL), Type: q.Type, State: q.State, Status: q.Status, MIME: q.MIME,
		Size: q.Content, MS: q.Took.Milliseconds(), Reason: q.Reason, Cached: q.FromCache, From: q.From, Tab: q.Tab,
	}
	if row.Size <= 0 {
		row.Size = max(0, q.Received.Body)
	}
	return row
}

func requestsOf(l drive.RequestLog) requestList {
	out := requestList{Requests: []requestRow{}, Cursor: l.Cursor, Earlier: l.Total - len(l.Requests), Dropped: l.Dropped}
	for i := range l.Requests {
		out.Requests = append(out.Requests, rowOf(&l.Requests[i]))
	}
	return out
}

// oneRequest shows a request; with bodies it writes its headers and what it carried.
func oneRequest(ctx context.Context, c *dispatch.Read, a logsArgs) (any, error) {
	l := c.Requests(drive.RequestFilter{After: a.Request - 1})
	if len(l.Requests) == 0 || l.Requests[0].Seq != a.Request {
		return nil, fault.New(fault.NoMatch, "no request %d is held", a.Request).WithHint("%s lists those that are, with their numbers", fault.Call("browser_logs", "action", "requests"))
	}
	q := &l.Requests[0]
	out := requestDetail{requestRow: rowOf(q), Protocol: q.Protocol, Began: q.Began.UTC().Format("2006-01-02T15:04:05.000Z"), Sent: max(0, q.Sent.Body), Received: max(0, q.Received.Body)}
	if q.Ended != 0 {
		out.Timing = partsOf(q.Timing)
	}
	if !a.Bodies {
		return out, nil
	}
	return out, out.save(ctx, c, q)
}

func partsOf(t drive.Timing) map[string]any {
	parts := map[string]any{}
	for name, ms := range map[string]float64{
		"blocked": t.Blocked, "dns": t.DNS, "connect": t.Connect, "tls": t.TLS, "send": t.Send, "wait": t.Wait, "receive": t.Receive,
	} {
		if ms >= 0 {
			parts[name] = float64(int64(ms*1000+0.5)) / 1000
		}
	}
	return parts
}

// save writes the headers of an exchange, and its bodies where the browser has them.
func (d *requestDetail) save(ctx context.Context, c *dispatch.Read, q *drive.Request) error {
	var text strings.Builder
	sent, received := c.Headers(q)
	fmt.Fprintf(&text, "%s %s\n", q.Method, q.URL)
	writeHeaders(&text, sent)
	if q.Status != 0 {
		fmt.Fprintf(&text, "\n%d %s\n", q.Status, q.StatusText)
		writeHeaders(&text, received)
	}
	if err := d.write(c, "headers", "headers", "txt", []byte(text.String())); err != nil {
		return err
	}
	masked := 0
	for _, answer := range []bool{false, true} {
		what := "request body"
		if answer {
			what = "answer body"
		}
		if !answer && q.Sent.Body <= 0 && q.Method != "POST" && q.Method != "PUT" && q.Method != "PATCH" {
			continue
		}
		body, err := c.Body(ctx, q, answer)
		if err != nil {
			if code := fault.From(err).Code; code != fault.StateInvalid && code != fault.Unsupported {
				return err
			}
			f := fault.From(err)
			d.Missing = append(d.Missing, what+": "+f.Message+" ("+f.Hint+")")
			continue
		}
		if body.Garbled {
			d.Missing = append(d.Missing, what+": it is no text, and the browser gave it as text: bytes of it are lost")
		}
		masked += body.Masked
		if err := d.write(c, what, "body", extension(body), body.Bytes); err != nil {
			return err
		}
	}
	d.Masked = fmt.Sprintf("credentials in headers, and %d values in bodies, by their names; what names did not give away is kept", masked)
	return nil
}

func (d *requestDetail) write(c *dispatch.Read, holds, kind, ext string, data []byte) error {
	f, err := c.Artifacts().Write(fmt.Sprintf("request-%d-%s", d.Request, kind), ext, data)
	if err == nil {
		d.Files = append(d.Files, requestFile{holds, f})
	}
	return err
}

func writeHeaders(b *strings.Builder, all []drive.Header) {
	for _, h := range all {
		for value := range strings.SplitSeq(h.Value, "\n") {
			fmt.Fprintf(b, "%s: %s\n", h.Name, value)
		}
	}
}

// extensions are those of files by content type.
var extensions = map[string]string{
	"application/json": "json", "text/html": "html", "text/css": "css", "text/javascript": "js", "application/javascript": "js",
	"image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/svg+xml": "svg", "application/pdf": "pdf",
	"text/csv": "csv", "application/xml": "xml", "text/xml": "xml", "application/zip": "zip", "font/woff2": "woff2",
}

func extension(b dispatch.SavedBody) string {
	switch ext := extensions[b.MIME]; {
	case ext != "":
		return ext
	case strings.HasSuffix(b.MIME, "json"):
		return "json"
	case b.Text:
		return "txt"
	}
	return "bin"
}

// Text implements dispatch.Texter: a line for each request, what pages and servers
// chose in quotes.
func (l requestList) Text() string {
	var lines []string
	if l.Dropped > 0 {
		lines = append(lines, fmt.Sprintf("dropped: %d older requests are no longer held", l.Dropped))
	}
	if l.Earlier > 0 {
		lines = append(lines, fmt.Sprintf("earlier: %d match too (%s)", l.Earlier, fault.More("browser_logs", "limit", strconv.Itoa(min(500, l.Earlier+len(l.Requests))))))
	}
	for _, r := range l.Requests {
		lines = append(lines, r.line())
	}
	return strings.Join(append(lines, fmt.Sprintf("requestCursor: %d", l.Cursor)), "\n")
}

var plainMIME = lazyregexp.New(`^[\w.+-]+/[\w.+-]+$`)

func (r requestRow) line() string {
	parts := []string{"request:", strconv.Itoa(r.Request), r.Method}
	if !methodWord().MatchString(r.Method) {
		parts[2] = strconv.Quote(r.Method)
	}
	if r.Status != 0 {
		parts = append(parts, strconv.Itoa(r.Status))
	}
	parts = append(parts, r.Type, strconv.Quote(r.URL))
	if r.State != drive.RequestFinished {
		parts = append(parts, r.State)
	}
	if r.Reason != "" {
		parts = append(parts, strconv.Quote(r.Reason))
	}
	if plainMIME().MatchString(r.MIME) {
		parts = append(parts, r.MIME)
	} else if r.MIME != "" {
		parts = append(parts, strconv.Quote(r.MIME))
	}
	if r.Cached {
		parts = append(parts, "cached")
	}
	if r.Size > 0 {
		parts = append(parts, strconv.FormatInt(r.Size, 10)+" B")
	}
	if r.State != drive.RequestPending {
		parts = append(parts, strconv.FormatInt(r.MS, 10)+" ms")
	}
	if r.From != 0 {
		parts = append(parts, "from "+strconv.Itoa(r.From))
	}
	if r.Tab > 1 {
		parts = append(parts, "tab "+strconv.Itoa(r.Tab))
	}
	return strings.Join(parts, " ")
}
