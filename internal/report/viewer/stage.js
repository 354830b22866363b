'use strict'
// The chosen action: what it was, why it failed, how the page looked.

const stage = {
  view: 'after', // before, after, changed

  start() {
    for (const b of $('views').children) b.addEventListener('click', () => this.look(b.dataset.view))
  },

  show(i) {
    const r = rows[i], d = detail(i)
    fill($('title'), `${r.verb} `, r.what && h('code', null, r.what))
    const state = { ok: 'good', no: 'warn', failed: 'bad', open: 'warn' }[r.state]
    fill($('meta'),
      h('span', { class: 'badge ' + state }, stateWord[r.state]),
      h('span', { class: 'num' }, `at ${clock(r.t)}`),
      r.state !== 'open' && h('span', { class: 'num' }, `took ${span(r.d)}`),
      r.tab > 0 && h('span', null, `tab ${r.tab}`),
      d.caller && h('span', null, `caller ${d.caller}`),
      r.step > 0 && h('button', { class: 'jump', type: 'button', onclick: () => choose(r.parent, true) }, `step ${r.step} of batch ${r.parent + 1}`),
      r.url && h('span', { class: 'url' }, r.url))
    this.fault(d)
    this.pictures(r, d)
    fill($('events'), d.events?.map((text) => h('li', null, text)))
    $('events').hidden = !d.events
  },

  fault(d) {
    const box = $('fault'), f = d.error
    box.hidden = !f
    if (!f) return
    const effect = {
      none: 'none: nothing reached the page', possible: 'possible: something was sent, its outcome was not seen',
      partial: 'partial: some of it was done', confirmed: 'confirmed: it was done, the look at its outcome failed',
    }
    const facts = [['phase', f.phase], ['effect', effect[f.effect] ?? f.effect], ['may be repeated', f.retryable ? 'yes' : 'no'], ['hint', f.hint], ['detail', f.detail]]
    fill(box, h('h3', null, f.code), h('p', null, f.message),
      h('dl', null, facts.filter(([, v]) => v).map(([k, v]) => [h('dt', null, k), h('dd', { class: k === 'detail' ? 'mono' : null }, v)])))
  },

  pictures(r, d) {
    this.r = r
    const has = { before: r.before >= 0, after: r.after >= 0, changed: r.before >= 0 && r.after >= 0 && r.before !== r.after }
    for (const b of $('views').children) b.disabled = !has[b.dataset.view]
    $('shot-figure').hidden = !has.before && !has.after
    $('no-shot').hidden = has.before || has.after
    $('no-shot').textContent = d.noShot ? `No picture: ${d.noShot}.` : trace.pictures ? 'No picture of this action was taken.' : 'This trace was recorded without pictures.'
    if (!has.before && !has.after) return
    const view = has[this.view] ? this.view : has.after ? 'after' : 'before'
    this.draw(view, r, d)
  },

  look(view) {
    const b = [...$('views').children].find((c) => c.dataset.view === view)
    if ($('shot-figure').hidden || b.disabled) {
      say('There is no such picture of this action.')
      return
    }
    this.view = view
    this.draw(view, this.r, detail(list.chosen))
  },

  draw(view, r, d) {
    for (const b of $('views').children) b.setAttribute('aria-pressed', b.dataset.view === view)
    const name = `action ${r.n}, ${r.verb} ${r.what}`.trim()
    const el = view === 'changed' ? h('canvas', { role: 'img', 'aria-label': `What changed in the page by ${name}` })
      : h('img', { alt: `The page ${view} ${name}`, src: picture(view === 'before' ? r.before : r.after), decoding: 'async' })
    const note = view === 'changed' ? 'What looks the same is faded; what changed keeps its colours.' : d.shotNote?.[view]
    if (view === 'changed') {
      differ(r.before, r.after, el).then((part) => {
        if (this.drawn === el) $('caption').textContent = part === 0 ? 'No pixel changed.' : `${note} ${part < 0.001 ? 'Less than 0.1' : (part * 100).toFixed(1)} % of the picture changed.`
      })
    } else if ($('image-' + (view === 'before' ? r.before : r.after)).dataset.w) {
      const data = $('image-' + (view === 'before' ? r.before : r.after)).dataset
      el.width = data.w
      el.height = data.h
    }
    this.drawn = el
    $('caption').textContent = note ?? (r.before === r.after ? 'The page looked the same before and after.' : '')
    fill($('shot'), h('button', { type: 'button', 'aria-label': 'Show the picture in full size', onclick: () => this.zoom() }, el))
  },

  zoom() {
    if (!this.drawn || $('shot-figure').hidden) return
    let copy
    if (this.drawn.localName === 'canvas') {
      copy = h('canvas', { role: 'img', 'aria-label': this.drawn.getAttribute('aria-label'), width: this.drawn.width, height: this.drawn.height })
      copy.getContext('2d').drawImage(this.drawn, 0, 0)
    } else {
      copy = h('img', { alt: this.drawn.alt, src: this.drawn.src })
    }
    fill($('zoom-room'), copy)
    $('zoom').showModal()
  },
}

// differ draws the later picture with what is the same in both faded, and returns
// which part of it changed.
async function differ(before, after, canvas) {
  const [a, b] = await Promise.all([createImageBitmap(blobOf(before)), createImageBitmap(blobOf(after))])
  const w = canvas.width = b.width, hgt = canvas.height = b.height
  const read = (bitmap) => {
    const c = new OffscreenCanvas(w, hgt).getContext('2d', { willReadFrequently: true })
    c.drawImage(bitmap, 0, 0)
    return c.getImageData(0, 0, w, hgt)
  }
  const old = read(a).data, now = read(b), px = now.data
  let changed = 0
  for (let i = 0; i < px.length; i += 4) {
    if (Math.abs(px[i] - old[i]) + Math.abs(px[i + 1] - old[i + 1]) + Math.abs(px[i + 2] - old[i + 2]) > 24) {
      changed++
      continue
    }
    const grey = 224 + (px[i] * 0.3 + px[i + 1] * 0.59 + px[i + 2] * 0.11) / 10
    px[i] = px[i + 1] = px[i + 2] = Math.min(250, grey)
  }
  canvas.getContext('2d').putImageData(now, 0, 0)
  a.close()
  b.close()
  return changed / (w * hgt)
}
