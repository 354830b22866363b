package dispatch

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/goccy/go-json"

	"duet/artifacts"
	"duet/internal/fault"
	"duet/snapshot"
)

// Texter is a result that says itself better in lines than as JSON. The lines
// say the same as its members.
type Texter interface{ Text() string }

// Inliner is a result that bounds itself, such as a map: it stays inline up to
// the size of a map.
type Inliner interface{ Inline() }

// Partial is a result that may be less than what was asked for: it says what it was
// cut at, "" where it is all.
type Partial interface{ CutAt() string }

// answer is a result on its way: built by the call, printed once.
type answer struct {
	value       any
	notes       []string
	observation string
	fault       *fault.Fault
	negative    bool
}

// report is the object of a failure.
type report struct {
	Code      fault.Code   `json:"code"`
	Message   string       `json:"message"`
	Hint      string       `json:"hint,omitempty"`
	Detail    any          `json:"detail,omitempty"`
	Phase     fault.Phase  `json:"phase"`
	Effect    fault.Effect `json:"effect"`
	Retryable bool         `json:"retryable"`
	Recovery  string       `json:"recoverySnapshot,omitempty"`

	said  bool   // the message says all of the detail
	brief string // the message without what the detail says too
}

// printer prints the answers to one call, in the words of who made it.
type printer struct {
	*Session
	words fault.Words
	whole bool // nothing of a result is cut or goes to a file
}

// wholeBytes bounds a result that is asked for whole: more than what a page is read of
// can be, in either half.
const wholeBytes = 4 << 20

// limits are those that hold for the answer.
func (s printer) limits() Limits {
	l := s.o.Limits
	if s.whole {
		l.SpillBytes, l.MapBytes, l.MaxResponse = wholeBytes, wholeBytes, 3*wholeBytes
	}
	return l
}

// printer is that of a call.
func (s *Session) printer(r *Registry, q Request) printer {
	return printer{s, r.words(q, false), q.Whole}
}

// safe is a text in the caller's words, fit to be printed.
func (s printer) safe(text string) string { return s.Session.safe(fault.Say(text, s.words)) }

// report is a fault as it may be printed, but for its recovery map.
func (s printer) report(f *fault.Fault) report {
	worded := func(text string) string { return snapshot.MaskNamed(fault.Say(text, s.words)) }
	r := report{
		Code: f.Code, Message: worded(f.Message), Hint: worded(f.Hint), Detail: f.Detail, Phase: f.Phase, Effect: f.Effect, Retryable: f.Retryable(), Recovery: f.Recovery,
		said: f.Said, brief: worded(strings.TrimSuffix(f.Message, f.Told)),
	}
	if r.Phase == "" {
		r.Phase = fault.Precondition
	}
	if r.Effect == "" {
		r.Effect = fault.None
	}
	if r.Detail != nil {
		detail, err := marshal(r.Detail)
		if r.Detail = nil; err == nil { // what does not marshal is a defect; the fault is told all the same
			r.Detail = mapStrings(detail, s.safeFault)
		}
	}
	return r
}

// object is the report as an object has it: what is in the detail stands there alone.
func (r report) object() report {
	if r.Detail != nil {
		r.Message = r.brief
	}
	return r
}

// print makes the two halves of an answer: whole, safe and bounded.
func (s printer) print(a *answer) *Result {
	if a.fault != nil {
		return s.printFault(a)
	}
	value, err := s.render(a.value)
	if err != nil {
		return s.printFault(&answer{fault: fault.From(err)})
	}
	r := s.join(a, value)
	r.Negative = a.negative
	if i, ok := a.value.(Imager); ok {
		r.Image = i.Image()
	}
	return r
}

// part is a text of an answer, which shows it whole or by its beginning. Then the
// whole is in a file, which is written once however often the text is cut.
type part struct {
	by         printer
	kind, text string
	cut        string             // what the text was cut at before it came here; "" is that it was not
	file       *artifacts.Spilled // nil as long as it is not written
	note       string             // where the whole is
}

func (s printer) part(kind, text string) *part {
	return &part{by: s, kind: kind, text: s.safe(text)}
}

// head is the beginning of the text, which is kept whole in a file; the note says where.
func (p *part) head(room int) string {
	if p.note == "" {
		sp, err := p.by.files.Spill(p.kind, p.text, room)
		sp.Cut = p.cut
		p.note = p.by.note(sp, err)
		if err == nil {
			p.file = &sp
		}
	}
	return artifacts.Head(p.text, room)
}

// within is the text as it fits.
func (p *part) within(room int) string {
	if len(p.text) <= room {
		return p.text
	}
	return p.head(room) + "\n" + p.note
}

// rendered is a result's value in both halves.
type rendered struct {
	object json.RawMessage
	text   string
	file   *part // what is kept of it where it is too long
	inline bool  // it bounds itself
}

// render gives a result's value as JSON and as text.
func (s printer) render(value any) (*rendered, error) {
	object, err := marshal(value)
	if err != nil {
		return nil, fault.New(fault.Internal, "the result of %T does not marshal", value).Because(err)
	}
	r := &rendered{object: mapStrings(object, s.safe)}
	r.text = string(r.object)
	whole := r.text
	if t, ok := value.(Texter); ok {
		r.text = s.safe(t.Text())
		whole = r.text
	} else if b := (bytes.Buffer{}); json.Indent(&b, r.object, "", " ") == nil {
		whole = b.String()
	}
	r.file = s.part("result", whole) // nothing is written that is not printed
	if p, ok := value.(Partial); ok {
		r.file.cut = p.CutAt()
	}
	_, r.inline = value.(Inliner)
	return r, nil
}

// usual is what a value may take inline where nothing presses.
func (r *rendered) usual(l Limits, limit int) int {
	if r.inline {
		return max(limit, l.MapBytes)
	}
	return limit
}

// within is the value as it fits. Of a text of more than limit bytes both halves hold
// the beginning and where it is; short members of the object stay.
func (r *rendered) within(limit int) (json.RawMessage, string) {
	if len(r.text) <= limit && len(r.object) <= 2*limit+512 {
		return r.object, r.text
	}
	head := r.file.head(limit)
	var out bytes.Buffer
	out.WriteByte('{')
	for _, m := range shortMembers(r.object) {
		out.Write(m)
		out.WriteByte(',')
	}
	out.WriteString(`"preview":`)
	out.Write(quoted(head))
	if f := r.file.file; f != nil {
		where, _ := marshal(f.File)
		fmt.Fprintf(&out, `,"lines":%d,`, f.Lines)
		out.Write(where[1 : len(where)-1])
	} else {
		out.WriteString(`,"truncated":true`)
	}
	out.WriteByte('}')
	return out.Bytes(), head + "\n" + r.file.note
}

// shortMembers are the members of an object that stay when its text is spilled:
// scalars of a few characters, as `"name":value`.
func shortMembers(object json.RawMessage) [][]byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil {
		return nil
	}
	var short [][]byte
	for _, name := range sortedNames(members) {
		v := members[name]
		if len(v) > 160 || v[0] == '{' || v[0] == '[' || name == "preview" || name == "lines" || name == "artifact" || name == "path" || name == "bytes" {
			continue
		}
		short = append(short, append(append(quoted(name), ':'), v...))
	}
	return short
}

// envelope is about what stands around the two halves on the wire.
const envelope = 128

// over reports whether a result takes more than one may, as it is sent: the text is a
// JSON string there.
func (s printer) over(r *Result) bool {
	return len(quoted(r.Text))+len(r.Structured)+envelope > s.limits().MaxResponse
}

// rooms are what is left to each part of an answer that is too large, one after the
// other until it fits.
func (s printer) rooms(yield func(room int) bool) {
	for room := s.limits().MaxResponse / 8; room >= 64 && yield(room); room /= 2 {
	}
}

// join puts the value, the notes and the observation into both halves.
func (s printer) join(a *answer, value *rendered) *Result {
	observation := s.part("observation", a.observation)
	usual := value.usual(s.limits(), s.limits().SpillBytes)
	build := func(room, rest int) *Result {
		object, text := value.within(room)
		return s.assemble(a.notes, "result", object, text, observation.within(rest))
	}
	r := build(usual, len(observation.text))
	// The observation goes first: it can be read again with a snapshot.
	for room := range s.rooms {
		if !s.over(r) {
			break
		}
		if r = build(usual, room); s.over(r) {
			r = build(min(usual, room), room)
		}
	}
	return r
}

// bounded makes a text safe and keeps its beginning; the whole goes into a file.
func (s printer) bounded(kind, text string, room int) string {
	return s.part(kind, text).within(room)
}

// note says where the whole of a text is, or why it is nowhere.
func (s printer) note(sp artifacts.Spilled, err error) string {
	if err != nil {
		return "(the rest was not kept: " + fault.From(err).Error() + ")"
	}
	return fault.Say(sp.Note(), s.words)
}

func (s printer) assemble(notes []string, member string, object json.RawMessage, text, observation string) *Result {
	var lines []string
	var out bytes.Buffer
	fmt.Fprintf(&out, `{"%s":`, member)
	out.Write(object)
	if len(notes) > 0 {
		note := s.safe(strings.Join(notes, "\n"))
		lines = append(lines, "note: "+note)
		out.WriteString(`,"note":`)
		out.Write(quoted(note))
	}
	if text != "" {
		lines = append(lines, text)
	}
	if observation != "" {
		lines = append(lines, observation)
		out.WriteString(`,"observation":`)
		out.Write(quoted(observation))
	}
	out.WriteByte('}')
	return &Result{Text: strings.Join(lines, "\n"), Structured: out.Bytes()}
}

// printFault makes the two halves of a failure.
func (s printer) printFault(a *answer) *Result {
	rep := s.report(a.fault)
	recovery, observation := s.part("recovery", rep.Recovery), s.part("observation", a.observation)
	var value *rendered
	if a.value != nil { // a batch: what its steps came to stands beside the fault
		value, _ = s.render(a.value) // one that does not marshal is a defect; the fault is told all the same
	}
	build := func(room, rest int) *Result {
		rep.Recovery = recovery.within(room)
		object, err := marshal(rep.object())
		if err != nil { // likewise a detail
			rep.Detail = nil
			object, _ = marshal(rep.object())
		}
		object = mapStrings(object, s.safeFault)
		text := s.faultText(rep)
		if value != nil {
			steps, lines := value.within(room)
			object = concat(object, `,"result":`, steps)
			text = lines + "\n" + text
		}
		return s.assemble(a.notes, "error", object, text, observation.within(rest))
	}
	r := build(s.limits().MapBytes, len(observation.text))
	// The fault itself is short; what goes with it moves into files.
	for room := range s.rooms {
		if !s.over(r) {
			break
		}
		rep.Detail = nil
		r = build(min(room, s.limits().MapBytes), room)
	}
	r.IsError, r.Code = true, string(rep.Code)
	return r
}

// safeFault is safe for a failure: its detail may name addresses.
func (s printer) safeFault(text string) string { return s.safe(snapshot.MaskNamed(text)) }

func (s *Session) safeFault(text string) string {
	return s.safe(snapshot.MaskNamed(fault.Say(text, nil)))
}

func concat(a []byte, s string, b []byte) []byte {
	return append(append(a[:len(a):len(a)], s...), b...)
}

func (s printer) faultText(rep report) string {
	lines := []string{"error: " + rep.Message, "code: " + string(rep.Code)}
	if rep.Hint != "" {
		lines = append(lines, "hint: "+rep.Hint)
	}
	if rep.Detail != nil && !rep.said {
		if detail, err := marshal(rep.Detail); err == nil {
			lines = append(lines, "detail: "+string(mapStrings(detail, s.safeFault)))
		}
	}
	lines = append(lines, fmt.Sprintf("phase: %s", rep.Phase), fmt.Sprintf("effect: %s", rep.Effect), fmt.Sprintf("retryable: %t", rep.Retryable))
	for i, l := range lines {
		lines[i] = oneLine(s.safe(l))
	}
	if rep.Recovery != "" {
		lines = append(lines, "recoverySnapshot:", s.safe(rep.Recovery))
	}
	return strings.Join(lines, "\n")
}

// oneLine keeps a message from forging a line of ours.
func oneLine(s string) string {
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(s)
}

// File is an artifact in a result.
type File = artifacts.File
