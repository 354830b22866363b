// lib_keep(lib): what a reading takes over from the reading before: rows in which nothing changed.
//
// A row is kept where all that it says follows from itself: no value that script can set, no name from elsewhere, every
// element of it shown. It is taken over where no mutation was in it, none of an attribute above it, the pointer and the
// focus are and were elsewhere, and every element of it is still shown. lib.outside counts what was asked that such a
// row may not ask.
(lib) => {
  let kept = new WeakMap() // row -> {list, work, hints, under}
  let dirty = new WeakSet() // a mutation was in it
  let fresh = new WeakSet() // what is in it counts as changed: it was added, or has another attribute
  let left = 5000 // records that are worth a look before the next reading
  let world = '' // what any row may depend on
  let hot = new Set() // under the pointer or around the focus, at the reading before
  let now = new Set()
  let may = false
  const touched = (node) => {
    for (let n = node; n !== null && !dirty.has(n); n = lib.above(n)) dirty.add(n)
  }
  const sheet = new Set(['STYLE', 'LINK', 'HEAD', 'BASE', 'META'])
  lib.outside = 0
  lib.forget = () => {
    left = 0
  }
  lib.mutated = (records) => {
    for (let i = 0; i < records.length && left > 0; i++) {
      left--
      const r = records[i]
      const node = r.target
      touched(node)
      if (r.type === 'attributes') fresh.add(node)
      else if (r.type === 'characterData') {
        const p = lib.above(node)
        if (p !== null && sheet.has(lib.nodeName(p))) left = 0
        continue
      } else {
        const added = r.addedNodes
        for (let k = 0; k < added.length; k++) {
          fresh.add(added[k])
          if (sheet.has(lib.nodeName(added[k]))) left = 0
        }
      }
      if (sheet.has(lib.nodeName(node))) left = 0
    }
  }
  // begin looks what a reading may take over; usual: it is of the whole page, as most are.
  lib.beginKept = (usual) => {
    lib.version()
    may = usual
    if (!usual) return
    const v = lib.viewport()
    const is = `${lib.doc} ${lib.prop(lib.document, 'baseURI')} ${v.w} ${v.h} ${lib.rules()} ${lib.rootsMet().length}`
    now = new Set(lib.all(lib.document, ':hover'))
    for (let e = lib.activeNow(); e !== null; e = lib.parentElement(e)) now.add(e)
    if (is !== world || left <= 0 || lib.owning()) kept = new WeakMap()
    world = is
  }
  lib.endKept = () => {
    if (!may) return
    hot = now
    dirty = new WeakSet()
    fresh = new WeakSet()
    left = 5000
  }
  lib.altered = (node) => !may || left <= 0 || dirty.has(node)
  lib.anew = (el) => may && fresh.has(el)
  lib.kept = (row, at) => {
    if (!may || at.anew || fresh.has(row)) return null
    const k = kept.get(row)
    if (k === undefined) return null
    if (dirty.has(row) || hot.has(row) || now.has(row) || k.live !== at.live || k.veil !== at.veil || k.text !== at.text || k.inner !== at.inner || k.under !== lib.nodeParent(row) || !lib.shownBelow(row)) return null
    for (const [el, hint] of k.hints) if (lib.hint(el) !== hint) return null
    return k
  }
  // keep keeps what a row says, or forgets what it said where list is null.
  lib.keep = (row, at, list, work, hints) => {
    if (list === null) kept.delete(row)
    else if (may) kept.set(row, { list, work, hints, live: at.live, veil: at.veil, text: at.text, inner: at.inner, under: lib.nodeParent(row) })
  }
}
