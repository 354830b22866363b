// lib_roles(lib): computed ARIA role of an element: explicit with fallbacks and conflicts, implicit in context.
(lib) => {
  const words = (s) => new Set(s.trim().split(/\s+/))
  const roles = words(`
    alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
    comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic
    graphics-document graphics-object graphics-symbol grid gridcell group heading image img insertion link list listbox
    listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none note
    option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox
    sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript switch tab
    table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem
    doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography
    doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote
    doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref
    doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part
    doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc`)
  const synonyms = { img: 'image', presentation: 'none', directory: 'list' }
  // Roles that stand only under certain others, seen through generics.
  const menus = words('menu menubar group')
  const required = {
    listitem: words('list'), option: words('listbox group'), tab: words('tablist'), treeitem: words('tree group treeitem'),
    menuitem: menus, menuitemcheckbox: menus, menuitemradio: menus, row: words('table grid treegrid rowgroup'),
    rowgroup: words('table grid treegrid'),
  }
  // Where no such ancestor stands the token is passed over only for those that the platform tests settle so.
  const strict = words('listitem menuitem menuitemcheckbox menuitemradio')
  const global = words(`
    aria-atomic aria-busy aria-controls aria-current aria-describedby aria-description aria-details aria-dropeffect
    aria-flowto aria-grabbed aria-hidden aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns aria-relevant
    aria-roledescription aria-braillelabel aria-brailleroledescription`)
  const globals = [...global].map((a) => `[${a}]`).join(',')
  const prohibited = words(`
    caption code comment definition deletion emphasis generic insertion mark none paragraph strong subscript suggestion
    superscript term time`)
  lib.nameProhibited = (role) => prohibited.has(role)
  const presentational = words(`
    button checkbox image math menuitemcheckbox menuitemradio meter option progressbar radio scrollbar separator slider
    switch tab`)
  lib.childrenPresentational = (role) => presentational.has(role)

  const plain = {
    address: 'group', article: 'article', blockquote: 'blockquote', button: 'button', caption: 'caption', code: 'code',
    datalist: 'listbox', dd: 'definition', del: 'deletion', details: 'group', dfn: 'term', dialog: 'dialog',
    dir: 'list', dt: 'term', em: 'emphasis', fieldset: 'group', figure: 'figure', form: 'form', h1: 'heading', h2: 'heading',
    h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading', hgroup: 'group', hr: 'separator', html: 'document', ins: 'insertion',
    main: 'main', mark: 'mark', math: 'math', menu: 'list', meter: 'meter', nav: 'navigation', ol: 'list', optgroup: 'group',
    option: 'option', output: 'status', p: 'paragraph', progress: 'progressbar', s: 'deletion', search: 'search',
    strong: 'strong', sub: 'subscript', sup: 'superscript', table: 'table', tbody: 'rowgroup', textarea: 'textbox',
    tfoot: 'rowgroup', thead: 'rowgroup', time: 'time', ul: 'list',
  }
  const inputs = {
    button: 'button', checkbox: 'checkbox', file: 'button', image: 'button', number: 'spinbutton', radio: 'radio', range: 'slider',
    reset: 'button', submit: 'button',
  }
  const sections = words('article aside main nav section')
  const sectionRoles = words('article complementary main navigation region')
  const inSection = (el) => {
    for (let p = lib.parentElement(el); p !== null; p = lib.parentElement(p)) {
      if (lib.isHTML(p) && sections.has(lib.tag(p))) {
        const explicit = lib.attr(p, 'role')
        if (explicit === null || explicit.trim() === '' || sectionRoles.has(lib.role(p))) return true
      } else if (lib.has(p, 'role') && sectionRoles.has(lib.role(p))) return true
    }
    return false
  }
  const inSectioning = (el) => {
    for (let p = lib.parentElement(el); p !== null; p = lib.parentElement(p)) {
      const t = lib.tag(p)
      if (lib.isHTML(p) && (t === 'article' || t === 'aside' || t === 'nav' || t === 'section')) return true
    }
    return false
  }
  const table = (el) => {
    for (let p = lib.parentElement(el); p !== null; p = lib.parentElement(p)) if (lib.tag(p) === 'table') return p
    return null
  }
  // All cells of a row are of one kind.
  const cellRole = (el) => {
    const row = lib.nodeParent(el)
    const known = lib.cache.cells.get(row)
    if (known !== undefined) return known
    const role = kindOfCell(el)
    lib.cache.cells.set(row, role)
    return role
  }
  // usualCell is the role of the cells of a row that have no attributes.
  lib.usualCell = (row) => {
    if (lib.role(row) !== 'row') return ''
    const p = lib.nodeParent(row)
    return p !== null && lib.isElement(p) && lib.role(p) !== 'none' ? kindOfCell(row) : ''
  }
  const kindOfCell = (el) => {
    const t = table(el)
    const role = t === null ? 'table' : lib.role(t)
    return role === 'grid' || role === 'treegrid' ? 'gridcell' : 'cell'
  }
  const headerRole = (el) => {
    const scope = (lib.attr(el, 'scope') || '').toLowerCase()
    if (scope === 'row' || scope === 'rowgroup') return 'rowheader'
    if (scope === 'col' || scope === 'colgroup') return 'columnheader'
    const row = lib.parentElement(el)
    if (row === null || lib.tag(row) !== 'tr') return 'columnheader'
    const group = lib.parentElement(row)
    if (group !== null && lib.tag(group) === 'thead') return 'columnheader'
    for (const c of lib.kids(row)) if (lib.isElement(c) && lib.tag(c) === 'td') return 'rowheader'
    return 'columnheader'
  }
  const hasSource = (el) => {
    const src = lib.attr(el, 'src')
    const set = lib.attr(el, 'srcset')
    return (src !== null && src !== '') || (set !== null && set !== '')
  }
  const imageRole = (el) => {
    const alt = lib.attr(el, 'alt')
    if (alt !== null && alt.trim() === '') return lib.ariaNamed(el) ? 'image' : 'none'
    if (alt !== null) return 'image'
    if (lib.ariaNamed(el) || lib.fold(lib.attr(el, 'title') || '') !== '') return 'image'
    return hasSource(el) ? 'image' : 'none'
  }
  lib.inputType = (el) => lib.prop(el, 'type') || 'text'
  const inputRole = (el) => {
    const type = lib.inputType(el)
    if (type === 'hidden') return 'none'
    if (Object.hasOwn(inputs, type)) return inputs[type]
    const id = lib.attr(el, 'list')
    const textual = type === 'text' || type === 'email' || type === 'tel' || type === 'url' || type === 'search'
    if (textual && id !== null) {
      const list = lib.byId(lib.root(el), id)
      if (list !== null && lib.tag(list) === 'datalist') return 'combobox'
    }
    if (type === 'search') return 'searchbox'
    return 'textbox'
  }
  const svg = (el, tag) => {
    switch (tag) {
      case 'svg':
        return lib.svgNamed(el) ? 'image' : 'graphics-document'
      case 'a':
        return lib.has(el, 'href') || lib.attrNS(el, 'http://www.w3.org/1999/xlink', 'href') !== null ? 'link' : 'generic'
      case 'image':
        return 'image'
      case 'g': case 'foreignObject': case 'text': case 'textPath': case 'tspan':
        return lib.svgNamed(el) ? 'group' : 'generic'
      case 'circle': case 'ellipse': case 'line': case 'mesh': case 'path': case 'polygon': case 'polyline': case 'rect': case 'use':
        return lib.svgNamed(el) ? 'graphics-symbol' : 'generic'
      default:
        return 'none'
    }
  }
  lib.svgNamed = (el) => {
    if (lib.ariaNamed(el) || lib.fold(lib.attrNS(el, 'http://www.w3.org/1999/xlink', 'title') || '') !== '') return true
    for (const c of lib.childNodes(el)) {
      if (lib.isElement(c) && lib.isSVG(c) && lib.tag(c) === 'title' && lib.fold(lib.content(c)) !== '') return true
    }
    return false
  }
  lib.ariaNamed = (el) => {
    if (lib.bare(el)) return false
    const label = lib.attr(el, 'aria-label')
    if (label !== null && label.trim() !== '') return true
    return lib.has(el, 'aria-labelledby') && lib.labelledName(el) !== ''
  }
  lib.named = (el) => !lib.bare(el) && (lib.ariaNamed(el) || lib.fold(lib.attr(el, 'title') || '') !== '')
  const implicit = (el) => {
    const tag = lib.tag(el)
    if (lib.isSVG(el)) return svg(el, tag)
    if (!lib.isHTML(el)) return tag === 'math' ? 'math' : 'generic'
    if (Object.hasOwn(plain, tag)) return plain[tag]
    switch (tag) {
      case 'a': case 'area':
        return lib.has(el, 'href') ? 'link' : 'generic'
      case 'aside':
        return !inSectioning(el) || lib.named(el) ? 'complementary' : 'generic'
      case 'footer':
        return inSection(el) ? 'generic' : 'contentinfo'
      case 'header':
        return inSection(el) ? 'generic' : 'banner'
      case 'img':
        return imageRole(el)
      case 'input':
        return inputRole(el)
      case 'li':
        return context(el, required.listitem) ? 'listitem' : 'generic'
      case 'section':
        return lib.named(el) ? 'region' : 'generic'
      case 'select':
        return lib.prop(el, 'multiple') || lib.prop(el, 'size') > 1 ? 'listbox' : 'combobox'
      case 'summary': {
        const p = lib.nodeParent(el)
        return p !== null && lib.isElement(p) && lib.tag(p) === 'details' && lib.firstSummary(p) === el ? 'button' : 'generic'
      }
      case 'td':
        return cellRole(el)
      case 'th':
        return table(el) !== null && lib.role(table(el)) !== 'table' && cellRole(el) === 'cell' ? 'cell' : headerRole(el)
      case 'tr':
        return 'row'
      case 'cite':
        return 'html-cite'
      default:
        return 'generic'
    }
  }
  lib.firstSummary = (details) => {
    for (const c of lib.childNodes(details)) if (lib.isElement(c) && lib.tag(c) === 'summary') return c
    return null
  }
  // context reports whether the nearest ancestor that means something has one of the roles.
  const context = (el, among) => {
    let p = lib.owner(el) ?? lib.parentElement(el)
    for (; p !== null; p = lib.owner(p) ?? lib.parentElement(p)) {
      const role = lib.role(p)
      if (among.has(role)) return true
      if (role !== 'generic' && role !== 'none') return false
      if (role === 'none' && among === required.listitem && (lib.tag(p) === 'ul' || lib.tag(p) === 'ol' || lib.tag(p) === 'menu')) return false
    }
    return false
  }
  const inside = (el, among) => {
    for (let p = lib.owner(el) ?? lib.parentElement(el); p !== null; p = lib.parentElement(p)) if (among.has(lib.role(p))) return true
    return false
  }
  lib.focusable = (el) => {
    if (lib.has(el, 'tabindex') && /^\s*-?\d/.test(lib.attr(el, 'tabindex'))) return !lib.nativelyDisabled(el)
    const tag = lib.tag(el)
    if (!lib.isHTML(el)) return lib.isSVG(el) && tag === 'a' && lib.role(el) === 'link'
    switch (tag) {
      case 'a': case 'area': return lib.has(el, 'href')
      case 'input': return lib.inputType(el) !== 'hidden' && !lib.nativelyDisabled(el)
      case 'button': case 'select': case 'textarea': return !lib.nativelyDisabled(el)
      case 'summary': { const p = lib.nodeParent(el); return p !== null && lib.isElement(p) && lib.tag(p) === 'details' && lib.firstSummary(p) === el }
      case 'iframe': return true
      case 'audio': case 'video': return lib.has(el, 'controls')
      default: return lib.editingHost(el)
    }
  }
  lib.editingHost = (el) => {
    const v = lib.attr(el, 'contenteditable')
    return v !== null && v.toLowerCase() !== 'false' && v.toLowerCase() !== 'inherit'
  }
  const conflicts = (el) => lib.focusable(el) || lib.matches(el, globals)
  const minimum = (el) =>
    (lib.has(el, 'autofocus') || lib.has(el, 'popover') || /^(true|)$/i.test(lib.attr(el, 'draggable') ?? 'no')) && lib.isHTML(el) ? 'group' : null
  const meaningless = words('b bdi bdo big div i small span tt u wbr')
  const compute = (el) => {
    if (lib.bare(el)) {
      const f = lib.facts(el)
      if (f.html && meaningless.has(f.tag)) return 'generic'
      return inherit(el) ?? implicit(el)
    }
    const attr = lib.attr(el, 'role')
    if (attr !== null) {
      for (const token of attr.toLowerCase().split(/[\t\n\f\r ]+/)) {
        if (!roles.has(token)) continue
        const role = synonyms[token] ?? token
        if (role === 'none') {
          if (lib.tag(el) === 'iframe') continue
          if (conflicts(el)) return implicit(el)
          return minimum(el) ?? 'none'
        }
        if (role === 'generic') return minimum(el) ?? 'generic'
        if ((role === 'region' || role === 'form') && !lib.named(el)) continue
        if (strict.has(role) && !inside(el, required[role])) continue
        return role
      }
    }
    const role = implicit(el)
    if (role === 'generic' && lib.editingHost(el)) return 'textbox'
    return role === 'generic' ? (minimum(el) ?? inherit(el) ?? role) : (inherit(el) ?? role)
  }
  // Required owned elements lose their meaning with a container that was made presentational.
  const owned = { li: words('ul ol menu dir'), tr: words('table thead tbody tfoot'), td: words('tr'), th: words('tr'), thead: words('table'), tbody: words('table'), tfoot: words('table'), caption: words('table') }
  const inherit = (el) => {
    if (!lib.isHTML(el)) return null
    const tag = lib.tag(el)
    if (!Object.hasOwn(owned, tag) || (!lib.bare(el) && lib.has(el, 'role'))) return null
    const p = lib.parentElement(el)
    if (p === null || !owned[tag].has(lib.tag(p))) return null
    return lib.role(p) === 'none' && !conflicts(el) ? 'none' : null
  }
  lib.role = (el) => {
    const f = lib.facts(el)
    if (f.role !== undefined) return f.role
    f.role = 'generic' // a loop through labels ends here
    const role = compute(el)
    f.role = role
    return role
  }
  lib.explicit = (el) => {
    const role = lib.attr(el, 'role')
    return role !== null && role.trim() !== ''
  }
  lib.level = (el) => {
    if (lib.role(el) !== 'heading') return 0
    const given = Number.parseInt(lib.attr(el, 'aria-level') ?? '', 10)
    if (given > 0) return given
    const h = /^h([1-6])$/.exec(lib.tag(el))
    return h && lib.isHTML(el) ? Number(h[1]) : 2
  }
  // aria-owns: who took the element, and whom an element took. Built once for each root that is asked about.
  const owns = () => {
    if (lib.cache.owner === null) {
      lib.cache.owner = new Map()
      lib.cache.owned = new Map()
      for (const root of lib.rootsMet()) {
        for (const el of lib.all(root, '[aria-owns]')) {
          const list = []
          for (const child of lib.refs(el, 'aria-owns')) {
            if (child !== el && !lib.cache.owner.has(child) && !lib.contains(child, el)) {
              lib.cache.owner.set(child, el)
              list.push(child)
            }
          }
          if (list.length > 0) lib.cache.owned.set(el, list)
        }
      }
    }
  }
  lib.owner = (el) => {
    owns()
    return lib.cache.owner.get(el)
  }
  lib.owned = (el) => {
    owns()
    return lib.cache.owned.get(el) ?? none
  }
  // owning: some element took another.
  lib.owning = () => {
    owns()
    return lib.cache.owned.size > 0
  }
  const none = []
}
