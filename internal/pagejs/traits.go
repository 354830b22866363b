package pagejs

// Trait is what an element can be told apart by. Names and texts are whole, white
// space folded; the text of a secret field, and a long one, is left out.
type Trait struct {
	Node        int         `json:"node"`
	Tag         string      `json:"tag"`
	Role        string      `json:"role"` // empty where it has none of its own
	Name        string      `json:"name"`
	Labels      []string    `json:"labels"`
	Test        [][2]string `json:"test"` // attributes for tests, with their values
	Text        string      `json:"text"`
	ID          string      `json:"id"`
	Named       string      `json:"named"` // the name attribute
	Placeholder string      `json:"placeholder"`
	Alt         string      `json:"alt"`
	Title       string      `json:"title"`
	Aria        string      `json:"aria"`            // aria-label
	Type        string      `json:"type"`            // of an input
	Closed      bool        `json:"closed,omitzero"` // of a shadow host: its root is closed
}

// TraitsOf is the answer for one element.
type TraitsOf struct {
	Gone   string  `json:"gone,omitzero"`
	Line   string  `json:"line"`
	Self   Trait   `json:"self"`
	Hosts  []Trait `json:"hosts"`  // of the shadow roots that it stands in, outermost first
	Around []Trait `json:"around"` // ancestors that can be named, nearest first
}

// Traits reads them.
var Traits = load[Target, TraitsOf]("traits")
