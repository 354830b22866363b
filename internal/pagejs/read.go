package pagejs

// ReadArgs says what to read of an element.
type ReadArgs struct {
	Target
	What  string `json:"what"`          // text, attr, value, state or box
	Name  string `json:"name,omitzero"` // of the attribute
	Limit int    `json:"limit"`         // characters of text at most
}

// ReadAnswer is what was read.
type ReadAnswer struct {
	Gone     string   `json:"gone,omitzero"`
	Line     string   `json:"line"`
	Secret   bool     `json:"secret,omitzero"`  // its value must never be shown; Text is empty
	Filled   bool     `json:"filled,omitzero"`  // a secret field holds something
	Text     string   `json:"text,omitzero"`    // cut at the limit
	Total    int      `json:"total,omitzero"`   // characters there are
	Present  bool     `json:"present,omitzero"` // the attribute is there; the element has a value
	Visible  bool     `json:"visible,omitzero"`
	Enabled  bool     `json:"enabled,omitzero"`
	Editable bool     `json:"editable,omitzero"`
	Focused  bool     `json:"focused,omitzero"`
	Checked  string   `json:"checked,omitzero"` // true, false, mixed; empty where it cannot be checked
	States   []string `json:"states,omitzero"`
	Role     string   `json:"role,omitzero"`
	Name     string   `json:"name,omitzero"`
	Box      Box      `json:"box"` // in the viewport of its document
}

// Read reads an element.
var Read = load[ReadArgs, ReadAnswer]("read")
