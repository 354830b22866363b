// audit_rows(lib, AuditRowsArgs) -> AuditRows: elements that an audit found, as a map would say them, and where they stand; reads.
(lib, { doc, nodes }) => {
  if (doc !== lib.doc) return { gone: 'document-changed' }
  // A path by positions up to the nearest id: no attribute in it but the id, so no value of the page's fields.
  const path = (el) => {
    const steps = []
    for (let e = el; e !== null && steps.length < 6; ) {
      const hint = lib.hint(e)
      if (hint !== '' && !hint.includes('[name=')) {
        steps.unshift(hint)
        break
      }
      const tag = /^[\w-]{1,40}$/.test(lib.tag(e)) ? lib.tag(e) : '*'
      const up = lib.nodeParent(e)
      const same = up === null ? [] : lib.childNodes(up).filter((n) => lib.isElement(n) && lib.tag(n) === lib.tag(e))
      steps.unshift(same.length > 1 && tag !== '*' ? `${tag}:nth-of-type(${same.indexOf(e) + 1})` : tag)
      e = up !== null && lib.isElement(up) ? up : null
    }
    return steps.join(' > ')
  }
  const rows = []
  for (const n of nodes) {
    const el = lib.node(n)
    if (el === null || !lib.attached(el)) continue
    rows.push({ ...lib.row(el, lib.visible(el), false), path: path(el) })
  }
  return { doc: lib.doc, rows }
}
