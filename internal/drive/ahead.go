package drive

import (
	"duet/internal/pagejs"
	"duet/internal/selector"
)

// sentFill is a fill that was sent before the answer of the one before it. In the page
// it waits for that one, and does nothing where it did not end well at once: a field
// that was refused, a text that did not hold, a handler that took its time, as one that
// opens a dialog does.
type sentFill struct {
	e     *Element
	value string
	told  func(secret bool) // of suspect
	call  *pageCall[pagejs.FillArgs, pagejs.Filled]
	taken bool
}

// FillAhead sends the fill of a field before those that were sent ahead of it are
// answered, so that a form does not cost a way to the page and back for each field. The
// verb follows: Fill, with the same target and value, takes the answer, and fills as
// usual where the page held this one back. It reports whether the fill was sent, which
// it is for refs in the tab in front alone. What is sent and does not follow is given up by
// DropAhead.
func (t *Tab) FillAhead(target, value string, secret bool) bool {
	chain, err := selector.Parse(target)
	if err != nil || !refAlone(chain) || t.Dialog() != nil {
		return false
	}
	e, err := t.elementOfRef(target, chain)
	if err != nil {
		return false
	}
	b := t.b
	b.mu.Lock()
	ready := b.front == t && t.repair == 0
	after := 0
	if n := len(t.ahead); n > 0 {
		last := t.ahead[n-1]
		after = t.turn
		ready = ready && last.e.frame() == e.frame() && last.e.key.Doc == e.key.Doc
	}
	if ready {
		t.turn++
	}
	turn := t.turn
	b.mu.Unlock()
	if !ready {
		return false
	}
	if secret {
		b.Remember(value)
	}
	s := &sentFill{e: e, value: value, told: b.suspect(value)}
	s.call = begin(t, e.frame(), pagejs.Fill, pagejs.FillArgs{Target: e.at(), Turn: turn, After: after, Secret: secret}, value)
	s.call.trails = true
	b.mu.Lock()
	t.ahead = append(t.ahead, s)
	b.mu.Unlock()
	return true
}

// takeAhead returns the fill that was sent ahead for an element, nil where none was.
// Another one than the next is none: then all are given up.
func (e *Element) takeAhead(value string, o FillOptions) *sentFill {
	t := e.tab
	t.b.mu.Lock()
	var s *sentFill
	if len(t.ahead) > 0 {
		s = t.ahead[0]
	}
	fits := s != nil && !o.Submit && s.value == value && s.e.at() == e.at() && s.e.frame() == e.frame()
	if fits {
		t.ahead = t.ahead[1:]
	}
	t.b.mu.Unlock()
	if !fits {
		t.DropAhead()
		return nil
	}
	return s
}

// Ahead is how many fills were sent ahead and not taken.
func (t *Tab) Ahead() int {
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	return len(t.ahead)
}

// DropAhead gives up what was sent ahead and not taken. Where one of them may have
// been done all the same, what it typed is a secret, unless the field is known to be
// none.
func (t *Tab) DropAhead() {
	t.b.mu.Lock()
	all := t.ahead
	t.ahead = nil
	t.b.mu.Unlock()
	for _, s := range all {
		s.call.drop()
		s.told(!s.e.plain())
	}
}
