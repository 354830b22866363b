// lib_walk(lib): elements as the nodes of Go's Doc: one pass, wrappers left out, text runs joined, a bound with counts.
(lib) => {
  const words = (s) => new Set(s.trim().split(/\s+/))
  const controls = words(`
    button link textbox searchbox checkbox radio switch combobox slider spinbutton menuitem menuitemcheckbox
    menuitemradio option tab treeitem scrollbar heading doc-backlink doc-biblioref doc-glossref doc-noteref`)
  const containers = words(`
    form navigation main banner contentinfo complementary region search list listbox tree menu menubar tablist tabpanel
    toolbar radiogroup dialog alertdialog article feed application`)
  const whenNamed = words('group figure document math note graphics-document graphics-object sectionheader sectionfooter')
  const evidence = words('status alert log timer marquee tooltip')
  const tables = words('table grid treegrid')
  const tells = /status|result|error|message|\bmsg|msg\b|alert|notice|notif|toast|output|\bout\b|feedback|total|count|balance|summary|warning|success|confirm|progress|saved|log\b/i
  const inlineTags = words('a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr slot')
  // Nobody clips a part of a table, or moves it away.
  const tableParts = words('table thead tbody tfoot tr td th')
  const cut = (s) => (s.length > 1000 ? s.slice(0, 1000) : s)

  let state // of the reading that goes on: {work, next, limit, until, files, may, hints}; lib_read begins it
  const flat = (el) => {
    const owned = lib.owned(el)
    let kids = lib.kids(el)
    if (owned.length > 0) kids = kids.filter((k) => !owned.includes(k)).concat(owned)
    return kids
  }
  const node = (el, k, r, at) => {
    const n = { i: lib.number(el), k, r }
    const t = lib.tag(el)
    if (at.veil) n.u = true
    else if (k === 'control' || !tableParts.has(t)) {
      const b = lib.record(el)
      if ((lib.awayBox(b, el) || ((b.w === 0 || b.h === 0) && !lib.overflows(el))) && !boxless(t)) n.u = true
    }
    const m = lib.stampIn(at.row, el)
    if (m !== '') n.m = m
    return n
  }
  const boxless = (t) => t === 'area' || t === 'option' || t === 'optgroup' || t === 'map'
  const hinted = (n, el) => {
    const hint = lib.bare(el) ? '' : lib.hint(el)
    if (hint !== '') n.q = hint
    if (state.hints !== null && !lib.bare(el)) state.hints.push([el, hint])
  }
  const fill = (n, el, role) => {
    const name = lib.name(el)
    if (name !== '') n.n = cut(name)
    const level = lib.level(el)
    if (level > 0) n.lv = level
    if (role === 'link') {
      const href = lib.href(el)
      if (href !== '') n.h = cut(href)
    } else if ((n.k === 'control' || role === 'form') && role !== 'heading' && role !== 'option') {
      hinted(n, el)
    }
    const states = lib.states(el)
    if (states.length > 0) n.s = states
    return n
  }
  const withValue = (n, el) => {
    lib.outside++
    if (lib.secret(el)) {
      n.x = true
      if (lib.filled(el)) n.f = true
    } else {
      const v = lib.value(el)
      if (v !== null && v !== '') n.v = cut(v)
    }
    return n
  }
  // A run of text grows over inline elements until something else, or the edge of a block, ends it.
  const pushText = (out, text, at) => {
    const data = lib.some(text)
    const last = out[out.length - 1]
    if (last !== undefined && last.open) {
      last.raw += data
      last.el = null
      if (last.at === null && data.trim() !== '') last.at = text
      return
    }
    out.push({ open: true, raw: data, at: data.trim() === '' ? null : text, el: null, live: at.live, veil: at.veil, row: at.row })
  }
  const append = (out, more) => {
    for (const n of more) {
      const last = out[out.length - 1]
      if (n.open && last !== undefined && last.open) {
        last.raw += n.raw
        last.at = last.at ?? n.at
        last.el = null
      } else out.push(n)
    }
  }
  const close = (out) => {
    const last = out[out.length - 1]
    if (last !== undefined && last.open) last.open = false
  }
  const isText = (n) => n.raw !== undefined
  // settle turns the runs of a list into nodes, and drops the blank ones.
  const finish = (list) => {
    const out = []
    for (const n of list) {
      if (!isText(n)) {
        out.push(n)
        continue
      }
      const name = lib.fold(n.raw)
      if (name === '' || n.at === null) continue
      const t = { i: lib.number(n.el ?? n.at), k: n.live ? 'evidence' : 'text', r: 'text', n: cut(name) }
      if (n.veil) t.u = true
      const m = lib.stampIn(n.row, n.el ?? n.at)
      if (m !== '') t.m = m
      out.push(t)
    }
    return out
  }
  const plainText = (list) => list.every(isText)
  const joined = (list) => lib.fold(list.map((n) => n.raw).join(' '))
  const give = (n, kids, at) => {
    const list = finish(kids)
    if (list.length > 0) n.c = list
    if (at.more > 0) n.more = at.more
    at.more = 0
    return n
  }
  // Children of an element as a list of nodes. Where one parent has very many, the middle is counted and left out, so
  // that what stands after it is read.
  const visitKids = (el, at) => {
    const only = lib.sole(el)
    if (only !== null && lib.owned(el).length === 0) {
      if (state.work >= state.limit || late()) return []
      state.work++
      if (!at.text || at.mute) return []
      const raw = lib.some(only)
      const says = raw.trim() !== ''
      return [{ open: true, raw, at: says ? only : null, el: says ? el : null, live: at.live, veil: at.veil, row: at.row }]
    }
    const out = []
    const kids = flat(el)
    const start = state.work
    const share = Math.max(state.limit * 0.6, 40)
    let i = 0
    for (; i < kids.length; i++) {
      if (state.work >= state.limit || late()) {
        at.more += elements(kids, i, kids.length)
        break
      }
      if (i > 12 && kids.length - i > 24 && state.work - start > share) {
        const each = (state.work - start) / i // what a child costs
        const end = kids.length - Math.min(20, Math.max(3, Math.floor((state.limit * 0.1) / each)))
        at.more += elements(kids, i, end)
        i = end
      }
      const k = kids[i]
      const type = lib.type(k)
      if (type === 3 || type === 4) {
        state.work++
        if (at.text && !at.mute) pushText(out, k, at)
      } else if (type === 1) {
        if (state.may !== null && kids.length > 30 && !state.may(k)) {
          state.work++
          continue
        }
        const owner = lib.owner(k)
        if (owner === undefined || owner === el) append(out, visit(k, at))
      }
    }
    if (out.length === 1 && isText(out[0]) && lib.isElement(el)) out[0].el = out[0].el ?? (lib.fold(out[0].raw) === '' ? null : el)
    return out
  }
  // late ends a reading that takes too long where it stands.
  const late = () => {
    if (state.work < state.next) return false
    state.next = state.work + 500
    if (lib.now() <= state.until) return false
    state.limit = 0
    return true
  }
  const elements = (kids, from, to) => {
    let n = 0
    for (let i = from; i < to; i++) if (lib.type(kids[i]) === 1) n++
    return n
  }
  const inner = (el, at) => visitKids(el, { ...at, text: false, inner: true })
  const hiddenFiles = (el, at) => {
    if (!state.files) return []
    const list = lib.tag(el) === 'input' ? [el] : lib.all(el, 'input[type=file]')
    const out = []
    for (const f of list) {
      if (lib.tag(f) !== 'input' || lib.inputType(f) !== 'file' || lib.has(f, 'disabled')) continue
      const n = withValue(fill(node(f, 'control', 'button', { ...at, veil: true }), f, 'button'), f)
      const name = lib.hiddenName(f)
      if (name !== '') n.n = cut(name)
      out.push(n)
    }
    return out
  }
  const visit = (el, given) => {
    const tag = lib.tag(el)
    state.work++
    if (given.depth > 600) {
      given.more++
      return []
    }
    const how = lib.stands(el, tag)
    if (how === '') return hiddenFiles(el, given)
    const shown = how === 'shown'
    const row = isRow(el, tag)
    return row && shown ? visitRow(el, tag, given) : visitOne(el, tag, given, shown, row)
  }
  // A row in which nothing changed since the last reading says what it said.
  const visitRow = (el, tag, given) => {
    const old = lib.kept(el, given)
    if (old !== null) {
      state.work += old.work
      return old.list
    }
    const { outside } = lib
    const { work, hints } = state
    const more = given.more
    state.hints = []
    const list = visitOne(el, tag, given, true, true)
    const alone = outside === lib.outside && more === given.more && state.limit > 0 && !list.some(isText)
    lib.keep(el, given, alone ? list : null, state.work - work, state.hints)
    state.hints = hints === null ? null : hints.concat(state.hints)
    return list
  }
  const visitOne = (el, tag, given, shown, row) => {
    const html = lib.isHTML(el)
    if (tag === 'br' && html) return given.text ? [{ open: true, raw: ' ', at: null, el: null, live: given.live, veil: given.veil, row: given.row }] : []
    const at = {
      text: given.text, inner: given.inner, live: given.live, row: row ? el : given.row, more: 0, depth: given.depth + 1,
      anew: given.anew || lib.anew(el),
      mute: !shown && lib.invisible(el), veil: given.veil || (!tableParts.has(tag) && lib.veils(el, shown, true)),
    }
    const list = describe(el, tag, html, at, given)
    given.more += at.more
    if (!inlineTags.has(tag) || !html) return edges(el, list, html, tag)
    const display = lib.style(el).display
    return display === 'inline' || display === 'contents' ? list : edges(el, list, html, tag)
  }
  const blank = () => ({ open: false, raw: '', at: null, el: null, live: false, veil: false, row: null })
  // The edge of a block ends a run of text on both sides.
  const edges = (el, list, html, tag) => {
    if (list.length === 0) return [blank()]
    if (list.some(isText)) {
      const display = lib.style(el).display
      if (display === 'inline' || display === 'contents') return list
    }
    close(list)
    return list[0].open === undefined && !isText(list[0]) ? list : [blank(), ...list]
  }
  const rowRoles = words('row listitem option treeitem article')
  const isRow = lib.isRow = (el, tag) => tag === 'tr' || tag === 'li' || tag === 'option' || tag === 'article' || (!lib.bare(el) && lib.has(el, 'role') && rowRoles.has(lib.attr(el, 'role')))

  const describe = (el, tag, html, at, given) => {
    if (at.mute) return wrap(el, at)
    if (html && (tag === 'iframe' || tag === 'frame')) return [frame(el, at)]
    const role = lib.role(el)
    if (role === 'listbox' && tag === 'select') return [container(el, role, at)]
    if (controls.has(role)) return control(el, tag, role, at)
    if (at.inner) {
      if (tables.has(role) || containers.has(role) || !lib.clickable(el) || tag === 'label') return wrap(el, at)
      return clickable(el, role, at, given)
    }
    if (evidence.has(role)) return [tell(el, role, at)]
    if (role === 'progressbar' || role === 'meter') return [withValue(fill(node(el, 'item', role, at), el, role), el)]
    if (role === 'image' || role === 'graphics-symbol' || (role === 'graphics-document' && lib.name(el) !== '')) {
      return image(el, role, at)
    }
    if (html && (tag === 'canvas' || tag === 'video' || tag === 'audio' || tag === 'object' || tag === 'embed')) return media(el, tag, at)
    if (role === 'row') return lib.walkRow(w, el, role, at)
    if (role === 'listitem' || role === 'definition' || role === 'term') return lib.walkItem(w, el, role, at)
    if (role === 'caption' || tag === 'legend' || tag === 'figcaption') {
      const p = lib.parentElement(el)
      if (p !== null && lib.name(p) !== '' && lib.name(p) === lib.fold(lib.content(el))) return inner(el, at)
    }
    if (tag === 'label' && html) return label(el, at)
    if (tables.has(role) || containers.has(role)) return [container(el, role, at)]
    if (whenNamed.has(role) && lib.name(el) !== '') return [container(el, role, at)]
    if (!lib.bare(el) && lib.has(el, 'popover') && lib.matches(el, ':popover-open')) return [container(el, role === 'generic' ? 'group' : role, at)]
    if (role === 'separator' && lib.focusable(el)) return [withValue(fill(node(el, 'control', role, at), el, role), el)]
    if (role === 'image' || tag === 'html' || tag === 'body') return wrap(el, at)
    if (!lib.bare(el) && lib.has(el, 'aria-live') && lib.attr(el, 'aria-live') !== 'off') at.live = true
    if (lib.clickable(el)) return clickable(el, role, at, given)
    return telling(el, at)
  }
  // wrap leaves an element out: its children stand in its place, below a mark where a shadow root begins.
  const wrap = (el, at) => {
    const list = visitKids(el, at)
    if (lib.shadow(el) === null) return list
    lib.met(lib.shadow(el))
    if (at.inner) return list
    return within(el, finish(list))
  }
  const within = (el, c) => (c.length === 0 ? c : [{ k: 'shadow', r: lib.shadow(el).mode === 'closed' ? 'closed' : 'shadow', c }])
  const frame = (el, at) => fill(node(el, 'frame', 'iframe', at), el, 'iframe')
  const control = (el, tag, role, at) => {
    const n = withValueFor(fill(node(el, 'control', role, at), el, role), el, role)
    if (tag === 'input' || tag === 'textarea' || tag === 'select' || lib.editingHost(el)) return [n]
    let kids = inner(el, at)
    if (lib.shadow(el) !== null) {
      lib.met(lib.shadow(el))
      kids = within(el, finish(kids))
    }
    return [give(n, kids, at)]
  }
  const withValueFor = (n, el, role) => (role === 'link' || role === 'button' && lib.tag(el) !== 'input' || role === 'heading' ? n : withValue(n, el))
  const container = (el, role, at) => {
    const n = node(el, 'container', role, at)
    if (!at.veil) delete n.u
    fill(n, el, role)
    if (lib.tag(el) === 'select' || role === 'listbox') withValue(n, el)
    const kids = wrap(el, at.inner && lib.tag(el) === 'select' ? { ...at, inner: false } : at)
    for (const k of kids) if (k.el === el) k.el = null // its only text has a line of its own
    return give(n, kids, at)
  }
  const tell = (el, role, at) => {
    const kids = wrap(el, { ...at, live: true })
    if (plainText(kids)) {
      const text = joined(kids)
      const name = lib.named(el) ? lib.name(el) : ''
      if (text === '' && name === '') return blank()
      const n = node(el, 'evidence', role, at)
      n.n = cut(text === '' ? name : name === '' || name === text ? text : name + ': ' + text)
      return n
    }
    const n = fill(node(el, 'evidence', role, at), el, role)
    return give(n, kids, at)
  }
  // Short text whose id reads like an outcome is evidence; everything else without a meaning of its own is left out.
  const telling = (el, at) => {
    const list = wrap(el, at)
    const id = lib.bare(el) ? null : (lib.attr(el, 'id') ?? lib.attr(el, 'data-testid'))
    if (id === null || !tells.test(id.replace(/([a-z])([A-Z])/g, '$1-$2').replace(/_/g, '-')) || list.length === 0 || !plainText(list)) return list
    const text = joined(list)
    if (text === '' || text.length > 300) return list
    const n = node(el, 'evidence', 'text', at)
    n.n = text
    return [n]
  }
  const clickable = (el, role, at, given) => {
    const list = wrap(el, at)
    const shown = list.filter((n) => !isText(n) || lib.fold(n.raw) !== '')
    if (shown.length === 1 && !isText(shown[0]) && !given.inner) return list
    if (plainText(list) || given.inner) {
      const name = lib.named(el) ? lib.name(el) : lib.text(el)
      if (name === '' && given.inner) return list
      const n = node(el, 'control', role === 'none' || role === 'paragraph' ? 'generic' : role, at)
      if (name !== '') n.n = cut(name)
      hinted(n, el)
      const states = lib.states(el)
      if (states.length > 0) n.s = states
      return given.inner ? [give(n, list, at)] : [n]
    }
    const n = node(el, 'container', role === 'none' || role === 'paragraph' ? 'generic' : role, at)
    fill(n, el, role)
    return [give(n, list, at)]
  }
  const image = (el, role, at) => {
    const name = lib.name(el)
    if (name === '') return lib.isSVG(el) ? wrap(el, { ...at, text: false }) : lib.clickable(el) ? clickable(el, 'image', at, at) : []
    const n = node(el, lib.clickable(el) ? 'control' : 'image', role, at)
    n.n = cut(name)
    return lib.isSVG(el) ? [give(n, inner(el, at), at)] : [n]
  }
  const media = (el, tag, at) => {
    const n = node(el, tag === 'canvas' ? 'image' : 'control', tag, at)
    return [fill(n, el, tag)]
  }
  const label = (el, at) => {
    lib.outside++
    const control = lib.prop(el, 'control')
    if (control && (!lib.hidden(control) || (lib.tag(control) === 'input' && lib.inputType(control) === 'file'))) return inner(el, at)
    return lib.clickable(el) || control ? clickable(el, 'generic', at, at) : telling(el, at)
  }
  const tick = () => state.work++
  const w = { tick, append, visit, visitKids, flat, node, fill, finish, give, wrap, isText, plainText, joined, cut }
  lib.visit = (root, at, reading) => {
    state = reading
    return finish(lib.isElement(root) ? visit(root, at) : [])
  }
}
