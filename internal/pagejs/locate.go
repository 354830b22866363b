package pagejs

// LocateStep is one step of a selector as the page matches it.
type LocateStep struct {
	Kind   string  `json:"kind"`
	Value  string  `json:"value"`
	Name   *string `json:"name,omitzero"`
	NameOp string  `json:"nameOp,omitzero"`
}

// LocateArgs asks what steps match in one document.
type LocateArgs struct {
	Steps []LocateStep `json:"steps"`
	Node  int          `json:"node,omitzero"`  // registry number of the element to look in; 0 is the document
	Doc   string       `json:"doc,omitzero"`   // registry that Node belongs to
	Stamp string       `json:"stamp,omitzero"` // of Node, checked where it is given
	Top   bool         `json:"top,omitzero"`   // no frame element holds this document: steps begin with the first alone
	Limit int          `json:"limit"`          // rows at most
	Seen  bool         `json:"seen,omitzero"`  // rows of visible matches only, where there are any
}

// Located is what one document answers.
type Located struct {
	Gone   string        `json:"gone,omitzero"`  // of the element to look in, as in Measured
	Line   string        `json:"line,omitzero"`  // what it is now, where it changed
	Error  string        `json:"error,omitzero"` // why a step cannot be matched: invalid CSS or XPath
	Doc    string        `json:"doc,omitzero"`
	Tails  []LocatedTail `json:"tails"`  // by the step that matching began with
	Frames []LocatedIn   `json:"frames"` // frames that lie in something that a step found
}

// LocatedTail is what the chain from one step on matches in the document.
type LocatedTail struct {
	Total   int          `json:"total"`
	Visible int          `json:"visible"`
	Rows    []LocatedRow `json:"rows"`
}

// LocatedIn says of a frame element which steps its document may go on with:
// From[k] lists them for the tail that began with step k.
type LocatedIn struct {
	Node int     `json:"node"`
	From [][]int `json:"from"`
}

// LocatedRow is one match.
type LocatedRow struct {
	Node    int    `json:"node"`
	Stamp   string `json:"stamp"`
	Tag     string `json:"tag"`
	Role    string `json:"role"`
	Name    string `json:"name"`
	Text    string `json:"text"` // visible text, cut
	Hint    string `json:"hint"`
	Line    string `json:"line"` // as the map would say it
	Visible bool   `json:"visible"`
	Where   string `json:"where"` // row or heading it stands in, where there are several
}

// Locate matches steps in one document.
var Locate = load[LocateArgs, Located]("locate")

// NearArgs asks for what a step that matched nothing may have meant.
type NearArgs struct {
	Step LocateStep `json:"step"`
}

// NearMiss is an element that resembles what was asked for.
type NearMiss struct {
	Row   LocatedRow `json:"row"`
	Score float64    `json:"score"` // 0 to 1
}

// NearMisses is what one document answers, best first, at most three.
type NearMisses struct {
	Doc  string     `json:"doc"`
	Busy string     `json:"busy,omitzero"` // what shows that the document is still at work
	Near []NearMiss `json:"near"`
}

// Near looks for near misses.
var Near = load[NearArgs, NearMisses]("near")
