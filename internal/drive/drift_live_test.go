package drive

import (
	"strings"
	"testing"
	"time"

	"duet/internal/fault"
)

// A field that the page empties between the edit and the reading that follows it was not
// filled, also where fills after it went on without one; a field that holds is ok.
func TestAFieldThatThePageTakesBack(t *testing.T) {
	page := site{"/": `<!doctype html><html lang="en"><title>Back</title><p id="p">-</p>
<input id="reset" aria-label="Reset"><input id="kept" aria-label="Kept"><input id="hidden" aria-label="Hidden" type="password"><script>
for (const id of ['reset', 'hidden']) {
  const e = document.getElementById(id)
  e.oninput = () => { p.textContent = Math.random(); requestAnimationFrame(() => { p.textContent = Math.random(); requestAnimationFrame(() => { e.value = '' }) }) }
}
</script></html>`}
	eachBrowser(t, page, func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		fill := func(selector, value string, skip bool) error {
			e, err := tab.Element(deadline(t, 5*time.Second), selector)
			if err != nil {
				t.Fatal(err)
			}
			_, err = e.Fill(deadline(t, 5*time.Second), value, FillOptions{Skip: skip})
			return err
		}
		lost := func(err error, words string) {
			t.Helper()
			f := fault.From(err)
			if err == nil || f.Code != fault.ExpectMismatch || f.Effect != fault.Confirmed || !strings.Contains(f.Message, words) {
				t.Errorf("got %s, want EXPECT_MISMATCH with %q", explain(err), words)
			}
		}
		if err := fill("id=kept", "one", false); err != nil {
			t.Error(explain(err))
		}
		lost(fill("id=reset", "two", false), `the page then changed it: it holds ""`)
		lost(fill("id=hidden", "three three", false), `it holds •••`)
		if err := fill("id=kept", "four", false); err != nil { // what was said once is not said again
			t.Error(explain(err))
		}
		if err := fill("id=reset", "five", true); err != nil {
			t.Error(explain(err))
		}
		lost(fill("id=kept", "six", false), `into a field before this one: textbox "Reset" #reset holds ""`)
		if err := fill("id=kept", "seven", true); err != nil {
			t.Error(explain(err))
		}
		if err := fill("id=kept", "eight", false); err != nil { // it was filled anew, by nobody else
			t.Error(explain(err))
		}
	})
}

// An element from which the page takes the focus as soon as it has it does not keep it,
// and a key that goes to another element than the one that was given the focus says so.
func TestFocusThatThePageMoves(t *testing.T) {
	page := site{"/": `<!doctype html><html lang="en"><title>Moves</title>
<input id="soon" aria-label="Soon"><input id="later" aria-label="Later"><input id="kept" aria-label="Kept"><input id="key" aria-label="Key"><input id="other" aria-label="Other"><script>
soon.onfocus = () => Promise.resolve().then(() => other.focus())
later.onfocus = () => setTimeout(() => other.focus())
</script></html>`}
	eachBrowser(t, page, func(t *testing.T, tab *Tab, base string) {
		open(t, tab, base+"/")
		focus := func(selector string) (*Element, error) {
			e, err := tab.Element(deadline(t, 5*time.Second), selector)
			if err != nil {
				t.Fatal(err)
			}
			_, err = e.Focus(deadline(t, 5*time.Second))
			return e, err
		}
		for _, id := range []string{"id=soon", "id=later"} {
			_, err := focus(id)
			if f := fault.From(err); err == nil || f.Code != fault.NotEditable || !strings.Contains(f.Message, `textbox "Other" #other has it`) {
				t.Errorf("%s: got %s", id, explain(err))
			}
		}
		e, err := focus("id=kept")
		if err != nil {
			t.Fatal(explain(err))
		}
		r, err := tab.Press(deadline(t, 5*time.Second), "a")
		if err != nil || e.Keyed(r) != nil {
			t.Errorf("a key to the element itself: %v, %v", err, e.Keyed(r))
		}
		if e, err = focus("id=key"); err != nil {
			t.Fatal(explain(err))
		}
		if _, err := tab.Eval(deadline(t, 5*time.Second), "document.getElementById('other').focus()"); err != nil {
			t.Fatal(err)
		}
		r, err = tab.Press(deadline(t, 5*time.Second), "b")
		if f := fault.From(e.Keyed(r)); err != nil || f == nil || f.Code != fault.NotEditable || f.Effect != fault.Confirmed || !strings.Contains(f.Message, `the key went to textbox "Other"`) {
			t.Errorf("a key to another element: %v, %v", err, e.Keyed(r))
		}
	})
}
