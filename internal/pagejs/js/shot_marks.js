// shot_marks(lib, ShotMarksArgs) -> ShotMarks: where a picture of the document is to be painted over or labelled; reads.
//
// A browser may lay the page out anew while it draws all of it, as the event of another size tells: then it is measured
// there too, and all that was measured since the first call is told by the second.
(lib, { nodes, take }) => {
  const box = (el) => {
    const r = lib.rect(el)
    let fixed = false
    for (let e = el; e !== null && !fixed; e = lib.parentElement(e)) fixed = /^(fixed|sticky|-webkit-sticky)$/.test(lib.style(e).position)
    return { x: r.x, y: r.y, w: r.w, h: r.h, fixed }
  }
  const measure = () => {
    lib.fresh()
    const masks = []
    const frames = []
    for (const root of lib.roots()) {
      for (const el of lib.all(root, lib.fields)) {
        if (lib.secret(el) && lib.filled(el) && lib.rectCount(el) > 0) masks.push(box(el))
      }
      for (const el of lib.all(root, 'iframe,frame,object,embed')) {
        const r = lib.rect(el)
        const wide = lib.prop(el, 'offsetWidth') || r.w
        const high = lib.prop(el, 'offsetHeight') || r.h
        const style = lib.style(el)
        const px = (name) => parseFloat(style[name]) || 0
        const [sx, sy] = [wide > 0 ? r.w / wide : 1, high > 0 ? r.h / high : 1]
        const [left, top] = [px('borderLeftWidth') + px('paddingLeft'), px('borderTopWidth') + px('paddingTop')]
        const [right, bottom] = [px('borderRightWidth') + px('paddingRight'), px('borderBottomWidth') + px('paddingBottom')]
        if (r.w > 0 && r.h > 0) {
          frames.push({ node: lib.number(el), ...box(el), x: r.x + left * sx, y: r.y + top * sy, w: r.w - (left + right) * sx, h: r.h - (top + bottom) * sy, sx, sy })
        }
      }
    }
    const marked = []
    for (const n of nodes ?? []) {
      const el = lib.node(n)
      if (el === null || !lib.attached(el)) continue
      const target = lib.isText(el) ? lib.nodeParent(el) : el
      if (lib.rectCount(target) > 0) marked.push({ node: n, ...box(target) })
    }
    const root = lib.scrolling() ?? lib.documentElement()
    const view = lib.window
    const size = lib.viewport()
    return {
      masks, frames, marked, dpr: view.devicePixelRatio, scroll: { x: view.scrollX, y: view.scrollY }, view: size,
      page: root === null ? { w: size.w, h: size.h } : { w: lib.prop(root, 'scrollWidth'), h: lib.prop(root, 'scrollHeight') }, // none: a document may be empty
    }
  }
  if (take) {
    const seen = [...(lib.shotSeen ?? []), measure()]
    lib.shotStop?.()
    return { doc: lib.doc, readings: seen }
  }
  const seen = (lib.shotSeen = [])
  lib.shotStop?.()
  const note = () => {
    if (seen.length < 8) seen.push(measure())
  }
  lib.window.addEventListener('resize', note, { capture: true, passive: true })
  lib.shotStop = () => {
    lib.window.removeEventListener('resize', note, { capture: true })
    lib.shotSeen = lib.shotStop = undefined
  }
  return { doc: lib.doc, readings: [measure()] }
}
