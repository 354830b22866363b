// lib_dom(lib): reading the DOM through captured prototypes; the composed tree; style and boxes.
(lib) => {
  const find = (proto, name) => {
    for (let p = proto; p; p = Object.getPrototypeOf(p)) {
      const d = Object.getOwnPropertyDescriptor(p, name)
      if (d) return d
    }
    return undefined
  }
  const apply = Reflect.apply
  // uncurry makes a function of its receiver and its arguments, without a list of them for each call.
  const uncurry = Function.prototype.bind.bind(Function.prototype.call)
  const getter = (proto, name) => {
    const get = find(proto, name)?.get
    return get ? uncurry(get) : () => null
  }
  const method = (proto, name) => {
    return uncurry(find(proto, name)?.value)
  }
  const method1 = (proto, name) => {
    return uncurry(find(proto, name).value)
  }
  const N = Node.prototype
  const E = Element.prototype
  const nodeType = getter(N, 'nodeType')
  const nodeName = getter(N, 'nodeName')
  const parentNode = getter(N, 'parentNode')
  const firstChild = getter(N, 'firstChild')
  const nextSibling = getter(N, 'nextSibling')
  const previousSibling = getter(N, 'previousSibling')
  const rootNode = method(N, 'getRootNode')
  const isConnected = getter(N, 'isConnected')
  const nodeContains = method1(N, 'contains')
  const textContent = getter(N, 'textContent')
  const localName = getter(E, 'localName')
  const namespace = getter(E, 'namespaceURI')
  const getAttribute = method1(E, 'getAttribute')
  const getAttributeNS = method(E, 'getAttributeNS')
  const hasAttribute = method1(E, 'hasAttribute')
  const hasAttributes = method(E, 'hasAttributes')
  const checkVisibility = method1(E, 'checkVisibility')
  let shadowRoot = getter(E, 'shadowRoot')
  const matches = method1(E, 'matches')
  const clientRects = method(E, 'getClientRects')
  const clientRect = method(E, 'getBoundingClientRect')
  const assignedSlotE = getter(E, 'assignedSlot')
  const assignedSlotT = getter(Text.prototype, 'assignedSlot')
  const assignedNodes = method(HTMLSlotElement.prototype, 'assignedNodes')
  const host = getter(ShadowRoot.prototype, 'host')
  const data = getter(CharacterData.prototype, 'data')
  const idOf = {
    doc: method1(Document.prototype, 'getElementById'),
    frag: method1(DocumentFragment.prototype, 'getElementById'),
  }
  const query = {
    doc: method1(Document.prototype, 'querySelectorAll'),
    frag: method1(DocumentFragment.prototype, 'querySelectorAll'),
    el: method1(E, 'querySelectorAll'),
  }
  const HTML = 'http://www.w3.org/1999/xhtml'
  const SVG = 'http://www.w3.org/2000/svg'
  const view = getter(Document.prototype, 'defaultView')(lib.document)
  const styleOf = view.getComputedStyle
  const computed = (el, pseudo) => apply(styleOf, view, pseudo ? [el, pseudo] : [el])
  lib.window = view

  const wrap = (list) => {
    const out = []
    for (let i = 0; i < list.length; i++) out.push(list[i])
    return out
  }
  // One record a node and reading holds what was asked of it: each question to the DOM is dear, in a sandbox of one
  // browser above all.
  const hosts = new Set('article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span'.split(' '))
  // Elements of these names, as HTML spells them, are HTML's; another namespace that spelt them so would say no more.
  const plain = new Set('A B BUTTON DIV EM I LI OL P SPAN STRONG TBODY TD TH TR UL'.split(' '))
  let at = null // the node asked about last, and its record in the cache of the reading
  let record = null
  let of = null
  const facts = (n) => {
    if (n === at && of === lib.cache) return record
    at = n
    of = lib.cache
    record = of.nodes.get(n)
    if (record !== undefined) return record
    const name = nodeName(n)
    const type = name === '#text' ? 3 : plain.has(name) ? 1 : nodeType(n)
    record = {
      type, tag: null, html: false, svg: false, host: false, shown: false, bare: undefined, up: undefined, kids: undefined,
      sole: undefined, style: undefined, gone: undefined, role: undefined, name: undefined,
    }
    if (type === 1) {
      if (plain.has(name)) {
        record.tag = name.toLowerCase()
        record.html = true
      } else {
        record.tag = localName(n)
        const ns = namespace(n)
        record.html = ns === HTML
        record.svg = ns === SVG
      }
      record.host = record.html && (hosts.has(record.tag) || record.tag.includes('-'))
    }
    of.nodes.set(n, record)
    return record
  }
  lib.facts = facts
  // Texts have no record: there are as many of them as of elements, and nothing is asked twice.
  const typeOf = (n) => {
    if (n === at && of === lib.cache) return record.type
    const known = lib.cache.nodes.get(n)
    if (known !== undefined) return known.type
    return nodeName(n) === '#text' ? 3 : facts(n).type
  }
  lib.type = typeOf
  lib.isElement = (n) => typeOf(n) === 1
  lib.isText = (n) => typeOf(n) === 3 || typeOf(n) === 4
  lib.isHTML = (el) => facts(el).html
  lib.isSVG = (el) => facts(el).svg
  lib.tag = (el) => facts(el).tag
  const shadowOf = (el) => (facts(el).host ? shadowRoot(el) : null)
  lib.attr = getAttribute
  lib.attrNS = getAttributeNS
  lib.has = hasAttribute
  // It has no attribute at all: nothing to ask for.
  lib.bare = (el) => {
    const f = facts(el)
    return (f.bare ??= !hasAttributes(el))
  }
  // shown: it has a box, and neither it nor what it stands in hides it by visibility, opacity or content-visibility.
  // One question instead of five; where the answer is no, the five tell why.
  const wholly = { opacityProperty: true, visibilityProperty: true }
  lib.shown = (el) => checkVisibility(el, wholly)
  // shownBelow: every element in it is.
  lib.shownBelow = (el) => {
    const list = query.el(el, '*')
    for (let i = list.length - 1; i >= 0; i--) if (!checkVisibility(list[i], wholly)) return false
    return true
  }
  lib.data = data
  // some is as much of a text as can be shown of it, and more.
  lib.some = (text) => {
    const d = data(text)
    return d.length > 100000 ? d.slice(0, 100000) : d
  }
  lib.content = textContent
  lib.nodeParent = (n) => lib.cache.nodes.get(n)?.up ?? parentNode(n)
  lib.shadow = shadowOf
  // pierce changes what the shadow root of an element is: closed ones are told, where they are asked for.
  lib.pierce = (f) => {
    shadowRoot = f(shadowRoot)
  }
  lib.connected = isConnected
  lib.root = (n) => rootNode(n)
  lib.matches = matches
  lib.host = host
  lib.isShadow = (n) => facts(n).type === 11 && 'host' in n
  lib.childNodes = (n) => {
    const f = facts(n)
    let out = f.kids
    if (out === undefined) {
      f.kids = out = []
      for (let c = firstChild(n); c !== null; c = nextSibling(c)) {
        out.push(c)
        if (nodeName(c) !== '#text') facts(c).up = n
      }
    }
    return out
  }
  // sole is the only child of an element where that is a text, else null: most elements that say something hold no more.
  lib.sole = (el) => {
    const f = facts(el)
    if (f.sole === undefined) {
      const c = firstChild(el)
      f.sole = c !== null && nodeName(c) === '#text' && nextSibling(c) === null && shadowOf(el) === null && f.tag !== 'slot' ? c : null
    }
    return f.sole
  }
  // shallow are the child nodes, without a record of any.
  lib.shallow = (n) => {
    const out = []
    for (let c = firstChild(n); c !== null; c = nextSibling(c)) out.push(c)
    return out
  }
  // plainCell is the text of a td that has no attribute, is shown and holds a text alone, perhaps in a span that has
  // none either, else null. It keeps no record.
  const spans = new Set('SPAN B I STRONG EM SMALL'.split(' '))
  const onlyChild = (n) => {
    const c = firstChild(n)
    return c !== null && nextSibling(c) === null && !hasAttributes(n) && checkVisibility(n, wholly) && !lib.pointed(n) ? c : null
  }
  lib.plainCell = (n) => {
    let c = nodeName(n) === 'TD' && n !== lib.activeNow() ? onlyChild(n) : null
    if (c === null) return null
    let name = nodeName(c)
    if (spans.has(name) && !lib.veiled(c)) {
      c = shadowRoot(c) === null ? onlyChild(c) : null
      if (c === null) return null
      name = nodeName(c)
    }
    if (name !== '#text') return null
    return lib.fold(lib.some(c))
  }
  lib.nodeName = nodeName
  // above is the parent, or the host of a shadow root.
  lib.above = (n) => parentNode(n) ?? (nodeType(n) === 11 && 'host' in n ? host(n) : null)
  lib.firstChild = firstChild
  lib.nextSibling = nextSibling
  lib.previousSibling = previousSibling
  lib.all = (root, css) => wrap((nodeType(root) === 9 ? query.doc : nodeType(root) === 11 ? query.frag : query.el)(root, css))
  lib.byId = (root, id) => (nodeType(root) === 9 ? idOf.doc(root, id) : nodeType(root) === 11 ? idOf.frag(root, id) : null)
  lib.ids = (value) => (value === null ? [] : value.split(/[\t\n\f\r ]+/).filter((s) => s !== ''))
  // Elements of an id list, or those that script set by element reflection (which shows as an empty attribute).
  const reflected = {}
  for (const [a, p] of [['aria-labelledby', 'ariaLabelledByElements'], ['aria-describedby', 'ariaDescribedByElements'], ['aria-owns', 'ariaOwnsElements']]) {
    const d = find(E, p)
    if (d && d.get) reflected[a] = (el) => apply(d.get, el, [])
  }
  lib.refs = (el, name) => {
    const value = getAttribute(el, name)
    if (value === null) return []
    const ids = lib.ids(value)
    lib.outside++
    if (ids.length === 0) return (reflected[name] && wrap(reflected[name](el) || [])) || []
    const root = rootNode(el)
    const out = []
    for (const id of ids) {
      const to = lib.byId(root, id)
      if (to !== null && !out.includes(to)) out.push(to)
    }
    return out
  }
  lib.slotOf = (n) => (nodeType(n) === 1 ? assignedSlotE(n) : nodeType(n) === 3 ? assignedSlotT(n) : null)
  lib.isSlot = (el) => facts(el).tag === 'slot' && facts(el).html
  lib.assigned = (slot) => (lib.isShadow(rootNode(slot)) ? wrap(assignedNodes(slot)) : [])
  // Composed parent: the slot, the shadow host, or the parent; null above the document, and for a node that no slot shows.
  lib.parent = (n) => {
    const p = lib.nodeParent(n)
    if (p === null) return lib.isShadow(n) ? host(n) : null
    const t = facts(p).type
    if (t === 1) return shadowOf(p) === null ? p : lib.slotOf(n)
    return t === 11 && 'host' in p ? host(p) : p
  }
  lib.parentElement = (n) => {
    const p = lib.parent(n)
    return p !== null && facts(p).type === 1 ? p : null
  }
  lib.kids = (n) => {
    if (facts(n).type === 1) {
      const root = shadowOf(n)
      if (root !== null) {
        lib.met(root)
        return lib.childNodes(root)
      }
      if (lib.isSlot(n)) {
        const given = lib.assigned(n)
        if (given.length > 0) return given
      }
    }
    return lib.childNodes(n)
  }
  lib.closest = (el, css) => {
    for (let e = el; e !== null; e = lib.parentElement(e)) if (matches(e, css)) return e
    return null
  }
  lib.contains = (outer, inner) => {
    if (nodeContains(outer, inner)) return true
    for (let n = inner; n !== null; n = lib.parent(n)) if (n === outer) return true
    return false
  }
  lib.attached = (n) => {
    if (!isConnected(n)) return false
    let root = rootNode(n)
    while (lib.isShadow(root)) root = rootNode(host(root))
    return root === lib.document
  }
  const fold = /[\t\n\f\r ]+/g
  lib.fold = (s) => {
    const t = s.replace(fold, ' ')
    return t.length > 0 && (t[0] === ' ' || t[t.length - 1] === ' ') ? t.replace(/^ | $/g, '') : t
  }
  lib.style = (el, pseudo) => {
    if (pseudo) return computed(el, pseudo)
    const f = facts(el)
    return (f.style ??= computed(el))
  }
  const box = (r) => ({ x: r.x, y: r.y, w: r.width, h: r.height })
  lib.rect = (el) => box(clientRect(el))
  lib.rects = (el) => wrap(clientRects(el)).map(box)
  lib.rectCount = (el) => clientRects(el).length
  lib.textRects = (text) => {
    const range = new Range()
    range.selectNodeContents(text)
    return wrap(range.getClientRects()).map(box)
  }
  // IDL properties by the prototype that owns them for this element; a page can shadow what it likes on the node.
  const props = new Map()
  const owner = (el, name, kind) => {
    const proto = Object.getPrototypeOf(el)
    let byName = props.get(proto)
    if (byName === undefined) props.set(proto, (byName = new Map()))
    const key = kind + name
    if (!byName.has(key)) byName.set(key, find(proto, name)?.[kind])
    return byName.get(key)
  }
  lib.prop = (el, name) => {
    const get = owner(el, name, 'get')
    return get === undefined ? undefined : apply(get, el, [])
  }
  lib.set = (el, name, value) => {
    const set = owner(el, name, 'set')
    if (set !== undefined) apply(set, el, [value])
  }
  lib.call = (el, name, ...args) => {
    const f = owner(el, name, 'value')
    return typeof f === 'function' ? apply(f, el, args) : undefined
  }
  const docGet = {
    title: getter(Document.prototype, 'title'),
    active: getter(Document.prototype, 'activeElement'),
    ready: getter(Document.prototype, 'readyState'),
    root: getter(Document.prototype, 'documentElement'),
    body: getter(Document.prototype, 'body'),
    scrolling: getter(Document.prototype, 'scrollingElement'),
  }
  const shadowActive = getter(ShadowRoot.prototype, 'activeElement')
  lib.docTitle = () => docGet.title(lib.document)
  lib.ready = () => docGet.ready(lib.document)
  lib.documentElement = () => docGet.root(lib.document)
  lib.body = () => docGet.body(lib.document)
  lib.scrolling = () => docGet.scrolling(lib.document)
  // The focused element, through open shadow roots.
  lib.active = () => {
    let el = docGet.active(lib.document)
    while (el) {
      const root = shadowRoot(el)
      const inner = root === null ? null : shadowActive(root)
      if (inner === null) return el
      el = inner
    }
    return el
  }
  lib.viewport = () => ({ w: view.innerWidth, h: view.innerHeight })
  const known = new Set()
  lib.roots = () => {
    const out = [lib.document]
    const visit = (root) => {
      for (const el of lib.all(root, '*')) {
        const inner = shadowRoot(el)
        if (inner !== null) {
          out.push(inner)
          if (!known.has(inner)) lib.met(inner)
          visit(inner)
        }
      }
    }
    visit(lib.document)
    return out
  }
  // imageOf is the image that an area is a part of.
  lib.imageOf = (area) => {
    const map = lib.closest(area, 'map')
    const name = map === null ? null : lib.attr(map, 'name') || lib.attr(map, 'id')
    if (!name) return null
    for (const img of lib.all(lib.root(area), 'img[usemap]')) if (lib.attr(img, 'usemap') === '#' + name) return img
    return null
  }
}
