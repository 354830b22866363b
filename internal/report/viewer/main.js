'use strict'
// What ties the parts together: the choice, the keys, the theme.

// choose makes an action the one that everything shows.
function choose(i, focus) {
  if (!rows[i]) return
  list.show(i, focus)
  stage.show(i)
  panes.show(i)
  time.show(i)
  try {
    history.replaceState(null, '', '#' + rows[i].n)
  } catch { /* some browsers keep the address of a file as it is */ }
}

// say tells what a screen reader should hear, and what a key could not do.
function say(text) {
  $('said').textContent = text
}

const theme = {
  names: ['auto', 'light', 'dark'],

  start() {
    this.set(this.names.includes(remembered.get('theme')) ? remembered.get('theme') : 'auto')
    $('theme').addEventListener('click', () => this.next())
  },
  next() {
    this.set(this.names[(this.names.indexOf(this.now) + 1) % 3])
    remembered.set('theme', this.now)
  },
  set(name) {
    this.now = name
    if (name === 'auto') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = name
    $('theme').textContent = `Theme: ${name}`
    if (time.box) time.draw()
  },
}

const keys = {
  // single is off for those whose software types letters by itself.
  single: remembered.get('keys') !== 'off',

  table: {
    j: () => list.step(1), k: () => list.step(-1), n: () => list.trouble(1), p: () => list.trouble(-1),
    b: () => stage.look('before'), a: () => stage.look('after'), c: () => stage.look('changed'), z: () => stage.zoom(),
    t: () => theme.next(), '/': () => $('find').focus(), '?': () => keys.help(), e: () => list.only.click(),
  },

  start() {
    $('help-open').addEventListener('click', () => this.help())
    for (const b of document.querySelectorAll('dialog [data-close]')) b.addEventListener('click', () => b.closest('dialog').close())
    for (const d of document.querySelectorAll('dialog')) d.addEventListener('click', (e) => e.target === d && d.close())
    $('single').addEventListener('click', () => {
      this.single = !this.single
      remembered.set('keys', this.single ? 'on' : 'off')
      this.tell()
    })
    $('find').addEventListener('keydown', (e) => {
      if (e.key === 'Escape') {
        $('find').value = ''
        list.filter()
        list.show(list.chosen, true)
      } else if (e.key === 'Enter' || e.key === 'ArrowDown') {
        e.preventDefault()
        if (list.shown.length) choose(list.place.has(list.chosen) ? list.chosen : list.shown[0], true)
      }
    })
    document.addEventListener('keydown', (e) => this.press(e))
    this.tell()
  },

  tell() {
    $('single').setAttribute('aria-checked', this.single)
    $('single').textContent = this.single ? 'Single keys: on' : 'Single keys: off'
  },

  press(e) {
    const typing = e.target.matches?.('input, textarea, select') || e.target.isContentEditable
    if (!this.single || typing || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return
    const digit = Number(e.key)
    const run = this.table[e.key] ?? (digit >= 1 && digit <= panes.names.length ? () => panes.turn(panes.names[digit - 1]) : null)
    if (!run) return
    e.preventDefault()
    say('')
    run()
  },

  help() {
    $('help').showModal()
  },
}

function start() {
  stage.start()
  panes.start()
  list.start()
  time.start()
  theme.start()
  keys.start()
  $('loading').hidden = true
  $('app').hidden = false
  if (!rows.length) {
    stage.look('after')
    panes.show(-1)
    time.draw()
    return
  }
  const asked = rows.findIndex((r) => String(r.n) === location.hash.slice(1))
  const failed = rows.findIndex((r) => r.state === 'failed')
  choose(asked >= 0 ? asked : failed >= 0 ? failed : 0, true)
}

start()
