package bidi

// BrowsingContextLocator says what nodes to find: BrowsingContextCssLocator,
// BrowsingContextXPathLocator, BrowsingContextInnerTextLocator,
// BrowsingContextAccessibilityLocator or BrowsingContextContextLocator.
// https://w3c.github.io/webdriver-bidi/#type-browsingContext-Locator
type BrowsingContextLocator interface{ locator() }

// BrowsingContextAccessibilityLocator finds by computed role and name.
type BrowsingContextAccessibilityLocator struct {
	Type  isAccessibility                          `json:"type"`
	Value BrowsingContextAccessibilityLocatorValue `json:"value"`
}

// BrowsingContextAccessibilityLocatorValue is the role, the name, or both.
type BrowsingContextAccessibilityLocatorValue struct {
	Name string `json:"name,omitzero"`
	Role string `json:"role,omitzero"`
}

// BrowsingContextCssLocator finds by CSS selector.
type BrowsingContextCssLocator struct {
	Type  isCSS  `json:"type"`
	Value string `json:"value"`
}

// BrowsingContextContextLocator finds the element that holds a frame.
type BrowsingContextContextLocator struct {
	Type  isContext                          `json:"type"`
	Value BrowsingContextContextLocatorValue `json:"value"`
}

// BrowsingContextContextLocatorValue names the frame.
type BrowsingContextContextLocatorValue struct {
	Context Context `json:"context"`
}

// BrowsingContextInnerTextLocator finds by rendered text.
type BrowsingContextInnerTextLocator struct {
	Type       isInnerText `json:"type"`
	Value      string      `json:"value"`
	IgnoreCase bool        `json:"ignoreCase,omitzero"`
	MatchType  string      `json:"matchType,omitzero"` // full or partial
	MaxDepth   *int64      `json:"maxDepth,omitzero"`
}

// BrowsingContextXPathLocator finds by XPath.
type BrowsingContextXPathLocator struct {
	Type  isXPath `json:"type"`
	Value string  `json:"value"`
}

func (BrowsingContextAccessibilityLocator) locator() {}
func (BrowsingContextCssLocator) locator()           {}
func (BrowsingContextContextLocator) locator()       {}
func (BrowsingContextInnerTextLocator) locator()     {}
func (BrowsingContextXPathLocator) locator()         {}

// BrowsingContextLocateNodesParameters are the parameters of
// browsingContext.locateNodes.
type BrowsingContextLocateNodesParameters struct {
	Context              Context                     `json:"context"`
	Locator              BrowsingContextLocator      `json:"locator"`
	MaxNodeCount         int64                       `json:"maxNodeCount,omitzero"`
	SerializationOptions *ScriptSerializationOptions `json:"serializationOptions,omitzero"`
	StartNodes           []ScriptSharedReference     `json:"startNodes,omitzero"`
}

// BrowsingContextLocateNodesResult is the result of browsingContext.locateNodes.
type BrowsingContextLocateNodesResult struct {
	Nodes []ScriptNodeRemoteValue `json:"nodes"`
}

// BrowsingContextCaptureScreenshotParameters are the parameters of
// browsingContext.captureScreenshot.
type BrowsingContextCaptureScreenshotParameters struct {
	Context Context                      `json:"context"`
	Origin  string                       `json:"origin,omitzero"` // viewport or document
	Format  *BrowsingContextImageFormat  `json:"format,omitzero"`
	Clip    BrowsingContextClipRectangle `json:"clip,omitzero"`
}

// BrowsingContextImageFormat is a MIME type, with a quality from 0 to 1 where the
// format has one.
type BrowsingContextImageFormat struct {
	Type    string   `json:"type"`
	Quality *float64 `json:"quality,omitzero"`
}

// BrowsingContextClipRectangle is a part of the picture:
// BrowsingContextBoxClipRectangle or BrowsingContextElementClipRectangle.
type BrowsingContextClipRectangle interface{ clipRectangle() }

// BrowsingContextElementClipRectangle is the box of an element.
type BrowsingContextElementClipRectangle struct {
	Type    isElement             `json:"type"`
	Element ScriptSharedReference `json:"element"`
}

// BrowsingContextBoxClipRectangle is a box in CSS pixels from the picture's origin.
type BrowsingContextBoxClipRectangle struct {
	Type   isBox   `json:"type"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}

func (BrowsingContextElementClipRectangle) clipRectangle() {}
func (BrowsingContextBoxClipRectangle) clipRectangle()     {}

// BrowsingContextCaptureScreenshotResult is the result of
// browsingContext.captureScreenshot.
type BrowsingContextCaptureScreenshotResult struct {
	Data []byte `json:"data"` // base64 on the wire
}

// BrowsingContextPrintParameters are the parameters of browsingContext.print.
type BrowsingContextPrintParameters struct {
	Context     Context                               `json:"context"`
	Background  bool                                  `json:"background,omitzero"`
	Margin      *BrowsingContextPrintMarginParameters `json:"margin,omitzero"`
	Orientation string                                `json:"orientation,omitzero"` // portrait or landscape
	Page        *BrowsingContextPrintPageParameters   `json:"page,omitzero"`
	PageRanges  []string                              `json:"pageRanges,omitzero"` // such as "2" and "4-6"
	Scale       float64                               `json:"scale,omitzero"`
	ShrinkToFit *bool                                 `json:"shrinkToFit,omitzero"`
}

// BrowsingContextPrintMarginParameters are margins in centimetres.
type BrowsingContextPrintMarginParameters struct {
	Bottom *float64 `json:"bottom,omitzero"`
	Left   *float64 `json:"left,omitzero"`
	Right  *float64 `json:"right,omitzero"`
	Top    *float64 `json:"top,omitzero"`
}

// BrowsingContextPrintPageParameters is a page size in centimetres.
type BrowsingContextPrintPageParameters struct {
	Height float64 `json:"height,omitzero"`
	Width  float64 `json:"width,omitzero"`
}

// BrowsingContextPrintResult is the result of browsingContext.print.
type BrowsingContextPrintResult struct {
	Data []byte `json:"data"` // base64 on the wire
}

// BrowsingContextStartScreencastParameters are the parameters of
// browsingContext.startScreencast.
type BrowsingContextStartScreencastParameters struct {
	Context  Context                               `json:"context"`
	MimeType string                                `json:"mimeType,omitzero"`
	Video    *BrowsingContextMediaTrackConstraints `json:"video,omitzero"`
	Audio    bool                                  `json:"audio,omitzero"`
}

// BrowsingContextMediaTrackConstraints bounds a recording.
type BrowsingContextMediaTrackConstraints struct {
	Width     int64 `json:"width,omitzero"`
	Height    int64 `json:"height,omitzero"`
	FrameRate int64 `json:"frameRate,omitzero"`
}

// BrowsingContextStartScreencastResult is the result of
// browsingContext.startScreencast.
type BrowsingContextStartScreencastResult struct {
	Screencast Screencast `json:"screencast"`
	Path       string     `json:"path"`
}

// BrowsingContextStopScreencastParameters are the parameters of
// browsingContext.stopScreencast.
type BrowsingContextStopScreencastParameters struct {
	Screencast Screencast `json:"screencast"`
}

// BrowsingContextStopScreencastResult is the result of
// browsingContext.stopScreencast.
type BrowsingContextStopScreencastResult struct {
	Path  string `json:"path"`
	Error string `json:"error,omitzero"`
}
