package bidi

import "encoding/base64"

// NetworkBytesValue is bytes: as text (Type "string") or as base64.
// https://w3c.github.io/webdriver-bidi/#type-network-BytesValue
type NetworkBytesValue struct {
	Type  string `json:"type"` // string or base64
	Value string `json:"value"`
}

// NetworkText is text as bytes.
func NetworkText(s string) NetworkBytesValue { return NetworkBytesValue{"string", s} }

// NetworkBytes is any bytes.
func NetworkBytes(b []byte) NetworkBytesValue {
	return NetworkBytesValue{"base64", base64.StdEncoding.EncodeToString(b)}
}

// Bytes returns the bytes.
func (v NetworkBytesValue) Bytes() ([]byte, error) {
	if v.Type == "base64" {
		return base64.StdEncoding.DecodeString(v.Value)
	}
	return []byte(v.Value), nil
}

// NetworkHeader is a header of a request or response.
// https://w3c.github.io/webdriver-bidi/#type-network-Header
type NetworkHeader struct {
	Name  string            `json:"name"`
	Value NetworkBytesValue `json:"value"`
}

// NetworkCookieHeader is a cookie as a request carries it.
type NetworkCookieHeader struct {
	Name  string            `json:"name"`
	Value NetworkBytesValue `json:"value"`
}

// NetworkSetCookieHeader is a cookie as a response sets it.
type NetworkSetCookieHeader struct {
	Name     string            `json:"name"`
	Value    NetworkBytesValue `json:"value"`
	Domain   string            `json:"domain,omitzero"`
	HTTPOnly bool              `json:"httpOnly,omitzero"`
	Expiry   string            `json:"expiry,omitzero"` // an HTTP date
	MaxAge   *int64            `json:"maxAge,omitzero"` // seconds
	Path     string            `json:"path,omitzero"`
	SameSite NetworkSameSite   `json:"sameSite,omitzero"`
	Secure   bool              `json:"secure,omitzero"`
}

// NetworkSameSite is a cookie's SameSite attribute.
type NetworkSameSite string

// The values of SameSite; default is that the cookie has none.
const (
	NetworkSameSiteStrict  NetworkSameSite = "strict"
	NetworkSameSiteLax     NetworkSameSite = "lax"
	NetworkSameSiteNone    NetworkSameSite = "none"
	NetworkSameSiteDefault NetworkSameSite = "default"
)

// NetworkCookie is a cookie as the browser keeps it.
// https://w3c.github.io/webdriver-bidi/#type-network-Cookie
type NetworkCookie struct {
	Name     string            `json:"name"`
	Value    NetworkBytesValue `json:"value"`
	Domain   string            `json:"domain"`
	Path     string            `json:"path"`
	Size     Int               `json:"size"`
	HTTPOnly bool              `json:"httpOnly"`
	Secure   bool              `json:"secure"`
	SameSite NetworkSameSite   `json:"sameSite"`
	Expiry   Int               `json:"expiry,omitzero"` // seconds since 1970
	Extra    Extra             `json:"-"`
}

type cookie NetworkCookie

var cookieNames = memberNames[cookie]()

// UnmarshalJSON keeps unknown members in Extra.
func (c *NetworkCookie) UnmarshalJSON(data []byte) (err error) {
	c.Extra, err = decodeOpen(data, (*cookie)(c), cookieNames)
	return err
}

// NetworkRequestData is a request. BodySize is nil and InitiatorType empty where
// the browser sent null.
// https://w3c.github.io/webdriver-bidi/#type-network-RequestData
type NetworkRequestData struct {
	Request       RequestID              `json:"request"`
	URL           string                 `json:"url"`
	Method        string                 `json:"method"`
	Headers       []NetworkHeader        `json:"headers"`
	Cookies       []NetworkCookie        `json:"cookies"`
	HeadersSize   Int                    `json:"headersSize"`
	BodySize      *Int                   `json:"bodySize"`
	Destination   string                 `json:"destination"`
	InitiatorType string                 `json:"initiatorType"`
	Timings       NetworkFetchTimingInfo `json:"timings"`
	Extra         Extra                  `json:"-"`
}

type requestData NetworkRequestData

var requestDataNames = memberNames[requestData]()

// UnmarshalJSON keeps unknown members in Extra.
func (d *NetworkRequestData) UnmarshalJSON(data []byte) (err error) {
	d.Extra, err = decodeOpen(data, (*requestData)(d), requestDataNames)
	return err
}

// NetworkFetchTimingInfo is when what happened, in milliseconds from TimeOrigin;
// what did not happen is 0.
// https://w3c.github.io/webdriver-bidi/#type-network-FetchTimingInfo
type NetworkFetchTimingInfo struct {
	TimeOrigin    float64 `json:"timeOrigin"`
	RequestTime   float64 `json:"requestTime"`
	RedirectStart float64 `json:"redirectStart"`
	RedirectEnd   float64 `json:"redirectEnd"`
	FetchStart    float64 `json:"fetchStart"`
	DnsStart      float64 `json:"dnsStart"`
	DnsEnd        float64 `json:"dnsEnd"`
	ConnectStart  float64 `json:"connectStart"`
	ConnectEnd    float64 `json:"connectEnd"`
	TlsStart      float64 `json:"tlsStart"`
	RequestStart  float64 `json:"requestStart"`
	ResponseStart float64 `json:"responseStart"`
	ResponseEnd   float64 `json:"responseEnd"`
}

// NetworkResponseData is a response.
// https://w3c.github.io/webdriver-bidi/#type-network-ResponseData
type NetworkResponseData struct {
	URL            string                 `json:"url"`
	Protocol       string                 `json:"protocol"`
	Status         int                    `json:"status"`
	StatusText     string                 `json:"statusText"`
	FromCache      bool                   `json:"fromCache"`
	Headers        []NetworkHeader        `json:"headers"`
	MimeType       string                 `json:"mimeType"`
	BytesReceived  Int                    `json:"bytesReceived"`
	HeadersSize    *Int                   `json:"headersSize"`
	BodySize       *Int                   `json:"bodySize"`
	Content        NetworkResponseContent `json:"content"`
	AuthChallenges []NetworkAuthChallenge `json:"authChallenges,omitzero"`
	Extra          Extra                  `json:"-"`
}

type responseData NetworkResponseData

var responseDataNames = memberNames[responseData]()

// UnmarshalJSON keeps unknown members in Extra.
func (d *NetworkResponseData) UnmarshalJSON(data []byte) (err error) {
	d.Extra, err = decodeOpen(data, (*responseData)(d), responseDataNames)
	return err
}

// NetworkResponseContent is the size of a decoded body.
type NetworkResponseContent struct {
	Size Int `json:"size"`
}

// NetworkAuthChallenge is what a server asks credentials for.
type NetworkAuthChallenge struct {
	Scheme string `json:"scheme"`
	Realm  string `json:"realm"`
}

// NetworkInitiator is what made a request.
// https://w3c.github.io/webdriver-bidi/#type-network-Initiator
type NetworkInitiator struct {
	ColumnNumber int               `json:"columnNumber,omitzero"`
	LineNumber   int               `json:"lineNumber,omitzero"`
	Request      RequestID         `json:"request,omitzero"`
	StackTrace   *ScriptStackTrace `json:"stackTrace,omitzero"`
	Type         string            `json:"type,omitzero"` // parser, script, preflight or other
}
