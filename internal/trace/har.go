package trace

import (
	"net/url"
	"strings"
	"time"

	"github.com/goccy/go-json"
)

// HAR is an HTTP archive, version 1.2, as public readers of such files want it.
// http://www.softwareishard.com/blog/har-12-spec/
type HAR struct {
	Log HARLog `json:"log"`
}

// HARLog is all of a HAR.
type HARLog struct {
	Version string     `json:"version"`
	Creator HARTool    `json:"creator"`
	Browser HARTool    `json:"browser"`
	Pages   []HARPage  `json:"pages"`
	Entries []HAREntry `json:"entries"`
	Comment string     `json:"comment,omitempty"`
}

// HARTool is a program.
type HARTool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// HARPage is a document that a tab showed.
type HARPage struct {
	Started string   `json:"startedDateTime"`
	ID      string   `json:"id"`
	Title   string   `json:"title"`
	Timings struct{} `json:"pageTimings"`
}

// HAREntry is one exchange.
type HAREntry struct {
	Page     string      `json:"pageref,omitempty"`
	Started  string      `json:"startedDateTime"`
	Time     float64     `json:"time"` // milliseconds
	Request  HARRequest  `json:"request"`
	Response HARResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  HARTimings  `json:"timings"`
	Comment  string      `json:"comment,omitempty"`
	// What other writers of HAR add under these names.
	Type      string `json:"_resourceType,omitempty"`
	FromCache string `json:"_fromCache,omitempty"`
	Error     string `json:"_error,omitempty"`
}

// HARRequest is what was sent.
type HARRequest struct {
	Method      string       `json:"method"`
	URL         string       `json:"url"`
	HTTPVersion string       `json:"httpVersion"`
	Cookies     []HARPair    `json:"cookies"`
	Headers     []HARPair    `json:"headers"`
	Query       []HARPair    `json:"queryString"`
	Post        *HARPostData `json:"postData,omitempty"`
	HeadersSize int64        `json:"headersSize"`
	BodySize    int64        `json:"bodySize"`
}

// HARPair is a cookie, a header or a part of a query.
type HARPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// HARPostData is the body of a request.
type HARPostData struct {
	MIME    string `json:"mimeType"`
	Text    string `json:"text"`
	Comment string `json:"comment,omitempty"`
}

// HARResponse is what was answered; Status is 0 where nothing was.
type HARResponse struct {
	Status      int        `json:"status"`
	StatusText  string     `json:"statusText"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     []HARPair  `json:"cookies"`
	Headers     []HARPair  `json:"headers"`
	Content     HARContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	HeadersSize int64      `json:"headersSize"`
	BodySize    int64      `json:"bodySize"`
}

// HARContent is the decoded body of an answer. Size is -1 where it is not known.
type HARContent struct {
	Size     int64  `json:"size"`
	MIME     string `json:"mimeType"`
	Text     string `json:"text,omitempty"`
	Encoding string `json:"encoding,omitempty"` // base64, or none
	Comment  string `json:"comment,omitempty"`
}

// HARTimings are the parts of an entry's time in milliseconds, -1 for those that there
// were not. SSL is a part of Connect; the others add up to the time.
type HARTimings struct {
	Blocked float64 `json:"blocked"`
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
	SSL     float64 `json:"ssl"`
}

// NewHAR is an archive without entries.
func NewHAR(creator, browser HARTool) *HAR {
	return &HAR{HARLog{Version: "1.2", Creator: creator, Browser: browser, Pages: []HARPage{}, Entries: []HAREntry{}}}
}

// Add adds an entry and fills in what the format wants and the entry's address and
// headers tell: the query, the cookies' names, where a redirect leads.
func (h *HAR) Add(e HAREntry) {
	q, r := &e.Request, &e.Response
	q.URL = harURL(q.URL)
	q.HTTPVersion, r.HTTPVersion = httpVersion(q.HTTPVersion), httpVersion(r.HTTPVersion)
	q.Headers, r.Headers = pairs(q.Headers), pairs(r.Headers)
	q.Cookies, r.Cookies, q.Query = pairs(q.Cookies), pairs(r.Cookies), pairs(q.Query)
	if u, err := url.Parse(q.URL); err == nil && u.RawQuery != "" {
		for part := range strings.SplitSeq(u.RawQuery, "&") {
			name, value, _ := strings.Cut(part, "=")
			q.Query = append(q.Query, HARPair{plain(name), plain(value)})
		}
	}
	for _, header := range q.Headers {
		if strings.EqualFold(header.Name, "cookie") {
			for part := range strings.SplitSeq(header.Value, ";") {
				q.Cookies = appendCookie(q.Cookies, part)
			}
		}
	}
	for _, header := range r.Headers {
		switch {
		case strings.EqualFold(header.Name, "set-cookie"):
			part, _, _ := strings.Cut(header.Value, ";")
			r.Cookies = appendCookie(r.Cookies, part)
		case strings.EqualFold(header.Name, "location") && r.Status/100 == 3:
			r.RedirectURL = header.Value
		}
	}
	h.Log.Entries = append(h.Log.Entries, e)
}

// JSON is the archive as a file holds it.
func (h *HAR) JSON() ([]byte, error) { return json.MarshalIndent(h, "", " ") }

// HARTime is a moment as a HAR writes it.
func HARTime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func appendCookie(all []HARPair, text string) []HARPair {
	name, value, ok := strings.Cut(strings.TrimSpace(text), "=")
	if !ok {
		return all
	}
	return append(all, HARPair{name, value})
}

func pairs(p []HARPair) []HARPair {
	if p == nil {
		return []HARPair{}
	}
	return p
}

func plain(s string) string {
	if u, err := url.QueryUnescape(s); err == nil {
		return u
	}
	return s
}

// httpVersion is a protocol in the words of a HAR.
func httpVersion(protocol string) string {
	switch strings.ToLower(protocol) {
	case "":
		return "unknown"
	case "h2":
		return "HTTP/2"
	case "h3":
		return "HTTP/3"
	case "http/1.1", "http/1.0":
		return strings.ToUpper(protocol)
	}
	return protocol
}

// harURL is an address that readers take for one: what stands for a secret is no
// part of any address, and so is spelled otherwise.
func harURL(address string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(address, "•••", "***") {
		switch {
		case r > ' ' && r < 0x7F && !strings.ContainsRune("\"<>\\^`{|}", r):
			b.WriteRune(r)
		default:
			b.WriteString(url.PathEscape(string(r)))
		}
	}
	return b.String()
}
