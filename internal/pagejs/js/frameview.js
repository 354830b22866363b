// frameview(lib, FrameViewArgs) -> FrameViewed: scrolls a frame's element until a point in its document is in view and on top.
(lib, args) => {
  const view = lib.window
  const { el, gone } = lib.target(args)
  if (gone) return { gone }
  const place = () => {
    const r = lib.rect(el)
    const s = lib.style(el)
    const px = (name) => Number.parseFloat(s[name]) || 0
    const w = lib.prop(el, 'offsetWidth') || r.w
    const h = lib.prop(el, 'offsetHeight') || r.h
    return {
      x: r.x + ((px('borderLeftWidth') + px('paddingLeft') + args.point.x) * r.w) / w,
      y: r.y + ((px('borderTopWidth') + px('paddingTop') + args.point.y) * r.h) / h,
    }
  }
  const seen = ({ x, y }) => x >= 0 && y >= 0 && x < view.innerWidth && y < view.innerHeight
  let p = place()
  let top = seen(p) ? lib.deepest(p.x, p.y) : null
  for (const block of args.calm ? ['center'] : ['center', 'end', 'start']) {
    if (top === el) break
    lib.call(el, 'scrollIntoView', { block, inline: 'center', behavior: 'instant' })
    p = place()
    if (!seen(p)) view.scrollBy({ left: p.x - view.innerWidth / 2, top: p.y - view.innerHeight / 2, behavior: 'instant' })
    p = place()
    top = seen(p) ? lib.deepest(p.x, p.y) : null
  }
  const w = lib.prop(el, 'offsetWidth')
  const scaled = w > 0 && Math.abs(lib.rect(el).w / w - 1) > 0.001
  return { line: lib.line(el), point: p, scaled, hit: top === el, cover: top === null || top === el ? '' : lib.line(top) }
}
