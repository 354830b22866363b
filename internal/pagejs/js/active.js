// active(lib, {secret}) -> Focused: what has the focus in this document, and whether what was entered since this was last asked went into something secret; reads.
(lib, { secret }) => {
  const now = lib.active()
  const took = lib.took() || undefined
  lib.take(true)
  if (now === null || now === undefined || now === lib.body() || now === lib.documentElement()) return { doc: lib.doc, took }
  if (secret && lib.editKind(now) !== '') lib.enter(now)
  const frame = lib.tag(now) === 'iframe' || lib.tag(now) === 'frame'
  return {
    doc: lib.doc, active: lib.line(now), frame: frame ? lib.number(now) : 0,
    editable: lib.editKind(now) !== '' && !lib.readonly(now) && !lib.disabled(now), secret: lib.secret(now), took,
  }
}
