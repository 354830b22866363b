// lib(lib): base of the page library, what every page function gets as its first argument.
//
// All elements are read through prototype getters captured at the start: a page can shadow what hangs on
// its nodes (a form with controls named id, children, attributes), never these. Style, hidden, role
// and name are cached for the length of one synchronous piece: call lib.fresh() after every await.
//
// registry
//   lib.doc                id of this document's registry (string); new after history brings it back
//   lib.number(node)       number of a node, given once and never reused
//   lib.node(n)            the node, or null where it was collected; may be detached: ask lib.attached
//   lib.attached(node)     it stands in the document shown, through shadow roots
//   lib.raw(value)         answer that goes out as remote values instead of JSON
// dom
//   lib.isElement(n) lib.isText(n) lib.tag(el) lib.isHTML(el) lib.attr(el, name) lib.has(el, name)
//   lib.bare(el)           it has no attribute at all   lib.document lib.window   the ones this library is for
//   lib.parent(n) lib.kids(n)   composed tree: slots, shadow roots
//   lib.nodeParent(n) lib.childNodes(n) lib.data(text) lib.shadow(el) lib.root(n) lib.byId(root, id)
//   lib.refs(el, attribute)     elements of an id list
//   lib.all(root, css) lib.matches(el, css) lib.closest(el, css)   composed closest
//   lib.roots()            document and every shadow root, in order
//   lib.fold(s)            white space folded as names are compared
//   lib.style(el, pseudo)  computed style   lib.rect(el) lib.rects(el) boxes
//   lib.contains(outer, inner)  composed
//   lib.prop(el, name)     IDL property by its prototype getter (value, checked, disabled, type, …)
//   lib.set(el, name, v)   IDL property by its prototype setter
//   lib.call(el, name, …)  method by its prototype
// meaning
//   lib.role(el)           computed ARIA role, "generic" where it has none, "none" for presentation
//   lib.level(el)          heading level or 0
//   lib.name(el)           accessible name, folded   lib.description(el)
//   lib.labels(el)         label elements of a control   lib.hiddenName(el) the name as if it were shown
//   lib.states(el)         the flags of the map      lib.disabled(el) lib.readonly(el)
//   lib.secret(el)         its value must never be shown   lib.filled(el)
//   lib.value(el)          string that may be shown, or null
//   lib.hidden(el)         assistive technology does not get it
//   lib.unseen(el)         a person does not see it: opacity 0, clipped, off-screen, no size
//   lib.rendered(el)       has a box of any size, not hidden by style (aria-hidden does not matter)
//   lib.visible(el)        rendered, and some of it takes room   lib.areas(el, most) where
//   lib.inert(el)          inert by attribute or below an open modal dialog   lib.topModal() that dialog
//   lib.href(el) lib.hint(el) lib.clickable(el) lib.stamp(el) lib.text(el) visible text
//   lib.textNode(n)        folded text of a text node
// watching
//   lib.version()          counts changes   lib.settle(ms) promise: a frame without a change, at most ms
//   lib.frame()            promise: next frame, or 50 ms where there are none
//   lib.arm(el) -> token   listen for what the next press hits   lib.hit(token) -> Hit
//   lib.box(el)            box as the last reading recorded it: {x, y, w, h, at} or null
//   lib.record(el)         records it now, returns it   lib.now() milliseconds
//   lib.describe(el)       role and name of what it is or stands in, for messages
//   lib.fresh()            drops the caches
// walk
//   lib.walk(args) -> Doc (Go: Doc)
(lib) => {
  let numbers = new WeakMap()
  const nodes = new Map()
  let last = 0
  const here = document
  const id = () => Date.now().toString(36) + Math.floor(Math.random() * 0x7fffffff).toString(36)
  class Raw {
    constructor(value) {
      this.value = value
    }
  }
  // Collected nodes leave their slots now and then; the numbers themselves never come back.
  const sweep = () => {
    for (const [n, node] of nodes) if (node.deref() === undefined) nodes.delete(n)
  }

  lib.doc = id()
  // A frame may get a new document under the same realm: then the library is one for a document that is gone.
  lib.fits = () => globalThis.document === here
  lib.document = here
  lib.renew = () => {
    lib.doc = id()
    numbers = new WeakMap()
    nodes.clear()
  }
  lib.number = (node) => {
    let n = numbers.get(node)
    if (n === undefined) {
      n = ++last
      numbers.set(node, n)
      nodes.set(n, new WeakRef(node))
      if (n % 8192 === 0) sweep()
    }
    return n
  }
  lib.node = (n) => nodes.get(n)?.deref() ?? null
  lib.raw = (value) => new Raw(value)
  lib.fresh = () => {
    lib.retyped?.()
    lib.cache = {
      nodes: new Map(), generated: new Map(), unseen: new Map(), extra: new Map(), cells: new Map(), labels: new Map(),
      owner: null, owned: null, modal: undefined,
    }
  }
  const out = (value) => (value instanceof Raw ? value.value : JSON.stringify(value === undefined ? null : value))
  lib.given = new Map() // page functions of this document by name: the next call need not bring them
  lib.give = (name, fn) => {
    lib.given.set(name, fn)
    return fn
  }
  lib.answer = (fn, args, more) => {
    lib.fresh()
    const value = fn(lib, args === undefined ? {} : JSON.parse(args), more)
    return value instanceof Promise ? value.then(out) : out(value)
  }
  lib.start = () => {
    lib.fresh()
    lib.watch()
  }
}
