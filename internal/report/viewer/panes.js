'use strict'
// The panes beside the picture. Each is made when it is looked at.

const panes = {
  names: ['map', 'call', 'console', 'network', 'errors', 'wire'],
  open: 'map',
  wide: { console: false, network: false, wire: false }, // all of the trace, not this action alone
  levels: 'all',

  start() {
    this.names = this.names.filter((n) => n !== 'wire' || trace.wire)
    for (const n of this.names) {
      const tab = $('tab-' + n)
      tab.hidden = false
      tab.addEventListener('click', () => this.turn(n))
      tab.addEventListener('keydown', (e) => this.key(e))
    }
  },

  key(e) {
    const at = this.names.indexOf(this.open), last = this.names.length - 1
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[e.key]
    if (to === undefined || e.ctrlKey || e.metaKey || e.altKey) return
    e.preventDefault()
    this.turn(this.names[to])
    $('tab-' + this.open).focus()
  },

  turn(name) {
    if (!this.names.includes(name)) return
    this.open = name
    this.show(list.chosen)
  },

  show(i) {
    for (const n of this.names) {
      const on = n === this.open
      $('tab-' + n).setAttribute('aria-selected', on)
      $('tab-' + n).tabIndex = on ? 0 : -1
      $('pane-' + n).hidden = !on
    }
    this.counts(i)
    const pane = $('pane-' + this.open)
    pane.scrollTop = 0
    if (this.open === 'map') {
      if (i < 0) fill(pane, h('p', { class: 'empty' }, 'No action is chosen.'))
      else maps.show(pane, i)
    } else this[this.open](pane, i)
  },

  counts(i) {
    const tell = (n, text, kind) => {
      const badge = $('badge-' + n)
      badge.hidden = !text
      badge.textContent = text
      badge.className = 'badge ' + (kind ?? '')
    }
    const r = rows[i]
    tell('console', r?.cons || '', r?.errs ? 'bad' : '')
    tell('network', r?.reqs || '', r?.bad ? 'bad' : '')
    tell('errors', trace.wrong.length || '', 'bad')
  },

  call(pane, i) {
    if (i < 0) return fill(pane, h('p', { class: 'empty' }, 'No action is chosen.'))
    const d = detail(i)
    const part = (title, text) => text && h('section', { class: 'block' }, h('h3', null, title), h('pre', null, text))
    fill(pane, part('Tool', d.tool), part('Arguments', d.args), part('Result', d.answer), part('Notes', d.notes?.join('\n')),
      part('Cut', d.cut && `${d.cut.join(', ')}: too long, the rest was not kept.`),
      d.endURL && d.endURL !== rows[i].url && part('Address afterwards', d.endURL))
  },

  // scope is the head of a list that is of the action, or of the whole trace.
  scope(name, n, all, i, more) {
    const button = (text, wide) => h('button', { type: 'button', 'aria-pressed': this.wide[name] === wide, onclick: () => {
      this.wide[name] = wide
      this.show(list.chosen)
      $('pane-' + name).querySelector('[aria-pressed="true"]').focus()
    } }, text)
    return h('div', { class: 'pane-bar' },
      h('span', { class: 'choice', role: 'group', 'aria-label': 'Which entries' }, button(`This action (${n})`, false), button(`All (${all})`, true)), more)
  },

  console(pane, i) {
    const all = lazily('data-console'), mine = of(all, i)
    let entries = this.wide.console ? all : mine
    const level = (l) => (l.level === 'error' ? 'error' : l.level === 'warn' ? 'warn' : 'info')
    const choices = [['all', 'All levels'], ['warn', 'Warnings and errors'], ['error', 'Errors']]
    if (this.levels !== 'all') entries = entries.filter((l) => level(l) === 'error' || (this.levels === 'warn' && level(l) === 'warn'))
    fill(pane, this.scope('console', mine.length, all.length, i,
      h('span', { class: 'choice', role: 'group', 'aria-label': 'Levels' }, choices.map(([v, text]) => h('button', { type: 'button', 'aria-pressed': this.levels === v, onclick: () => {
        this.levels = v
        this.show(list.chosen)
        $('pane-console').querySelectorAll('.choice')[1].querySelector('[aria-pressed="true"]').focus()
      } }, text)))))
    if (!entries.length) return pane.append(h('p', { class: 'empty' }, this.wide.console ? 'The console stayed empty.' : 'Nothing was logged during this action.'))
    const ul = h('ul', { class: 'log' })
    pane.append(ul)
    stream(ul, entries, (l) => h('li', { class: level(l) }, h('span', { class: 'at' }, clock(l.t)), h('div', null,
      h('pre', null, h('span', { class: 'level' }, l.type === 'exception' ? 'exception' : l.level), '  ', l.text),
      h('div', { class: 'from' }, l.where && h('span', null, l.where), l.tab > 0 && h('span', null, `tab ${l.tab}`), this.wide.console && jump(l.a)))))
  },

  network(pane, i) {
    const all = lazily('data-network'), mine = of(all, i)
    const entries = this.wide.network ? all : mine
    const failed = entries.filter((r) => r.failed).length
    fill(pane, this.scope('network', mine.length, all.length, i, h('span', null, failed > 0 && h('span', { class: 'badge bad' }, `${failed} failed`))))
    if (!entries.length) return pane.append(h('p', { class: 'empty' }, this.wide.network ? 'No request was made.' : 'No request ended during this action.'))
    const ul = h('ul', { class: 'req' })
    pane.append(ul)
    stream(ul, entries, (r) => h('li', { class: r.failed ? 'failed' : 'ok' }, h('details', null,
      h('summary', null, h('span', { class: 'status' }, r.status || (r.failed ? '✕' : '–')), h('span', { class: 'url' }, `${r.method} ${r.url}`), h('span', { class: 'at' }, r.ms >= 0 ? span(r.ms) : ''),
        h('span', { class: 'sub' }, r.error && h('span', { class: 'why' }, r.error), r.kind && h('span', null, r.kind), r.bytes > 0 && h('span', null, size(r.bytes)),
          r.cached && h('span', null, 'from the cache'), r.mocked && h('span', null, 'answered by duet'), this.wide.network && h('span', null, `at ${clock(r.t)}`))),
      h('div', { class: 'more-of' }, h('dl', { class: 'pairs' }, r.more.map(([k, v]) => [h('dt', null, k), h('dd', null, v)])), r.a >= 0 && h('p', null, jump(r.a))))))
  },

  errors(pane) {
    const all = trace.wrong
    fill(pane, h('div', { class: 'pane-bar' }, h('span', null, all.length ? 'Everything in this trace that went wrong, in order.' : '')))
    if (!all.length) return fill(pane, h('p', { class: 'empty' }, 'Nothing went wrong.'))
    const ul = h('ul', { class: 'wrong' })
    pane.append(ul)
    stream(ul, all, (w) => h('li', null,
      h('div', { class: 'title' }, h('span', { class: 'soft num' }, clock(w.t)), h('b', null, w.title), w.a >= 0 && jump(w.a)),
      h('p', null, w.text),
      w.facts && h('p', { class: 'hint' }, w.facts)))
  },

  wire(pane, i) {
    const all = lazily('data-wire'), mine = of(all, i)
    const entries = this.wide.wire ? all : mine
    fill(pane, this.scope('wire', mine.length, all.length, i))
    if (!entries.length) return pane.append(h('p', { class: 'empty' }, 'Nothing went over the wire.'))
    const ul = h('ul', { class: 'wire' })
    pane.append(ul)
    stream(ul, entries, (f) => h('li', null, h('span', { class: 'at' }, clock(f.t)),
      h('span', null, h('span', { 'aria-hidden': 'true' }, f.dir === '>' ? '→' : f.dir === '<' ? '←' : '·'), h('span', { class: 'away' }, f.dir === '>' ? 'sent' : f.dir === '<' ? 'arrived' : 'note')),
      h('pre', null, f.text)))
  },
}

// jump is a way to an action.
function jump(i) {
  if (i < 0) return null
  const r = rows[i]
  return h('button', { type: 'button', class: 'jump', onclick: () => choose(i, true) }, `action ${r.n}: ${r.verb} ${r.what}`.trim().slice(0, 80))
}
