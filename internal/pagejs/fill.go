package pagejs

// FillArgs names the field; the text travels apart, as the call's secret.
type FillArgs struct {
	Target
	Pause int  `json:"pause,omitzero"` // as in MeasureArgs
	Keep  bool `json:"keep,omitzero"`  // leave the focus on the field, also where the page moved it on
	// Secret: the field is a secret one from now on, whatever it looks like.
	Secret bool `json:"secret,omitzero"`
	// Turn numbers what is sent ahead of answers, After is the turn that has to have
	// ended well at once; 0 for none.
	Turn  int `json:"turn,omitzero"`
	After int `json:"after,omitzero"`
}

// Filled is what became of a fill. Done false says why nothing was put in.
type Filled struct {
	Gone     string      `json:"gone,omitzero"`    // as in Measured
	Held     bool        `json:"held,omitzero"`    // nothing was done, since the turn before did not end well at once
	Focused  bool        `json:"focused,omitzero"` // it went when it got the focus
	Line     string      `json:"line"`
	Tag      string      `json:"tag,omitzero"`
	Type     string      `json:"type,omitzero"`
	Kind     string      `json:"kind,omitzero"` // text, set or rich; empty where it takes no text
	Hidden   string      `json:"hidden,omitzero"`
	Disabled string      `json:"disabled,omitzero"`
	ReadOnly bool        `json:"readonly,omitzero"`
	Inert    bool        `json:"inert,omitzero"`
	Modal    string      `json:"modal,omitzero"`
	First    *LocatedRow `json:"first,omitzero"`    // the first thing inside that takes text
	Rejected bool        `json:"rejected,omitzero"` // the field's type would throw the text away
	Lost     string      `json:"lost,omitzero"`     // what has the focus instead of the field
	Secret   bool        `json:"secret,omitzero"`   // Value is empty because it must not be shown
	Version  int         `json:"version,omitzero"`

	Done      bool   `json:"done,omitzero"`
	Vanished  bool   `json:"vanished,omitzero"`  // the field is gone after the edit, and none that reads the same is in its place
	Redrawn   bool   `json:"redrawn,omitzero"`   // the field is gone, and the rest tells of the one that is in its place
	Inputs    int    `json:"inputs,omitzero"`    // input and beforeinput events that the edit caused
	Synthetic bool   `json:"synthetic,omitzero"` // the value was set by script: the page or browser took no edit
	Match     string `json:"match,omitzero"`     // equal, alike (reformatted), differs, unknown
	Value     string `json:"value,omitzero"`     // what the field holds
	Max       int    `json:"max,omitzero"`       // maxlength, below 0 for none
	Short     bool   `json:"short,omitzero"`     // it is shorter than the field asks for, and the browser does not mind: no key was pressed
}

// Fill replaces the text of a field.
var Fill = load[FillArgs, Filled]("fill")

// FocusArgs names the element to focus, or none to ask what has the focus.
type FocusArgs struct {
	Target
	Pause int `json:"pause,omitzero"`
}

// Focused says what has the focus in a document.
type Focused struct {
	Gone     string `json:"gone,omitzero"`
	Line     string `json:"line,omitzero"`
	Hidden   string `json:"hidden,omitzero"`
	Disabled string `json:"disabled,omitzero"`
	Inert    bool   `json:"inert,omitzero"`
	Modal    string `json:"modal,omitzero"`
	OK       bool   `json:"ok,omitzero"`     // the element asked for has the focus
	Active   string `json:"active,omitzero"` // line of what has it; empty where nothing has
	Frame    int    `json:"frame,omitzero"`  // registry number, where that is a frame's element
	Doc      string `json:"doc,omitzero"`
	Editable bool   `json:"editable,omitzero"`
	Secret   bool   `json:"secret,omitzero"`
	Took     bool   `json:"took,omitzero"` // what was entered since this was last asked went into something secret, or into what may be
}

// Focus puts the focus on an element, the caret at the end of its text.
var Focus = load[FocusArgs, Focused]("focus")

// ActiveArgs ask for what has the focus.
type ActiveArgs struct {
	Secret bool `json:"secret,omitzero"` // a field is a secret one from now on, whatever it looks like
}

// Active tells what has the focus.
var Active = load[ActiveArgs, Focused]("active")

// SelectArgs says which options to choose. Any is matched by value, then by label.
type SelectArgs struct {
	Target
	Pause   int      `json:"pause,omitzero"`
	Any     []string `json:"any"`
	Values  []string `json:"values"`
	Labels  []string `json:"labels"`
	Indexes []int    `json:"indexes"`
}

// Option is an option of a select element.
type Option struct {
	Value    string `json:"value"`
	Label    string `json:"label"`
	Disabled bool   `json:"disabled,omitzero"`
}

// Selected is what became of a choice.
type Selected struct {
	Gone     string   `json:"gone,omitzero"`
	Line     string   `json:"line"`
	Tag      string   `json:"tag,omitzero"`
	Hidden   string   `json:"hidden,omitzero"`
	Disabled string   `json:"disabled,omitzero"`
	Inert    bool     `json:"inert,omitzero"`
	Modal    string   `json:"modal,omitzero"`
	Multiple bool     `json:"multiple,omitzero"`
	Missing  string   `json:"missing,omitzero"` // the first wanted option that is not there
	Barred   string   `json:"barred,omitzero"`  // the first wanted option that is disabled
	Options  []Option `json:"options"`          // what there is, at most thirty, where one is missing
	Secret   bool     `json:"secret,omitzero"`  // what is chosen must not be shown
	Done     bool     `json:"done,omitzero"`
	Now      []Option `json:"now"`              // what is chosen after the page had its say
	Held     bool     `json:"held,omitzero"`    // that is what was wanted
	Changed  bool     `json:"changed,omitzero"` // it was not chosen before

	Vanished bool `json:"vanished,omitzero"` // it is gone after the choice, and none that reads the same is in its place
}

// Select chooses options.
var Select = load[SelectArgs, Selected]("select")
