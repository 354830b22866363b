package drive

import (
	"errors"
	"testing"

	"duet/internal/fault"
)

// A node that the page reuses for another record is refused until it has been shown
// again, whatever its rows are made of; a control that says something new of itself
// stays what it was.
func TestLiveANodeReusedForAnotherRecord(t *testing.T) {
	const list = `<div id=l></div><script>
function draw(names, make) { const l = document.getElementById('l'); names.forEach(function(n, i){ let d = l.children[i]; if (!d) { d = document.createElement('div'); d.className = 'item'; d.innerHTML = make('?'); l.append(d) }
  d.querySelectorAll('.n').forEach(function(e){ e.textContent = (e.dataset.verb || '') + n }); const b = d.querySelector('[aria-label]'); if (b) b.setAttribute('aria-label', 'Delete ' + n) });
  while (l.children.length > names.length) l.lastChild.remove() }
</script>`
	named := `function(){ return '<button class=n data-verb="Delete " id=b'+Math.random()+'></button>' }`
	beside := `function(){ return '<span class=n></span><div><button class=x>Edit</button><button class=x>Delete</button></div>' }`
	icons := `function(){ return '<button aria-label="?"><svg width=9 height=9></svg></button>' }`
	openFirst := `function(){ return '<a href=#x>Open</a> <span class=n></span> <button>Delete</button>' }`
	draw := func(make, names string) string { return `draw(` + names + `.split(' '), ` + make + `)` }
	rows := func(make string) string {
		return list + `<script>` + draw(make, `'Alice Bob Carol Dave'`) + `</script>`
	}
	for _, c := range []struct {
		name, body, target, change string
		stale                      bool
	}{
		{"div rows, named buttons, next page", rows(named), `#l > :nth-child(2) button`, draw(named, `'Erin Frank Grace Heidi'`), true},
		{"div rows, named buttons, one deleted", rows(named), `#l > :nth-child(2) button`, draw(named, `'Alice Carol Dave'`), true},
		{"div rows, one deleted behind it", rows(named), `#l > :nth-child(2) button`, draw(named, `'Alice Bob Dave'`), false},
		{"div rows, one added at the top", rows(named), `#l > :nth-child(2) button`, draw(named, `'Zoe Alice Bob Carol Dave'`), true},
		{"div rows, filtered to one", rows(beside), `#l > :nth-child(1) button + button`, draw(beside, `'Dave'`), true},
		{"div rows, the name beside", rows(beside), `#l > :nth-child(2) button + button`, draw(beside, `'Alice Carol Dave'`), true},
		{"div rows, icons", rows(icons), `#l > :nth-child(2) button`, draw(icons, `'Alice Carol Dave'`), true},
		{"div rows, a link first", rows(openFirst), `#l > :nth-child(2) button`, draw(openFirst, `'Alice Carol Dave'`), true},
		{"div rows, nothing changed", rows(beside), `#l > :nth-child(2) button`, draw(beside, `'Alice Bob Carol Dave'`), false},
		{"div rows, another of the row renamed", rows(beside), `#l > :nth-child(2) button + button`, `document.querySelectorAll('.x')[2].textContent = 'Editing'`, false},
		{"div rows, a badge in each", rows(beside), `#l > :nth-child(2) button + button`, `document.querySelectorAll('.item').forEach(function(d){ d.append('online') })`, false},
		{"buttons as rows", `<div id=l><button>Alice</button><button>Bob</button><button>Carol</button><button>Dave</button></div>`, `#l > :nth-child(2)`,
			`['Erin','Frank','Grace','Heidi'].forEach(function(n, i){ l.children[i].textContent = n })`, true},
		{"table rows that begin alike", `<table><tr><td>★<td>Open<td>Alice<td><button>Delete</button><tr><td>★<td>Open<td>Bob<td><button>Delete</button></table>`, `tr:nth-child(1) button`,
			`document.querySelectorAll('tr')[0].cells[2].textContent = 'Carol'`, true},
		{"table rows of buttons and a link", `<table><tr><td><button>☆</button><button>Open</button><td>New<td><a href=#a>Alice</a><td><button id=d>Delete</button></table>`, `#d`,
			`document.querySelector('a').textContent = 'Carol'`, true},
		{"a list item of a button alone", `<ul><li><button>Delete Alice</button></li><li><button>Delete Bob</button></li><li><button>Delete Carol</button></li></ul>`, `li:nth-child(2) button`,
			`document.querySelectorAll('li button').forEach(function(b, i){ b.textContent = 'Delete ' + ['Dan','Eve','Fay'][i] })`, true},
		{"a toggle", `<button id=b>Play</button>`, `#b`, `b.textContent = 'Pause'`, false},
		{"a toggle in a bar", `<div><button>Back</button><button id=b>Play</button><button>Next</button></div>`, `#b`, `b.textContent = 'Pause'`, false},
		{"two toggles in a bar", `<div><button id=b>Play</button><button id=m>Mute</button><button>Next</button></div>`, `#b`, `b.textContent = 'Pause'; m.textContent = 'Unmute'`, false},
		{"a toggle in a list item", `<ul><li><button id=b>Play</button></li><li><button>Play</button></li></ul>`, `#b`, `b.textContent = 'Pause'`, false},
		{"a toggle in a row", `<table><tr><td><button id=b>☆ Star</button><td>Alice<tr><td><button>☆ Star</button><td>Bob</table>`, `#b`, `b.textContent = '★ Starred'`, false},
		{"a saved form", `<form><div class=f><label>Name <input id=n></label></div><div class=f><label>Mail <input></label></div><button id=b type=button>Save</button></form>`, `#b`, `b.textContent = 'Saved'`, false},
		{"fields with errors", `<form><div class=f><label for=n>Name</label><input id=n></div><div class=f><label for=m>Mail</label><input id=m></div></form>`, `#n`,
			`document.querySelectorAll('.f').forEach(function(f){ f.insertAdjacentHTML('beforeend', '<em>Required</em>') })`, false},
		{"counters", `<div><button id=b>Inbox (3)</button><button>Sent (4)</button><button>Spam (5)</button></div>`, `#b`,
			`document.querySelectorAll('button').forEach(function(b, i){ b.textContent = b.textContent.replace(/\d/, 7) })`, false},
		{"quotes that tick", `<div class=q><b>12.5</b> USD <button id=b>Buy</button></div><div class=q><b>13.5</b> EUR <button>Buy</button></div>`, `#b`,
			`document.querySelectorAll('b').forEach(function(b, i){ b.textContent = '99.' + i })`, false},
		{"a count in a row", `<ul><li>Alice <i>3 likes</i> <button id=b>Like</button></li><li>Bob <i>4 likes</i> <button>Like</button></li></ul>`, `#b`, `b.textContent = 'Liked'`, false},
		{"a row that moves", rows(beside), `#l > :nth-child(2) button + button`, `l.append(l.children[1])`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			onPage(t, say+c.body, func(t *testing.T, p *page) {
				if _, err := p.tab.Tree(p.ctx(), TreeOptions{}); err != nil {
					t.Fatal(explain(err))
				}
				ref := p.ref(c.target)
				if _, err := p.el(ref).Hover(p.ctx(), nil); err != nil {
					t.Fatal(explain(err))
				}
				if _, err := p.tab.Eval(p.ctx(), c.change); err != nil {
					t.Fatal(explain(err))
				}
				_, err := p.el(ref).Hover(p.ctx(), nil)
				if c.stale && !errors.Is(err, fault.StaleRef) || !c.stale && err != nil {
					t.Errorf("%s", explain(err))
				}
				if !c.stale {
					return
				}
				if f := fault.From(err); err != nil && f.Detail.(map[string]string)["reason"] != "changed" {
					t.Errorf("detail %v", f.Detail)
				}
				// Shown again, it is what it is now.
				if _, err := p.el(p.ref(c.target)).Hover(p.ctx(), nil); err != nil {
					t.Errorf("after another look: %s", explain(err))
				}
			})
		})
	}
}
