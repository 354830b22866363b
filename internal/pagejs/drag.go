package pagejs

// DragArgs either starts to watch, or asks what came of it, or ends it.
type DragArgs struct {
	Watch  bool        `json:"watch,omitzero"`
	Finish bool        `json:"finish,omitzero"` // drop by script where the browser did not
	Input  bool        `json:"input,omitzero"`  // the browser's input ends it: wait until it has
	Away   bool        `json:"away,omitzero"`   // it ends in another document: tell what is dragged
	End    bool        `json:"end,omitzero"`    // it has ended there
	Data   [][2]string `json:"data,omitzero"`   // what is dragged here from another document, by type
	Point  Point       `json:"point"`           // where the button goes down, or was released
}

// Dragged is what the page saw of a drag of its own kind (HTML drag and drop).
type Dragged struct {
	Draggable bool        `json:"draggable,omitzero"` // on watching: what is at the point is dragged so
	Started   bool        `json:"started,omitzero"`   // dragstart was fired and not refused
	Dropped   bool        `json:"dropped,omitzero"`
	Synthetic bool        `json:"synthetic,omitzero"` // the drop was sent by script
	Took      []int       `json:"took,omitzero"`      // registry numbers of what it was dropped on, from the inside out
	By        string      `json:"by,omitzero"`        // role and name of the first of them
	Data      [][2]string `json:"data,omitzero"`
}

// Drag watches HTML drag and drop.
var Drag = load[DragArgs, Dragged]("drag")
