package bidi

// The events of the module network.
var (
	// NetworkAuthRequired says that a server asks for credentials.
	// https://w3c.github.io/webdriver-bidi/#event-network-authRequired
	NetworkAuthRequired = event[NetworkAuthRequiredParameters]("network.authRequired")

	// NetworkBeforeRequestSent says that a request is about to leave.
	// https://w3c.github.io/webdriver-bidi/#event-network-beforeRequestSent
	NetworkBeforeRequestSent = event[NetworkBeforeRequestSentParameters]("network.beforeRequestSent")

	// NetworkFetchError says that a request failed without a response.
	// https://w3c.github.io/webdriver-bidi/#event-network-fetchError
	NetworkFetchError = event[NetworkFetchErrorParameters]("network.fetchError")

	// NetworkResponseCompleted says that a body is complete.
	// https://w3c.github.io/webdriver-bidi/#event-network-responseCompleted
	NetworkResponseCompleted = event[NetworkResponseCompletedParameters]("network.responseCompleted")

	// NetworkResponseStarted says that the headers of a response are there.
	// https://w3c.github.io/webdriver-bidi/#event-network-responseStarted
	NetworkResponseStarted = event[NetworkResponseStartedParameters]("network.responseStarted")
)

// NetworkBaseParameters is what all network events carry. Context, Navigation and
// UserContext are empty where the browser sent null; Intercepts are those that hold
// the request when IsBlocked.
type NetworkBaseParameters struct {
	Context       Context            `json:"context"`
	IsBlocked     bool               `json:"isBlocked"`
	Navigation    Navigation         `json:"navigation"`
	RedirectCount int                `json:"redirectCount"`
	Request       NetworkRequestData `json:"request"`
	Timestamp     Int                `json:"timestamp"` // milliseconds since 1970
	UserContext   UserContext        `json:"userContext,omitzero"`
	Intercepts    []Intercept        `json:"intercepts,omitzero"`
}

// NetworkAuthRequiredParameters is the event network.authRequired.
type NetworkAuthRequiredParameters struct {
	NetworkBaseParameters
	Response NetworkResponseData `json:"response"`
}

// NetworkBeforeRequestSentParameters is the event network.beforeRequestSent.
type NetworkBeforeRequestSentParameters struct {
	NetworkBaseParameters
	Initiator *NetworkInitiator `json:"initiator,omitzero"`
}

// NetworkFetchErrorParameters is the event network.fetchError.
type NetworkFetchErrorParameters struct {
	NetworkBaseParameters
	ErrorText string `json:"errorText"`
}

// NetworkResponseCompletedParameters is the event network.responseCompleted.
type NetworkResponseCompletedParameters struct {
	NetworkBaseParameters
	Response NetworkResponseData `json:"response"`
}

// NetworkResponseStartedParameters is the event network.responseStarted.
type NetworkResponseStartedParameters struct {
	NetworkBaseParameters
	Response NetworkResponseData `json:"response"`
}
