package pagejs

// DragArgs either starts to watch, or asks what came of it.
type DragArgs struct {
	Watch  bool  `json:"watch,omitzero"`
	Finish bool  `json:"finish,omitzero"` // drop by script where the browser did not
	Point  Point `json:"point"`           // where the pointer was released
}

// Dragged is what the page saw of a drag of its own kind (HTML drag and drop).
type Dragged struct {
	Started   bool `json:"started,omitzero"` // dragstart was fired and not refused
	Dropped   bool `json:"dropped,omitzero"`
	Synthetic bool `json:"synthetic,omitzero"` // the drop was sent by script
}

// Drag watches HTML drag and drop.
var Drag = load[DragArgs, Dragged]("drag")
