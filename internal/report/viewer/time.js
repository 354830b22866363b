'use strict'
// The timeline: pictures, actions, messages and requests over time, with the long
// pauses folded. It is a slider over the actions for those who use keys.

const time = {
  start() {
    this.box = $('slider')
    this.canvas = this.box.querySelector('canvas')
    this.thumbs = [] // bitmaps with the time of each
    new ResizeObserver(() => this.draw()).observe(this.box)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.draw())
    this.box.addEventListener('pointerdown', (e) => {
      this.drags = true
      this.box.setPointerCapture(e.pointerId)
      this.at(e)
    })
    this.box.addEventListener('pointermove', (e) => this.drags && this.at(e))
    for (const end of ['pointerup', 'pointercancel']) this.box.addEventListener(end, () => { this.drags = false })
    this.box.addEventListener('keydown', (e) => {
      const move = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageUp: 10, PageDown: -10, Home: -rows.length, End: rows.length }[e.key]
      if (move === undefined || e.ctrlKey || e.metaKey || e.altKey || !rows.length) return
      e.preventDefault()
      choose(Math.max(0, Math.min(rows.length - 1, list.chosen + move)))
    })
    this.film()
  },

  // film decodes a few pictures, small, when there is time for it.
  film() {
    const idle = window.requestIdleCallback ?? ((f) => setTimeout(f, 60))
    const with_ = rows.filter((r) => r.after >= 0 || r.before >= 0)
    const n = Math.min(14, with_.length)
    const todo = Array.from({ length: n }, (_, k) => with_[Math.floor(k * with_.length / n)])
    const next = async () => {
      const r = todo.shift()
      if (!r) return
      try {
        const bitmap = await createImageBitmap(blobOf(r.after >= 0 ? r.after : r.before), { resizeHeight: 80, resizeQuality: 'medium' })
        this.thumbs.push({ t: r.t + Math.max(0, r.d), bitmap })
        this.draw()
      } catch { /* a picture that the browser cannot read is shown as missing elsewhere */ }
      idle(next)
    }
    idle(next)
  },

  // x is where a time stands, from 0 to 1.
  x(t) {
    const k = trace.scale
    if (!k.length) return 0
    let lo = 0, hi = k.length - 1
    if (t <= k[0][0]) return k[0][1]
    if (t >= k[hi][0]) return k[hi][1]
    while (hi - lo > 1) {
      const mid = (lo + hi) >> 1
      if (k[mid][0] <= t) lo = mid
      else hi = mid
    }
    const [t0, x0] = k[lo], [t1, x1] = k[hi]
    return t1 > t0 ? x0 + (x1 - x0) * (t - t0) / (t1 - t0) : x0
  },

  at(e) {
    if (!rows.length) return
    const box = this.box.getBoundingClientRect()
    const x = (e.clientX - box.left) / box.width
    let best = 0, near = Infinity
    rows.forEach((r, i) => {
      const a = this.x(r.t), b = this.x(r.t + Math.max(0, r.d))
      const d = x < a ? a - x : x > b ? x - b : 0
      if (d < near || (d === near && r.step)) {
        near = d
        best = i
      }
    })
    if (best !== list.chosen) choose(best)
  },

  colour(name) {
    this.probe ??= document.body.appendChild(h('span', { hidden: true }))
    this.probe.style.color = `var(--${name})`
    return getComputedStyle(this.probe).color
  },

  draw() {
    const w = this.box.clientWidth, hgt = this.box.clientHeight, dpr = devicePixelRatio || 1
    if (!w) return
    this.canvas.width = Math.round(w * dpr)
    this.canvas.height = Math.round(hgt * dpr)
    const c = this.canvas.getContext('2d')
    c.scale(dpr, dpr)
    const col = Object.fromEntries(['sunk', 'line', 'accent', 'bad', 'warn', 'soft', 'text', 'accent-soft', 'edge'].map((n) => [n, this.colour(n)]))
    const film = hgt - 44
    const px = (t) => this.x(t) * (w - 12) + 6
    c.fillStyle = col.sunk
    c.fillRect(0, 0, w, hgt)
    this.pauses(c, w, hgt, col)
    this.pictures(c, px, film, w, col)
    const r = rows[list.chosen]
    if (r) {
      c.fillStyle = col['accent-soft']
      const a = px(r.t), b = px(r.t + Math.max(0, r.d))
      c.fillRect(a - 3, film, Math.max(6, b - a + 6), hgt - film)
    }
    rows.forEach((q, i) => {
      if (q.step) return
      const a = px(q.t), b = px(q.t + Math.max(0, q.d))
      c.fillStyle = q.state === 'failed' ? col.bad : i === list.chosen ? col.text : col.accent
      c.fillRect(a, film + 6, Math.max(2, b - a - 1), 12)
    })
    for (const [t, bad] of trace.ticks) {
      c.fillStyle = bad ? col.bad : col.warn
      c.fillRect(px(t) - 1, film + 22, 2, 6)
    }
    for (const [t0, t1, bad] of trace.spans) {
      c.fillStyle = bad ? col.bad : col.soft
      c.fillRect(px(t0), film + 32, Math.max(2, px(t1) - px(t0)), 4)
    }
    if (r) {
      c.fillStyle = col.text
      c.fillRect(px(r.t) - 1, 0, 2, hgt)
    }
  },

  // pauses are the times that are folded: hatched, with how long each was.
  pauses(c, w, hgt, col) {
    c.font = '11px system-ui, sans-serif'
    c.textAlign = 'center'
    for (const [x0, x1, ms] of trace.pauses) {
      const a = x0 * (w - 12) + 6, b = x1 * (w - 12) + 6
      c.strokeStyle = col.line
      c.lineWidth = 1
      c.save()
      c.beginPath()
      c.rect(a, 0, b - a, hgt)
      c.clip()
      c.beginPath()
      for (let x = a - hgt; x < b; x += 7) {
        c.moveTo(x, hgt)
        c.lineTo(x + hgt, 0)
      }
      c.stroke()
      c.restore()
      if (b - a > 44) {
        c.fillStyle = col.soft
        c.fillText(span(ms), (a + b) / 2, hgt - 30)
      }
    }
  },

  pictures(c, px, film, w, col) {
    const high = film - 6
    if (high < 16) return
    let free = -Infinity
    for (const { t, bitmap } of [...this.thumbs].sort((a, b) => a.t - b.t)) {
      const wide = bitmap.width * high / bitmap.height
      const x = Math.max(4, Math.min(w - wide - 4, px(t) - wide / 2))
      if (x < free + 4) continue
      c.drawImage(bitmap, x, 3, wide, high)
      c.strokeStyle = col.edge
      c.strokeRect(x + 0.5, 3.5, wide - 1, high - 1)
      free = x + wide
    }
  },

  show(i) {
    const r = rows[i]
    this.box.setAttribute('aria-valuenow', i + 1)
    this.box.setAttribute('aria-valuetext', r ? `action ${r.n} of ${rows.length}: ${r.verb} ${r.what}, ${stateWord[r.state]}` : 'no action')
    this.draw()
  },
}
