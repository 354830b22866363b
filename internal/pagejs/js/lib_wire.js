// lib_wire(lib): how the nodes of a walk travel: as lines of text, changes to a list before, or those that match a query.
(lib) => {
  // A line is depth, letter of the class, step from the number of the node before, role, and fields that begin with a
  // letter or mark of their own. Beside JSON it is a third, and nearly without quotes, which cost twice on the way.
  const letters = { control: 'C', container: 'K', item: 'I', text: 'T', evidence: 'E', image: 'M', frame: 'F', shadow: 'S' }
  // The most common have a letter with their role.
  const both = {
    control: { link: 'L', button: 'B', heading: 'H', textbox: 'X' }, container: { row: 'R', listitem: 'P' }, item: { row: 'W', cell: 'D', listitem: 'G' },
  }
  const usual = { text: 'text', frame: 'iframe', shadow: 'shadow' }
  const special = /[;\n~]/
  const escapes = { ';': '~s', '\n': '~n', '~': '~t' }
  const field = (s) => (special.test(s) ? s.replace(/[;\n~]/g, (c) => escapes[c]) : s)
  lib.lines = (list) => {
    const url = lib.prop(lib.document, 'URL')
    const base = url.split('#', 1)[0]
    const origin = /^https?:\/\/[^/?#]+/.exec(url)?.[0] ?? null
    let out = ''
    let last = 0
    const put = (n, depth, row) => {
      if (n.o !== undefined) {
        out += `${depth}O${n.o[0]},${n.o[1]}\n`
        return
      }
      const letter = both[n.k]?.[n.r]
      out += depth + (letter ?? letters[n.k])
      if (n.k !== 'shadow') {
        out += n.i - last
        last = n.i
        if (n.m !== row) {
          row = n.m
          out += ';^' + (row ?? '')
        }
      }
      if (letter === undefined && n.r !== usual[n.k]) out += ';r' + field(n.r)
      if (n.n !== undefined) out += ";'" + field(n.n)
      if (n.lv !== undefined) out += ';%' + n.lv
      if (n.h !== undefined) {
        if (n.h.startsWith(base + '#')) out += ';&' + field(n.h.slice(base.length))
        else if (origin !== null && n.h.startsWith(origin + '/')) out += ';/' + field(n.h.slice(origin.length + 1))
        else out += ';@' + field(n.h)
      }
      if (n.v !== undefined) out += ';=' + field(n.v)
      if (n.q !== undefined) out += ';?' + field(n.q)
      if (n.s !== undefined) for (const s of n.s) out += ';!' + field(s)
      if (n.x || n.f || n.u) out += ';*' + (n.x ? 'x' : '') + (n.f ? 'f' : '') + (n.u ? 'u' : '')
      if (n.more !== undefined) out += ';+' + n.more
      out += '\n'
      if (n.c !== undefined) for (const k of n.c) put(k, depth + 1, row)
    }
    for (const n of list) put(n, 0, undefined)
    return out
  }
  // changes is a list of nodes for one who holds the list before: {o: [from, count]} stands for nodes of it that are as
  // they were, with all below them.
  const own = ['i', 'k', 'r', 'n', 'lv', 'h', 'v', 'x', 'f', 'q', 'u', 'm', 'more']
  const none = []
  const alike = (a, b) => {
    if (a === b) return true
    for (const key of own) if (a[key] !== b[key]) return false
    if (a.s !== b.s && (a.s ?? none).join('\n') !== (b.s ?? none).join('\n')) return false
    const x = a.c ?? none
    const y = b.c ?? none
    return x.length === y.length && x.every((n, i) => alike(n, y[i]))
  }
  lib.changes = (list, before) => {
    const at = new Map()
    before.forEach((n, i) => at.set(n.i ?? 'shadow', i))
    const out = []
    let run = null
    for (const n of list) {
      const i = at.get(n.i ?? 'shadow')
      if (i !== undefined && alike(n, before[i])) {
        if (run !== null && run[0] + run[1] === i) run[1]++
        else out.push({ o: (run = [i, 1]) })
        continue
      }
      run = null
      out.push(i === undefined || n.c === undefined ? n : { ...n, c: lib.changes(n.c, before[i].c ?? none) })
    }
    return out
  }
  // asBefore says whether changes are none.
  lib.asBefore = (changes, list, before) => {
    if (list.length !== before.length) return false
    if (list.length === 0) return true
    return changes.length === 1 && changes[0].o !== undefined && changes[0].o[0] === 0 && changes[0].o[1] === list.length
  }
  // mayMatch is a quick no for one of many siblings: nothing that it says holds the text. null where the text may be
  // one of the map's own words, or run over parts of a line.
  const vocabulary = 'button link textbox searchbox checkbox radio switch combobox slider spinbutton menuitem option tab treeitem scrollbar heading listitem row cell gridcell columnheader rowheader text status alert article image graphics iframe generic container disabled checked mixed expanded true false pressed selected current invalid required readonly busy sort ascending descending focused filled unseen level href value'
  const speaks = '[aria-label], [aria-labelledby], [alt], [title], [placeholder], [aria-valuetext], [aria-valuenow], input, textarea, select, iframe, frame, canvas, svg, [id], [name], [data-testid]'
  lib.mayMatch = (query) => {
    const bare = (s) => s.toLowerCase().replace(/\s+/g, '')
    const low = lib.fold(query).toLowerCase()
    if (/^\/[^]+\/$/.test(query) || low.length < 2 || /["'=[\]()#|\\,-]/.test(low) || vocabulary.includes(low)) return null
    const want = bare(low)
    const links = `[href*="${low}" i]`
    return (el) => {
      if (bare(lib.content(el)).includes(want)) return true
      return lib.matches(el, speaks) || lib.matches(el, links) || lib.all(el, speaks).length > 0 || lib.all(el, links).length > 0 || lib.shadow(el) !== null
    }
  }
  // matching keeps the nodes that hold a text, or match an /expression/, with what they stand in. It keeps too many
  // rather than too few: who prints them looks again. An expression that is none here keeps everything.
  lib.matching = (list, query) => {
    const expression = /^\/([^]+)\/$/.exec(query)
    let fits
    if (expression === null) {
      const low = lib.fold(query).toLowerCase()
      fits = (s) => s.toLowerCase().includes(low)
    } else {
      try {
        const flags = /^\(\?([ims]+)\)/.exec(expression[1])
        const re = new RegExp(flags === null ? expression[1] : expression[1].slice(flags[0].length), flags === null ? 'u' : flags[1] + 'u')
        fits = (s) => re.test(s)
      } catch {
        fits = () => true
      }
    }
    const says = (n) => {
      const quoted = (s) => `"${s.replace(/(["\\])/g, '\\$1')}"`
      const parts = [n.r]
      if (n.k === 'container' || n.k === 'frame') parts.push('(container)')
      if (n.n !== undefined) parts.push(quoted(n.n))
      if (n.lv !== undefined) parts.push(`[level=${n.lv}]`)
      if (n.h !== undefined) parts.push('href=' + quoted(n.h), n.h)
      if (n.v !== undefined && !n.x) parts.push('value=' + quoted(n.v))
      if (n.q !== undefined) parts.push(n.q)
      if (n.s !== undefined) parts.push(`(${n.s.join(', ')})`)
      return parts.join(' ')
    }
    const keep = (nodes) => {
      const out = []
      for (const n of nodes) {
        const kids = n.c === undefined ? none : keep(n.c)
        if (kids.length === 0 && n.k !== 'frame' && !fits(says(n))) continue
        const copy = { ...n }
        delete copy.c
        if (kids.length > 0) copy.c = kids
        out.push(copy)
      }
      return out
    }
    return keep(list)
  }
}
