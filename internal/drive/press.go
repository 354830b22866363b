package drive

import (
	"context"
	"strconv"
	"strings"

	"duet/internal/fault"
	"duet/internal/pagejs"
)

// pressed judges what an armed press of so many clicks hit.
func (e *Element) pressed(ctx context.Context, m pagejs.Measured, s settled, mark Mark, clicks int) (replaced bool, err error) {
	f := s.facts
	heard := e.tab.b.heardPress(m.Token)
	switch {
	case s.hit.Seen:
		replaced, err := e.landed(ctx, m, s)
		if err != nil || clicks < 2 || f.Navigated || f.Closed {
			return replaced, err
		}
		again, err := e.landedAgain(ctx, m, s, heard)
		return replaced || again, err
	case heard.by != "":
		return false, e.intercepted("the press on %s was taken by %s", e.tab.b.Redact(heard.by))
	case f.Dialog != nil && !heard.in:
		e.tab.b.holdPress(m.Token, e.name())
		return false, fault.New(fault.EffectUnknown, "a dialog opened before the press on %s was seen to arrive, and holds it up: %s", e.name(), f.Dialog.Line()).
			WithHint("%s; the answer says what the press then hit", answerFirst).At(fault.InEffect, fault.Possible)
	case f.Dialog != nil && clicks > 1 && !heard.again:
		return false, fault.New(fault.EffectUnknown, "a dialog opened after the first press of the double click on %s, and holds the second one up: %s", e.name(), f.Dialog.Line()).
			WithHint("%s; what the page looks like then says what the press hit", answerFirst).At(fault.InEffect, fault.Possible)
	case heard.in:
		return false, nil
	case s.hit.Doc == e.key.Doc && !embeds(m.Tag):
		// The document is the one that was pressed, and saw nothing of it.
	case f.Navigated || f.Loading != "" || f.Closed || f.Aborted != "":
		return false, nil
	case (f.SameDocument || len(f.Popups) > 0 || len(f.Downloads) > 0) && embeds(m.Tag):
		return false, nil
	case e.tab.left(e.frame(), mark):
		return false, nil // its frame went away by the press, or on to another document
	}
	return false, fault.New(fault.EffectUnknown, "the press on %s was sent, and nothing shows that it arrived", e.name()).
		WithHint("look at the page before trying again").At(fault.InEffect, fault.Possible)
}

// landed judges a press that the page saw.
func (e *Element) landed(ctx context.Context, m pagejs.Measured, s settled) (replaced bool, err error) {
	f, by := s.facts, e.tab.b.Redact(s.hit.By)
	switch {
	case s.hit.Inside && !s.hit.Swapped:
		return false, nil
	case e.twin(ctx, m, s.hit.Node):
		return true, nil
	case s.hit.Swapped && (f.Navigated || f.Closed):
		return false, nil // there is nothing left that the rest could have gone to
	case s.hit.Fled:
		return false, e.intercepted("the page moved %s away as it was pressed, and the release went to %s", by)
	case s.hit.Swapped && s.hit.Clicked:
		return false, e.intercepted("the press began on %s, and the page then put %s in its place, which got the click", by)
	case s.hit.Swapped:
		return false, e.intercepted("the press began on %s, and the page then put %s in its place, which no click came of", by)
	}
	return false, e.intercepted("the press on %s was taken by %s", by)
}

// landedAgain judges the second press of a double click.
func (e *Element) landedAgain(ctx context.Context, m pagejs.Measured, s settled, heard heardPress) (replaced bool, err error) {
	second := s.hit.Second
	switch {
	case second == nil && heard.again:
		return false, nil
	case second == nil:
		return false, fault.New(fault.EffectUnknown, "the first press of the double click on %s arrived, and nothing shows that the second one did", e.name()).
			WithHint("look at the page before trying again").At(fault.InEffect, fault.Possible)
	case second.Inside && !second.Swapped:
		return false, nil
	case e.twin(ctx, m, second.Node):
		return true, nil
	}
	return false, e.intercepted("the first press of the double click was on %s, and the second one was taken by %s", e.tab.b.Redact(second.By))
}

// intercepted is the fault of a press of which another element got a part; format
// takes the element and that one.
func (e *Element) intercepted(format, by string) error {
	if by == "" {
		by = "an element that is gone"
	}
	return fault.New(fault.ClickIntercepted, format, e.name(), by).
		WithDetail(map[string]string{"taken_by": by}).
		WithHint("look at the page before trying again: it may have reacted").
		At(fault.InEffect, fault.Possible)
}

// heardPress is what the page logged of an armed press: also behind a dialog, where
// it cannot be asked.
type heardPress struct {
	token int
	in    bool   // it began on the element
	again bool   // so did the second one, of a double click
	by    string // what took it instead, or the rest of it
	held  string // the element, where a dialog held the press up before it was seen
}

const pressPrefix = "duet press "

// expectPress is called before an armed press is sent.
func (b *Browser) expectPress(token int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.press = heardPress{token: token}
}

func (b *Browser) heardPress(token int) heardPress {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.press.token != token {
		return heardPress{}
	}
	return b.press
}

// holdPress notes that a dialog holds up a press on an element.
func (b *Browser) holdPress(token int, name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.press.token == token {
		b.press.held = name
	}
}

// letPress says what the press that a dialog held up has hit, "" where there is none.
func (b *Browser) letPress() string {
	b.mu.Lock()
	p := b.press
	b.press.held = ""
	b.mu.Unlock()
	switch {
	case p.held == "":
		return ""
	case p.by != "":
		return "taken by " + b.Redact(p.by)
	case p.in:
		return "arrived"
	}
	return "not seen to arrive"
}

// pressSaidLocked takes what the page library logged of a press, which is no message of the
// page's: that does not know the token.
func (b *Browser) pressSaidLocked(text string) bool {
	rest, ok := strings.CutPrefix(text, pressPrefix)
	number, rest, _ := strings.Cut(rest, " ")
	if token, err := strconv.Atoi(number); !ok || err != nil || token == 0 || token != b.press.token {
		return false
	}
	switch word, by, _ := strings.Cut(rest, " "); word {
	case "in":
		b.press.in = true
	case "again":
		b.press.again = true
	case "out", "off":
		if b.press.by == "" {
			b.press.by = by
		}
	}
	return true
}
