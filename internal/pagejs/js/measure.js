// measure(lib, MeasureArgs) -> Measured: what an action needs to know of an element, scrolled into view; arms the hit listener where asked.
async (lib, args) => {
  if (args.pause) await lib.pause(args.pause)
  const { el, text, gone, line } = lib.target(args)
  if (gone) return { gone, line: line ?? '' }
  const modal = lib.modal(el)
  const m = {
    line: lib.line(el), role: lib.role(el), tag: lib.tag(el), type: lib.tag(el) === 'input' ? lib.prop(el, 'type') : '',
    hidden: lib.why(el), disabled: lib.disabledBy(el), inert: lib.inert(el), modal: modal === null ? '' : lib.line(modal),
    checked: lib.checked(el), version: lib.version(),
  }
  if (!args.pointer) {
    if (m.hidden === '' && args.scroll) lib.call(el, 'scrollIntoView', { block: 'center', inline: 'center', behavior: 'instant' })
    return m
  }
  if (args.hover) lib.hovered = true
  m.wary = lib.hovered === true
  // A control that nobody sees is pressed through its painted label.
  const boxed = m.tag === 'input' && ['checkbox', 'radio', 'file'].includes(m.type)
  const labels = boxed ? lib.labels(el).filter((l) => lib.visible(l)) : []
  if (m.hidden !== '' && lib.tag(el) !== 'area' && labels.length === 0) return m
  if (m.disabled !== '' || m.inert) return m
  const was = lib.box(el)
  const before = lib.rect(el)
  const recorded = was !== null && was.x === before.x && was.y === before.y && was.w === before.w && was.h === before.h
  // What swings is at one place again and again without being at rest.
  m.still = recorded && lib.now() - was.at >= 16 && !lib.moves(el)
  let p = m.hidden === '' || lib.tag(el) === 'area' ? lib.point(el, { at: args.at, text, calm: args.pause > 0 }) : null
  let hit = el
  for (const label of labels) {
    if (args.at || (p !== null && p.ok)) break
    const q = lib.point(label, { calm: args.pause > 0 })
    if (q === null || !q.ok) continue
    p = q
    hit = label
  }
  if (!m.still || (p !== null && p.scrolled)) {
    m.still = await lib.still(hit, recorded && hit === el && !p?.scrolled ? was : undefined)
    if (!lib.attached(el)) return { gone: 'detached', line: m.line }
    if (p !== null && p.ok && m.still) {
      const r = lib.on(hit, p.x, p.y)
      p = { ...p, ok: r.ok, top: r.top }
    }
  }
  lib.record(el)
  m.box = lib.rect(el)
  m.hidden = m.hidden !== '' && p !== null && p.ok ? '' : m.hidden
  if (p === null) return { ...m, outside: true }
  m.point = { x: p.x, y: p.y }
  m.hit = p.ok
  m.scrolled = p.scrolled === true
  m.via = hit === el ? '' : 'label'
  if (!p.ok && p.top !== null) {
    m.cover = lib.line(p.top)
    m.ancestor = lib.contains(p.top, el)
  }
  if (p.ok && m.still && args.arm) m.token = lib.arm(p.as ?? el)
  return m
}
