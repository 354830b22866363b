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
}

// printer prints the answers to one call, in the words of who made it.
type printer struct {
	*Session
	words fault.Words
}

// printer is that of a call.
func (s *Session) printer(r *Registry, q Request) printer { return printer{s, r.words(q, false)} }

// safe is a text in the caller's words, fit to be printed.
func (s printer) safe(text string) string { return s.Session.safe(fault.Say(text, s.words)) }

func (s printer) report(f *fault.Fault) report {
	r := report{f.Code, snapshot.MaskAddress(fault.Say(f.Message, s.words)), snapshot.MaskAddress(fault.Say(f.Hint, s.words)), f.Detail, f.Phase, f.Effect, f.Retryable(), f.Recovery}
	if r.Phase == "" {
		r.Phase = fault.Precondition
	}
	if r.Effect == "" {
		r.Effect = fault.None
	}
	return r
}

// print makes the two halves of an answer: whole, safe and bounded.
func (s printer) print(a *answer) *Result {
	if a.fault != nil {
		return s.printFault(a)
	}
	object, text, err := s.render(a.value, s.o.Limits.SpillBytes)
	if err != nil {
		return s.printFault(&answer{fault: fault.From(err)})
	}
	r := s.join(a, "result", object, text)
	r.Negative = a.negative
	if i, ok := a.value.(Imager); ok {
		r.Image = i.Image()
	}
	return r
}

// render gives a result's value as JSON and as text. A text of more than limit
// bytes goes to a file; both halves then hold its beginning and where it is.
func (s printer) render(value any, limit int) (json.RawMessage, string, error) {
	object, err := marshal(value)
	if err != nil {
		return nil, "", fault.New(fault.Internal, "the result of %T does not marshal", value).Because(err)
	}
	object = mapStrings(object, s.safe)
	text := string(object)
	if t, ok := value.(Texter); ok {
		text = s.safe(t.Text())
	}
	if _, ok := value.(Inliner); ok {
		limit = max(limit, s.o.Limits.MapBytes)
	}
	if len(text) <= limit && len(object) <= 2*limit+512 {
		return object, text, nil
	}
	return s.spill(value, object, text, limit)
}

// spill writes the text of a result to a file. Short members of the object stay.
func (s printer) spill(value any, object json.RawMessage, text string, limit int) (json.RawMessage, string, error) {
	if _, ok := value.(Texter); !ok {
		var b bytes.Buffer
		if json.Indent(&b, object, "", " ") == nil {
			text = b.String()
		}
	}
	text = s.safe(text) // nothing is written that is not printed
	sp, err := s.files.Spill("result", text, limit)
	note := s.note(sp, err)
	var out bytes.Buffer
	out.WriteByte('{')
	for _, m := range shortMembers(object) {
		out.Write(m)
		out.WriteByte(',')
	}
	out.WriteString(`"preview":`)
	out.Write(quoted(sp.Inline))
	if err == nil {
		where, _ := marshal(sp.File)
		fmt.Fprintf(&out, `,"lines":%d,`, sp.Lines)
		out.Write(where[1 : len(where)-1])
	} else {
		out.WriteString(`,"truncated":true`)
	}
	out.WriteByte('}')
	return out.Bytes(), sp.Inline + "\n" + note, nil
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

// join puts the object, the notes and the observation into both halves.
func (s printer) join(a *answer, member string, object json.RawMessage, text string) *Result {
	r := s.assemble(a.notes, member, object, text, s.safe(a.observation))
	if len(r.Text)+len(r.Structured) <= s.o.Limits.MaxResponse {
		return r
	}
	// The observation goes first: it can be read again with a snapshot.
	room := max(s.o.Limits.MaxResponse/8, 512)
	if len(a.observation) > room {
		r = s.assemble(a.notes, member, object, text, s.bounded("observation", a.observation, room))
	}
	if len(r.Text)+len(r.Structured) > s.o.Limits.MaxResponse {
		short := s.bounded("result", text, room)
		cut := append(append([]byte(`{"truncated":true,"preview":`), quoted(short)...), '}')
		r = s.assemble(a.notes, member, cut, short, s.bounded("observation", a.observation, room))
	}
	return r
}

// bounded makes a text safe and keeps its beginning; the whole goes into a file.
func (s printer) bounded(kind, text string, room int) string {
	text = s.safe(text)
	if len(text) <= room {
		return text
	}
	sp, err := s.files.Spill(kind, text, room)
	return sp.Inline + "\n" + s.note(sp, err)
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
	rep.Recovery = s.bounded("recovery", rep.Recovery, s.o.Limits.MapBytes)
	object, err := marshal(rep)
	if err != nil { // a detail that does not marshal is a defect; the fault is told all the same
		rep.Detail = nil
		object, _ = marshal(rep)
	}
	object = mapStrings(object, s.safeFault)
	text := s.faultText(rep)
	if a.value != nil { // a batch: what its steps came to stands beside the fault
		value, lines, err := s.render(a.value, s.o.Limits.MapBytes)
		if err == nil {
			object = concat(object, `,"result":`, value)
			text = lines + "\n" + text
		}
	}
	r := s.assemble(a.notes, "error", object, text, s.safe(a.observation))
	if len(r.Text)+len(r.Structured) > s.o.Limits.MaxResponse {
		// The fault itself is short; what goes with it moves into files.
		room := max(s.o.Limits.MaxResponse/16, 256)
		rep.Detail, rep.Recovery = nil, s.bounded("recovery", rep.Recovery, room)
		object, _ = marshal(rep)
		object = mapStrings(object, s.safeFault)
		text = strings.TrimSpace(s.bounded("result", strings.TrimSuffix(text, s.faultText(s.report(a.fault))), room) + "\n" + s.faultText(rep))
		r = s.assemble(a.notes, "error", object, text, s.bounded("observation", a.observation, room))
	}
	r.IsError, r.Code = true, string(rep.Code)
	return r
}

// safeFault is safe for a failure: its detail may name addresses.
func (s printer) safeFault(text string) string { return s.safe(snapshot.MaskAddress(text)) }

func (s *Session) safeFault(text string) string {
	return s.safe(snapshot.MaskAddress(fault.Say(text, nil)))
}

func concat(a []byte, s string, b []byte) []byte {
	return append(append(a[:len(a):len(a)], s...), b...)
}

func (s printer) faultText(rep report) string {
	lines := []string{"error: " + rep.Message, "code: " + string(rep.Code)}
	if rep.Hint != "" {
		lines = append(lines, "hint: "+rep.Hint)
	}
	if rep.Detail != nil {
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
