package bidi

// The commands of the module network.
var (
	// NetworkAddDataCollector keeps the bodies of requests or responses.
	// https://w3c.github.io/webdriver-bidi/#command-network-addDataCollector
	NetworkAddDataCollector = command[NetworkAddDataCollectorParameters, NetworkAddDataCollectorResult]("network.addDataCollector")

	// NetworkAddIntercept holds matching requests until we say how they go on.
	// https://w3c.github.io/webdriver-bidi/#command-network-addIntercept
	NetworkAddIntercept = command[NetworkAddInterceptParameters, NetworkAddInterceptResult]("network.addIntercept")

	// NetworkContinueRequest lets a request go, changed or not.
	// https://w3c.github.io/webdriver-bidi/#command-network-continueRequest
	NetworkContinueRequest = command[NetworkContinueRequestParameters, EmptyResult]("network.continueRequest")

	// NetworkContinueResponse lets a response go, changed or not.
	// https://w3c.github.io/webdriver-bidi/#command-network-continueResponse
	NetworkContinueResponse = command[NetworkContinueResponseParameters, EmptyResult]("network.continueResponse")

	// NetworkContinueWithAuth answers a request for credentials.
	// https://w3c.github.io/webdriver-bidi/#command-network-continueWithAuth
	NetworkContinueWithAuth = command[NetworkContinueWithAuthParameters, EmptyResult]("network.continueWithAuth")

	// NetworkDisownData lets go of a body.
	// https://w3c.github.io/webdriver-bidi/#command-network-disownData
	NetworkDisownData = command[NetworkDisownDataParameters, EmptyResult]("network.disownData")

	// NetworkFailRequest makes a request fail.
	// https://w3c.github.io/webdriver-bidi/#command-network-failRequest
	NetworkFailRequest = command[NetworkFailRequestParameters, EmptyResult]("network.failRequest")

	// NetworkGetData reads a body that a collector kept.
	// https://w3c.github.io/webdriver-bidi/#command-network-getData
	NetworkGetData = command[NetworkGetDataParameters, NetworkGetDataResult]("network.getData")

	// NetworkProvideResponse answers a request in the server's stead.
	// https://w3c.github.io/webdriver-bidi/#command-network-provideResponse
	NetworkProvideResponse = command[NetworkProvideResponseParameters, EmptyResult]("network.provideResponse")

	// NetworkRemoveDataCollector ends a collector.
	// https://w3c.github.io/webdriver-bidi/#command-network-removeDataCollector
	NetworkRemoveDataCollector = command[NetworkRemoveDataCollectorParameters, EmptyResult]("network.removeDataCollector")

	// NetworkRemoveIntercept ends an intercept; requests that it holds stay held.
	// https://w3c.github.io/webdriver-bidi/#command-network-removeIntercept
	NetworkRemoveIntercept = command[NetworkRemoveInterceptParameters, EmptyResult]("network.removeIntercept")

	// NetworkSetCacheBehavior switches the HTTP cache off or on.
	// https://w3c.github.io/webdriver-bidi/#command-network-setCacheBehavior
	NetworkSetCacheBehavior = command[NetworkSetCacheBehaviorParameters, EmptyResult]("network.setCacheBehavior")

	// NetworkSetExtraHeaders adds headers to every request.
	// https://w3c.github.io/webdriver-bidi/#command-network-setExtraHeaders
	NetworkSetExtraHeaders = command[NetworkSetExtraHeadersParameters, EmptyResult]("network.setExtraHeaders")
)

// NetworkDataType is the body of a request or of a response.
type NetworkDataType string

// The bodies.
const (
	NetworkDataTypeRequest  NetworkDataType = "request"
	NetworkDataTypeResponse NetworkDataType = "response"
)

// NetworkCollectorType is a kind of collector.
type NetworkCollectorType string

// NetworkCollectorTypeBlob is the only kind.
const NetworkCollectorTypeBlob NetworkCollectorType = "blob"

// NetworkAddDataCollectorParameters are the parameters of network.addDataCollector.
type NetworkAddDataCollectorParameters struct {
	DataTypes          List[NetworkDataType] `json:"dataTypes"`
	MaxEncodedDataSize int64                 `json:"maxEncodedDataSize"` // bytes
	CollectorType      NetworkCollectorType  `json:"collectorType,omitzero"`
	Contexts           []Context             `json:"contexts,omitzero"`
	UserContexts       []UserContext         `json:"userContexts,omitzero"`
}

// NetworkAddDataCollectorResult is the result of network.addDataCollector.
type NetworkAddDataCollectorResult struct {
	Collector Collector `json:"collector"`
}

// NetworkRemoveDataCollectorParameters are the parameters of
// network.removeDataCollector.
type NetworkRemoveDataCollectorParameters struct {
	Collector Collector `json:"collector"`
}

// NetworkGetDataParameters are the parameters of network.getData.
type NetworkGetDataParameters struct {
	DataType  NetworkDataType `json:"dataType"`
	Collector Collector       `json:"collector,omitzero"`
	Disown    bool            `json:"disown,omitzero"`
	Request   RequestID       `json:"request"`
}

// NetworkGetDataResult is the result of network.getData.
type NetworkGetDataResult struct {
	Bytes NetworkBytesValue `json:"bytes"`
}

// NetworkDisownDataParameters are the parameters of network.disownData.
type NetworkDisownDataParameters struct {
	DataType  NetworkDataType `json:"dataType"`
	Collector Collector       `json:"collector"`
	Request   RequestID       `json:"request"`
}

// NetworkInterceptPhase is a moment in the life of a request.
type NetworkInterceptPhase string

// The moments at which a request can be held.
const (
	NetworkInterceptPhaseBeforeRequestSent NetworkInterceptPhase = "beforeRequestSent"
	NetworkInterceptPhaseResponseStarted   NetworkInterceptPhase = "responseStarted"
	NetworkInterceptPhaseAuthRequired      NetworkInterceptPhase = "authRequired"
)

// NetworkAddInterceptParameters are the parameters of network.addIntercept. Without
// patterns every request matches.
type NetworkAddInterceptParameters struct {
	Phases      List[NetworkInterceptPhase] `json:"phases"`
	Contexts    []Context                   `json:"contexts,omitzero"`
	UrlPatterns []NetworkUrlPattern         `json:"urlPatterns,omitzero"`
}

// NetworkAddInterceptResult is the result of network.addIntercept.
type NetworkAddInterceptResult struct {
	Intercept Intercept `json:"intercept"`
}

// NetworkRemoveInterceptParameters are the parameters of network.removeIntercept.
type NetworkRemoveInterceptParameters struct {
	Intercept Intercept `json:"intercept"`
}

// NetworkUrlPattern is NetworkUrlPatternPattern or NetworkUrlPatternString.
// https://w3c.github.io/webdriver-bidi/#type-network-UrlPattern
type NetworkUrlPattern interface{ urlPattern() }

// NetworkUrlPatternPattern matches by the parts of a URL that are given, exactly.
type NetworkUrlPatternPattern struct {
	Type     isPattern `json:"type"`
	Protocol string    `json:"protocol,omitzero"`
	Hostname string    `json:"hostname,omitzero"`
	Port     *string   `json:"port,omitzero"` // "" is the protocol's own
	Pathname string    `json:"pathname,omitzero"`
	Search   *string   `json:"search,omitzero"` // "" is none
}

// NetworkUrlPatternString matches a whole URL.
type NetworkUrlPatternString struct {
	Type    isString `json:"type"`
	Pattern string   `json:"pattern"`
}

func (NetworkUrlPatternPattern) urlPattern() {}
func (NetworkUrlPatternString) urlPattern()  {}

// NetworkContinueRequestParameters are the parameters of network.continueRequest.
// Headers, where given, replace all of the request's.
type NetworkContinueRequestParameters struct {
	Request RequestID             `json:"request"`
	Body    *NetworkBytesValue    `json:"body,omitzero"`
	Cookies []NetworkCookieHeader `json:"cookies,omitzero"`
	Headers []NetworkHeader       `json:"headers,omitzero"`
	Method  string                `json:"method,omitzero"`
	URL     string                `json:"url,omitzero"`
}

// NetworkContinueResponseParameters are the parameters of network.continueResponse.
type NetworkContinueResponseParameters struct {
	Request      RequestID                `json:"request"`
	Cookies      []NetworkSetCookieHeader `json:"cookies,omitzero"`
	Credentials  *NetworkAuthCredentials  `json:"credentials,omitzero"`
	Headers      []NetworkHeader          `json:"headers,omitzero"`
	ReasonPhrase string                   `json:"reasonPhrase,omitzero"`
	StatusCode   int                      `json:"statusCode,omitzero"`
}

// NetworkProvideResponseParameters are the parameters of network.provideResponse.
type NetworkProvideResponseParameters struct {
	Request      RequestID                `json:"request"`
	Body         *NetworkBytesValue       `json:"body,omitzero"`
	Cookies      []NetworkSetCookieHeader `json:"cookies,omitzero"`
	Headers      []NetworkHeader          `json:"headers,omitzero"`
	ReasonPhrase string                   `json:"reasonPhrase,omitzero"`
	StatusCode   int                      `json:"statusCode,omitzero"`
}

// NetworkFailRequestParameters are the parameters of network.failRequest.
type NetworkFailRequestParameters struct {
	Request RequestID `json:"request"`
}

// NetworkContinueWithAuthParameters are the parameters of network.continueWithAuth.
// The action provideCredentials goes with Credentials, default and cancel without.
type NetworkContinueWithAuthParameters struct {
	Request     RequestID               `json:"request"`
	Action      string                  `json:"action"` // provideCredentials, default or cancel
	Credentials *NetworkAuthCredentials `json:"credentials,omitzero"`
}

// NetworkAuthCredentials is a name and a password.
type NetworkAuthCredentials struct {
	Type     isPassword `json:"type"`
	Username string     `json:"username"`
	Password string     `json:"password"`
}

// NetworkSetCacheBehaviorParameters are the parameters of network.setCacheBehavior.
type NetworkSetCacheBehaviorParameters struct {
	CacheBehavior string    `json:"cacheBehavior"` // default or bypass
	Contexts      []Context `json:"contexts,omitzero"`
}

// NetworkSetExtraHeadersParameters are the parameters of network.setExtraHeaders;
// no headers end it.
type NetworkSetExtraHeadersParameters struct {
	Headers      List[NetworkHeader] `json:"headers"`
	Contexts     []Context           `json:"contexts,omitzero"`
	UserContexts []UserContext       `json:"userContexts,omitzero"`
}
