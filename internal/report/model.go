package report

// index is what the page reads at once: a row for each action, and what the
// timeline and the pane of errors show. Numbers of actions count from 0, and -1 is
// none; times are milliseconds since the trace began.
type index struct {
	Chunk    int          `json:"chunk"` // details in a block
	Pictures bool         `json:"pictures"`
	Wire     bool         `json:"wire"`
	Rows     []row        `json:"rows"`
	Scale    [][2]float64 `json:"scale"`  // time and place from 0 to 1, rising
	Pauses   [][3]float64 `json:"pauses"` // place from, place to, how long it was
	Ticks    [][2]float64 `json:"ticks"`  // time, 1 for an error and 0 for a warning
	Spans    [][3]float64 `json:"spans"`  // time from, time to, 1 for a failed request
	Wrong    []wrong      `json:"wrong"`
}

// row is an action in the list.
type row struct {
	N      int     `json:"n"` // its number in the trace
	At     float64 `json:"t"`
	Ms     float64 `json:"d"` // -1 where it did not end
	Verb   string  `json:"verb"`
	What   string  `json:"what"` // the selector, the address: what it was called on
	State  state   `json:"state"`
	Code   string  `json:"code,omitempty"`
	Acts   bool    `json:"acts,omitempty"`
	Step   int     `json:"step,omitempty"`
	Parent int     `json:"parent"`
	Tab    int     `json:"tab,omitempty"`
	URL    string  `json:"url,omitempty"`
	Before int     `json:"before"` // number of the picture
	After  int     `json:"after"`
	Cons   int     `json:"cons,omitempty"`
	Errs   int     `json:"errs,omitempty"` // in the console
	Reqs   int     `json:"reqs,omitempty"`
	Bad    int     `json:"bad,omitempty"` // failed requests
}

// state is what became of an action.
type state string

const (
	stateOK     state = "ok"
	stateNo     state = "no" // done, and the answer is no
	stateFailed state = "failed"
	stateOpen   state = "open" // it did not end
)

// detail is what is shown of the chosen action alone.
type detail struct {
	Tool     string            `json:"tool"`
	Args     string            `json:"args,omitempty"`
	Answer   string            `json:"answer,omitempty"`
	Notes    []string          `json:"notes,omitempty"`
	Cut      []string          `json:"cut,omitempty"`
	Caller   string            `json:"caller,omitempty"`
	EndURL   string            `json:"endURL,omitempty"`
	Error    *failure          `json:"error,omitempty"`
	Map      *pageMap          `json:"map,omitempty"`
	Events   []string          `json:"events,omitempty"`
	ShotNote map[string]string `json:"shotNote,omitempty"` // by before and after
	NoShot   string            `json:"noShot,omitempty"`
}

type failure struct {
	Code      string `json:"code"`
	Message   string `json:"message"`
	Hint      string `json:"hint,omitempty"`
	Detail    string `json:"detail,omitempty"`
	Phase     string `json:"phase"`
	Effect    string `json:"effect"`
	Retryable bool   `json:"retryable"`
}

// pageMap is a map or a difference. Each of its lines begins with what became of
// it: + new, - gone, ~ changed, a space for none of these, # the head, ! a remark.
type pageMap struct {
	Kind  mapKind `json:"kind"`
	Why   string  `json:"why,omitempty"` // why a whole map was sent
	Lines string  `json:"lines"`
	Base  int     `json:"base"` // the action with the last whole map before, of the same caller and tab
	Than  int     `json:"than"` // the action whose whole map the marks are against
}

type mapKind string

const (
	mapFull     mapKind = "full"
	mapDelta    mapKind = "delta"
	mapRecovery mapKind = "recovery" // what went with a failure
)

// entry is a message of the console; a is the action that it fell into.
type entry struct {
	At     float64 `json:"t"`
	Action int     `json:"a"`
	Type   string  `json:"type"`
	Level  string  `json:"level"`
	Text   string  `json:"text"`
	Where  string  `json:"where,omitempty"`
	Tab    int     `json:"tab,omitempty"`
}

// request is one that ended.
type request struct {
	At     float64     `json:"t"`
	Action int         `json:"a"`
	Ms     float64     `json:"ms"` // -1 where that is not known
	Method string      `json:"method"`
	URL    string      `json:"url"`
	Status int         `json:"status,omitempty"`
	Failed bool        `json:"failed,omitempty"`
	Error  string      `json:"error,omitempty"`
	Kind   string      `json:"kind,omitempty"`
	Bytes  int64       `json:"bytes,omitempty"`
	Cached bool        `json:"cached,omitempty"`
	Mocked bool        `json:"mocked,omitempty"`
	More   [][2]string `json:"more"`
}

// frame is a message on the wire.
type frame struct {
	At     float64 `json:"t"`
	Action int     `json:"a"`
	Dir    string  `json:"dir"` // > sent, < arrived, # a remark
	Text   string  `json:"text"`
}

// wrong is something that went wrong, anywhere in the trace.
type wrong struct {
	At     float64 `json:"t"`
	Action int     `json:"a"`
	Title  string  `json:"title"`
	Text   string  `json:"text"`
	Facts  string  `json:"facts,omitempty"`
}
