// lib_act(lib): part of the page library: what an action must know of its element, and the point to press.
//
//   lib.target({node, doc, stamp}) -> {el, text} or {gone}   gone: document-changed, detached, changed
//   lib.line(el)         as the map would say it: button "Save" #save
//   lib.control(el)      the control that el is, is part of, or labels; else null
//   lib.why(el, keys)    why a person does not see it, '' when visible; keys: why it takes none, '' when rendered
//   lib.disabledBy(el)   '' | disabled | fieldset | aria-disabled
//   lib.checked(el)      'true', 'false', 'mixed', or '' where it cannot be checked
//   lib.modal(el)        the open modal dialog that makes el inert, or null
//   lib.pause(ms)        promise: the document changed, or ms passed
//   lib.still(el, was)   promise: its box is the same a frame later, or a frame after was was recorded
//   lib.deepest(x, y)    what is on top there, through open shadow roots
//   lib.on(el, x, y)     {ok, nested, top}: would a press there be one on el
//   lib.point(el, {at, text, calm}) -> {x, y, ok, top, scrolled}: scrolls until a press would hit el
(lib) => {
  const view = lib.window
  const CONTROLS =
    'a[href],area[href],button,input,select,textarea,summary,option,label,[contenteditable=""],[contenteditable="true"],' +
    ['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'menuitemcheckbox', 'menuitemradio', 'option', 'textbox', 'combobox', 'slider', 'spinbutton', 'treeitem']
      .map((r) => `[role="${r}"]`)
      .join(',')
  const CHECKED = new Set(['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio', 'option', 'treeitem'])
  const fromPoint = { doc: Document.prototype.elementFromPoint, root: ShadowRoot.prototype.elementFromPoint }

  const cut = (s, n) => {
    const all = Array.from(s)
    return all.length > n ? all.slice(0, n - 1).join('') + '…' : s
  }

  lib.target = ({ node, doc, stamp }) => {
    if (doc !== lib.doc) return { gone: 'document-changed' }
    const found = lib.node(node)
    if (found === null || !lib.attached(found)) return { gone: 'detached' }
    const text = lib.isText(found) ? found : null
    const el = text === null ? found : lib.nodeParent(text)
    if (stamp && lib.stamp(found) !== stamp) return { gone: 'changed', line: lib.line(el) }
    return { el, text }
  }

  // word is a name that the page chose where it is one word: a tag may hold almost anything.
  lib.word = (s) => (/^[\w.:-]{1,60}$/.test(s) ? s : 'element')
  lib.line = (el) => {
    const role = lib.role(el)
    const name = lib.secret(el) || !lib.withinSecret(el) ? lib.name(el) || lib.text(el) : ''
    const parts = [role === 'generic' || role === 'none' || role === '' ? lib.word(lib.tag(el)) : role]
    if (name !== '') parts.push(JSON.stringify(cut(name, 60)))
    const hint = lib.hint(el)
    if (hint) parts.push(hint)
    return parts.join(' ')
  }

  const labelled = (label) => {
    const control = lib.tag(label) === 'label' ? lib.prop(label, 'control') : null
    return control === undefined ? null : control
  }
  lib.control = (el) => {
    const c = lib.closest(el, CONTROLS)
    if (c === null) return null
    return lib.tag(c) === 'label' ? labelled(c) : c
  }

  lib.why = (el, keys) => {
    if (keys ? lib.rendered(el) : lib.visible(el)) return ''
    for (let n = el; n !== null; n = lib.parent(n)) {
      if (lib.isElement(n) && lib.style(n).display === 'none') return 'display: none' + (n === el ? '' : ' on ' + lib.line(n))
    }
    if (lib.style(el).visibility !== 'visible') return 'visibility: ' + lib.style(el).visibility
    return 'it has no size'
  }

  lib.disabledBy = (el) => {
    const control = lib.control(el)
    for (const e of control === null || control === el ? [el] : [el, control]) {
      if (!lib.disabled(e)) continue
      if (lib.has(e, 'disabled')) return 'disabled'
      return lib.matches(e, ':disabled') ? 'fieldset' : 'aria-disabled'
    }
    return ''
  }

  lib.checked = (el) => {
    const type = lib.tag(el) === 'input' ? lib.prop(el, 'type') : ''
    if (type === 'checkbox' || type === 'radio') return lib.prop(el, 'indeterminate') ? 'mixed' : String(lib.prop(el, 'checked'))
    if (lib.tag(el) === 'option') return lib.chosenSecretly(el) ? '' : String(lib.prop(el, 'selected'))
    if (!CHECKED.has(lib.role(el))) return ''
    const v = lib.attr(el, 'aria-checked')
    return v === 'true' || v === 'mixed' ? v : 'false'
  }

  lib.modal = (el) => {
    const top = lib.topModal()
    return top === null || lib.contains(top, el) ? null : top
  }

  lib.pause = async (ms) => {
    const before = lib.version()
    const end = lib.now() + ms
    while (lib.now() < end && lib.version() === before) await lib.frame()
    lib.fresh()
  }

  // Animations that do not touch the box do not count.
  const PAINT = /^(offset|computedOffset|easing|composite|opacity|visibility|filter|backdropFilter|fill|stroke|.*[cC]olor|background.*|.*[sS]hadow|outline.*)$/
  const animations = Document.prototype.getAnimations
  lib.moves = (el) =>
    animations.call(lib.document).some((a) => {
      if (a.playState !== 'running' || !a.effect?.target || !lib.contains(a.effect.target, el)) return false
      return a.effect.getKeyframes().some((k) => Object.keys(k).some((name) => !PAINT.test(name)))
    })
  const realFrame = () =>
    lib.callbacks
      ? new Promise((done) => {
          lib.wait(300).then(() => done(false))
          view.requestAnimationFrame(() => done(true))
        })
      : lib.wait(20).then(() => true)
  // Compares the box over a frame, from a box recorded before where there is one; where an animation
  // runs, over three frames that are really drawn.
  lib.still = async (el, was) => {
    const a = was ?? lib.rect(el)
    const same = () => {
      const b = lib.rect(el)
      return a.x === b.x && a.y === b.y && a.w === b.w && a.h === b.h
    }
    if (lib.moves(el)) {
      for (let i = 0; i < 3; i++) if (!(await realFrame()) || !same()) return false
    } else {
      const end = (was?.at ?? lib.now()) + 16
      if (was === undefined) await lib.frame()
      const left = end - lib.now()
      if (left > 0) await lib.wait(left)
    }
    lib.fresh()
    return same()
  }

  lib.deepest = (x, y) => {
    let top = fromPoint.doc.call(lib.document, x, y)
    while (top !== null) {
      const root = lib.shadow(top)
      const inner = root ? fromPoint.root.call(root, x, y) : null
      if (inner === null || inner === top || lib.root(inner) !== root) break
      top = inner
    }
    return top
  }

  // Between top and outer: something that a press there would act on instead.
  const between = (top, outer) => {
    for (let n = top; n !== null && n !== outer; n = lib.parent(n)) {
      if (lib.isElement(n) && lib.matches(n, CONTROLS)) return true
    }
    return false
  }
  const mapOf = (area) => {
    const name = lib.attr(lib.closest(area, 'map') ?? area, 'name') ?? ''
    for (const img of lib.all(lib.root(area), 'img[usemap],object[usemap]')) {
      if ((lib.attr(img, 'usemap') ?? '').slice(1) === name && name !== '') return img
    }
    return null
  }
  lib.on = (el, x, y) => {
    const top = lib.deepest(x, y)
    if (top === null) return { ok: false, top }
    if (lib.contains(el, top)) return { ok: true, nested: top !== el && between(top, el), top, as: lib.tag(el) === 'label' ? labelled(el) ?? el : lib.closest(el, 'button') ?? el }
    const label = lib.closest(top, 'label')
    if (label !== null && lib.labels(el).includes(label) && !between(top, label)) return { ok: true, top }
    const own = labelled(el)
    if (own !== null && lib.contains(own, top)) return { ok: true, top, as: own }
    if (lib.tag(el) === 'area' && mapOf(el) === top) return { ok: true, top }
    // Decoration that lets the pointer through to the control that it belongs to.
    const owner = lib.closest(el, CONTROLS)
    if (owner !== null && owner !== el && lib.style(el).pointerEvents === 'none' && lib.contains(owner, top) && !between(top, owner)) return { ok: true, top, as: owner }
    return { ok: false, top }
  }

  const areaBox = (area) => {
    const img = mapOf(area)
    if (img === null) return []
    const r = lib.rect(img)
    const shape = (lib.attr(area, 'shape') ?? 'rect').toLowerCase()
    const c = (lib.attr(area, 'coords') ?? '').split(',').map(Number)
    if (shape === 'default' || c.length < 3 || c.some(Number.isNaN)) return [r]
    if (shape.startsWith('circ')) return [{ x: r.x + c[0] - c[2] / 2, y: r.y + c[1] - c[2] / 2, w: c[2], h: c[2] }]
    const xs = c.filter((_, i) => i % 2 === 0)
    const ys = c.filter((_, i) => i % 2 === 1)
    const x = Math.min(...xs)
    const y = Math.min(...ys)
    return [{ x: r.x + x, y: r.y + y, w: Math.max(...xs) - x, h: Math.max(...ys) - y }]
  }
  const boxes = (el, text) => {
    if (text) return lib.textRects(text)
    if (lib.tag(el) === 'area') return areaBox(el)
    return lib.areas(el, 20)
  }
  const clip = (r) => {
    const x = Math.max(r.x, 0)
    const y = Math.max(r.y, 0)
    return { x, y, w: Math.min(r.x + r.w, view.innerWidth) - x, h: Math.min(r.y + r.h, view.innerHeight) - y }
  }
  // Where to try: the middle of what is in view of each box, then a grid over each.
  const GRID = [0.5, 0.25, 0.75, 0.1, 0.9, 0.03, 0.97]
  const spots = (el, { at, text }) => {
    if (at) {
      const r = lib.rect(el)
      const p = { x: r.x + at.x, y: r.y + at.y }
      return p.x >= 0 && p.y >= 0 && p.x < view.innerWidth && p.y < view.innerHeight ? [p] : []
    }
    const seen = boxes(el, text).slice(0, 20).map(clip).filter((r) => r.w > 0.5 && r.h > 0.5)
    const middles = seen.map((r) => ({ x: r.x + r.w / 2, y: r.y + r.h / 2 }))
    const rest = []
    for (const r of seen.slice(0, 4)) {
      for (const gy of GRID) for (const gx of GRID) rest.push({ x: r.x + r.w * gx, y: r.y + r.h * gy })
    }
    return middles.concat(rest)
  }

  const bring = (el, at, block) => {
    lib.call(el, 'scrollIntoView', { block, inline: block === 'nearest' ? 'nearest' : 'center', behavior: 'instant' })
    if (!at) return
    const r = lib.rect(el)
    const [x, y] = [r.x + at.x, r.y + at.y]
    if (x < 0 || y < 0 || x >= view.innerWidth || y >= view.innerHeight) view.scrollBy({ left: x - view.innerWidth / 2, top: y - view.innerHeight / 2, behavior: 'instant' })
  }
  const look = (el, opts) => {
    let second = null
    let cover = null
    const firm = lib.matches(el, CONTROLS)
    for (const p of spots(el, opts)) {
      const r = lib.on(el, p.x, p.y)
      if (r.ok && !r.nested) return { ...p, ok: true, top: r.top, as: r.as }
      if (r.ok && second === null) second = { ...p, ok: !firm || opts.at !== undefined, top: r.top, as: r.as }
      if (!r.ok && cover === null) cover = { ...p, ok: false, top: r.top }
    }
    return second ?? cover
  }
  lib.point = (el, opts) => {
    let found = look(el, opts)
    for (const block of opts.calm ? ['center'] : ['center', 'end', 'start', 'nearest']) {
      if (found !== null && found.ok) return found
      bring(el, opts.at, block)
      const again = look(el, opts)
      if (again !== null) found = { ...again, scrolled: true }
    }
    if (found !== null && !found.ok && !opts.calm) bring(el, opts.at, 'center')
    return found
  }
}
