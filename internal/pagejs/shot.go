package pagejs

// ShotMarksArgs asks where a picture is to be painted over or labelled.
type ShotMarksArgs struct {
	Nodes []int `json:"nodes,omitzero"` // besides filled secret fields and frames, which are always told
	Take  bool  `json:"take,omitzero"`  // after the picture: with what was measured since the call before
}

// ShotMarks are the readings of one document.
type ShotMarks struct {
	Doc      string        `json:"doc"`
	Readings []ShotReading `json:"readings"`
}

// ShotReading is where things were at one moment, in the document's viewport.
type ShotReading struct {
	Masks  []ShotBox   `json:"masks"`
	Frames []ShotFrame `json:"frames"`
	Marked []ShotBox   `json:"marked"`
	DPR    float64     `json:"dpr"`
	Scroll Point       `json:"scroll"`
	View   ShotSize    `json:"view"`
	Page   ShotSize    `json:"page"`
}

// ShotSize is a size in CSS pixels.
type ShotSize struct {
	W float64 `json:"w"`
	H float64 `json:"h"`
}

// ShotBox is a box; Fixed where it does not scroll with the document.
type ShotBox struct {
	Node int `json:"node,omitzero"`
	Box
	Fixed bool `json:"fixed"`
}

// ShotFrame is where a frame element shows its document, and in which scale.
type ShotFrame struct {
	ShotBox
	SX float64 `json:"sx"`
	SY float64 `json:"sy"`
}

// ShotMark measures for a picture.
var ShotMark = load[ShotMarksArgs, ShotMarks]("shot_marks")

// ShotIntoArgs shows an element, or puts back what that moved.
type ShotIntoArgs struct {
	Target
	View bool `json:"view,omitzero"` // also into the document's own viewport
	Back bool `json:"back,omitzero"`
}

// ShotInto says where it is then.
type ShotInto struct {
	Gone  string `json:"gone,omitzero"`
	Line  string `json:"line,omitzero"`
	Box   Box    `json:"box"`
	Moved bool   `json:"moved,omitzero"`
	Cut   bool   `json:"cut,omitzero"` // a part of it cannot be shown
}

// ShotShow brings an element into view.
var ShotShow = load[ShotIntoArgs, ShotInto]("shot_into")
