package pagejs

// ConcealedArgs says which fields are asked.
type ConcealedArgs struct {
	Focused bool `json:"focused,omitzero"` // the one alone that has the focus
}

// Concealed is what fields hold that is never shown.
type Concealed struct {
	Values []string `json:"values,omitzero"` // of fields that people fill in
	Kept   []string `json:"kept,omitzero"`   // of hidden fields; the beginnings of long ones
	More   bool     `json:"more,omitzero"`   // there is more than this
	Secret bool     `json:"secret,omitzero"` // what has the focus is such a field
	Before string   `json:"before,omitzero"` // what it holds before its caret
	After  string   `json:"after,omitzero"`
}

// Hidden reads what must not be shown, so that it can be kept out of what is. Its
// answer belongs into no log: see drive.
var Hidden = load[ConcealedArgs, Concealed]("concealed")
