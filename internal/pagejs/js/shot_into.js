// shot_into(lib, ShotIntoArgs) -> ShotInto: brings an element into what its scroll containers show, for a picture of it, and with back puts them where they were.
(lib, { node, doc, stamp, view, back }) => {
  if (back) {
    if (doc === lib.doc) for (const [el, x, y] of lib.shotMoved ?? []) lib.call(el, 'scrollTo', { left: x, top: y, behavior: 'instant' })
    lib.shotMoved = undefined
    return {}
  }
  const { el, gone, line } = lib.target({ node, doc, stamp })
  if (gone) return { gone, line: line ?? '' }
  const scrolling = lib.scrolling() ?? lib.documentElement()
  const inside = (r, x, y, w, h) => r.x >= x - 1 && r.y >= y - 1 && r.x + r.w <= x + w + 1 && r.y + r.h <= y + h + 1
  const around = []
  let clipped = false
  const rect = lib.rect(el)
  for (let e = lib.parentElement(el); e !== null; e = lib.parentElement(e)) {
    if (e === scrolling || e === lib.body() || e === lib.documentElement()) continue
    const style = lib.style(e)
    if (style.overflowX === 'visible' && style.overflowY === 'visible') continue
    if (lib.prop(e, 'scrollWidth') <= lib.prop(e, 'clientWidth') && lib.prop(e, 'scrollHeight') <= lib.prop(e, 'clientHeight')) continue
    around.push(e)
    const r = lib.rect(e)
    if (!inside(rect, r.x, r.y, r.w, r.h)) clipped = true
  }
  const { w, h } = lib.viewport()
  if (view && !inside(rect, 0, 0, w, h)) clipped = true
  if (clipped) {
    around.push(scrolling)
    const before = around.map((e) => [e, lib.prop(e, 'scrollLeft'), lib.prop(e, 'scrollTop')])
    // Not by scrollIntoView, which would scroll the documents around this one too.
    for (const e of around) {
      const r = lib.rect(el)
      const c = e === scrolling ? { x: 0, y: 0, w, h } : lib.rect(e)
      if (e === scrolling && !view) continue
      const by = (from, size, start, room) => (from < start ? from - start : from + size > start + room ? Math.min(from - start, from + size - start - room) : 0)
      const [dx, dy] = [by(r.x, r.w, c.x, c.w), by(r.y, r.h, c.y, c.h)]
      if (dx !== 0 || dy !== 0) lib.call(e, 'scrollTo', { left: lib.prop(e, 'scrollLeft') + dx, top: lib.prop(e, 'scrollTop') + dy, behavior: 'instant' })
    }
    lib.shotMoved = before.filter(([e, x, y]) => lib.prop(e, 'scrollLeft') !== x || lib.prop(e, 'scrollTop') !== y)
  }
  lib.fresh()
  const now = lib.rect(el)
  // What of it the containers show.
  let [x0, y0, x1, y1] = [now.x, now.y, now.x + now.w, now.y + now.h]
  const whole = [x0, y0, x1, y1].join()
  for (const e of around) {
    if (e === scrolling) continue
    const r = lib.rect(e)
    ;[x0, y0, x1, y1] = [Math.max(x0, r.x), Math.max(y0, r.y), Math.min(x1, r.x + r.w), Math.min(y1, r.y + r.h)]
  }
  const shown = { x: x0, y: y0, w: Math.max(0, x1 - x0), h: Math.max(0, y1 - y0) }
  return { box: shown, line: lib.line(el), moved: (lib.shotMoved ?? []).length > 0, cut: whole !== [x0, y0, x1, y1].join() }
}
