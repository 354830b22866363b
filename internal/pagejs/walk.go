package pagejs

// WalkArgs says which document state the caller knows and what to wait for.
type WalkArgs struct {
	Doc    string `json:"doc,omitzero"`    // registry id that Since belongs to
	Since  int    `json:"since,omitzero"`  // version that the caller holds; where nothing changed the answer is {same:true}
	Settle int    `json:"settle,omitzero"` // milliseconds at most to wait until a frame passes without a change; 0 reads at once
	Hit    int    `json:"hit,omitzero"`    // token given to Arm: the answer says what the press hit
	Limit  int    `json:"limit,omitzero"`  // elements and texts to look at; 0 means 25,000, or no bound for a part
	Scope  int    `json:"scope,omitzero"`  // registry number of the subtree to read; 0 is the document
	Whole  bool   `json:"whole,omitzero"`  // without a bound but that of time
	Query  string `json:"query,omitzero"`  // only what may hold this text, or match this /expression/, and what that stands in; without a bound
	Delta  bool   `json:"delta,omitzero"`  // the answer may leave out what Since has: give it to Doc.Since
	Quiet  bool   `json:"quiet,omitzero"`  // settle and answer the version only: no tree
}

// Hit is what a press really hit, as the capturing listener of the sandbox saw
// it arrive.
type Hit struct {
	Seen   bool   `json:"seen,omitzero"`   // a press arrived in this document since the token was armed
	Node   int    `json:"node,omitzero"`   // registry number of the innermost element that it hit
	Inside bool   `json:"inside,omitzero"` // the armed element, or something inside it (or a label of it)
	Around bool   `json:"around,omitzero"` // something that holds the armed element (which lets presses through)
	By     string `json:"by,omitzero"`     // role and name of what was hit instead
	Type   string `json:"type,omitzero"`   // event that told: pointerdown, mousedown, click, …

	Saves bool   `json:"saves,omitzero"` // it pressed a link that saves a file, or a script did by it
	Doc   string `json:"-"`              // the document that was asked, "" for none
	Took  bool   `json:"-"`              // as in Doc, of any document that was read
	Later `json:"-"`

	// The press began inside, and then the page put something else in the way of the
	// rest of it: Node and By are that, and Clicked says that it got the click.
	Swapped bool `json:"swapped,omitzero"`
	Clicked bool `json:"clicked,omitzero"`
	Fled    bool `json:"fled,omitzero"` // it moved the element away before the release

	Unclicked bool `json:"unclicked,omitzero"` // it began inside, and the browser made no click of it there
	Second    *Hit `json:"second,omitzero"`    // of a double click, where it was seen
}

// Later is what became of what was put in, as in Doc, of the document that was asked.
type Later struct {
	Drift    []Drift
	Released *Landing
	Strayed  string
	Keyed    string
}

// Walk reads one document as the tree that snapshot renders.
var Walk = load[WalkArgs, Doc]("walk")

// FramesArgs names iframe elements.
type FramesArgs struct {
	Nodes []int `json:"nodes"` // registry numbers
}

// Frames is the one function whose answer is not JSON: an array of remote
// values, one for each number, of type "window" (its context is the frame's)
// or null where the element shows no document.
var Frames = load[FramesArgs, []any]("frames")
