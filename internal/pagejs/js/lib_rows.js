// lib_rows(lib): part of the walk: rows of tables and items of lists, as few nodes as say the same.
(lib) => {
  const cells = new Set(['cell', 'gridcell', 'columnheader', 'rowheader'])
  // A row of text alone is one node named by its cells; otherwise cells of text stand together between what can be used.
  lib.walkRow = (w, el, role, at) => {
    const { append, visit, visitKids, flat, node, fill, give, isText, plainText, joined, cut } = w
    const parts = []
    const kids = []
    const say = (text, k, kr, veil) => {
      const last = parts[parts.length - 1]
      if (last !== undefined && last.cells) {
        last.text.push(text)
        kids[last.at].raw = last.text.filter((t) => t !== '').join(' | ')
      } else {
        parts.push({ cells: true, text: [text], at: kids.length })
        kids.push({ raw: text, cell: k, role: kr, at: k, el: k, open: false, live: at.live, veil, row: at.row })
      }
    }
    // A cell without attributes that holds a text alone is that text: most cells of most tables are so.
    const usual = at.text && !at.mute && !lib.owning() && lib.tag(el) === 'tr' && lib.isHTML(el) ? lib.usualCell(el) : ''
    for (const k of usual === '' ? flat(el) : lib.shallow(el)) {
      if (usual !== '') {
        const text = lib.plainCell(k)
        if (text !== null) {
          w.tick()
          w.tick()
          say(text, k, usual, at.veil)
          continue
        }
      }
      if (!lib.isElement(k)) continue
      const kr = usual !== '' && lib.tag(k) === 'td' && lib.bare(k) ? (lib.facts(k).role = usual) : lib.role(k)
      if (!cells.has(kr)) {
        append(kids, visit(k, at))
        continue
      }
      const tag = lib.tag(k)
      const how = lib.stands(k, tag)
      if (how === '') continue
      const shown = how === 'shown'
      w.tick()
      const inAt = { ...at, veil: at.veil || (tag !== 'td' && tag !== 'th' && lib.veils(k, shown)), mute: !shown && lib.invisible(k), more: 0, anew: at.anew || lib.anew(k) }
      const list = visitKids(k, inAt)
      at.more += inAt.more
      const states = lib.states(k)
      const clicks = lib.clickable(k)
      if (plainText(list) && states.length === 0 && !clicks) {
        say(lib.named(k) ? lib.name(k) : joined(list), k, kr, inAt.veil)
        continue
      }
      parts.push({ cells: false })
      if (plainText(list)) {
        const n = fill(node(k, clicks ? 'control' : 'item', kr, inAt), k, kr)
        const text = joined(list)
        if (n.n === undefined && text !== '') n.n = cut(text)
        kids.push(n)
      } else kids.push(...list.filter((n) => !isText(n) || lib.fold(n.raw) !== ''))
    }
    const states = lib.states(el)
    const clicks = lib.clickable(el)
    const n = node(el, clicks ? 'control' : 'item', role, at)
    if (states.length > 0) n.s = states
    if (plainText(kids)) {
      const text = lib.named(el) ? lib.name(el) : kids.map((x) => lib.fold(x.raw)).filter((t) => t !== '').join(' | ')
      if (text === '') return []
      n.n = cut(text)
      return [n]
    }
    if (lib.named(el)) n.n = cut(lib.name(el))
    n.k = 'container'
    const out = []
    for (const x of kids) {
      if (!isText(x) || x.cell === undefined) {
        out.push(x)
        continue
      }
      const text = lib.fold(x.raw)
      if (text === '') continue
      const c = node(x.cell, 'item', x.role, at)
      c.n = cut(text)
      out.push(c)
    }
    return [give(n, out, at)]
  }
  // An item that holds one thing is that thing; one that holds text alone is one line.
  lib.walkItem = (w, el, role, at) => {
    const { node, fill, give, wrap, isText, plainText, joined, cut } = w
    const list = wrap(el, at)
    const shown = list.filter((n) => !isText(n) || lib.fold(n.raw) !== '')
    if (shown.length === 0 && !lib.clickable(el)) return []
    const clicks = lib.clickable(el)
    if (plainText(shown)) {
      const text = lib.named(el) ? lib.name(el) : joined(list)
      const n = node(el, clicks ? 'control' : 'item', role, at)
      if (text !== '') n.n = cut(text)
      const states = lib.states(el)
      if (states.length > 0) n.s = states
      return [n]
    }
    if (shown.length === 1 && !clicks && !lib.named(el)) return list
    return [give(fill(node(el, 'container', role, at), el, role), list, at)]
  }
}
