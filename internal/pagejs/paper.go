package pagejs

// PaperArgs says what to do for a print.
type PaperArgs struct {
	Back bool `json:"back,omitzero"` // it is over
}

// Papered is what was done for it.
type Papered struct {
	Blanked int `json:"blanked,omitzero"`
}

// Paper blanks the fields with secrets while a page is printed.
var Paper = load[PaperArgs, Papered]("paper")
