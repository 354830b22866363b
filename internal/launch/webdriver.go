package launch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/goccy/go-json"
)

// driverClient speaks the three classic requests that there are: POST /session,
// GET /session/ID/window/handles and DELETE /session/ID. A connection is used once.
type driverClient struct {
	base string // http://127.0.0.1:PORT
	http *http.Client
}

func newDriverClient(port string) *driverClient {
	return &driverClient{
		base: "http://127.0.0.1:" + port,
		http: &http.Client{Transport: &http.Transport{Proxy: nil, DisableKeepAlives: true, DisableCompression: true}},
	}
}

// session is what a driver answers to POST /session.
type session struct {
	ID           string          `json:"sessionId"`
	Capabilities json.RawMessage `json:"capabilities"`
	known        knownCapabilities
}

// knownCapabilities are the members that this package reads.
type knownCapabilities struct {
	WebSocketURL string `json:"webSocketUrl"`
	Version      string `json:"browserVersion"`
	ChromePID    int    `json:"goog:processID"`
	FirefoxPID   int    `json:"moz:processID"`
	EdgePID      int    `json:"ms:processID"`
	GeckoVersion string `json:"moz:geckodriverVersion"`
}

func (k knownCapabilities) pid() int { return max(k.ChromePID, k.FirefoxPID, k.EdgePID) }

// driverError is a driver's refusal.
type driverError struct {
	Code    string `json:"error"`
	Message string `json:"message"`
}

func (e *driverError) Error() string { return e.Message }

const answerLimit = 1 << 20

// create makes a session with capabilities that must match.
func (d *driverClient) create(ctx context.Context, always any) (session, error) {
	var s session
	body, err := json.Marshal(map[string]any{"capabilities": map[string]any{"alwaysMatch": always}})
	if err != nil {
		return s, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, d.base+"/session", bytes.NewReader(body))
	if err != nil {
		return s, err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := d.http.Do(req)
	if err != nil {
		return s, err
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, answerLimit))
	if err != nil {
		return s, err
	}
	var answer struct {
		Value json.RawMessage `json:"value"`
	}
	if err := json.Unmarshal(text, &answer); err != nil {
		return s, fmt.Errorf("the driver answered %s and no JSON", res.Status)
	}
	if res.StatusCode != http.StatusOK {
		var e driverError
		if err := json.Unmarshal(answer.Value, &e); err != nil {
			return s, fmt.Errorf("the driver answered %s", res.Status)
		}
		return s, &e
	}
	if err := json.Unmarshal(answer.Value, &s); err != nil {
		return s, err
	}
	if err := json.Unmarshal(s.Capabilities, &s.known); err != nil {
		return s, err
	}
	u, err := url.Parse(s.known.WebSocketURL)
	if err != nil || u.Scheme != "ws" {
		return s, errors.New("the driver offers no BiDi (webSocketUrl); it is too old")
	}
	return s, nil
}

// end deletes a session, which closes the browser, and reports whether the
// driver was there to do it before ctx ended.
func (d *driverClient) end(ctx context.Context, id string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, d.base+"/session/"+id, nil)
	if err != nil {
		return false
	}
	res, err := d.http.Do(req)
	if err != nil {
		return ctx.Err() == nil
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, answerLimit))
	res.Body.Close()
	return true
}

// stir asks for the windows of a session. What they are is of no interest: to answer it
// the driver reads all that its browser has said.
func (d *driverClient) stir(ctx context.Context, id string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.base+"/session/"+id+"/window/handles", nil)
	if err != nil {
		return
	}
	res, err := d.http.Do(req)
	if err != nil {
		return
	}
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, answerLimit)) // it may be the error that held the driver up
	res.Body.Close()
}

// firstLine returns a driver's message without the stack that follows it.
func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(s)
}
