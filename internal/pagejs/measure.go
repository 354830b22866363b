package pagejs

// Target names an element to a page function: its number in a document's
// registry and what it must still stand for.
type Target struct {
	Node  int    `json:"node"`
	Doc   string `json:"doc"`
	Stamp string `json:"stamp,omitzero"` // checked where it is given
}

// Point is a place in a document's viewport, or inside an element's box.
type Point struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Box is an element's bounding box in its document's viewport.
type Box struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// MeasureArgs says what is about to be done to the element.
type MeasureArgs struct {
	Target
	Pause   int    `json:"pause,omitzero"`   // milliseconds at most to wait for a change of the document before looking
	Pointer bool   `json:"pointer,omitzero"` // find the point to press and what is on top there
	Scroll  bool   `json:"scroll,omitzero"`  // without a pointer: scroll it into view all the same
	Arm     bool   `json:"arm,omitzero"`     // listen for what the next press hits
	Hover   bool   `json:"hover,omitzero"`   // the pointer is about to rest on it: what it opens may close at the next move
	At      *Point `json:"at,omitzero"`      // the one point inside its box to use
}

// Measured is what a page knows of an element that is about to be acted on. The
// judgment is package drive's.
type Measured struct {
	Gone     string `json:"gone,omitzero"` // document-changed, detached, changed: the rest is absent
	Line     string `json:"line"`          // as the map would say it
	Role     string `json:"role,omitzero"`
	Tag      string `json:"tag,omitzero"`
	Type     string `json:"type,omitzero"`     // of an input
	Hidden   string `json:"hidden,omitzero"`   // why a person does not see it
	Disabled string `json:"disabled,omitzero"` // what disables it: disabled, fieldset, aria-disabled
	Inert    bool   `json:"inert,omitzero"`
	Modal    string `json:"modal,omitzero"`   // the open modal dialog that makes it inert
	Checked  string `json:"checked,omitzero"` // true, false or mixed, of what can be checked
	Version  int    `json:"version,omitzero"` // of the document, as walk counts it

	Still    bool   `json:"still,omitzero"`
	Scrolled bool   `json:"scrolled,omitzero"` // it was scrolled to find the point
	Outside  bool   `json:"outside,omitzero"`  // no part of it can be scrolled into view
	Box      *Box   `json:"box,omitzero"`
	Point    *Point `json:"point,omitzero"`    // where to press
	Hit      bool   `json:"hit,omitzero"`      // a press at the point would be one on the element
	Cover    string `json:"cover,omitzero"`    // what is on top there instead
	Ancestor bool   `json:"ancestor,omitzero"` // what is on top is an ancestor: the element lets the pointer through
	Via      string `json:"via,omitzero"`      // "label": the point is on the label of a control that is not painted
	Wary     bool   `json:"wary,omitzero"`     // something was hovered in this document: moving away may change the layout
	Token    int    `json:"token,omitzero"`    // of the armed listener
}

// Measure looks at an element before an action.
var Measure = load[MeasureArgs, Measured]("measure")

// FrameViewArgs asks whether a point of a frame's document can be pressed, as
// seen from the document that holds the frame.
type FrameViewArgs struct {
	Target
	Point Point `json:"point"` // in the frame's viewport
	Calm  bool  `json:"calm,omitzero"`
}

// FrameViewed says where the point lies in the outer document.
type FrameViewed struct {
	Gone   string `json:"gone,omitzero"`
	Line   string `json:"line,omitzero"`
	Point  Point  `json:"point"`
	Hit    bool   `json:"hit"`             // the frame is on top there
	Scaled bool   `json:"scaled,omitzero"` // a transform draws the frame in another size
	Cover  string `json:"cover,omitzero"`  // what is on top instead; empty where the point is out of view
}

// FrameView scrolls a frame's element so that a point in it can be pressed.
var FrameView = load[FrameViewArgs, FrameViewed]("frameview")

// TwinArgs asks whether what a press hit is the element that it was meant for, drawn
// anew.
type TwinArgs struct {
	Target
	Hit  int    `json:"hit"`  // registry number of what was hit
	Line string `json:"line"` // what the element was
}

// AgainArgs name a control of a document that is gone from it.
type AgainArgs struct {
	Doc  string `json:"doc"`
	Line string `json:"line"` // as the map said it
}

// Known is the state of the one control that says the same.
type Known struct {
	Found   bool   `json:"found"`
	Checked string `json:"checked,omitzero"` // as in Measured
}

// Again looks for a control that was drawn anew.
var Again = load[AgainArgs, Known]("again")

// Twin compares what was hit with what was meant.
var Twin = load[TwinArgs, bool]("twin")
