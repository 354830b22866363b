// lib_read(lib): one document as the tree of Go's Doc, and what of it was not told the last time.
(lib) => {
  // What was answered last, so that what has not changed need not travel again.
  let last = null
  const wholeLimit = 25000 // elements and texts: what a reading of a page may cost
  const read = (args) => {
    lib.fresh()
    const whole = args.whole || args.query !== undefined || args.scope > 0
    const limit = args.limit || (whole ? Infinity : wholeLimit)
    const reading = { work: 0, next: 500, limit, until: lib.now() + 3000, files: false, may: args.query === undefined ? null : lib.mayMatch(args.query), hints: null }
    lib.beginKept(!whole)
    for (const r of lib.rootsMet()) if (lib.all(r, 'input[type=file]').length > 0) reading.files = true
    const at = { text: true, inner: false, veil: false, live: false, row: null, mute: false, more: 0, depth: 0, anew: false }
    const scope = args.scope ? lib.node(args.scope) : null
    const root = args.scope ? scope : lib.documentElement()
    const doc = facts(args)
    if (root === null) return { ...doc, ver: lib.version() }
    if (scope !== null) {
      for (let p = lib.parentElement(scope); p !== null; p = lib.parentElement(p)) if (lib.isRow(p, lib.tag(p))) { at.row = p; break }
    }
    let tree = lib.visit(root, at, reading)
    if (at.more > 0) doc.more = at.more
    doc.ver = lib.version()
    const modal = lib.topModal()
    if (modal !== null) doc.modal = lib.number(modal)
    const over = lib.topPopover()
    if (over !== null) doc.over = lib.number(over)
    lib.endKept()
    if (args.query !== undefined) tree = lib.matching(tree, args.query)
    if (whole) return { ...doc, l: lib.lines(tree) }
    const known = last !== null && args.doc === lib.doc && args.since === last.ver && last.limit === limit
    const changes = known || last !== null && last.ver === doc.ver ? lib.changes(tree, last.tree) : null
    const same = changes !== null && lib.asBefore(changes, tree, last.tree)
    if (last !== null && last.ver === doc.ver && !same) {
      lib.touch()
      doc.ver = lib.version()
    }
    if (known && same && last.more === doc.more) {
      last.tree = tree
      return { ...doc, ver: last.ver, same: true }
    }
    last = { ver: doc.ver, limit, tree, more: doc.more }
    return known && args.delta ? { ...doc, delta: true, l: lib.lines(changes) } : { ...doc, l: lib.lines(tree) }
  }
  const facts = (args) => {
    const v = lib.viewport()
    const s = lib.scrolling() || lib.documentElement()
    const doc = { doc: lib.doc, url: lib.prop(lib.document, 'URL'), title: lib.fold(lib.docTitle() || '').slice(0, 1000), ready: lib.ready() }
    if (s && v.h > 0) {
      const y = lib.window.scrollY
      const up = Math.round((y / v.h) * 10) / 10
      const down = Math.round(((lib.prop(s, 'scrollHeight') - v.h - y) / v.h) * 10) / 10
      if (up > 0) doc.up = up
      if (down > 0) doc.down = down
    }
    if (args.hit) doc.hit = lib.hit(args.hit)
    if (lib.took()) doc.took = true
    const refused = lib.refused()
    if (refused !== null) doc.refused = refused
    return doc
  }
  lib.walk = (args) => {
    const go = () => {
      if (args.quiet) return { ...facts(args), ver: lib.version() }
      const doc = read(args)
      lib.readNow()
      return doc
    }
    if (args.settle && lib.changedSinceReading()) return lib.settle(args.settle).then(go)
    return go()
  }
}
