package trace

import "github.com/goccy/go-json"

// Version is the version of the records. It grows when a member changes its
// meaning; new kinds and new members do not change it.
const Version = 1

// File is the name of the records in a trace's directory, Shots that of the
// directory of its pictures, and Wire that of the protocol log.
const (
	File  = "trace.ndjson"
	Shots = "shots"
	Wire  = "wire.log"
)

// Kind says which record a line is.
type Kind string

// The kinds.
const (
	KindStart   Kind = "start"
	KindBrowser Kind = "browser"
	KindCall    Kind = "call"
	KindDone    Kind = "done"
	KindShot    Kind = "shot"
	KindConsole Kind = "console"
	KindNetwork Kind = "network"
	KindDrop    Kind = "drop"
	KindStop    Kind = "stop"
)

// Head is what every record begins with.
type Head struct {
	Kind Kind    `json:"kind"`
	At   float64 `json:"t"` // milliseconds since the trace began
}

// Start is the first line.
type Start struct {
	Head
	Version int     `json:"version"`           // of the records: 1
	Name    string  `json:"name"`              // a bare name: letters, digits, dashes
	Session string  `json:"session,omitempty"` // "" is the default session
	Began   string  `json:"began"`             // RFC 3339, UTC, with microseconds: what t counts from
	Duet    string  `json:"duet,omitempty"`    // version of duet
	Browser Browser `json:"browser,omitzero"`  // absent where none ran yet
	Policy  Policy  `json:"policy"`
}

// Browser is what was driven.
type Browser struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// Policy is what the trace was asked to keep.
type Policy struct {
	Screenshots bool  `json:"screenshots"` // before and after each command that acts
	Wire        bool  `json:"wire"`
	Bytes       int64 `json:"bytes"` // the most that the whole directory may come to
}

// BrowserEvent is a browser that was started or lost while the trace ran.
type BrowserEvent struct {
	Head
	Event   string  `json:"event"` // started, lost
	Browser Browser `json:"browser,omitzero"`
	Reason  string  `json:"reason,omitempty"` // why it was lost
}

// Call is a command that begins. The steps of a batch are calls of their own, which
// name the batch as their parent and stand between its call and its done.
type Call struct {
	Head
	Call   int             `json:"call"`             // from 1, in order
	Parent int             `json:"parent,omitempty"` // the batch's call
	Step   int             `json:"step,omitempty"`   // of a batch, from 1; 0 elsewhere
	Tool   string          `json:"tool"`             // browser_click; the verb, where there is no tool
	Verb   string          `json:"verb"`             // click: what a person calls it
	Acts   bool            `json:"acts"`             // it may change something
	Target string          `json:"target,omitempty"` // the selector or ref among its arguments
	Args   json.RawMessage `json:"args"`             // an object; text that is entered is masked
	Caller string          `json:"caller,omitempty"` // "" is the session's own
	Tab    int             `json:"tab,omitempty"`    // active when it began; 0 where there was none
	URL    string          `json:"url,omitempty"`    // of that tab, masked like every address
}

// Done is a command that has ended. Exactly one of Result and Error is there, but
// for a failed batch, which has both.
type Done struct {
	Head
	Call        int             `json:"call"`
	OK          bool            `json:"ok"`
	Ms          float64         `json:"ms"`                    // how long it took, the queue apart, the pictures too
	Result      json.RawMessage `json:"result,omitempty"`      // as its caller got it
	Error       *Fault          `json:"error,omitempty"`       // why not
	Negative    bool            `json:"negative,omitempty"`    // done, and the answer is no
	Observation string          `json:"observation,omitempty"` // as its caller got it: a map or a difference, and what happened
	Notes       []string        `json:"notes,omitempty"`       // lines of duet's own
	Cut         []string        `json:"cut,omitempty"`         // members that were too long and are cut
	Tab         int             `json:"tab,omitempty"`         // active when it ended
	URL         string          `json:"url,omitempty"`         // of that tab
}

// Fault is why a command failed.
type Fault struct {
	Code      string          `json:"code"`
	Message   string          `json:"message"`
	Hint      string          `json:"hint,omitempty"`
	Detail    json.RawMessage `json:"detail,omitempty"`
	Phase     string          `json:"phase"`  // precondition, before_effect, effect, observation
	Effect    string          `json:"effect"` // none, possible, partial, confirmed
	Retryable bool            `json:"retryable"`
	Recovery  string          `json:"recoverySnapshot,omitempty"` // a fresh map
}

// Shot is a picture of the active tab's viewport. t is when it was taken. Where
// Skipped is set there is no file.
type Shot struct {
	Head
	Call    int    `json:"call"`
	When    string `json:"when"`           // before, after
	File    string `json:"file,omitempty"` // in the directory, with slashes: shots/0001-before.png
	Type    string `json:"type,omitempty"` // image/png, image/jpeg
	Width   int    `json:"width,omitempty"`
	Height  int    `json:"height,omitempty"`
	Bytes   int64  `json:"bytes,omitempty"`
	Tab     int    `json:"tab,omitempty"`
	Skipped string `json:"skipped,omitempty"` // why there is none: dialog open, …
}

// Console is a message of a page, as the session's log holds it.
type Console struct {
	Head
	Seq   int    `json:"seq"`   // the log's number, as in logCursor
	Type  string `json:"type"`  // console, error (console.error), exception, warning
	Level string `json:"level"` // debug, info, warn, error
	Text  string `json:"text"`
	URL   string `json:"url,omitempty"`  // of the script
	Line  int    `json:"line,omitempty"` // from 1
	Tab   int    `json:"tab,omitempty"`
}

// Network is a request that ended. Headers and bodies are never in it. Members
// that a browser, or the log, does not tell are absent.
type Network struct {
	Head             // t is when it ended
	Seq      int     `json:"seq"`
	Failed   bool    `json:"failed,omitempty"`  // no answer, or status 400 and above
	Aborted  bool    `json:"aborted,omitempty"` // given up by its page, or with it
	Tab      int     `json:"tab,omitempty"`
	Method   string  `json:"method"`
	URL      string  `json:"url"`
	Type     string  `json:"type,omitempty"`     // document, stylesheet, script, image, font, media, xhr, fetch, other
	Status   int     `json:"status,omitempty"`   // 0 where there was no answer
	Error    string  `json:"error,omitempty"`    // why there was none
	Mime     string  `json:"mime,omitempty"`     // of the answer
	Protocol string  `json:"protocol,omitempty"` // http/1.1, h2
	Cached   bool    `json:"cached,omitempty"`
	Mocked   bool    `json:"mocked,omitempty"`   // answered or blocked by duet
	Size     int64   `json:"size,omitempty"`     // of the answer's body in bytes, unpacked where that is known
	Transfer int64   `json:"transfer,omitempty"` // bytes of the answer on the way, headers included
	Began    float64 `json:"began,omitempty"`    // milliseconds since the trace began; below 0 where before it
	Timing   *Timing `json:"timing,omitempty"`
}

// Timing is how long each part of a request took, in milliseconds; a part that did
// not happen, or is not known, is absent.
type Timing struct {
	Blocked float64 `json:"blocked,omitempty"`
	DNS     float64 `json:"dns,omitempty"`
	Connect float64 `json:"connect,omitempty"` // TLS included
	TLS     float64 `json:"tls,omitempty"`
	Send    float64 `json:"send,omitempty"`
	Wait    float64 `json:"wait,omitempty"` // until the answer's first byte
	Receive float64 `json:"receive,omitempty"`
}

// Drop says that something was not kept. Count is exact.
type Drop struct {
	Head
	What  string `json:"what"` // console, network, shots, calls, wire
	Count int    `json:"count"`
	Why   string `json:"why"`
}

// Stop is the last line of a trace that was ended.
type Stop struct {
	Head
	Why     string `json:"why"`   // stop, quit, end (of the session), quota
	Calls   int    `json:"calls"` // steps of batches included
	Failed  int    `json:"failed"`
	Shots   int    `json:"shots"`
	Console int    `json:"console"`
	Network int    `json:"network"`
	Dropped int    `json:"dropped"`
	Bytes   int64  `json:"bytes"` // of the directory, this line not counted
}
