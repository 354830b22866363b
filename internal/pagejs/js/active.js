// active(lib, {}) -> Focused: what has the focus in this document; reads.
(lib) => {
  const now = lib.active()
  if (now === null || now === undefined || now === lib.body() || now === lib.documentElement()) return { doc: lib.doc }
  const frame = lib.tag(now) === 'iframe' || lib.tag(now) === 'frame'
  return {
    doc: lib.doc, active: lib.line(now), frame: frame ? lib.number(now) : 0,
    editable: lib.editKind(now) !== '' && !lib.readonly(now) && !lib.disabled(now), secret: lib.secret(now),
  }
}
