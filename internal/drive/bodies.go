package drive

import (
	"bytes"
	"context"
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-json"

	"duet/bidi"
	"duet/internal/fault"
)

// bodyBytes is the longest body that the browser keeps for Body. A frame that
// carries one can be several times as long.
const bodyBytes = 8 << 20

// Capture makes the browser keep the bodies of requests and answers from now on,
// 8 MB of each at most, until EndCapture or its end. It reports whether it did so
// already.
func (b *Browser) Capture(ctx context.Context) (already bool, err error) {
	b.mu.Lock()
	already = b.collector != ""
	b.mu.Unlock()
	if already {
		return true, nil
	}
	made, err := bidi.NetworkAddDataCollector.Call(ctx, b.conn, bidi.NetworkAddDataCollectorParameters{
		DataTypes:          bidi.List[bidi.NetworkDataType]{bidi.NetworkDataTypeRequest, bidi.NetworkDataTypeResponse},
		MaxEncodedDataSize: bodyBytes,
	})
	switch code := bidi.CodeOf(err); {
	case code == bidi.CodeUnknownCommand || code == bidi.CodeUnsupportedOperation:
		return false, fault.New(fault.Unsupported, "%s keeps no bodies: it has no data collectors", b.info.Browser).Because(err)
	case err != nil:
		return false, wireFault("keep bodies", err).At(fault.BeforeEffect, fault.None)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.collector = made.Collector
	return false, nil
}

// Capturing reports whether bodies are kept.
func (b *Browser) Capturing() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.collector != ""
}

// EndCapture makes the browser forget the bodies and keep no more.
func (b *Browser) EndCapture(ctx context.Context) error {
	b.mu.Lock()
	c := b.collector
	b.collector = ""
	b.mu.Unlock()
	if c == "" {
		return nil
	}
	if _, err := bidi.NetworkRemoveDataCollector.Call(ctx, b.conn, bidi.NetworkRemoveDataCollectorParameters{Collector: c}); err != nil {
		return wireFault("keep no more bodies", err).At(fault.BeforeEffect, fault.None)
	}
	return nil
}

// Body is what a request or its answer carried, decoded from its transfer.
type Body struct {
	Bytes []byte
	// Garbled says that the browser gave bytes as text, in which those that are none
	// are lost.
	Garbled bool
}

// Body returns the body of a request, or that of its answer. It needs Capture to
// have come before the request: without, and where the browser holds none, it is
// STATE_INVALID.
func (b *Browser) Body(ctx context.Context, r *Request, answer bool) (Body, error) {
	what := bidi.NetworkDataTypeRequest
	if answer {
		what = bidi.NetworkDataTypeResponse
	}
	if !b.Capturing() {
		return Body{}, fault.New(fault.StateInvalid, "no bodies are kept").
			WithHint("begin with %s, then have the page ask again", fault.Call("browser_logs", "action", "capture"))
	}
	if answer && b.redirected(r) {
		return Body{}, noBody(r, answer)
	}
	got, err := bidi.NetworkGetData.Call(ctx, b.conn, bidi.NetworkGetDataParameters{DataType: what, Request: r.id})
	switch code := bidi.CodeOf(err); {
	case code == bidi.CodeNoSuchNetworkData || code == bidi.CodeUnavailableNetworkData || code == bidi.CodeNoSuchRequest,
		code == bidi.CodeUnknownError && strings.Contains(err.Error(), "No resource with given"),
		code == bidi.CodeUnknownError && strings.Contains(err.Error(), "No post data"):
		return Body{}, noBody(r, answer).Because(err)
	case err != nil:
		return Body{}, wireFault("read a body", err).At(fault.BeforeEffect, fault.None)
	}
	data, err := got.Bytes.Bytes()
	if err != nil {
		return Body{}, fault.New(fault.Internal, "the body of request %d does not decode", r.Seq).Because(err)
	}
	body := Body{Bytes: data, Garbled: got.Bytes.Type == "string" && bytes.ContainsRune(data, utf8.RuneError)}
	if body.Garbled && answer && b.quirks.BodiesAsText {
		if exact, ok := b.rawBody(ctx, r); ok {
			return Body{Bytes: exact}, nil
		}
	}
	return body, nil
}

func noBody(r *Request, answer bool) *fault.Fault {
	what := "request"
	if answer {
		what = "answer to request"
	}
	return fault.New(fault.StateInvalid, "the browser holds no body of the %s %d", what, r.Seq).
		WithHint("there is none, it is longer than 8 MB, it is not complete, or it is older than the capture; what was sent goes with its page on some browsers")
}

// redirected reports whether the answer to a request was the next hop: then all
// that the browser holds is that one's.
func (b *Browser) redirected(r *Request) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.exchanges.byHop[hopKey{r.id, r.hop + 1}] != nil
}

// rawBody asks for the bytes of an answer beside the protocol, where the browser
// gives all bodies as text within it.
func (b *Browser) rawBody(ctx context.Context, r *Request) ([]byte, bool) {
	if r.context == "" {
		return nil, false
	}
	session, err := bidi.GoogCdpGetSession.Call(ctx, b.conn, bidi.GoogCdpGetSessionParameters{Context: r.context})
	if err != nil {
		return nil, false
	}
	id, err := json.Marshal(string(r.id))
	if err != nil {
		return nil, false
	}
	got, err := bidi.GoogCdpSendCommand.Call(ctx, b.conn, bidi.GoogCdpSendCommandParameters{
		Method: "Network.getResponseBody", Params: json.RawMessage(`{"requestId":` + string(id) + `}`), Session: session.Session,
	})
	var body struct {
		Body   string `json:"body"`
		Base64 bool   `json:"base64Encoded"`
	}
	if err != nil || json.Unmarshal(got.Result, &body) != nil || !body.Base64 {
		return nil, false
	}
	data, err := base64.StdEncoding.DecodeString(strings.TrimSpace(body.Body))
	return data, err == nil
}
