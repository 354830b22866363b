package bidi

// The commands of the module session.
var (
	// SessionStatus asks whether a new session could be made.
	// https://w3c.github.io/webdriver-bidi/#command-session-status
	SessionStatus = command[EmptyParams, SessionStatusResult]("session.status")

	// SessionNew makes a session on a connection that has none.
	// https://w3c.github.io/webdriver-bidi/#command-session-new
	SessionNew = command[SessionNewParameters, SessionNewResult]("session.new")

	// SessionEnd ends the session.
	// https://w3c.github.io/webdriver-bidi/#command-session-end
	SessionEnd = command[EmptyParams, EmptyResult]("session.end")

	// SessionSubscribe asks for events, by name or by module.
	// https://w3c.github.io/webdriver-bidi/#command-session-subscribe
	SessionSubscribe = command[SessionSubscribeParameters, SessionSubscribeResult]("session.subscribe")

	// SessionUnsubscribe ends events.
	// https://w3c.github.io/webdriver-bidi/#command-session-unsubscribe
	SessionUnsubscribe = command[SessionUnsubscribeParameters, EmptyResult]("session.unsubscribe")
)

// EmptyParams are the parameters of a command that has none.
type EmptyParams struct{}

// EmptyResult is the result of a command that answers nothing.
type EmptyResult struct{}

// SessionStatusResult is the result of session.status.
type SessionStatusResult struct {
	Ready   bool   `json:"ready"`
	Message string `json:"message"`
}

// SessionNewParameters are the parameters of session.new.
type SessionNewParameters struct {
	Capabilities SessionCapabilitiesRequest `json:"capabilities"`
}

// SessionCapabilitiesRequest is what a session must have, and what it may have.
// https://w3c.github.io/webdriver-bidi/#type-session-CapabilitiesRequest
type SessionCapabilitiesRequest struct {
	AlwaysMatch *SessionCapabilityRequest  `json:"alwaysMatch,omitzero"`
	FirstMatch  []SessionCapabilityRequest `json:"firstMatch,omitzero"`
}

// SessionCapabilityRequest is a set of capabilities; vendor capabilities go to
// Extra.
// https://w3c.github.io/webdriver-bidi/#type-session-CapabilityRequest
type SessionCapabilityRequest struct {
	AcceptInsecureCerts     *bool                      `json:"acceptInsecureCerts,omitzero"`
	BrowserName             string                     `json:"browserName,omitzero"`
	BrowserVersion          string                     `json:"browserVersion,omitzero"`
	PlatformName            string                     `json:"platformName,omitzero"`
	Proxy                   *SessionProxyConfiguration `json:"proxy,omitzero"`
	UnhandledPromptBehavior *SessionUserPromptHandler  `json:"unhandledPromptBehavior,omitzero"`
	Extra                   Extra                      `json:"-"`
}

type capabilityRequest SessionCapabilityRequest

var capabilityRequestNames = memberNames[capabilityRequest]()

// MarshalJSON writes Extra among the other members.
func (r SessionCapabilityRequest) MarshalJSON() ([]byte, error) {
	object, err := encode(capabilityRequest(r))
	if err != nil {
		return nil, err
	}
	return withExtra(object, r.Extra)
}

// UnmarshalJSON keeps unknown members in Extra.
func (r *SessionCapabilityRequest) UnmarshalJSON(data []byte) (err error) {
	r.Extra, err = decodeOpen(data, (*capabilityRequest)(r), capabilityRequestNames)
	return err
}

// SessionProxyConfiguration is a proxy of any kind. ProxyType is autodetect,
// direct, manual (with the addresses), pac (with ProxyAutoconfigURL) or system.
// https://w3c.github.io/webdriver-bidi/#type-session-ProxyConfiguration
type SessionProxyConfiguration struct {
	ProxyType          string   `json:"proxyType"`
	HttpProxy          string   `json:"httpProxy,omitzero"`
	SslProxy           string   `json:"sslProxy,omitzero"`
	SocksProxy         string   `json:"socksProxy,omitzero"`
	SocksVersion       *int     `json:"socksVersion,omitzero"`
	NoProxy            []string `json:"noProxy,omitzero"`
	ProxyAutoconfigURL string   `json:"proxyAutoconfigUrl,omitzero"`
}

// SessionUserPromptHandler says what becomes of each kind of dialog that nobody
// answers.
// https://w3c.github.io/webdriver-bidi/#type-session-UserPromptHandler
type SessionUserPromptHandler struct {
	Alert        SessionUserPromptHandlerType `json:"alert,omitzero"`
	BeforeUnload SessionUserPromptHandlerType `json:"beforeUnload,omitzero"`
	Confirm      SessionUserPromptHandlerType `json:"confirm,omitzero"`
	Default      SessionUserPromptHandlerType `json:"default,omitzero"`
	File         SessionUserPromptHandlerType `json:"file,omitzero"`
	Prompt       SessionUserPromptHandlerType `json:"prompt,omitzero"`
}

// SessionUserPromptHandlerType is what a browser does with a dialog.
type SessionUserPromptHandlerType string

// What can be done with a dialog; ignore leaves it open.
const (
	SessionUserPromptHandlerTypeAccept  SessionUserPromptHandlerType = "accept"
	SessionUserPromptHandlerTypeDismiss SessionUserPromptHandlerType = "dismiss"
	SessionUserPromptHandlerTypeIgnore  SessionUserPromptHandlerType = "ignore"
)

// SessionNewResult is the result of session.new.
type SessionNewResult struct {
	SessionID    string              `json:"sessionId"`
	Capabilities SessionCapabilities `json:"capabilities"`
}

// SessionCapabilities is what a session has; vendor capabilities are in Extra.
type SessionCapabilities struct {
	AcceptInsecureCerts     bool                       `json:"acceptInsecureCerts"`
	BrowserName             string                     `json:"browserName"`
	BrowserVersion          string                     `json:"browserVersion"`
	PlatformName            string                     `json:"platformName"`
	SetWindowRect           bool                       `json:"setWindowRect"`
	UserAgent               string                     `json:"userAgent"`
	Proxy                   *SessionProxyConfiguration `json:"proxy,omitzero"`
	UnhandledPromptBehavior *SessionUserPromptHandler  `json:"unhandledPromptBehavior,omitzero"`
	WebSocketURL            string                     `json:"webSocketUrl,omitzero"`
	Extra                   Extra                      `json:"-"`
}

type capabilities SessionCapabilities

var capabilityNames = memberNames[capabilities]()

// UnmarshalJSON keeps unknown members in Extra.
func (c *SessionCapabilities) UnmarshalJSON(data []byte) (err error) {
	c.Extra, err = decodeOpen(data, (*capabilities)(c), capabilityNames)
	return err
}

// SessionSubscribeParameters are the parameters of session.subscribe. Contexts and
// UserContexts exclude each other.
type SessionSubscribeParameters struct {
	Events       List[string]  `json:"events"`
	Contexts     []Context     `json:"contexts,omitzero"`
	UserContexts []UserContext `json:"userContexts,omitzero"`
}

// SessionSubscribeResult is the result of session.subscribe.
type SessionSubscribeResult struct {
	Subscription Subscription `json:"subscription"`
}

// SessionUnsubscribeParameters says what to end: SessionUnsubscribeByIDRequest or
// SessionUnsubscribeByAttributesRequest.
type SessionUnsubscribeParameters interface{ unsubscribe() }

// SessionUnsubscribeByIDRequest ends subscriptions.
type SessionUnsubscribeByIDRequest struct {
	Subscriptions List[Subscription] `json:"subscriptions"`
}

// SessionUnsubscribeByAttributesRequest ends events that were subscribed for all
// contexts.
type SessionUnsubscribeByAttributesRequest struct {
	Events List[string] `json:"events"`
}

func (SessionUnsubscribeByIDRequest) unsubscribe()         {}
func (SessionUnsubscribeByAttributesRequest) unsubscribe() {}
