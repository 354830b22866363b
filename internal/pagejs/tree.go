package pagejs

// NodeKey is the identity of an element: the number that the registry in duet's
// sandbox realm gave it, in a document, in a context. A key never names another
// element: numbers are not reused within a document, and a document's id is new
// each time a document is shown, also when it comes back from history.
type NodeKey struct {
	Context string // browsing context id
	Doc     string // id of the document's registry
	Node    int    // number in the registry, from 1
}

// Node is one line-worthy thing of a document as walk.js measured it. What it
// prints as is decided in package snapshot.
type Node struct {
	ID     int      `json:"i,omitzero"`  // registry number; 0 for a shadow boundary
	Class  string   `json:"k"`           // control (also headings), container, item (a row, list item or cell of text alone), text, evidence, image, frame, shadow
	Role   string   `json:"r"`           // computed ARIA role; "text" for text, "iframe" for frames, "closed" or "shadow" for a shadow boundary
	Name   string   `json:"n,omitzero"`  // accessible name or text, white space folded, at most 1,000 characters
	Level  int      `json:"lv,omitzero"` // heading level
	Href   string   `json:"h,omitzero"`  // absolute URL
	Value  *string  `json:"v,omitzero"`  // current value where one may be shown
	Secret bool     `json:"x,omitzero"`  // the field's value must never be shown
	Filled bool     `json:"f,omitzero"`  // a secret field that holds something
	Hint   string   `json:"q,omitzero"`  // locator hint: #id, [data-testid="x"], input[name="x"]
	States []string `json:"s,omitzero"`  // disabled, checked, checked=mixed, expanded=true, selected, …
	Unseen bool     `json:"u,omitzero"`  // assistive technology gets it, a person does not see it
	Stamp  string   `json:"m,omitzero"`  // what the node stands for (its row's or item's text, hashed), for recycled rows
	Kids   []*Node  `json:"c,omitzero"`
	Old    []int    `json:"o,omitzero"`    // on the wire only: index and count of nodes of the list before, see Doc.Since
	More   int      `json:"more,omitzero"` // elements under this one that the walk left out
}

// Doc is one document as walk.js answers it.
type Doc struct {
	Doc      string   `json:"doc"` // registry id
	URL      string   `json:"url"`
	Title    string   `json:"title"`
	Ready    string   `json:"ready"`          // document.readyState
	Version  int      `json:"ver"`            // counts what changed: mutations, values, scroll of the page does not count
	Same     bool     `json:"same,omitzero"`  // nothing changed since the version asked about; Kids are absent
	Delta    bool     `json:"delta,omitzero"` // Kids are changes: they need Since before they are read
	Kids     []*Node  `json:"c,omitzero"`
	Lines    string   `json:"l,omitzero"`        // on the wire only: Kids as lines of text
	Modal    int      `json:"modal,omitzero"`    // registry number of the open modal dialog that makes the rest inert
	Over     int      `json:"over,omitzero"`     // registry number of the open popover that was opened last
	Above    float64  `json:"up,omitzero"`       // screens scrolled away above
	Below    float64  `json:"down,omitzero"`     // screens below
	More     int      `json:"more,omitzero"`     // elements that the walk left out
	Hit      *Hit     `json:"hit,omitzero"`      // what the press armed with the token hit, where asked for
	Took     bool     `json:"took,omitzero"`     // what was entered since Active went into something secret, or into what may be
	Drift    []Drift  `json:"drift,omitzero"`    // what of the last fills does not hold any more
	Strayed  string   `json:"strayed,omitzero"`  // what has the focus that was put on another element last
	Released *Landing `json:"released,omitzero"` // what the release of a drag went to, where that is not what was dragged; told once
	Keyed    string   `json:"keyed,omitzero"`    // what the first key after that went to instead
	Refused  *Refused `json:"refused,omitzero"`  // what a submission found not valid since the last reading
	Failed   string   `json:"-"`                 // why the document could not be read; filled in by drive

	Frames map[int]string `json:"-"` // context id of the document that a frame element shows, by its number; filled in by drive
}

// Landing is what an event went to.
type Landing struct {
	Took []int  `json:"took"` // registry numbers, from the inside out
	By   string `json:"by"`   // role and name of the first of them
}

// Drift is a field that no longer holds what was filled in.
type Drift struct {
	Back   int    `json:"back"` // fills of the document after that one
	Line   string `json:"line"`
	Secret bool   `json:"secret,omitzero"` // Value is empty because it must not be shown
	Value  string `json:"value,omitzero"`
	Max    int    `json:"max"`
}

// Refused are the controls that a form was not submitted for, as the browser told them.
type Refused struct {
	Told []Invalid `json:"told"`
	More int       `json:"more"` // further ones
}

// Invalid is a control that is not valid.
type Invalid struct {
	Line string `json:"line"` // as the map would say it
	Text string `json:"text"` // what the browser shows a person, "" for a secret field
}

// Tree is a tab's page: the top document and the documents of its frames.
type Tree struct {
	Top   string          // context id of the top document
	Docs  map[string]*Doc // by context id
	Epoch int             // counts the documents that the tab has shown
}

// Since completes an answer that leaves out what the document before it has:
// one that says Same, or Delta. It shares the nodes of before, which it does not
// change; ok is false where the two do not fit together, and then the document is
// to be read again, without a version.
func (d *Doc) Since(before *Doc) (ok bool) {
	switch {
	case !d.Same && !d.Delta:
		return true
	case before == nil || before.Doc != d.Doc || before.Delta:
		return false
	case d.Same:
		d.Kids, d.More = before.Kids, before.More
		d.Same = false
		return before.Version == d.Version
	}
	d.Kids, ok = patch(d.Kids, before.Kids)
	d.Delta = false
	return ok
}

func patch(list, before []*Node) ([]*Node, bool) {
	at := map[int]*Node{}
	for _, n := range before {
		at[n.ID] = n
	}
	out := make([]*Node, 0, len(list))
	for _, n := range list {
		if n.Old != nil {
			if len(n.Old) != 2 || n.Old[0] < 0 || n.Old[1] < 1 || n.Old[0]+n.Old[1] > len(before) {
				return nil, false
			}
			out = append(out, before[n.Old[0]:n.Old[0]+n.Old[1]]...)
			continue
		}
		if old := at[n.ID]; old != nil && len(n.Kids) > 0 {
			var ok bool
			if n.Kids, ok = patch(n.Kids, old.Kids); !ok {
				return nil, false
			}
		}
		out = append(out, n)
	}
	return out, true
}
