package pagejs

// FileInput is what stands behind a target of an upload.
type FileInput struct {
	Gone      string      `json:"gone,omitzero"`
	Line      string      `json:"line"`
	Node      int         `json:"node,omitzero"` // registry number of the file input; 0 for none
	Multiple  bool        `json:"multiple,omitzero"`
	Disabled  string      `json:"disabled,omitzero"`
	Directory bool        `json:"directory,omitzero"` // it takes one, with all that is in it
	Held      int         `json:"held,omitzero"`      // files in it
	Press     bool        `json:"press"`              // pressing it may ask for files
	First     *LocatedRow `json:"first,omitzero"`     // a file input in or beside what is none
}

// Files finds the file input that a target is or stands for.
var Files = load[Target, FileInput]("files")
