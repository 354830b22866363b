// alter(lib, {what}) -> what: changes the page of rows.html in one of many ways.
(lib, { what }) => {
  const $ = (id) => document.getElementById(id)
  const does = {
    nothing: () => {},
    text: () => { $('r1').firstElementChild.firstChild.data = 'ONE' },
    child: () => { $('r2').cells[2].firstElementChild.textContent = 'later' },
    attribute: () => $('r1').querySelector('button').setAttribute('aria-pressed', 'true'),
    body: () => document.body.classList.add('quiet'),
    unbody: () => document.body.classList.remove('quiet'),
    rule: () => $('sheet').sheet.insertRule('#r1 .late { visibility: hidden }', 0),
    pointer: () => $('sheet').sheet.insertRule('#r4 td { cursor: pointer }', 0),
    unrule: () => $('sheet').sheet.deleteRule(0),
    property: () => { $('third').value = '33' },
    legend: () => { $('legend').textContent = 'Another' },
    outer: () => { $('outer').firstChild.data = 'Outside' },
    move: () => $('t').tBodies[0].append($('r1')),
    elsewhere: () => $('l2').append($('l11')),
    role: () => $('t').setAttribute('role', 'presentation'),
    unrole: () => $('t').removeAttribute('role'),
    caps: () => $('l2').classList.add('caps'),
    mark: () => $('t').classList.add('mark'),
    twin: () => { const b = document.createElement('i'); b.id = 'buy-two'; document.body.append(b) },
    fieldset: () => { $('f').disabled = true },
    list: () => $('l').setAttribute('role', 'none'),
    inner: () => $('l1').setAttribute('aria-hidden', 'true'),
    focus: () => $('l2').querySelector('button').focus(),
    blur: () => $('l2').querySelector('button').blur(),
    away: () => $('t').classList.add('away'),
    base: () => history.pushState(null, '', '/other/rows.html'),
    sheet: () => { $('sheet').firstChild.data += ' #l2 button { display: none }' },
    owns: () => $('r4').setAttribute('aria-owns', 'l3'),
    removed: () => $('r2').remove(),
  }
  does[what]()
  return Object.keys(does)
}
