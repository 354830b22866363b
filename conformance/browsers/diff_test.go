//go:build linux

package browsers

import (
	"strings"
	"testing"
)

// changing is a page that changes a while after a button was pressed, when nobody
// looks.
const changing = `<!doctype html><title>Changing</title>
<button id=work>Work</button> <button id=swap>Swap all</button> <button id=leave>Leave</button>
<p role=status id=said>idle</p>
<ul id=left aria-label=Left><li><button>One</button></li><li><button>Two</button></li></ul>
<div id=right role=group aria-label=Right><button>Same</button></div>
<form id=form><label>Name <input id=name></label><label>Password <input id=pass type=password></label><label><input type=checkbox id=keep> Keep</label></form>
<script>
const button = (name) => Object.assign(document.createElement('button'), { textContent: name })
const later = (id, work) => { document.getElementById(id).onclick = () => setTimeout(work, 1000) }
later('work', () => {
  left.firstElementChild.remove()
  left.append(document.createElement('li')); left.lastChild.append(button('Three'))
  right.replaceChildren(button('Same'))
  document.getElementById('name').value = 'Ann'; pass.value = 'moonshine7'; keep.checked = true
  said.textContent = 'worked'
})
later('swap', () => {
  document.querySelectorAll('ul, div, form').forEach((e) => e.remove())
  for (let i = 1; i <= 12; i++) document.body.append(button('New ' + i))
  said.textContent = 'swapped'
})
later('leave', () => { location.href = '/elsewhere' })
</script>`

// browser_snapshot with mode=diff tells all that has changed since its caller last
// saw the page, whoever changed it, and once; of a part where one is named; a whole
// map, saying why, where there is nothing to compare with or little is left.
func TestDifferenceOnRequest(t *testing.T) {
	url := serving(t, changing)
	each(t, func(t *testing.T, s setup) {
		k := &kase{t: t, s: s, base: url, c: serve(t, s)}
		diff := func(pairs ...any) string { return k.ok("browser_snapshot", append(pairs, "mode", "diff")...) }
		k.attempt(func(k *kase) {
			k.open("/")
			k.same("the first difference", strings.TrimSpace(diff()), "(no a11y changes)")
			look := k.snap()
			one, same := k.ref(look, `button "One"`), k.ref(look, `button "Same"`)
			k.click("#work")
			k.waitText("worked")
			k.says("a part of the difference", diff("scope", "#left"), `button "Three"`)
			k.silent("a part of the difference", diff("scope", "#left"), "worked", "Ann")
			k.says("a question about the difference", diff("query", "Ann"), `textbox "Name" value="Ann"`)
			told := diff()
			k.says("the difference", told, "- "+one+`: button "One"`, `+ e`, `button "Three"`, "~ "+same+"→", `button "Same"`, `status "worked"`,
				`textbox "Name" value="Ann"`, `textbox "Password" (filled)`, `checkbox "Keep" (checked)`)
			k.silent("the difference", told, "moonshine7", `button "Two"`)
			k.same("told once", strings.TrimSpace(diff()), "(no a11y changes)")
			k.fails("a ref that the difference said is gone", k.call("browser_click", "selector", one), "STALE_REF")
			k.click(k.ref(told, `button "Three"`))
			r := k.call("browser_snapshot", "mode", "diff", "offset", 3)
			k.fails("with an offset", r, "INVALID_ARGUMENT")
			k.says("with an offset", r.Text, "mode=diff takes scope, query, depth")
			k.fails("with a limit", k.call("browser_snapshot", "mode", "diff", "limit", 3), "INVALID_ARGUMENT")
			k.click("#swap")
			k.waitText("swapped")
			k.says("more than half", diff(), "(full map: more than half changed)", `button "New 12"`)
			k.click("#leave")
			k.ok("browser_wait", "kind", "url", "target", "/elsewhere")
			k.says("another page", diff(), "(full map: navigation)", `status "idle"`)
		})
		if len(k.faults) > 0 {
			t.Errorf("%s\n\nwhat was said:\n%s", strings.Join(k.faults, "\n"), k.said.String())
		}
	})
}
