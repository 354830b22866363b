'use strict'
// Making elements, and saying numbers. Text from a trace becomes text nodes and
// attributes of a fixed name, never markup: the page's policy forbids the rest too.

const $ = (id) => document.getElementById(id)

// h makes an element: h('p', {class: 'soft', onclick: fn}, 'text', child, ...).
function h(tag, props, ...kids) {
  const el = document.createElement(tag)
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || (value === false && !name.startsWith('aria-'))) continue
    if (name.startsWith('on')) el.addEventListener(name.slice(2), value)
    else if (value === true && !name.startsWith('aria-')) el.setAttribute(name, '')
    else el.setAttribute(name, value)
  }
  put(el, kids)
  return el
}

function put(el, kids) {
  for (const kid of kids.flat(Infinity)) {
    if (kid !== undefined && kid !== null && kid !== false) el.append(kid)
  }
}

// fill replaces what an element holds.
function fill(el, ...kids) {
  el.replaceChildren()
  put(el, kids)
}

// span says a duration for people.
function span(ms) {
  if (ms < 0) return ''
  if (ms < 1) return '<1 ms'
  if (ms < 1000) return Math.round(ms) + ' ms'
  if (ms < 10000) return (ms / 1000).toFixed(2) + ' s'
  if (ms < 60000) return (ms / 1000).toFixed(1) + ' s'
  const s = Math.round(ms / 1000)
  return s < 3600 ? `${Math.floor(s / 60)} min ${s % 60} s` : `${Math.floor(s / 3600)} h ${Math.floor(s / 60) % 60} min`
}

// clock says a time since the trace began.
function clock(ms) {
  const sign = ms < 0 ? '-' : ''
  const t = Math.abs(ms)
  const s = Math.floor(t / 1000)
  const tail = String(s % 60).padStart(2, '0') + '.' + Math.floor(t / 100) % 10
  if (s < 3600) return `${sign}${Math.floor(s / 60)}:${tail}`
  return `${sign}${Math.floor(s / 3600)}:${String(Math.floor(s / 60) % 60).padStart(2, '0')}:${tail}`
}

function size(bytes) {
  if (bytes < 1000) return bytes + ' B'
  if (bytes < 1e6) return (bytes / 1e3).toFixed(bytes < 1e4 ? 1 : 0) + ' kB'
  return (bytes / 1e6).toFixed(1) + ' MB'
}

const count = (n, one, many) => `${n.toLocaleString('en')} ${n === 1 ? one : many ?? one + 's'}`

// stream adds the elements of a long list as they come into view: a first part at
// once, and more whenever the end of what is there is near.
function stream(list, items, make, part = 150) {
  let done = 0
  const end = h('li', { class: 'more' })
  const add = () => {
    const rest = items.slice(done, done + part)
    const batch = document.createDocumentFragment()
    rest.forEach((item, i) => batch.append(make(item, done + i)))
    done += rest.length
    end.before(batch)
    if (done >= items.length) {
      watch.disconnect()
      end.remove()
    } else {
      end.textContent = `${done.toLocaleString('en')} of ${items.length.toLocaleString('en')} shown`
    }
  }
  const watch = new IntersectionObserver((seen) => {
    if (seen.some((s) => s.isIntersecting) && end.isConnected) {
      add()
      watch.unobserve(end) // a new look: the end may be in view still
      if (end.isConnected) watch.observe(end)
    }
  }, { rootMargin: '600px' })
  list.replaceChildren(end)
  add()
  if (end.isConnected) watch.observe(end)
}

// remembered is a setting that outlives the page, where the browser keeps one.
const remembered = {
  get(name) {
    try { return localStorage.getItem('duet-' + name) } catch { return null }
  },
  set(name, value) {
    try { localStorage.setItem('duet-' + name, value) } catch { /* a page from a file may keep nothing */ }
  },
}
