package fault

import "slices"

// Code is the machine-readable kind of a fault. The table is append-only: a
// code's meaning never changes and its word never goes.
type Code string

// Error makes a code usable as the target of errors.Is.
func (c Code) Error() string { return string(c) }

// Class says whose mistake a code reports; everything downstream follows from it.
type Class string

// The three classes.
const (
	Protocol Class = "protocol" // the caller spoke wrongly
	Fact     Class = "fact"     // the page or the browser said no
	Defect   Class = "defect"   // duet is wrong
)

// The codes.
const (
	NoMatch            Code = "NO_MATCH"
	Ambiguous          Code = "AMBIGUOUS"
	StaleRef           Code = "STALE_REF"
	BareRef            Code = "BARE_REF"
	NotVisible         Code = "NOT_VISIBLE"
	NotEnabled         Code = "NOT_ENABLED"
	NotEditable        Code = "NOT_EDITABLE"
	Moving             Code = "MOVING"
	ClickIntercepted   Code = "CLICK_INTERCEPTED"
	ExpectMismatch     Code = "EXPECT_MISMATCH"
	Timeout            Code = "TIMEOUT"
	DialogOpen         Code = "DIALOG_OPEN"
	NoDialog           Code = "NO_DIALOG"
	EvalThrew          Code = "EVAL_THREW"
	InvalidArgument    Code = "INVALID_ARGUMENT"
	Unsupported        Code = "UNSUPPORTED"
	StateInvalid       Code = "STATE_INVALID"
	NavigationFailed   Code = "NAVIGATION_FAILED"
	BrowserLost        Code = "BROWSER_LOST"
	LaunchFailed       Code = "LAUNCH_FAILED"
	URLBlocked         Code = "URL_BLOCKED"
	Quota              Code = "QUOTA"
	Busy               Code = "BUSY"
	ReadOnlyMode       Code = "READ_ONLY_MODE"
	LeaseExpired       Code = "LEASE_EXPIRED"
	HandleInvalid      Code = "HANDLE_INVALID"
	NoProfileAvailable Code = "NO_PROFILE_AVAILABLE"
	EffectUnknown      Code = "EFFECT_UNKNOWN"
	PartialEffect      Code = "PARTIAL_EFFECT"
	Cancelled          Code = "CANCELLED"
	Internal           Code = "INTERNAL"
)

// entry is a row of the table. passing marks a code whose reason time can
// change, so that the same call may succeed later.
type entry struct {
	class    Class
	passing  bool
	sentence string
}

var codes = map[Code]entry{
	NoMatch:            {Fact, false, "The selector matches no element now; nothing was waited for."},
	Ambiguous:          {Fact, false, "A semantic selector matches several visible elements; choose one by ref or narrow it."},
	StaleRef:           {Fact, false, "The element of this ref is gone or stands for something else; detail.reason says which. Never retried, never healed."},
	BareRef:            {Fact, false, "A ref that this session never issued."},
	NotVisible:         {Fact, true, "The element stayed invisible until the deadline."},
	NotEnabled:         {Fact, true, "The element stayed disabled until the deadline."},
	NotEditable:        {Fact, false, "The element takes no text."},
	Moving:             {Fact, true, "The element did not come to rest before the deadline."},
	ClickIntercepted:   {Fact, true, "Another element covers, or took, the press."},
	ExpectMismatch:     {Fact, false, "What was read back differs from what was expected."},
	Timeout:            {Fact, true, "The deadline ended the wait; the message names what was waited for."},
	DialogOpen:         {Fact, false, "A dialog is open and must be answered first."},
	NoDialog:           {Fact, false, "No dialog is open."},
	EvalThrew:          {Fact, false, "The page script threw."},
	InvalidArgument:    {Protocol, false, "An argument is wrong; the message names it and what is allowed."},
	Unsupported:        {Fact, false, "This browser cannot do it; the message names the browser and what it lacks."},
	StateInvalid:       {Fact, false, "The session is not in a state that allows this."},
	NavigationFailed:   {Fact, true, "The navigation failed; the message carries the browser's reason."},
	BrowserLost:        {Fact, true, "The browser or its driver ended; the next call starts a new one."},
	LaunchFailed:       {Fact, false, "The browser could not be started; the message names what was looked for and the fix."},
	URLBlocked:         {Fact, false, "The address is not allowed here."},
	Quota:              {Fact, false, "A limit on files or bytes is reached."},
	Busy:               {Fact, true, "The session is at work and its queue is full."},
	ReadOnlyMode:       {Fact, false, "The server is read-only and this would change something."},
	LeaseExpired:       {Fact, false, "The lease has ended."},
	HandleInvalid:      {Fact, false, "No lease has this handle."},
	NoProfileAvailable: {Fact, true, "Every profile is leased; detail.retry_after_ms says when to ask again."},
	EffectUnknown:      {Fact, false, "The action was sent and its outcome could not be seen."},
	PartialEffect:      {Fact, false, "Some of the action was done, not all of it."},
	Cancelled:          {Fact, false, "The caller cancelled the call."},
	Internal:           {Defect, false, "A defect of duet; please report it."},
}

// Class returns the class of a code; an unknown code is a defect.
func (c Code) Class() Class {
	if e, ok := codes[c]; ok {
		return e.class
	}
	return Defect
}

// Sentence returns what the code means, for the reference.
func (c Code) Sentence() string { return codes[c].sentence }

// Codes returns every code, sorted.
func Codes() []Code {
	all := make([]Code, 0, len(codes))
	for c := range codes {
		all = append(all, c)
	}
	slices.Sort(all)
	return all
}
