// pierce(lib, PierceArgs, roots) -> array of elements that may hold a closed shadow root (remote values, not JSON); takes in the roots given; reads.
//
// No script sees a closed root, but the protocol tells one with its host, and hands it back as what it is. Once it is
// known here it is to the library what an open one is. A root can come at any time, and no observer hears of it; so
// what may have got one is asked about again with each reading, what is likelier to have got one first.
(lib, { few, many }, roots) => {
  const HOSTS = 'article,aside,blockquote,body,div,footer,h1,h2,h3,h4,h5,h6,header,main,nav,p,section,span'
  // What is none of these may be a custom element, which its name says.
  const OTHERS =
    ':not(html,head,meta,title,link,script,style,base,template,noscript,a,abbr,address,area,audio,b,bdi,bdo,br,button,canvas,caption,cite,code,col,colgroup,data,' +
    'datalist,dd,del,details,dfn,dialog,dl,dt,em,embed,fieldset,figcaption,figure,form,g,hgroup,hr,i,iframe,img,input,ins,kbd,label,legend,li,map,mark,menu,meter,' +
    'object,ol,optgroup,option,output,path,picture,pre,progress,q,rect,s,samp,search,select,slot,small,source,strong,sub,summary,sup,svg,table,tbody,td,textarea,' +
    `tfoot,th,thead,time,tr,track,u,ul,use,var,video,wbr,${HOSTS})`
  const install = () => {
    const of = new WeakMap() // host -> its closed root
    const slotOf = lib.slotOf
    // What stands in a slot of a closed root does not say so; the slot does.
    const slots = (root) => {
      const all = (lib.cache.slots ??= new Map())
      let map = all.get(root)
      if (map === undefined) {
        all.set(root, (map = new Map()))
        for (const slot of lib.all(root, 'slot')) for (const n of lib.assigned(slot)) map.set(n, slot)
      }
      return map
    }
    const slot = (n) => {
      const root = of.get(lib.nodeParent(n))
      return slotOf(n) ?? (root === undefined ? null : slots(root).get(n) ?? null)
    }
    lib.closed = { of, asked: new WeakMap(), turn: 0 }
    lib.slotOf = slot
    lib.pierce((open) => {
      const shadow = (el) => open(el) ?? of.get(el) ?? null
      // The rules of an audit read these by themselves, in this realm.
      Object.defineProperty(Element.prototype, 'shadowRoot', { configurable: true, get() { return shadow(this) } })
      for (const kind of [Element, Text]) Object.defineProperty(kind.prototype, 'assignedSlot', { configurable: true, get() { return slot(this) } })
      return shadow
    })
  }
  if (lib.closed === undefined) install()
  const { of, asked } = lib.closed
  const turn = ++lib.closed.turn
  // One browser does not hand over a root that it has told in another document before.
  roots = roots?.filter((root) => root !== null)
  for (const root of roots ?? []) {
    const host = lib.host(root)
    if (of.has(host)) continue
    of.set(host, root)
    lib.listen(root)
    lib.met(root)
    // What was read of the host no longer holds, although nothing about it changed.
    lib.mutated([{ type: 'attributes', target: host }])
    lib.touch()
  }
  lib.fresh()
  // Without a light child that is shown it holds a root, or nothing.
  const bare = (el) => {
    for (let c = lib.firstChild(el); c !== null; c = lib.nextSibling(c)) {
      if (lib.isElement(c)) return lib.style(c).display === ''
      if (lib.isText(c) && lib.fold(lib.data(c)) !== '') return false
    }
    return true
  }
  const [sure, maybe] = [{ never: [], asked: [] }, { never: [], asked: [] }]
  const put = (to, el) => {
    if (lib.shadow(el) === null) (asked.has(el) ? to.asked : to.never).push(el)
  }
  for (const root of roots ?? lib.roots()) {
    for (const el of lib.all(root, OTHERS)) if (lib.tag(el).includes('-')) put(sure, el)
    for (const el of lib.all(root, HOSTS)) put(maybe, el)
  }
  const limit = turn === 1 ? many : few
  const out = []
  // Those asked about longest ago come first; the list is only sorted where not all of it can be.
  const more = (list, most) => {
    const left = most - out.length
    if (list.length > left) list.sort((a, b) => (asked.get(a) ?? 0) - (asked.get(b) ?? 0)).length = Math.max(0, left)
    out.push(...list)
  }
  // Custom elements leave the others a part.
  more(sure.never, limit * 0.75)
  more(sure.asked, limit * 0.75)
  more(maybe.never, limit)
  if (out.length + maybe.asked.length > limit) {
    const [likely, rest] = [[], []]
    for (const el of maybe.asked) (bare(el) ? likely : rest).push(el)
    more(likely, limit)
    more(rest, limit)
  } else out.push(...maybe.asked)
  for (const el of out) asked.set(el, turn)
  return lib.raw(out)
}
