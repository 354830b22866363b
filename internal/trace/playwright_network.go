package trace

import (
	"net/http"
	"time"
)

// resourceEvent is a request as the viewer takes it: an entry of a HAR, with
// members of the viewer's own.
type resourceEvent struct {
	Type     string   `json:"type"`
	Snapshot resource `json:"snapshot"`
}

type resource struct {
	PageRef       string           `json:"pageref,omitempty"`
	Started       string           `json:"startedDateTime"`
	Time          float64          `json:"time"`
	Request       resourceRequest  `json:"request"`
	Response      resourceResponse `json:"response"`
	Cache         struct{}         `json:"cache"`
	Timings       resourceTimings  `json:"timings"`
	MonotonicTime float64          `json:"_monotonicTime"`
	ResourceType  string           `json:"_resourceType,omitempty"`
}

type resourceRequest struct {
	Method      string `json:"method"`
	URL         string `json:"url"`
	HTTPVersion string `json:"httpVersion"`
	Cookies     []any  `json:"cookies"`
	Headers     []any  `json:"headers"`
	QueryString []any  `json:"queryString"`
	HeadersSize int    `json:"headersSize"`
	BodySize    int    `json:"bodySize"`
}

type resourceResponse struct {
	Status       int             `json:"status"`
	StatusText   string          `json:"statusText"`
	HTTPVersion  string          `json:"httpVersion"`
	Cookies      []any           `json:"cookies"`
	Headers      []any           `json:"headers"`
	Content      resourceContent `json:"content"`
	HeadersSize  int             `json:"headersSize"`
	BodySize     int64           `json:"bodySize"`
	RedirectURL  string          `json:"redirectURL"`
	TransferSize int64           `json:"_transferSize"`
	FailureText  string          `json:"_failureText,omitempty"`
}

type resourceContent struct {
	Size     int64  `json:"size"`
	MimeType string `json:"mimeType"`
}

// resourceTimings are milliseconds; -1 is what is not known.
type resourceTimings struct {
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	SSL     float64 `json:"ssl"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

func (a *archive) request(n Network) resourceEvent {
	start := n.At
	if n.Began != 0 {
		start = n.Began
	}
	began, _ := time.Parse(time.RFC3339, a.t.Start.Began) // a trace without a time is one of 1970
	r := resource{
		Started: began.Add(time.Duration(start * float64(time.Millisecond))).Format("2006-01-02T15:04:05.000Z07:00"), Time: n.At - start,
		Request: resourceRequest{
			Method: n.Method, URL: n.URL, HTTPVersion: n.Protocol, Cookies: []any{}, Headers: []any{}, QueryString: []any{}, HeadersSize: -1, BodySize: -1,
		},
		Response: resourceResponse{
			Status: n.Status, StatusText: http.StatusText(n.Status), HTTPVersion: n.Protocol, Cookies: []any{}, Headers: []any{},
			Content: resourceContent{n.Size, n.Mime}, HeadersSize: -1, BodySize: n.Size, TransferSize: max(n.Transfer, n.Size), FailureText: n.Error,
		},
		Timings: resourceTimings{-1, -1, -1, 0, -1, -1}, MonotonicTime: clock(start), ResourceType: n.Type,
	}
	if n.Status == 0 {
		r.Response.Status = -1
	}
	if n.Tab != 0 {
		r.PageRef = pageID(n.Tab)
	}
	if t := n.Timing; t != nil {
		r.Timings = resourceTimings{t.DNS, t.Connect, t.TLS, t.Send, t.Wait, t.Receive}
	}
	return resourceEvent{"resource-snapshot", r}
}
