package drive

import (
	"context"
	"strings"

	"github.com/goccy/go-json"

	"duet/bidi"
)

// pausedEvent says under which name and in which session of the DevTools protocol a
// request is held.
type pausedEvent struct {
	Session string `json:"session"`
	Params  struct {
		Request string         `json:"requestId"`
		Network bidi.RequestID `json:"networkId"`
	} `json:"params"`
}

// paused is the event by which such requests are told.
const paused = "goog:cdp.Fetch.requestPaused"

// maxPaused bounds the requests that are remembered so.
const maxPaused = 1000

func (b *Browser) pausedLocked(e pausedEvent) {
	m := b.mocks
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.paused) > maxPaused {
		clear(m.paused)
	}
	m.paused[e.Params.Network] = e
}

// strayed reports an answer that says that a command about a held request went to
// the wrong place: a worker's request is held by its page, and the driver, where the
// worker told of it last, looks for it in the worker (Quirks.WorkerRequestsStray).
func strayed(err error) bool {
	return strings.Contains(bidiMessage(err), "'Fetch.") && strings.Contains(bidiMessage(err), "wasn't found")
}

// cdpHeader is a header as the DevTools protocol has it.
type cdpHeader struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// cdpResume is what goes with the DevTools commands that end a request's wait.
type cdpResume struct {
	Request         string      `json:"requestId"`
	Headers         []cdpHeader `json:"headers,omitzero"`
	ResponseCode    int         `json:"responseCode,omitzero"`
	ResponseHeaders []cdpHeader `json:"responseHeaders,omitzero"`
	Body            string      `json:"body,omitzero"` // base64
	Reason          string      `json:"errorReason,omitzero"`
}

// detour says to the page's own session what went to the wrong place, and reports
// whether it was taken.
func (m *mocker) detour(ctx context.Context, id bidi.RequestID, params any) bool {
	m.mu.Lock()
	at, known := m.paused[id]
	m.mu.Unlock()
	if !known {
		return false
	}
	method, p := "", cdpResume{Request: at.Params.Request}
	switch q := params.(type) {
	case bidi.NetworkContinueRequestParameters:
		method, p.Headers = "Fetch.continueRequest", cdpHeaders(q.Headers)
	case bidi.NetworkFailRequestParameters:
		method, p.Reason = "Fetch.failRequest", "Failed"
	case bidi.NetworkProvideResponseParameters:
		method, p.ResponseCode, p.ResponseHeaders = "Fetch.fulfillRequest", q.StatusCode, cdpHeaders(q.Headers)
		if q.Body != nil {
			p.Body = q.Body.Value // always base64
		}
	default:
		return false
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return false
	}
	_, err = bidi.GoogCdpSendCommand.Call(ctx, m.b.conn, bidi.GoogCdpSendCommandParameters{Method: method, Params: raw, Session: at.Session})
	return err == nil
}

func cdpHeaders(headers []bidi.NetworkHeader) []cdpHeader {
	var out []cdpHeader
	for _, h := range headers {
		if value, err := h.Value.Bytes(); err == nil {
			out = append(out, cdpHeader{h.Name, string(value)})
		}
	}
	return out
}
