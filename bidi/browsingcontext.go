package bidi

// The commands of the module browsingContext.
var (
	// BrowsingContextActivate brings a tab to the front.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-activate
	BrowsingContextActivate = command[BrowsingContextActivateParameters, EmptyResult]("browsingContext.activate")

	// BrowsingContextCaptureScreenshot draws a viewport or a whole document.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-captureScreenshot
	BrowsingContextCaptureScreenshot = command[BrowsingContextCaptureScreenshotParameters, BrowsingContextCaptureScreenshotResult]("browsingContext.captureScreenshot")

	// BrowsingContextClose closes a tab.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-close
	BrowsingContextClose = command[BrowsingContextCloseParameters, EmptyResult]("browsingContext.close")

	// BrowsingContextCreate opens a tab or a window.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-create
	BrowsingContextCreate = command[BrowsingContextCreateParameters, BrowsingContextCreateResult]("browsingContext.create")

	// BrowsingContextGetTree lists tabs with their frames.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-getTree
	BrowsingContextGetTree = command[BrowsingContextGetTreeParameters, BrowsingContextGetTreeResult]("browsingContext.getTree")

	// BrowsingContextHandleUserPrompt answers an open dialog.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-handleUserPrompt
	BrowsingContextHandleUserPrompt = command[BrowsingContextHandleUserPromptParameters, EmptyResult]("browsingContext.handleUserPrompt")

	// BrowsingContextLocateNodes finds nodes.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-locateNodes
	BrowsingContextLocateNodes = command[BrowsingContextLocateNodesParameters, BrowsingContextLocateNodesResult]("browsingContext.locateNodes")

	// BrowsingContextNavigate loads a URL.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-navigate
	BrowsingContextNavigate = command[BrowsingContextNavigateParameters, BrowsingContextNavigateResult]("browsingContext.navigate")

	// BrowsingContextPrint renders a document as PDF.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-print
	BrowsingContextPrint = command[BrowsingContextPrintParameters, BrowsingContextPrintResult]("browsingContext.print")

	// BrowsingContextReload loads a document again.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-reload
	BrowsingContextReload = command[BrowsingContextReloadParameters, BrowsingContextNavigateResult]("browsingContext.reload")

	// BrowsingContextSetBypassCSP switches the content security policy of pages off.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-setBypassCSP
	BrowsingContextSetBypassCSP = command[BrowsingContextSetBypassCSPParameters, EmptyResult]("browsingContext.setBypassCSP")

	// BrowsingContextSetViewport sets the size and the pixel ratio of a viewport.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-setViewport
	BrowsingContextSetViewport = command[BrowsingContextSetViewportParameters, EmptyResult]("browsingContext.setViewport")

	// BrowsingContextStartScreencast records a tab to a file.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-startScreencast
	BrowsingContextStartScreencast = command[BrowsingContextStartScreencastParameters, BrowsingContextStartScreencastResult]("browsingContext.startScreencast")

	// BrowsingContextStopScreencast ends a recording.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-stopScreencast
	BrowsingContextStopScreencast = command[BrowsingContextStopScreencastParameters, BrowsingContextStopScreencastResult]("browsingContext.stopScreencast")

	// BrowsingContextTraverseHistory goes back or forward.
	// https://w3c.github.io/webdriver-bidi/#command-browsingContext-traverseHistory
	BrowsingContextTraverseHistory = command[BrowsingContextTraverseHistoryParameters, EmptyResult]("browsingContext.traverseHistory")
)

// BrowsingContextReadinessState says what a navigation waits for.
type BrowsingContextReadinessState string

// The readiness states: the start, DOMContentLoaded, load.
const (
	BrowsingContextReadinessStateNone        BrowsingContextReadinessState = "none"
	BrowsingContextReadinessStateInteractive BrowsingContextReadinessState = "interactive"
	BrowsingContextReadinessStateComplete    BrowsingContextReadinessState = "complete"
)

// BrowsingContextActivateParameters are the parameters of browsingContext.activate.
type BrowsingContextActivateParameters struct {
	Context Context `json:"context"`
}

// BrowsingContextCloseParameters are the parameters of browsingContext.close.
type BrowsingContextCloseParameters struct {
	Context      Context `json:"context"`
	PromptUnload bool    `json:"promptUnload,omitzero"`
}

// BrowsingContextCreateType is a tab or a window.
type BrowsingContextCreateType string

// What can be created.
const (
	BrowsingContextCreateTypeTab    BrowsingContextCreateType = "tab"
	BrowsingContextCreateTypeWindow BrowsingContextCreateType = "window"
)

// BrowsingContextCreateParameters are the parameters of browsingContext.create.
type BrowsingContextCreateParameters struct {
	Type             BrowsingContextCreateType `json:"type"`
	ReferenceContext Context                   `json:"referenceContext,omitzero"`
	Background       bool                      `json:"background,omitzero"`
	UserContext      UserContext               `json:"userContext,omitzero"`
}

// BrowsingContextCreateResult is the result of browsingContext.create.
type BrowsingContextCreateResult struct {
	Context     Context     `json:"context"`
	UserContext UserContext `json:"userContext,omitzero"`
}

// BrowsingContextGetTreeParameters are the parameters of browsingContext.getTree.
type BrowsingContextGetTreeParameters struct {
	MaxDepth *int64  `json:"maxDepth,omitzero"`
	Root     Context `json:"root,omitzero"`
}

// BrowsingContextGetTreeResult is the result of browsingContext.getTree.
type BrowsingContextGetTreeResult struct {
	Contexts []BrowsingContextInfo `json:"contexts"`
}

// BrowsingContextInfo is a tab or a frame. Children is nil where the browser did
// not look for them; Parent is empty for a tab, and for a child within a tree.
// https://w3c.github.io/webdriver-bidi/#type-browsingContext-Info
type BrowsingContextInfo struct {
	Children       []BrowsingContextInfo `json:"children"`
	ClientWindow   ClientWindow          `json:"clientWindow"`
	Context        Context               `json:"context"`
	OriginalOpener Context               `json:"originalOpener"`
	URL            string                `json:"url"`
	UserContext    UserContext           `json:"userContext"`
	Parent         Context               `json:"parent,omitzero"`
}

// BrowsingContextHandleUserPromptParameters are the parameters of
// browsingContext.handleUserPrompt. A nil Accept accepts.
type BrowsingContextHandleUserPromptParameters struct {
	Context  Context `json:"context"`
	Accept   *bool   `json:"accept,omitzero"`
	UserText *string `json:"userText,omitzero"`
}

// BrowsingContextNavigateParameters are the parameters of browsingContext.navigate.
type BrowsingContextNavigateParameters struct {
	Context Context                       `json:"context"`
	URL     string                        `json:"url"`
	Wait    BrowsingContextReadinessState `json:"wait,omitzero"`
}

// BrowsingContextNavigateResult is the result of browsingContext.navigate and
// browsingContext.reload. Navigation is empty where the browser gave none.
type BrowsingContextNavigateResult struct {
	Navigation Navigation `json:"navigation"`
	URL        string     `json:"url"`
}

// BrowsingContextReloadParameters are the parameters of browsingContext.reload.
type BrowsingContextReloadParameters struct {
	Context     Context                       `json:"context"`
	IgnoreCache bool                          `json:"ignoreCache,omitzero"`
	Wait        BrowsingContextReadinessState `json:"wait,omitzero"`
}

// BrowsingContextTraverseHistoryParameters are the parameters of
// browsingContext.traverseHistory.
type BrowsingContextTraverseHistoryParameters struct {
	Context Context `json:"context"`
	Delta   int     `json:"delta"`
}

// BrowsingContextSetBypassCSPParameters are the parameters of
// browsingContext.setBypassCSP: true, or nil to end it.
type BrowsingContextSetBypassCSPParameters struct {
	Bypass       *bool         `json:"bypass"`
	Contexts     []Context     `json:"contexts,omitzero"`
	UserContexts []UserContext `json:"userContexts,omitzero"`
}

// BrowsingContextSetViewportParameters are the parameters of
// browsingContext.setViewport. A nil member keeps what is, Null gives back what
// was.
type BrowsingContextSetViewportParameters struct {
	Context          Context                          `json:"context,omitzero"`
	Viewport         *OrNull[BrowsingContextViewport] `json:"viewport,omitzero"`
	DevicePixelRatio *OrNull[float64]                 `json:"devicePixelRatio,omitzero"`
	UserContexts     []UserContext                    `json:"userContexts,omitzero"`
}

// BrowsingContextViewport is a size in CSS pixels.
type BrowsingContextViewport struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}
