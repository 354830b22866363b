package dispatch

import (
	"context"
	"time"

	"github.com/goccy/go-json"

	"duet/internal/fault"
)

// Observe says what follows the result of a command that acts.
type Observe string

// What may follow. The zero value is nothing, as ObserveNone.
const (
	ObserveNone  Observe = "none"
	ObserveDelta Observe = "delta" // the diff against what this caller last saw
	ObservePage  Observe = "page"  // the whole map
)

// Request is one call.
type Request struct {
	Tool    string          // MCP name of the command; or its verb, where it has no tool
	Args    json.RawMessage // an object; empty is {}
	Observe Observe
	Asked   bool   // the caller named what to observe for this call: see Spec.Awaits
	Caller  string // whose diff it is; "" is the session's own
	Session string // name of a session, for a catalog that has several; "" is the default
	// Judge says which addresses this caller may open: nil, or the fault URL_BLOCKED.
	// A nil Judge allows all.
	Judge func(address string) error
	// MayLook says likewise at which pages the caller may look, which may be more; nil
	// is Judge.
	MayLook func(address string) error
	// Uploads are directories that this caller may upload from, besides the
	// session's.
	Uploads []string
	// Within bounds the whole call, its waiting for the slot included; 0 is no bound.
	Within time.Duration
	// Shell is how it was typed on a command line; the zero value is a tool's call.
	Shell Shell
	// Whole asks for the result as it is, however long: the caller is a program that
	// reads it through no model. It is bounded by what is read of a page.
	Whole bool
	// Secrets are values among the arguments that must never be printed.
	Secrets []string
	// Progress is told what a long call is doing; nil where nobody listens. It
	// is called from the call's goroutine, with done never falling.
	Progress func(done, total float64, message string)

	nested bool // a step of a batch
}

// looking is what says at which pages the caller may look; nil where at all.
func (r Request) looking() func(address string) error {
	if r.MayLook != nil {
		return r.MayLook
	}
	return r.Judge
}

// bound is ctx for as long as the whole call may take.
func (r Request) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.Within <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeoutCause(ctx, r.Within, fault.New(fault.Timeout, "the call was not done within the %d ms that it was given", r.Within.Milliseconds()))
}

// Result is one answer. It is whole in either half: Text and Structured say the
// same. Exactly one of ArgError and the halves is set.
type Result struct {
	Text       string          // the whole answer as text
	Structured json.RawMessage // {"result":…,"observation":…} or {"error":{…}}; nil with structured off
	IsError    bool            // the page or the browser said no
	Code       string          // the fault's code where IsError
	Image      *Image          // a picture that goes with the answer
	Negative   bool            // a successful answer that means no (FailWhen)
	ArgError   *ArgError       // the caller spoke wrongly: JSON-RPC -32602
}

// ToolInfo is what the tool list says of a command.
type ToolInfo struct {
	Name, Title, Description                     string
	Schema                                       json.RawMessage
	ReadOnly, Destructive, Idempotent, OpenWorld bool
}

// Catalog is what a front end needs. Both methods are safe for concurrent use.
type Catalog interface {
	// Tools lists what may be called, always the same and in the same order, a
	// tool without arguments first.
	Tools() []ToolInfo
	// Do runs one call and always answers. ctx cancels it.
	Do(ctx context.Context, r Request) *Result
}

// ArgError is a mistake of the caller, with enough for a machine to mend it. Its
// message may hold marks (fault.Say) until it leaves Do.
type ArgError struct {
	Message string
	Data    ArgData
}

// ArgData goes into the data member of the JSON-RPC error.
type ArgData struct {
	Tool       string   `json:"tool"`
	Path       string   `json:"path,omitzero"` // JSON pointer into the arguments
	Rule       string   `json:"rule"`          // unknown_tool, json, unknown, required, type, null, enum, range, maxlen, items, duplicate
	Expected   string   `json:"expected,omitzero"`
	Allowed    []string `json:"allowed,omitzero"`
	DidYouMean string   `json:"did_you_mean,omitzero"`
}

// Error returns the message.
func (e *ArgError) Error() string { return fault.Say(e.Message, nil) }
