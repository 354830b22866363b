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

// Partition is the site whose pages alone a cookie is for, where chromedriver tells
// one, and whether a frame of another site must stand between.
func (c NetworkCookie) Partition() (site string, ancestor, ok bool) {
	var key struct {
		Site     string `json:"topLevelSite"`
		Ancestor bool   `json:"hasCrossSiteAncestor"`
	}
	raw, there := c.Extra["goog:partitionKey"]
	if !there || json.Unmarshal(raw, &key) != nil || key.Site == "" {
		return "", false, false
	}
	return key.Site, key.Ancestor, true
}

// googCookie is a cookie as the DevTools Protocol sets it.
type googCookie struct {
	Name      string        `json:"name"`
	Value     string        `json:"value"`
	Domain    string        `json:"domain"`
	Path      string        `json:"path,omitzero"`
	Secure    bool          `json:"secure"`
	HTTPOnly  bool          `json:"httpOnly"`
	SameSite  string        `json:"sameSite,omitzero"`
	Expires   *Int          `json:"expires,omitzero"`
	Partition googPartition `json:"partitionKey"`
}

type googPartition struct {
	Site     string `json:"topLevelSite"`
	Ancestor bool   `json:"hasCrossSiteAncestor"`
}

// GoogSetPartitioned makes the command that sets a cookie for the pages of a site
// alone: storage.setCookie does not take whether a frame stands between.
func GoogSetPartitioned(c StoragePartialCookie, site string, ancestor bool) (GoogCdpSendCommandParameters, error) {
	value, err := c.Value.Bytes()
	if err != nil {
		return GoogCdpSendCommandParameters{}, err
	}
	g := googCookie{
		Name: c.Name, Value: string(value), Domain: c.Domain, Path: c.Path, Secure: c.Secure, HTTPOnly: c.HTTPOnly,
		Expires: c.Expiry, Partition: googPartition{site, ancestor},
	}
	switch c.SameSite {
	case NetworkSameSiteStrict:
		g.SameSite = "Strict"
	case NetworkSameSiteLax:
		g.SameSite = "Lax"
	case NetworkSameSiteNone:
		g.SameSite = "None"
	}
	params, err := encode(map[string][]googCookie{"cookies": {g}})
	return GoogCdpSendCommandParameters{Method: "Storage.setCookies", Params: params}, err
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
