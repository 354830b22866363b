package pagejs

import (
	"strings"
	"sync"
)

// A Bare is a page function that needs no library. It is sent like a Fn, with its
// arguments as one JSON string and secret text as {secret: text}, and what it
// answers is a value of the protocol.
type Bare[A any] struct {
	Name string
	body func() string
}

// loadBare makes the token of js/NAME.js; see load.
func loadBare[A any](name string) Bare[A] {
	firstLine(name) // it is there
	b := Bare[A]{name, sync.OnceValue(func() string { return file(name) })}
	texts["@"+name] = b.Source
	return b
}

var bareText = file("wrap/bare")

// Source is the function as it is sent.
func (b Bare[A]) Source() string {
	return strings.Replace(bareText, "\nFUNCTION\n", "\n"+b.body()+"\n", 1)
}

// Args is the argument as the one JSON string that the function takes.
func (b Bare[A]) Args(a A) string {
	text, err := marshal(a)
	if err != nil {
		panic("pagejs: " + b.Name + ": " + err.Error())
	}
	return string(text)
}

// StoredArgs say what Stored reads.
type StoredArgs struct {
	Session   bool `json:"session"`   // the session storage too
	Databases bool `json:"databases"` // what is in the databases too, in an empty page of ours
	Most      int  `json:"most"`      // the length up to which a database is taken
}

// StoredInfo is what Stored says before the texts: twice Local, twice Session,
// and Dumped of them.
type StoredInfo struct {
	Origin    string `json:"origin"`
	Ours      bool   `json:"ours"`   // the document is an empty page of ours
	Denied    bool   `json:"denied"` // it may keep nothing
	Local     int    `json:"local"`
	Session   int    `json:"session"`
	Databases int    `json:"databases"`
	Dumped    int    `json:"dumped"`
	Left      int    `json:"left"` // entries, records and databases that text cannot carry
}

// Restored says what Restore has done. Why is a reason not to have done all.
type Restored struct {
	Origin    string `json:"origin"`
	Ours      bool   `json:"ours"`
	Local     int    `json:"local"`
	Session   int    `json:"session"`
	Databases int    `json:"databases"`
	Why       string `json:"why"`
}

// ReplaceArgs say where Replace goes.
type ReplaceArgs struct {
	URL string `json:"url"`
}

var (
	// Stored reads what the origin of a document keeps: a list of a StoredInfo as
	// JSON, and the texts.
	Stored = loadBare[StoredArgs]("stored")
	// Restore makes what an origin keeps what its secret says: JSON of {local,
	// session, databases}. It answers a Restored as JSON.
	Restore = loadBare[struct{}]("restore")
	// Clone opens an empty popup with a copy of the tab's session storage. It
	// answers its window, or null.
	Clone = loadBare[struct{}]("clone")
	// Replace goes to another page in the place of this one.
	Replace = loadBare[ReplaceArgs]("replace")
)

// EmptyPage is a document without anything, which Stored and Restore know for ours.
// frame is the address of a frame in it, or "".
func EmptyPage(frame string) string {
	page := `<!doctype html><html id="duet-empty-page"><head><link rel="icon" href="data:,"></head><body>`
	if frame != "" {
		page += `<iframe src="` + strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;").Replace(frame) + `"></iframe>`
	}
	return page + `</body></html>`
}
