package bidi

// The commands of the module browser.
var (
	// BrowserClose ends the browser.
	// https://w3c.github.io/webdriver-bidi/#command-browser-close
	BrowserClose = command[EmptyParams, EmptyResult]("browser.close")

	// BrowserCreateUserContext makes an empty jar of cookies and storage.
	// https://w3c.github.io/webdriver-bidi/#command-browser-createUserContext
	BrowserCreateUserContext = command[BrowserCreateUserContextParameters, BrowserUserContextInfo]("browser.createUserContext")

	// BrowserGetClientWindows lists the windows.
	// https://w3c.github.io/webdriver-bidi/#command-browser-getClientWindows
	BrowserGetClientWindows = command[EmptyParams, BrowserGetClientWindowsResult]("browser.getClientWindows")

	// BrowserGetUserContexts lists the user contexts.
	// https://w3c.github.io/webdriver-bidi/#command-browser-getUserContexts
	BrowserGetUserContexts = command[EmptyParams, BrowserGetUserContextsResult]("browser.getUserContexts")

	// BrowserRemoveUserContext ends a user context and closes its tabs.
	// https://w3c.github.io/webdriver-bidi/#command-browser-removeUserContext
	BrowserRemoveUserContext = command[BrowserRemoveUserContextParameters, EmptyResult]("browser.removeUserContext")

	// BrowserSetClientWindowState moves, sizes, minimizes or maximizes a window.
	// https://w3c.github.io/webdriver-bidi/#command-browser-setClientWindowState
	BrowserSetClientWindowState = command[BrowserSetClientWindowStateParameters, BrowserClientWindowInfo]("browser.setClientWindowState")

	// BrowserSetDownloadBehavior says where downloads go, or forbids them.
	// https://w3c.github.io/webdriver-bidi/#command-browser-setDownloadBehavior
	BrowserSetDownloadBehavior = command[BrowserSetDownloadBehaviorParameters, EmptyResult]("browser.setDownloadBehavior")
)

// BrowserClientWindowInfo is a window.
// https://w3c.github.io/webdriver-bidi/#type-browser-ClientWindowInfo
type BrowserClientWindowInfo struct {
	Active       bool         `json:"active"`
	ClientWindow ClientWindow `json:"clientWindow"`
	Height       int          `json:"height"`
	State        string       `json:"state"` // fullscreen, maximized, minimized or normal
	Width        int          `json:"width"`
	X            int          `json:"x"`
	Y            int          `json:"y"`
}

// BrowserUserContextInfo is a user context, and the result of
// browser.createUserContext.
type BrowserUserContextInfo struct {
	UserContext UserContext `json:"userContext"`
}

// BrowserCreateUserContextParameters are the parameters of
// browser.createUserContext.
type BrowserCreateUserContextParameters struct {
	AcceptInsecureCerts     *bool                      `json:"acceptInsecureCerts,omitzero"`
	Proxy                   *SessionProxyConfiguration `json:"proxy,omitzero"`
	UnhandledPromptBehavior *SessionUserPromptHandler  `json:"unhandledPromptBehavior,omitzero"`
}

// BrowserGetClientWindowsResult is the result of browser.getClientWindows.
type BrowserGetClientWindowsResult struct {
	ClientWindows []BrowserClientWindowInfo `json:"clientWindows"`
}

// BrowserGetUserContextsResult is the result of browser.getUserContexts.
type BrowserGetUserContextsResult struct {
	UserContexts []BrowserUserContextInfo `json:"userContexts"`
}

// BrowserRemoveUserContextParameters are the parameters of
// browser.removeUserContext.
type BrowserRemoveUserContextParameters struct {
	UserContext UserContext `json:"userContext"`
}

// BrowserSetClientWindowStateParameters are the parameters of
// browser.setClientWindowState. The size and the place go with the state normal.
type BrowserSetClientWindowStateParameters struct {
	ClientWindow ClientWindow `json:"clientWindow"`
	State        string       `json:"state"` // fullscreen, maximized, minimized or normal
	Width        *int         `json:"width,omitzero"`
	Height       *int         `json:"height,omitzero"`
	X            *int         `json:"x,omitzero"`
	Y            *int         `json:"y,omitzero"`
}

// BrowserSetDownloadBehaviorParameters are the parameters of
// browser.setDownloadBehavior; a nil behaviour is the browser's own.
type BrowserSetDownloadBehaviorParameters struct {
	DownloadBehavior BrowserDownloadBehavior `json:"downloadBehavior"`
	UserContexts     []UserContext           `json:"userContexts,omitzero"`
}

// BrowserDownloadBehavior is BrowserDownloadBehaviorAllowed or
// BrowserDownloadBehaviorDenied.
// https://w3c.github.io/webdriver-bidi/#type-browser-DownloadBehavior
type BrowserDownloadBehavior interface{ downloadBehavior() }

// BrowserDownloadBehaviorAllowed lets downloads go to a directory.
type BrowserDownloadBehaviorAllowed struct {
	Type              isAllowed `json:"type"`
	DestinationFolder string    `json:"destinationFolder"`
}

// BrowserDownloadBehaviorDenied cancels every download.
type BrowserDownloadBehaviorDenied struct {
	Type isDenied `json:"type"`
}

func (BrowserDownloadBehaviorAllowed) downloadBehavior() {}
func (BrowserDownloadBehaviorDenied) downloadBehavior()  {}
