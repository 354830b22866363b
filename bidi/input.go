package bidi

// The commands of the module input.
var (
	// InputPerformActions presses keys, moves and presses pointers, turns wheels.
	// https://w3c.github.io/webdriver-bidi/#command-input-performActions
	InputPerformActions = command[InputPerformActionsParameters, EmptyResult]("input.performActions")

	// InputReleaseActions releases what is pressed.
	// https://w3c.github.io/webdriver-bidi/#command-input-releaseActions
	InputReleaseActions = command[InputReleaseActionsParameters, EmptyResult]("input.releaseActions")

	// InputSetFiles gives files to a file input.
	// https://w3c.github.io/webdriver-bidi/#command-input-setFiles
	InputSetFiles = command[InputSetFilesParameters, EmptyResult]("input.setFiles")
)

// InputFileDialogOpened says that the page asked for files.
// https://w3c.github.io/webdriver-bidi/#event-input-fileDialogOpened
var InputFileDialogOpened = event[InputFileDialogInfo]("input.fileDialogOpened")

// InputPerformActionsParameters are the parameters of input.performActions.
type InputPerformActionsParameters struct {
	Context Context                  `json:"context"`
	Actions List[InputSourceActions] `json:"actions"`
}

// InputReleaseActionsParameters are the parameters of input.releaseActions.
type InputReleaseActionsParameters struct {
	Context Context `json:"context"`
}

// InputSetFilesParameters are the parameters of input.setFiles; no files clear the
// input.
type InputSetFilesParameters struct {
	Context Context               `json:"context"`
	Element ScriptSharedReference `json:"element"`
	Files   List[string]          `json:"files"` // absolute paths
}

// InputFileDialogInfo is the event input.fileDialogOpened. Element is nil where the
// dialog is not an element's.
type InputFileDialogInfo struct {
	Context     Context                `json:"context"`
	UserContext UserContext            `json:"userContext,omitzero"`
	Element     *ScriptSharedReference `json:"element,omitzero"`
	Multiple    bool                   `json:"multiple"`
}

// InputSourceActions is what one device does, tick by tick:
// InputNoneSourceActions, InputKeySourceActions, InputPointerSourceActions or
// InputWheelSourceActions.
type InputSourceActions interface{ sourceActions() }

// InputNoneSourceActions is a device that only waits.
type InputNoneSourceActions struct {
	Type    isNone                 `json:"type"`
	ID      string                 `json:"id"`
	Actions List[InputPauseAction] `json:"actions"`
}

// InputKeySourceActions is a keyboard.
type InputKeySourceActions struct {
	Type    isKey                      `json:"type"`
	ID      string                     `json:"id"`
	Actions List[InputKeySourceAction] `json:"actions"`
}

// InputPointerSourceActions is a mouse, a pen or a finger.
type InputPointerSourceActions struct {
	Type       isPointer                      `json:"type"`
	ID         string                         `json:"id"`
	Parameters *InputPointerParameters        `json:"parameters,omitzero"`
	Actions    List[InputPointerSourceAction] `json:"actions"`
}

// InputWheelSourceActions is a wheel.
type InputWheelSourceActions struct {
	Type    isWheel                      `json:"type"`
	ID      string                       `json:"id"`
	Actions List[InputWheelSourceAction] `json:"actions"`
}

func (InputNoneSourceActions) sourceActions()    {}
func (InputKeySourceActions) sourceActions()     {}
func (InputPointerSourceActions) sourceActions() {}
func (InputWheelSourceActions) sourceActions()   {}

// InputKeySourceAction is InputPauseAction, InputKeyDownAction or InputKeyUpAction.
type InputKeySourceAction interface{ keyAction() }

// InputPointerSourceAction is InputPauseAction, InputPointerDownAction,
// InputPointerUpAction or InputPointerMoveAction.
type InputPointerSourceAction interface{ pointerAction() }

// InputWheelSourceAction is InputPauseAction or InputWheelScrollAction.
type InputWheelSourceAction interface{ wheelAction() }

// InputPauseAction waits, for Duration milliseconds or for the other devices.
type InputPauseAction struct {
	Type     isPause `json:"type"`
	Duration int64   `json:"duration,omitzero"`
}

// InputKeyDownAction presses a key: one grapheme, or a code point of the private
// use area that WebDriver gives to keys without one.
type InputKeyDownAction struct {
	Type  isKeyDown `json:"type"`
	Value string    `json:"value"`
}

// InputKeyUpAction releases a key.
type InputKeyUpAction struct {
	Type  isKeyUp `json:"type"`
	Value string  `json:"value"`
}

// InputPointerUpAction releases a button: 0 left, 1 middle, 2 right.
type InputPointerUpAction struct {
	Type   isPointerUp `json:"type"`
	Button int         `json:"button"`
}

// InputPointerDownAction presses a button.
type InputPointerDownAction struct {
	Type   isPointerDown `json:"type"`
	Button int           `json:"button"`
	InputPointerCommonProperties
}

// InputPointerMoveAction moves to a point relative to Origin, in Duration
// milliseconds. A nil Origin is the viewport.
type InputPointerMoveAction struct {
	Type     isPointerMove `json:"type"`
	X        float64       `json:"x"`
	Y        float64       `json:"y"`
	Duration int64         `json:"duration,omitzero"`
	Origin   InputOrigin   `json:"origin,omitzero"`
	InputPointerCommonProperties
}

// InputWheelScrollAction turns the wheel at a point. A nil Origin is the viewport.
type InputWheelScrollAction struct {
	Type     isScroll    `json:"type"`
	X        int         `json:"x"`
	Y        int         `json:"y"`
	DeltaX   int         `json:"deltaX"`
	DeltaY   int         `json:"deltaY"`
	Duration int64       `json:"duration,omitzero"`
	Origin   InputOrigin `json:"origin,omitzero"`
}

func (InputPauseAction) keyAction()           {}
func (InputKeyDownAction) keyAction()         {}
func (InputKeyUpAction) keyAction()           {}
func (InputPauseAction) pointerAction()       {}
func (InputPointerUpAction) pointerAction()   {}
func (InputPointerDownAction) pointerAction() {}
func (InputPointerMoveAction) pointerAction() {}
func (InputPauseAction) wheelAction()         {}
func (InputWheelScrollAction) wheelAction()   {}

// InputPointerParameters says what a pointer is.
type InputPointerParameters struct {
	PointerType InputPointerType `json:"pointerType,omitzero"`
}

// InputPointerType is a kind of pointer.
type InputPointerType string

// The kinds of pointers.
const (
	InputPointerTypeMouse InputPointerType = "mouse"
	InputPointerTypePen   InputPointerType = "pen"
	InputPointerTypeTouch InputPointerType = "touch"
)

// InputPointerCommonProperties is the shape and the pressure of a contact.
type InputPointerCommonProperties struct {
	Width              int      `json:"width,omitzero"`
	Height             int      `json:"height,omitzero"`
	Pressure           *float64 `json:"pressure,omitzero"`
	TangentialPressure float64  `json:"tangentialPressure,omitzero"`
	Twist              int      `json:"twist,omitzero"`
	AltitudeAngle      *float64 `json:"altitudeAngle,omitzero"`
	AzimuthAngle       *float64 `json:"azimuthAngle,omitzero"`
}

// InputOrigin is what a point is relative to: InputOriginViewport,
// InputOriginPointer or InputElementOrigin (the element's centre).
type InputOrigin interface{ origin() }

// InputOriginWord is an origin that is a word.
type InputOriginWord string

// The origins that are words.
const (
	InputOriginViewport InputOriginWord = "viewport"
	InputOriginPointer  InputOriginWord = "pointer"
)

// InputElementOrigin is the centre of an element's first client rectangle.
type InputElementOrigin struct {
	Type    isElement             `json:"type"`
	Element ScriptSharedReference `json:"element"`
}

func (InputOriginWord) origin()    {}
func (InputElementOrigin) origin() {}
