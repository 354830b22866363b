package bidi

// The events of the module browsingContext.
var (
	// BrowsingContextContextCreated announces a tab or frame.
	// https://w3c.github.io/webdriver-bidi/#event-browsingContext-contextCreated
	BrowsingContextContextCreated = event[BrowsingContextInfo]("browsingContext.contextCreated")

	// BrowsingContextContextDestroyed ends a tab or frame.
	// https://w3c.github.io/webdriver-bidi/#event-browsingContext-contextDestroyed
	BrowsingContextContextDestroyed = event[BrowsingContextInfo]("browsingContext.contextDestroyed")

	// BrowsingContextNavigationStarted begins a navigation to another document.
	// https://w3c.github.io/webdriver-bidi/#event-browsingContext-navigationStarted
	BrowsingContextNavigationStarted = event[BrowsingContextNavigationInfo]("browsingContext.navigationStarted")

	// BrowsingContextFragmentNavigated is a navigation within the document.
	// https://w3c.github.io/webdriver-bidi/#event-browsingContext-fragmentNavigated
	BrowsingContextFragmentNavigated = event[BrowsingContextNavigationInfo]("browsingContext.fragmentNavigated")

	// BrowsingContextHistoryUpdated is a change of the address by script.
	// https://w3c.github.io/webdriver-bidi/#event-browsingContext-historyUpdated
	BrowsingContextHistoryUpdated = event[BrowsingContextHistoryUpdatedParameters]("browsingContext.historyUpdated")

	// BrowsingContextDomContentLoaded says that the document was parsed.
	// https://w3c.github.io/webdriver-bidi/#event-browsingContext-domContentLoaded
	BrowsingContextDomContentLoaded = event[BrowsingContextNavigationInfo]("browsingContext.domContentLoaded")

	// BrowsingContextLoad says that the document and what it needs were loaded.
	// https://w3c.github.io/webdriver-bidi/#event-browsingContext-load
	BrowsingContextLoad = event[BrowsingContextNavigationInfo]("browsingContext.load")

	// BrowsingContextDownloadWillBegin begins a download.
	// https://w3c.github.io/webdriver-bidi/#event-browsingContext-downloadWillBegin
	BrowsingContextDownloadWillBegin = event[BrowsingContextDownloadWillBeginParams]("browsingContext.downloadWillBegin")

	// BrowsingContextDownloadEnd ends a download.
	// https://w3c.github.io/webdriver-bidi/#event-browsingContext-downloadEnd
	BrowsingContextDownloadEnd = event[BrowsingContextDownloadEndParams]("browsingContext.downloadEnd")

	// BrowsingContextNavigationAborted says that a navigation was given up.
	// https://w3c.github.io/webdriver-bidi/#event-browsingContext-navigationAborted
	BrowsingContextNavigationAborted = event[BrowsingContextNavigationInfo]("browsingContext.navigationAborted")

	// BrowsingContextNavigationCommitted says that the new document replaced the old.
	// https://w3c.github.io/webdriver-bidi/#event-browsingContext-navigationCommitted
	BrowsingContextNavigationCommitted = event[BrowsingContextNavigationInfo]("browsingContext.navigationCommitted")

	// BrowsingContextNavigationFailed says that a navigation failed.
	// https://w3c.github.io/webdriver-bidi/#event-browsingContext-navigationFailed
	BrowsingContextNavigationFailed = event[BrowsingContextNavigationInfo]("browsingContext.navigationFailed")

	// BrowsingContextUserPromptClosed says that a dialog was answered.
	// https://w3c.github.io/webdriver-bidi/#event-browsingContext-userPromptClosed
	BrowsingContextUserPromptClosed = event[BrowsingContextUserPromptClosedParameters]("browsingContext.userPromptClosed")

	// BrowsingContextUserPromptOpened says that a dialog opened.
	// https://w3c.github.io/webdriver-bidi/#event-browsingContext-userPromptOpened
	BrowsingContextUserPromptOpened = event[BrowsingContextUserPromptOpenedParameters]("browsingContext.userPromptOpened")
)

// BrowsingContextBaseNavigationInfo is what navigations and downloads share.
// Navigation is empty where the browser sent null.
type BrowsingContextBaseNavigationInfo struct {
	Context     Context     `json:"context"`
	Navigation  Navigation  `json:"navigation"`
	Timestamp   Int         `json:"timestamp"` // milliseconds since 1970
	URL         string      `json:"url"`
	UserContext UserContext `json:"userContext,omitzero"`
}

// BrowsingContextNavigationInfo is a step of a navigation.
// https://w3c.github.io/webdriver-bidi/#type-browsingContext-NavigationInfo
type BrowsingContextNavigationInfo struct {
	BrowsingContextBaseNavigationInfo
}

// BrowsingContextHistoryUpdatedParameters is the event
// browsingContext.historyUpdated.
type BrowsingContextHistoryUpdatedParameters struct {
	Context     Context     `json:"context"`
	Timestamp   Int         `json:"timestamp"` // milliseconds since 1970
	URL         string      `json:"url"`
	UserContext UserContext `json:"userContext,omitzero"`
}

// BrowsingContextDownloadWillBeginParams is the event
// browsingContext.downloadWillBegin.
type BrowsingContextDownloadWillBeginParams struct {
	Download          Download `json:"download"`
	SuggestedFilename string   `json:"suggestedFilename"`
	BrowsingContextBaseNavigationInfo
}

// BrowsingContextDownloadEndParams is the event browsingContext.downloadEnd. Status
// is "complete", with a Filepath where the browser tells it, or "canceled".
type BrowsingContextDownloadEndParams struct {
	Status   string   `json:"status"`
	Download Download `json:"download"`
	Filepath string   `json:"filepath,omitzero"`
	BrowsingContextBaseNavigationInfo
}

// BrowsingContextUserPromptType is a kind of dialog.
type BrowsingContextUserPromptType string

// The kinds of dialogs.
const (
	BrowsingContextUserPromptTypeAlert        BrowsingContextUserPromptType = "alert"
	BrowsingContextUserPromptTypeBeforeunload BrowsingContextUserPromptType = "beforeunload"
	BrowsingContextUserPromptTypeConfirm      BrowsingContextUserPromptType = "confirm"
	BrowsingContextUserPromptTypePrompt       BrowsingContextUserPromptType = "prompt"
)

// BrowsingContextUserPromptClosedParameters is the event
// browsingContext.userPromptClosed.
type BrowsingContextUserPromptClosedParameters struct {
	Context     Context                       `json:"context"`
	Accepted    bool                          `json:"accepted"`
	Type        BrowsingContextUserPromptType `json:"type"`
	UserContext UserContext                   `json:"userContext,omitzero"`
	UserText    string                        `json:"userText,omitzero"`
}

// BrowsingContextUserPromptOpenedParameters is the event
// browsingContext.userPromptOpened. DefaultValue is nil unless it is a prompt.
type BrowsingContextUserPromptOpenedParameters struct {
	Context      Context                       `json:"context"`
	Handler      SessionUserPromptHandlerType  `json:"handler"`
	Message      string                        `json:"message"`
	Type         BrowsingContextUserPromptType `json:"type"`
	UserContext  UserContext                   `json:"userContext,omitzero"`
	DefaultValue *string                       `json:"defaultValue,omitzero"`
}
