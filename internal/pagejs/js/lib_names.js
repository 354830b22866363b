// lib_names(lib): accessible names and descriptions (accname 1.2, HTML-AAM, SVG-AAM), and text as it is seen.
(lib) => {
  const words = (s) => new Set(s.trim().split(/\s+/))
  const fromContent = words(`
    button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row
    rowheader switch tab tooltip treeitem doc-backlink doc-biblioref doc-glossref doc-noteref`)
  const labelable = words('button input meter output progress select textarea')
  const textual = words('textbox searchbox')
  const ranges = words('slider spinbutton scrollbar progressbar meter')
  const neverText = words('script style template head meta link')
  const blocky = lib.blocky

  const deepest = 400 // elements: what is nested deeper is not text that anybody reads

  const xlinkTitle = (el) => lib.attrNS(el, 'http://www.w3.org/1999/xlink', 'title') ?? ''
  const blank = (s) => s === null || s === undefined || lib.fold(s) === ''

  const none = []
  // All labels of a tree are asked for their controls: a control that is asked for its labels looks at all of the tree.
  lib.labels = (el) => {
    if (!lib.isHTML(el)) return []
    const root = lib.root(el)
    let of = lib.cache.labels.get(root)
    if (of === undefined) {
      of = new Map()
      if (lib.type(root) !== 1) {
        for (const label of lib.all(root, 'label')) {
          const control = lib.isHTML(label) ? lib.prop(label, 'control') : null
          if (!control) continue
          if (of.has(control)) of.get(control).push(label)
          else of.set(control, [label])
        }
      }
      lib.cache.labels.set(root, of)
    }
    const list = of.get(el) ?? none
    if (list.length > 0) lib.outside++
    return list
  }
  lib.labelledName = (el) => refsText(el, 'aria-labelledby', new Set([el]))
  // seen collects what was referred to: within one name a node speaks once.
  const refsText = (el, attribute, path, seen) => {
    const parts = []
    for (const to of lib.refs(el, attribute)) {
      seen?.add(to)
      parts.push(lib.fold(alternative(to, { ref: true, bare: lib.hidden(to), path, top: el, root: to })))
    }
    return parts.filter((s) => s !== '').join(' ')
  }
  const firstChild = (el, tag) => {
    for (const c of lib.childNodes(el)) {
      if (lib.isElement(c) && lib.isHTML(c) && lib.tag(c) === tag && !lib.hidden(c)) return c
    }
    return null
  }
  const svgTitle = (el) => {
    for (const c of lib.childNodes(el)) if (lib.isElement(c) && lib.isSVG(c) && lib.tag(c) === 'title') return lib.fold(lib.content(c))
    return ''
  }
  // Names by the host language, without title and placeholder, which come last.
  const native = (el, role, o) => {
    const tag = lib.tag(el)
    if (lib.isSVG(el)) {
      const t = svgTitle(el)
      return t !== '' || tag !== 'a' ? t : lib.fold(xlinkTitle(el))
    }
    if (!lib.isHTML(el)) return ''
    if (labelable.has(tag) || tag.includes('-')) {
      const labels = lib.labels(el)
      if (labels.length > 0) {
        const inner = { ...o, ref: false, label: true, bare: false, path: new Set(o.path).add(el) }
        const parts = labels.filter((l) => !lib.hidden(l) && !o.path.has(l)).map((l) => lib.fold(alternative(l, { ...inner, root: l })))
        const text = parts.filter((s) => s !== '').join(' ')
        if (text !== '') return text
      }
    }
    switch (tag) {
      case 'input': {
        const type = lib.inputType(el)
        if (type === 'submit' || type === 'reset' || type === 'button') {
          const value = lib.prop(el, 'value') || ''
          if (!blank(value)) return value
          if (type === 'button') return ''
          return blank(lib.attr(el, 'value')) && !lib.has(el, 'value') && blank(lib.attr(el, 'title')) ? (type === 'submit' ? 'Submit' : 'Reset') : ''
        }
        if (type === 'image') {
          const alt = lib.attr(el, 'alt')
          if (!blank(alt)) return alt
          if (!blank(lib.attr(el, 'title'))) return ''
          return blank(lib.attr(el, 'value')) ? 'Submit' : lib.attr(el, 'value')
        }
        return ''
      }
      case 'img': case 'area':
        return lib.attr(el, 'alt') ?? ''
      case 'optgroup':
        return lib.attr(el, 'label') ?? ''
      case 'option':
        return lib.attr(el, 'label') ?? ''
      case 'fieldset': {
        const legend = firstChild(el, 'legend')
        return legend === null ? '' : alternative(legend, { ...o, ref: false, label: true, root: legend })
      }
      case 'table': {
        const caption = firstChild(el, 'caption')
        return caption === null ? '' : alternative(caption, { ...o, ref: false, label: true, root: caption })
      }
      case 'figure': {
        const caption = firstChild(el, 'figcaption')
        return caption === null ? '' : alternative(caption, { ...o, ref: false, label: true, root: caption })
      }
      default:
        return ''
    }
  }
  // Value of a control inside the name of something else.
  const hides = (el, role) => embeddedRoles.has(role) && lib.secret(el)
  const embedded = (el, role) => {
    if (hides(el, role)) return ''
    if (textual.has(role)) return controlText(el)
    if (role === 'combobox' || role === 'listbox') {
      if (lib.tag(el) === 'select') {
        const chosen = lib.all(el, 'option').filter((x) => lib.prop(x, 'selected'))
        return chosen.map((x) => lib.fold(alternative(x, { path: new Set(), root: x }))).join(' ')
      }
      if (lib.tag(el) === 'input') return controlText(el)
      const chosen = lib.all(el, '[role=option][aria-selected=true]')
      if (chosen.length > 0) return chosen.map((x) => lib.name(x)).join(' ')
      return role === 'combobox' ? controlText(el) : ''
    }
    if (ranges.has(role)) {
      const text = lib.attr(el, 'aria-valuetext') ?? lib.attr(el, 'aria-valuenow')
      if (text !== null) return text
      const tag = lib.tag(el)
      return tag === 'input' || tag === 'meter' || tag === 'progress' ? String(lib.prop(el, 'value') ?? '') : lib.fold(contents(el, { path: new Set([el]), root: el }))
    }
    return null
  }
  const controlText = (el) => {
    const tag = lib.tag(el)
    if (tag === 'input' || tag === 'textarea') return lib.prop(el, 'value') || ''
    return contents(el, { path: new Set([el]), root: el })
  }

  // alternative is accname's text alternative. o.ref: reached through aria-labelledby (or describedby); o.label: through
  // a native label; o.child: as part of content; o.bare: the referenced node is hidden, so hidden ones count; o.path: what
  // is being computed already.
  const alternative = (el, o) => {
    if (o.depth > deepest) return ''
    const tag = lib.tag(el)
    if (neverText.has(tag) || (tag === 'noscript' && lib.rectCount(el) === 0)) return ''
    if (!o.bare && lib.gone(el)) return ''
    if (!o.bare && lib.invisible(el)) return o.child || o.label || o.ref ? contents(el, { ...o, mute: true }) : ''
    const entered = o.path.has(el)
    if (entered && o.root !== el) return ''
    const role = lib.role(el)
    const inner = o.ref || o.label || o.child
    if (!o.ref && lib.has(el, 'aria-labelledby') && !o.chain) {
      const text = refsText(el, 'aria-labelledby', new Set(o.path).add(el), o.seen)
      if (text !== '') return text
    }
    if (inner && el !== o.top && (o.child || o.ref && o.top === undefined)) {
      const value = embedded(el, role)
      if (value !== null && (value !== '' || textual.has(role))) return value
    }
    if (o.ref && el !== o.top && !o.child && embeddedRoles.has(role)) {
      const value = embedded(el, role)
      if (value !== null && value !== '' && blank(lib.attr(el, 'aria-label'))) return value
    }
    const label = lib.attr(el, 'aria-label')
    if (!blank(label) && !(lib.isSlot(el))) return label
    const hostRole = role === 'none' && lib.explicit(el)
    if (!hostRole) {
      const text = native(el, role, { ...o, path: o.path })
      if (!blank(text)) return text
      if (tag === 'img' && lib.has(el, 'alt') && inner) return ''
    }
    if ((inner || fromContent.has(role)) && !hides(el, role)) {
      const text = contents(el, { ...o, path: new Set(o.path).add(el) })
      if (lib.fold(text) !== '') return text
      if (o.child && text !== '') {
        const t = tooltip(el, tag, role)
        return t === '' ? text : t
      }
    }
    return tooltip(el, tag, role)
  }
  const embeddedRoles = words('textbox searchbox combobox listbox slider spinbutton')
  const tooltip = (el, tag, role) => {
    if (role === 'none' && tag === 'img') return ''
    const title = lib.attr(el, 'title')
    if (!blank(title)) return title
    if (lib.isSVG(el)) return xlinkTitle(el)
    if (tag === 'input' || tag === 'textarea') {
      const holder = lib.attr(el, 'placeholder')
      if (!blank(holder)) return holder
      const aria = lib.attr(el, 'aria-placeholder')
      return aria ?? ''
    }
    return textual.has(role) ? (lib.attr(el, 'aria-placeholder') ?? '') : ''
  }
  // The branch below an item of a tree or menu is no part of the item's name.
  const nests = words('treeitem menuitem')
  const branches = words('group menu tree')
  const contents = (el, o) => {
    const parts = []
    const transform = o.mute ? 'none' : lib.transform(el)
    if (!o.mute) parts.push(lib.generated(el, '::before'))
    let kids = lib.kids(el)
    const owned = lib.owned(el)
    if (owned.length > 0) kids = kids.filter((k) => !owned.includes(k)).concat(owned)
    for (const k of kids) {
      const type = lib.type(k)
      if (type === 3 || type === 4) {
        if (!o.mute) parts.push(cased(lib.some(k), transform))
        continue
      }
      if (type !== 1) continue
      const owner = lib.owner(k)
      if (owner !== undefined && owner !== el) continue
      if (o.seen?.has(k)) continue
      const tag = lib.tag(k)
      if (tag === 'br' || tag === 'hr') {
        parts.push(' ')
        continue
      }
      if (!o.mute && tag === 'wbr') continue
      if (lib.isSVG(k) && (tag === 'title' || tag === 'desc')) continue
      if (nests.has(o.root && lib.role(o.root)) && branches.has(lib.role(k))) continue
      const text = alternative(k, { ...o, child: true, mute: false, depth: (o.depth ?? 0) + 1 })
      if (text === '') {
        if (blocky(displayOf(k))) parts.push(' ')
        continue
      }
      parts.push(blocky(displayOf(k)) ? ` ${text} ` : text)
    }
    if (!o.mute) parts.push(lib.generated(el, '::after'))
    return parts.join('')
  }
  // Text is read as it is shown, capitals included.
  const cased = (s, transform) => {
    switch (transform) {
      case 'uppercase': return s.toUpperCase()
      case 'lowercase': return s.toLowerCase()
      case 'capitalize': return s.replace(/(^|[^\p{L}\p{N}'\u2019])(\p{L})/gu, (_, before, c) => before + c.toUpperCase())
      default: return s
    }
  }
  const displayOf = (el) => lib.style(el).display
  lib.rawName = (el) => {
    const text = plainName(el)
    return blank(text) ? alternative(el, { path: new Set(), seen: new Set(), top: el, root: el }) : text
  }
  // What a link or button that holds a text alone is called, where nothing else can name it: most of them are so.
  const plainName = (el) => {
    const f = lib.facts(el)
    const only = f.shown && f.html && (f.tag === 'a' || f.tag === 'button') && fromContent.has(lib.role(el)) ? lib.sole(el) : null
    if (only === null || lib.owned(el).length > 0) return ''
    if (!lib.bare(el) && (lib.has(el, 'aria-label') || lib.has(el, 'aria-labelledby'))) return ''
    if (f.tag === 'button' && lib.labels(el).length > 0) return ''
    return lib.generated(el, '::before') + cased(lib.some(only), lib.transform(el)) + lib.generated(el, '::after')
  }
  // The name of something hidden, as if it were shown.
  lib.hiddenName = (el) => lib.fold(alternative(el, { path: new Set(), seen: new Set(), bare: true, top: el, root: el }))
  lib.name = (el) => {
    const f = lib.facts(el)
    let name = f.name
    if (name === undefined) {
      const role = lib.role(el)
      name = lib.nameProhibited(role) && !keepsName(el, role) ? '' : lib.fold(lib.rawName(el))
      f.name = name
    }
    return name
  }
  // A label that an author put where none may be still says what the thing is; browsers keep it too.
  const keepsName = (el) => lib.named(el) || lib.isSVG(el)
  lib.description = (el) => {
    let text = ''
    if (lib.has(el, 'aria-describedby')) text = refsText(el, 'aria-describedby', new Set([el]))
    if (text === '') text = lib.fold(lib.attr(el, 'aria-description') ?? '')
    if (text === '') {
      const title = lib.fold(lib.attr(el, 'title') ?? '')
      if (title !== lib.name(el)) text = title
    }
    return text
  }
  // Text of the content in the composed tree as a person reads it: hidden by style left out, aria-hidden kept.
  // What stands in a secret editing host is not said, at whatever depth one begins.
  lib.text = (el) => lib.fold(lib.isText(el) ? lib.data(el) : seenText(el))
  // Text as the browser renders it, line ends kept, unless a secret stands in it. What shadow roots show, which innerText
  // leaves out, has a line for each block.
  let end = ' '
  lib.plainText = (el) => {
    if (lib.holdsSecret(el)) return lib.text(el)
    if (lib.shadow(el) === null && !lib.rootsMet().some((r) => lib.isShadow(r) && lib.contains(el, r))) return lib.prop(el, 'innerText') ?? lib.text(el)
    end = '\u2029'
    const lines = seenText(el).split(end)
    end = ' '
    return lines.map(lib.fold).filter((l) => l !== '').join('\n')
  }
  const seenText = (el, depth = 0) => {
    if (depth > deepest) return ''
    const tag = lib.tag(el)
    if (neverText.has(tag) || (tag === 'noscript' && lib.rectCount(el) === 0)) return ''
    const style = lib.style(el)
    if (style.display === 'none' || style.contentVisibility === 'hidden' || lib.foldedAway(el)) return ''
    if (tag === 'br') return end
    if (tag === 'textarea' || tag === 'select' || tag === 'iframe') return ''
    if (typed(el) && lib.secret(el)) return ''
    const shown = style.visibility === 'visible'
    let out = shown ? lib.generated(el, '::before') : ''
    for (const k of lib.kids(el)) {
      const type = lib.type(k)
      if (type === 3 || type === 4) out += shown ? lib.data(k) : ''
      else if (type === 1) out += seenText(k, depth + 1)
    }
    if (shown) out += lib.generated(el, '::after')
    return blocky(style.display) ? end + out + end : out
  }
  lib.textNode = (n) => lib.fold(lib.data(n))
  const TYPED = '[contenteditable], [role=textbox], [role=searchbox], [role=combobox], [role=spinbutton]'
  lib.fields = 'input,textarea,select,' + TYPED
  const typed = (el) => !lib.bare(el) && (lib.editingHost(el) || (lib.has(el, 'role') && lib.matches(el, TYPED)))
  lib.holdsSecret = (el) => lib.rootsMet().some((root) => lib.all(root, TYPED).some((e) => lib.contains(el, e) && lib.secret(e)))
  // withinSecret: the element is a secret field, or stands in one that is edited as text.
  lib.withinSecret = (el) => {
    if (lib.secret(el)) return true
    for (let e = lib.parentElement(el); e !== null; e = lib.parentElement(e)) if (typed(e) && lib.secret(e)) return true
    return false
  }
}
