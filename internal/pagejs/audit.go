package pagejs

import "sync"

// AuditLookArgs asks what a document holds that bears on an audit of it, or of one
// element in it.
type AuditLookArgs struct {
	Node  int    `json:"node,omitzero"` // registry number of the element; 0 is the document
	Doc   string `json:"doc,omitzero"`
	Stamp string `json:"stamp,omitzero"`
}

// AuditLook is what it holds.
type AuditLook struct {
	Gone   string       `json:"gone,omitzero"`
	Line   string       `json:"line,omitzero"`
	Doc    string       `json:"doc"`
	Ready  bool         `json:"ready"`  // axe-core is in the realm
	Frames []AuditFrame `json:"frames"` // elements that may show documents, in scope
}

// AuditFrame is what the document of a frame must know of its element.
type AuditFrame struct {
	Node      int     `json:"node"`
	Page      bool    `json:"page"` // the page is audited, not an element of it
	Focusable bool    `json:"focusable"`
	Width     float64 `json:"width"`
	Height    float64 `json:"height"`
}

// AuditDocument looks before an audit.
var AuditDocument = load[AuditLookArgs, AuditLook]("audit_look")

// Axe puts axe-core into a realm; its text is sent once a document.
var Axe = loadWith[struct{}, string]("axe", "AXE", axeSource)

// axeSource is axe-core as it was published.
var axeSource = sync.OnceValue(func() string { return file("third_party/axe-core/axe.min") })

// AuditRunArgs runs rules on one document.
type AuditRunArgs struct {
	At      int         `json:"at"` // number of the document, which its elements are told by
	Node    int         `json:"node,omitzero"`
	Doc     string      `json:"doc"`
	Stamp   string      `json:"stamp,omitzero"`
	Frame   *AuditFrame `json:"frame,omitzero"` // nil for the document that the audit begins with
	Rules   []string    `json:"rules,omitzero"` // ids or tags
	Without []string    `json:"without,omitzero"`
	MS      int         `json:"ms"` // no further rule is begun after so many milliseconds
}

// AuditPart is what came of it.
type AuditPart struct {
	Gone    string   `json:"gone,omitzero"`
	Line    string   `json:"line,omitzero"`
	Unknown []string `json:"unknown,omitzero"` // rules that there are not
	Known   []string `json:"known,omitzero"`   // then: those that there are
	None    bool     `json:"none,omitzero"`    // no rule is left
	Late    bool     `json:"late,omitzero"`
	Empty   bool     `json:"empty,omitzero"`  // the document has no root element
	Frames  []int    `json:"frames,omitzero"` // frame elements whose documents belong to it, in order
	Part    string   `json:"part,omitzero"`   // of a frame: what AuditEnd needs
}

// AuditRun runs the rules.
var AuditRun = load[AuditRunArgs, AuditPart]("audit_run")

// AuditEndArgs puts the parts together.
type AuditEndArgs struct {
	Doc    string   `json:"doc"`
	Parts  []string `json:"parts"` // of the frames, in order; "" for one that was not judged
	Impact string   `json:"impact"`
	Limit  int      `json:"limit"`
	Nodes  int      `json:"nodes"`
}

// AuditReport is the verdict over all documents.
type AuditReport struct {
	Gone       string           `json:"gone,omitzero"`
	Doc        string           `json:"doc"`
	Axe        string           `json:"axe"` // version
	Rules      int              `json:"rules"`
	Passes     int              `json:"passes"`
	Below      int              `json:"below"` // violated rules of less impact than asked for
	Total      int              `json:"total"` // violated rules
	Nodes      int              `json:"nodes"` // elements that violate them
	Impacts    []int            `json:"impacts"`
	Violations []AuditViolation `json:"violations"`
	Review     []AuditReview    `json:"review"`
	Errors     []string         `json:"errors"` // rules that could not be run
}

// AuditViolation is a rule that elements violate.
type AuditViolation struct {
	ID     string      `json:"id"`
	Impact string      `json:"impact"`
	Tags   []string    `json:"tags"`
	Help   string      `json:"help"`
	URL    string      `json:"url"`
	Total  int         `json:"total"`
	Nodes  []AuditNode `json:"nodes"`
}

// AuditNode is an element that violates a rule.
type AuditNode struct {
	At  int      `json:"at"` // number of its document
	N   int      `json:"n"`  // its registry number
	Why []string `json:"why"`
}

// AuditReview is a rule that a person must judge.
type AuditReview struct {
	ID    string `json:"id"`
	Nodes int    `json:"nodes"`
}

// AuditEnd puts the parts together.
var AuditEnd = load[AuditEndArgs, AuditReport]("audit_end")

// AuditRowsArgs asks how elements are called.
type AuditRowsArgs struct {
	Doc   string `json:"doc"`
	Nodes []int  `json:"nodes"`
}

// AuditRow is an element, with a path of CSS to it.
type AuditRow struct {
	LocatedRow
	Path string `json:"path"`
}

// AuditRowed are the elements that are still there.
type AuditRowed struct {
	Gone string     `json:"gone,omitzero"`
	Doc  string     `json:"doc"`
	Rows []AuditRow `json:"rows"`
}

// AuditRows names elements.
var AuditRows = load[AuditRowsArgs, AuditRowed]("audit_rows")
