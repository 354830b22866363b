package bidi

import (
	"bytes"

	"github.com/goccy/go-json"
)

// vendorPrefixes mark the members that are not the specification's.
var vendorPrefixes = [][]byte{[]byte("goog:"), []byte("moz:")}

// stripVendor returns the frame without any member that a vendor added, at every
// level.
func stripVendor(frame []byte) ([]byte, error) {
	if !bytes.Contains(frame, []byte(`"goog:`)) && !bytes.Contains(frame, []byte(`"moz:`)) {
		return frame, nil
	}
	return appendStripped(make([]byte, 0, len(frame)), bytes.TrimSpace(frame), 0)
}

func appendStripped(out, value []byte, depth int) ([]byte, error) {
	if depth > maxDepth || len(value) == 0 {
		return nil, errSyntax
	}
	if value[0] != '{' && value[0] != '[' {
		return append(out, value...), nil
	}
	first := true
	separate := func() {
		if !first {
			out = append(out, ',')
		}
		first = false
	}
	var err error
	if value[0] == '{' {
		out = append(out, '{')
		err = members(value, func(name, inner []byte) error {
			for _, prefix := range vendorPrefixes {
				if bytes.HasPrefix(name, prefix) {
					return nil
				}
			}
			separate()
			key, err := encode(string(name))
			if err != nil {
				return err
			}
			out = append(append(out, key...), ':')
			out, err = appendStripped(out, inner, depth+1)
			return err
		})
		return append(out, '}'), err
	}
	out = append(out, '[')
	err = elements(value, func(inner []byte) error {
		separate()
		var err error
		out, err = appendStripped(out, inner, depth+1)
		return err
	})
	return append(out, ']'), err
}

// The vendor commands that we know: chromedriver's way to the Chrome DevTools
// Protocol, of which only what BiDi lacks is used.
var (
	// GoogCdpGetSession returns the DevTools session of a context.
	// https://github.com/GoogleChromeLabs/chromium-bidi
	GoogCdpGetSession = command[GoogCdpGetSessionParameters, GoogCdpGetSessionResult]("goog:cdp.getSession")

	// GoogCdpSendCommand sends a DevTools command, to the browser without a session.
	// https://github.com/GoogleChromeLabs/chromium-bidi
	GoogCdpSendCommand = command[GoogCdpSendCommandParameters, GoogCdpSendCommandResult]("goog:cdp.sendCommand")
)

// GoogCdpGetSessionParameters are the parameters of goog:cdp.getSession.
type GoogCdpGetSessionParameters struct {
	Context Context `json:"context"`
}

// GoogCdpGetSessionResult is the result of goog:cdp.getSession.
type GoogCdpGetSessionResult struct {
	Session string `json:"session,omitzero"`
}

// GoogCdpSendCommandParameters are the parameters of goog:cdp.sendCommand.
type GoogCdpSendCommandParameters struct {
	Method  string          `json:"method"`
	Params  json.RawMessage `json:"params,omitzero"`
	Session string          `json:"session,omitzero"`
}

// GoogCdpSendCommandResult is the result of goog:cdp.sendCommand.
type GoogCdpSendCommandResult struct {
	Result  json.RawMessage `json:"result"`
	Session string          `json:"session,omitzero"`
}

// ChromeOptions are the options of Chrome, Chromium and Edge in a classic session
// request.
// https://developer.chrome.com/docs/chromedriver/capabilities
type ChromeOptions struct {
	Args   []string       `json:"args,omitzero"`
	Binary string         `json:"binary,omitzero"`
	Prefs  map[string]any `json:"prefs,omitzero"`
}

// FirefoxOptions are the options of Firefox in a classic session request.
// https://developer.mozilla.org/en-US/docs/Web/WebDriver/Reference/Capabilities/firefoxOptions
type FirefoxOptions struct {
	Args   []string       `json:"args,omitzero"`
	Binary string         `json:"binary,omitzero"`
	Prefs  map[string]any `json:"prefs,omitzero"`
}

// Names of vendor members.
const (
	CapabilityChromeOptions  = "goog:chromeOptions"
	CapabilityFirefoxOptions = "moz:firefoxOptions"
	// ExtraResourceType is what Chrome loads a request as (Document, XHR, …), in
	// NetworkRequestData.Extra.
	ExtraResourceType = "goog:resourceType"
)
