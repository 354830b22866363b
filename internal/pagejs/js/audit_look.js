// audit_look(lib, AuditLookArgs) -> AuditLook: what a document holds that bears on an audit: axe-core, and the frames in scope; reads.
(lib, { node, doc, stamp }) => {
  const head = node ? lib.target({ node, doc, stamp }) : {}
  if (head.gone) return { gone: head.gone, line: head.line ?? '' }
  const frames = []
  for (const root of lib.roots()) {
    for (const el of lib.all(root, 'iframe,frame,object,embed')) {
      if (head.el && head.el !== el && !lib.contains(head.el, el)) continue
      const rect = lib.rect(el)
      const given = (name, box) => {
        const n = parseInt(lib.attr(el, name) ?? '', 10)
        return Number.isNaN(n) ? box : n
      }
      const tab = parseInt(lib.attr(el, 'tabindex') ?? '', 10)
      frames.push({ node: lib.number(el), focusable: Number.isNaN(tab) || tab >= 0, width: given('width', rect.w), height: given('height', rect.h) })
    }
  }
  return { doc: lib.doc, ready: lib.axe !== undefined, frames }
}
