package drive

import (
	"strconv"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// filledAgain counts a fill and returns how many there were one after another in the
// field's document, this one included, that no reading of the page has followed.
func (e *Element) filledAgain(m pagejs.Filled) int {
	t := e.tab
	t.b.mu.Lock()
	defer t.b.mu.Unlock()
	if t.filled.doc != e.key.Doc {
		t.filled = filledIn{doc: e.key.Doc}
	}
	if m.Match != "differs" && !m.Vanished {
		t.filled.fills++
	}
	return t.filled.fills
}

// filledIn counts the fills of a document that no reading has followed.
type filledIn struct {
	doc   string
	fills int
}

// drifted judges the reading that followed a fill: a page may take back what it has
// let in. Fills before it, of which none was followed by a reading, are judged by it too.
func (e *Element) drifted(s settled, value string, fills int) error {
	for _, d := range s.later.Drift {
		if d.Back >= fills {
			continue
		}
		holds := secretMask
		if !d.Secret {
			holds = strconv.Quote(cut(e.tab.b.Redact(d.Value), 200))
		}
		if d.Back == 0 {
			m := pagejs.Filled{Secret: d.Secret, Value: d.Value, Max: d.Max, Match: "differs"}
			return fault.New(fault.ExpectMismatch, "%s took what was filled in, and the page then changed it: it holds %s", e.name(), holds).
				WithDetail(e.mismatch(m, value)).At(fault.InEffect, fault.Confirmed)
		}
		return fault.New(fault.ExpectMismatch, "the page changed what was filled into a field before this one: %s holds %s", e.tab.b.Redact(d.Line), holds).
			At(fault.InEffect, fault.Confirmed)
	}
	return nil
}
