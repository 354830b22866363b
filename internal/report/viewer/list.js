'use strict'
// The list of actions: a listbox with one place of focus that moves.

const rowHigh = 52 // as the style sheet has it

const list = {
  shown: [], // numbers of actions that the filter leaves, in order
  built: 0, // how many of shown have a row
  chosen: -1,

  start() {
    this.box = $('rows')
    this.find = $('find')
    this.only = $('only-errors')
    this.find.addEventListener('input', () => this.filter())
    this.only.addEventListener('click', () => {
      this.only.setAttribute('aria-pressed', this.only.getAttribute('aria-pressed') !== 'true')
      this.filter()
    })
    this.box.addEventListener('click', (e) => {
      const row = e.target.closest('.row')
      if (row) {
        choose(Number(row.dataset.i))
        row.focus()
      }
    })
    this.box.addEventListener('keydown', (e) => this.key(e))
    this.box.addEventListener('scroll', () => this.scrolled(), { passive: true })
    this.filter()
  },

  filter() {
    const words = this.find.value.toLowerCase().split(/\s+/).filter(Boolean)
    const bad = this.only.getAttribute('aria-pressed') === 'true'
    this.shown = []
    rows.forEach((r, i) => {
      if (bad && r.state !== 'failed' && !r.errs && !r.bad) return
      const text = `${r.verb} ${r.what} ${r.code ?? ''} ${r.url ?? ''}`.toLowerCase()
      if (words.every((w) => text.includes(w))) this.shown.push(i)
    })
    this.place = new Map(this.shown.map((i, at) => [i, at]))
    this.built = 0
    this.box.replaceChildren()
    $('no-rows').hidden = this.shown.length > 0
    $('no-rows').textContent = rows.length ? 'No action is like that.' : 'Nothing was called while this trace ran.'
    $('count').textContent = this.shown.length === rows.length ? count(rows.length, 'action') : `${this.shown.length} of ${count(rows.length, 'action')}`
    this.build(120)
    this.mark()
    this.scrolled()
  },

  // scrolled builds what comes into view; until then the box is as high as it will be.
  scrolled() {
    const end = Math.ceil((this.box.scrollTop + 3 * this.box.clientHeight) / rowHigh)
    if (end > this.built && this.built < this.shown.length) this.build(end + 50)
  },

  build(upto) {
    const batch = document.createDocumentFragment()
    for (; this.built < Math.min(upto, this.shown.length); this.built++) batch.append(this.row(this.shown[this.built]))
    this.box.append(batch)
    this.box.style.setProperty('--rest', this.shown.length - this.built)
  },

  row(i) {
    const r = rows[i]
    const marks = []
    if (r.errs) marks.push(h('span', { class: 'bad', title: count(r.errs, 'error in the console', 'errors in the console') }, `✕ ${r.errs}`, h('span', { class: 'away' }, ' console errors')))
    if (r.bad) marks.push(h('span', { class: 'warn', title: count(r.bad, 'failed request') }, `⇅ ${r.bad}`, h('span', { class: 'away' }, ' failed requests')))
    const what = r.state === 'failed' ? `✕ ${r.code}` : r.state === 'open' ? 'did not end' : r.state === 'no' ? `${r.what || r.verb}: no` : r.what
    return h('div', {
      class: 'row' + (r.state === 'failed' ? ' failed' : '') + (r.step ? ' step' : ''), role: 'option', id: 'row-' + i, 'data-i': i,
      'aria-selected': i === this.chosen, 'aria-posinset': this.place.get(i) + 1, 'aria-setsize': this.shown.length, tabindex: -1,
    },
    h('span', { class: 'n' }, r.n),
    h('span', { class: 'verb' }, r.step > 0 && '↳ ', h('b', null, r.verb), r.state === 'failed' && r.what && [' ', h('code', null, r.what)]),
    h('span', { class: 'dur' }, r.state === 'open' ? '' : span(r.d)),
    h('span', { class: 'what', title: r.what || null }, what || ' '),
    h('span', { class: 'marks' }, marks))
  },

  // mark shows which action is chosen, and makes its row the one that Tab reaches.
  mark() {
    for (const old of this.box.querySelectorAll('[aria-selected="true"], [tabindex="0"]')) {
      old.setAttribute('aria-selected', 'false')
      old.tabIndex = -1
    }
    const at = this.place.get(this.chosen)
    if (at !== undefined) this.build(at + 1)
    const row = at === undefined ? this.box.firstElementChild : $('row-' + this.chosen)
    if (!row) return
    row.tabIndex = 0
    if (at !== undefined) row.setAttribute('aria-selected', 'true')
  },

  show(i, focus) {
    const had = this.box.contains(document.activeElement)
    this.chosen = i
    this.mark()
    const row = this.place.has(i) && $('row-' + i)
    if (!row) return
    const top = row.offsetTop, end = top + row.offsetHeight
    if (top < this.box.scrollTop) this.box.scrollTop = top - 8
    else if (end > this.box.scrollTop + this.box.clientHeight) this.box.scrollTop = end - this.box.clientHeight + 8
    if (focus || had) row.focus({ preventScroll: true })
  },

  // step chooses the action n places on among those shown.
  step(n) {
    if (!this.shown.length) return
    const at = this.place.get(this.chosen)
    const from = at ?? this.shown.findLastIndex((i) => i < this.chosen)
    choose(this.shown[Math.max(0, Math.min(this.shown.length - 1, from + n))])
  },

  // trouble chooses the next action, or the one before, that failed or logged an error.
  trouble(n) {
    for (let i = this.chosen + n; i >= 0 && i < rows.length; i += n) {
      if (rows[i].state === 'failed' || rows[i].errs || rows[i].bad) {
        choose(i)
        return
      }
    }
    say(n > 0 ? 'No error after this action.' : 'No error before this action.')
  },

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey) return
    const page = Math.max(1, Math.floor(this.box.clientHeight / rowHigh) - 1)
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[e.key]
    if (move === undefined) return
    e.preventDefault()
    this.step(Math.max(-rows.length, Math.min(rows.length, move)))
    $('row-' + this.chosen)?.focus({ preventScroll: true })
  },
}
