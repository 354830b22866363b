// lib_rows(lib): part of the walk: rows of tables and items of lists, as few nodes as say the same, and what they stand for.
(lib) => {
  const cells = new Set(['cell', 'gridcell', 'columnheader', 'rowheader'])
  // What a node stands for, so that one which the page uses again for another record is noticed.
  //
  // In a row it is what the row says, hashed: its first two texts, and its first link or heading. Not all of it: a count or a
  // time at its end may change while the row stays the same. Nor what its controls say of themselves.
  const rows = 'tr, li, option, article, [role=row], [role=listitem], [role=option], [role=treeitem], [role=article]'
  const words = (s) => new Set(s.trim().split(/\s+/))
  const mute = words('script style template title noscript time output progress meter')
  const acting = words('button select textarea input summary checkbox radio switch tab menuitem combobox')
  const naming = words('a h1 h2 h3 h4 h5 h6 th link heading rowheader')
  lib.rowOf = (el) => lib.closest(lib.isElement(el) ? el : lib.parentElement(el) ?? lib.documentElement(), rows)
  const hash = (s) => {
    let h = 0x811c9dc5
    for (let i = 0; i < s.length; i++) h = Math.imul(h ^ s.charCodeAt(i), 0x01000193)
    return (h >>> 0).toString(36)
  }
  const kindOf = (tag, role) => (acting.has(tag) || acting.has(role) ? 'acting' : naming.has(tag) || naming.has(role) ? 'naming' : 'plain')
  // texts goes through what an element says until take has enough: take(text, kind, element that says it).
  const texts = (el, take) => {
    let steps = 0
    const go = (n, kind, depth) => {
      for (let c = lib.firstChild(n); c !== null; c = lib.nextSibling(c)) {
        if (++steps > 300 || depth > 100) return true
        const name = lib.nodeName(c)
        if (name === '#text') {
          const t = lib.fold(lib.some(c))
          if (t !== '' && take(t.slice(0, 100), kind, n)) return true
        } else if (name[0] !== '#') {
          const tag = name.toLowerCase()
          if (mute.has(tag)) continue
          const bare = lib.bare(c)
          const is = kind === 'plain' ? kindOf(tag, bare ? null : lib.attr(c, 'role')) : kind
          const label = bare ? null : lib.attr(c, 'aria-label') || lib.attr(c, 'alt')
          if (label ? take(label, is, c) : go(c, is, depth + 1)) return true
        }
      }
      return false
    }
    go(lib.shadow(el) ?? el, 'plain', 0)
  }
  const stampOf = (row, trust) => {
    const f = lib.facts(row)
    if (f.stamp !== undefined) return f.stamp
    const said = []
    let named = false
    texts(row, (text, kind) => {
      if (kind === 'acting' || !/[\p{L}\p{N}]/u.test(text)) return false
      if (kind === 'naming') named = true
      if (said.length < 2 || kind === 'naming') said.push(text)
      return named && said.length > 1
    })
    return (f.stamp = said.length === 0 ? itemStamp(row, trust) : hash(said.join('|')))
  }
  // Elsewhere, and in a row of controls alone, it counts how often an item around the node came to stand for another
  // record. An item is an element beside its like. It does so where what it says first has changed, and that of the items
  // beside it too: one alone may say something new of itself, as a toggle does.
  const items = new WeakMap() // item -> {count, says, around}: what it and those beside it said at the last look
  const classOf = (el) => {
    const f = lib.facts(el)
    return (f.class ??= lib.attr(el, 'class') ?? '')
  }
  const kin = (a, b) => {
    if (lib.nodeName(a) !== lib.nodeName(b)) return false
    const [x, y] = [classOf(a), classOf(b)]
    return x === y || (x !== '' && y !== '' && lib.ids(x).some((c) => lib.ids(y).includes(c)))
  }
  // The element right after another, or before it, where it is its like; null where it is none.
  const after = (el) => {
    const f = lib.facts(el)
    if (f.after !== undefined) return f.after
    let n = lib.nextSibling(el)
    while (n !== null && !lib.isElement(n)) n = lib.nextSibling(n)
    if (n !== null && !kin(el, n)) n = null
    if (n !== null) lib.facts(n).before = el
    return (f.after = n)
  }
  const before = (el) => {
    const f = lib.facts(el)
    if (f.before !== undefined) return f.before
    let n = lib.previousSibling(el)
    while (n !== null && !lib.isElement(n)) n = lib.previousSibling(n)
    return (f.before = n !== null && kin(el, n) ? n : null)
  }
  const around = (el) => {
    const out = []
    for (const step of [after, before]) {
      const a = step(el)
      const b = a === null ? null : step(a)
      if (a !== null) out.push(a)
      if (b !== null) out.push(b)
    }
    return out
  }
  // says is what tells an item from those beside it: its first text with a letter, counts left out, and its first name.
  const says = (el) => {
    const f = lib.facts(el)
    if (f.says !== undefined) return f.says
    const got = {}
    const take = (text, kind, by) => {
      const t = text.replace(/\(\d+\+?\)/g, '').trim()
      if (!/^[^\p{N}]*\p{L}/u.test(t)) return false
      got[kind] ??= { t, by }
      return got.plain !== undefined && got.naming !== undefined
    }
    const label = lib.attr(el, 'aria-label')
    if (label) take(label, 'plain', el)
    else texts(el, take)
    return (f.says = [got.plain ?? got.naming ?? got.acting, got.naming].filter((x) => x !== undefined))
  }
  // other: what said the one says another now, or is gone and something else speaks in its place.
  const other = (was, now) => was.some((w, i) => now[i] !== undefined && now[i].t !== w.t && (now[i].by === w.by || !lib.attached(w.by)))
  const isItem = (el) => items.has(el) || after(el) !== null || before(el) !== null
  const count = (el, trust) => {
    const known = trust ? items.get(el) : undefined
    if (known !== undefined && !lib.altered(lib.above(el))) return known.count
    const now = { count: 0, says: says(el), around: around(el).map((n) => ({ n, says: says(n) })) }
    const was = items.get(el)
    items.set(el, now)
    if (was === undefined) return 0
    now.count = was.count
    if (!other(was.says, now.says)) return now.count
    const others = was.around.filter(({ n, says: w }) => !lib.attached(n) || other(w, says(n)))
    // Controls side by side rename themselves each for itself: more has to speak for another record.
    const moved = () => was.around.some(({ says: w }) => w.some((x) => now.says.some((y) => x.t === y.t)))
    if (others.length > 1 || (others.length === 1 && (kindOf(lib.tag(el), lib.attr(el, 'role')) === 'plain' || moved()))) now.count++
    return now.count
  }
  // total is -1 where there is no item around.
  const total = (el, trust) => {
    if (el === null) return -1
    const f = lib.facts(el)
    if (f.total !== undefined) return f.total
    const up = total(lib.parentElement(el), trust)
    return (f.total = isItem(el) ? Math.max(up, 0) + count(el, trust) : up)
  }
  const itemStamp = (el, trust) => {
    const n = total(lib.isElement(el) ? el : lib.parentElement(el), trust)
    return n < 0 ? '' : 'v' + n
  }
  // A reading looks again only at what was altered since the reading before.
  lib.stampIn = (row, el) => (row === null ? itemStamp(el, true) : stampOf(row, true))
  lib.stamp = (el) => {
    const row = lib.rowOf(el)
    return row === null ? itemStamp(el) : stampOf(row)
  }

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
    // The cells of a grid that can have the focus in turn: a calendar's days are chosen one by one, a record's fields are read.
    let brief
    const days = () => (brief ??= Array.from(flat(el)).every((c) => !lib.isElement(c) || lib.fold(lib.text(c)).length <= 3))
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
      const clicks = lib.clickable(k) || (kr === 'gridcell' && lib.has(k, 'tabindex') && days())
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
      } else if (states.length > 0 || clicks) {
        const n = node(k, 'container', kr, inAt)
        if (lib.named(k)) n.n = cut(lib.name(k))
        if (states.length > 0) n.s = states
        kids.push(give(n, list, { more: 0 })) // what is left out of it is the row's to say
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
