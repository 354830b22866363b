package drive

import (
	"github.com/goccy/go-json"

	"duet/bidi"
)

// The members of events that the state is kept from. Decoding these alone is
// cheaper than the whole messages: a busy page sends hundreds of network events
// with all their headers, and the reader goroutine decodes each of them.

type contextEvent struct {
	Context        bidi.Context   `json:"context"`
	Parent         *bidi.Context  `json:"parent"`
	URL            string         `json:"url"`
	OriginalOpener *bidi.Context  `json:"originalOpener"`
	Children       []contextEvent `json:"children"`
}

type navigationEvent struct {
	Context    bidi.Context     `json:"context"`
	Navigation *bidi.Navigation `json:"navigation"`
	URL        string           `json:"url"`
	Message    string           `json:"message"`           // navigationFailed, where the browser gives one
	Name       string           `json:"suggestedFilename"` // downloadWillBegin
	Status     string           `json:"status"`            // downloadEnd
	Path       *string          `json:"filepath"`          // downloadEnd
	Download   string           `json:"download"`          // where the browser numbers downloads
	Timestamp  float64          `json:"timestamp"`         // the browser's, in milliseconds
}

func (e navigationEvent) id() bidi.Navigation {
	if e.Navigation == nil {
		return ""
	}
	return *e.Navigation
}

type chooserEvent struct {
	Context bidi.Context `json:"context"`
	Element *struct {
		SharedID bidi.SharedID `json:"sharedId"`
	} `json:"element"`
	Multiple bool `json:"multiple"`
}

type promptEvent struct {
	Context      bidi.Context `json:"context"`
	Type         string       `json:"type"`
	Message      string       `json:"message"`
	DefaultValue string       `json:"defaultValue"`
	Accepted     bool         `json:"accepted"`
}

type realmEvent struct {
	Realm   bidi.Realm   `json:"realm"`
	Type    string       `json:"type"`
	Context bidi.Context `json:"context"`
	Sandbox string       `json:"sandbox"`
}

type requestEvent struct {
	Context    *bidi.Context    `json:"context"`
	Navigation *bidi.Navigation `json:"navigation"`
	IsBlocked  bool             `json:"isBlocked"`
	Redirects  int              `json:"redirectCount"`
	Timestamp  float64          `json:"timestamp"` // of the event, or of the request's beginning, by browser
	Request    struct {
		Request     bidi.RequestID  `json:"request"`
		URL         string          `json:"url"`
		Method      string          `json:"method"`
		Destination string          `json:"destination"`
		Initiator   string          `json:"initiatorType"`
		Type        string          `json:"goog:resourceType"`
		BodySize    *int64          `json:"bodySize"`
		HeadersSize *int64          `json:"headersSize"`
		Headers     json.RawMessage `json:"headers"`
		Timings     fetchTiming     `json:"timings"`
	} `json:"request"`
	Response struct {
		Status      int             `json:"status"`
		StatusText  string          `json:"statusText"`
		Protocol    string          `json:"protocol"`
		MimeType    string          `json:"mimeType"`
		FromCache   bool            `json:"fromCache"`
		BodySize    *int            `json:"bodySize"`
		Received    *int64          `json:"bytesReceived"`
		HeadersSize *int64          `json:"headersSize"`
		Headers     json.RawMessage `json:"headers"`
		Content     struct {
			Size int64 `json:"size"`
		} `json:"content"`
	} `json:"response"`
	ErrorText string `json:"errorText"`
}

type logEvent struct {
	Timestamp float64 `json:"timestamp"` // ms since 1970
	Type      string  `json:"type"`
	Level     string  `json:"level"`
	Text      *string `json:"text"`
	Method    string  `json:"method"`
	// Args are what was logged, undecoded: most texts say all of them.
	Args   json.RawMessage `json:"args"`
	Source struct {
		Context *bidi.Context `json:"context"`
	} `json:"source"`
	Stack *struct {
		Frames []struct {
			URL      string `json:"url"`
			Function string `json:"functionName"`
			Line     int    `json:"lineNumber"`
			Column   int    `json:"columnNumber"`
		} `json:"callFrames"`
	} `json:"stackTrace"`
}
