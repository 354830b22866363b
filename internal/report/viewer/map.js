'use strict'
// Maps and differences, a line each: the mark, the indent, the ref, the rest.

const markOf = {
  '+': ['add', '+', 'new'], '-': ['del', '−', 'gone'], '~': ['chg', '~', 'changed'], '#': ['head', '', ''], '!': ['note', '', ''], ' ': ['', '', ''],
}

// A line is a character that says what became of it, and the text.
function mapLine(line) {
  const mark = line[0]
  let text = line.slice(1)
  const indent = text.length - text.trimStart().length
  text = text.trimStart()
  const m = /^(e\d+(?:→e\d+)?): ("?[^\s"]*)(.*)$/s.exec(text)
  const [kind, sign, word] = markOf[mark] ?? markOf[' ']
  const body = m ? [h('span', { class: 'ref' }, m[1]), ': ', h('span', { class: 'what' }, h('span', { class: 'role' }, m[2]), m[3])] : text
  const el = h('li', { class: kind || null },
    h('span', { class: 'mark' }, sign && h('span', { 'aria-hidden': 'true' }, sign), word && h('span', { class: 'away' }, word + ': ')),
    h('span', { class: 'body' }, body))
  if (indent) el.style.setProperty('--depth', Math.min(indent / 2, 16))
  return el
}

// touched is what a difference says of each ref that it names.
function touched(lines) {
  const refs = new Map()
  for (const line of lines) {
    const m = '+-~'.includes(line[0]) && /^\s*(e\d+)(?:→e\d+)?: /.exec(line.slice(1))
    if (m) refs.set(m[1], line)
  }
  return refs
}

// within is a whole map with a difference in its place: what is gone is marked, what
// changed stands below what it was, and what is new, whose place is not told, comes first.
function within(base, lines) {
  const refs = touched(lines)
  const out = lines.filter((l) => l[0] === '+')
  for (const line of base) {
    const text = '+-~'.includes(line[0]) ? ' ' + line.slice(1) : line
    if (line[0] === '-') continue
    const m = /^(\s*)(e\d+): /.exec(text.slice(1))
    const said = m && refs.get(m[2])
    if (!said || said[0] === '+') out.push(text)
    else if (said[0] === '-') out.push('-' + text.slice(1))
    else out.push('-' + text.slice(1), '~' + m[1] + said.slice(1).trimStart())
  }
  return out
}

const maps = {
  within: false, // a difference is shown in the last whole map

  show(pane, i) {
    const map = detail(i).map
    if (!map) {
      fill(pane, h('p', { class: 'empty' }, this.why(i)))
      return
    }
    const lines = map.lines.split('\n')
    const base = map.kind === 'delta' && map.base >= 0 ? detail(map.base).map : null
    const use = base && this.within
    const said = { delta: 'What changed, as the caller was told.', full: 'The whole map, as the caller got it.', recovery: 'The fresh map that went with the failure.' }[map.kind]
    const tally = (c) => lines.filter((l) => l[0] === c).length
    fill(pane,
      h('div', { class: 'pane-bar' },
        h('span', null, use ? ['The last whole map, of ', jump(map.base), ', with this difference marked.'] : said, map.why && ` Whole because: ${map.why}.`),
        h('span', { class: 'tools' },
          ['+', '~', '-'].map((c) => tally(c) > 0 && h('span', { class: 'badge ' + { '+': 'good', '~': 'warn', '-': 'bad' }[c] }, `${tally(c)} ${markOf[c][2]}`)),
          base && h('span', { class: 'choice', role: 'group', 'aria-label': 'How the difference is shown' },
            this.button('Changes', false, pane, i), this.button('In the map', true, pane, i)))),
      h('ul', { class: 'map' }))
    const all = use ? within(base.lines.split('\n'), lines) : lines
    stream(pane.lastChild, all, mapLine, 400)
  },

  button(text, within, pane, i) {
    return h('button', { type: 'button', 'aria-pressed': this.within === within, onclick: () => {
      this.within = within
      this.show(pane, i)
      pane.querySelector('[aria-pressed="true"]')?.focus()
    } }, text)
  },

  why(i) {
    const failed = rows[i].state === 'failed'
    if (failed && detail(i).error?.effect === 'none') return 'The action failed before it touched the page, so there is nothing new to see of it.'
    if (rows[i].state === 'open') return 'The action did not end, so nothing was seen after it.'
    return rows[i].acts ? 'The caller was not shown the page after this action.' : 'This command only reads: no map follows it.'
  },
}
