// twin(lib, TwinArgs) -> bool: the element is gone from the page, and what was hit is, or stands in, one that reads the same; reads.
(lib, { node, doc, hit, line }) => {
  if (doc !== lib.doc) return false
  const old = lib.node(node)
  if (old !== null && lib.attached(old)) return false
  for (let el = lib.node(hit), i = 0; el !== null && lib.isElement(el) && i < 6; el = lib.parent(el), i++) {
    if (lib.line(el) === line) return true
  }
  return false
}
