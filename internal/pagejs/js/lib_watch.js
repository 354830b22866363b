// lib_watch(lib): what changes: versions, settling, what a press hits, boxes of the last reading.
(lib) => {
  // In Firefox the sandbox's global object is no window: functions of the window are called on that.
  const view = lib.window
  const raf = view.requestAnimationFrame
  const later = view.setTimeout
  const cancel = view.clearTimeout
  const listen = EventTarget.prototype.addEventListener
  const clock = () => performance.now()
  const on = (target, type, f) => Reflect.apply(listen, target, [type, f, { capture: true, passive: true }])
  const pathOf = Event.prototype.composedPath
  const stackAt = Document.prototype.elementsFromPoint
  let version = 1
  let changed = 0 // records that the observer has brought
  const met = new Set()
  let calm = 0 // as many of them as there were when a frame last passed without one
  let framed = false // a frame is waited for
  const options = { subtree: true, childList: true, attributes: true, characterData: true }
  // The frame after a change is awaited from the change on: when a reading asks it may have passed.
  const awaitFrame = () => {
    if (framed) return
    framed = true
    const before = changed
    Reflect.apply(raf, view, [
      () => {
        framed = false
        count(observer.takeRecords())
        if (changed === before) calm = before
        else awaitFrame()
      },
    ])
  }
  const count = (records) => {
    if (records.length === 0) return
    changed += records.length
    version++
    lib.mutated(records)
    awaitFrame()
  }
  const observer = new MutationObserver(count)
  // What was a password field or a hidden one and no longer is, also where that was for a moment.
  const types = { subtree: true, attributeFilter: ['type'], attributeOldValue: true }
  const retype = (records) => {
    for (const r of records) if (/^(password|hidden)$/i.test(r.oldValue ?? '') && lib.tag(r.target) === 'input') lib.concealed(r.target)
  }
  const typing = new MutationObserver(retype)
  lib.retyped = () => retype(typing.takeRecords())
  // A shadow root that was met is watched too, as long as its document.
  lib.met = (root) => {
    lib.outside++
    if (met.has(root)) return
    met.add(root)
    lib.generatesIn(root)
    observer.observe(root, options)
    typing.observe(root, types)
  }
  lib.rootsMet = () => {
    const out = [lib.document]
    for (const r of met) if (lib.attached(r)) out.push(r)
    return out
  }
  lib.touch = () => {
    version++
  }
  lib.version = () => {
    count(observer.takeRecords())
    return version
  }
  const mutations = () => {
    lib.version()
    return changed
  }
  // Mutations since the last reading: without any, settling waits for nothing.
  let reading = 0
  lib.readNow = () => {
    reading = mutations()
  }
  lib.changedSinceReading = () => mutations() !== reading
  lib.now = () => clock()
  // Where a document may not run scripts (sandbox, CSP), Chrome calls no callback, ours neither; promises that the
  // browser itself settles still are.
  lib.callbacks = !Reflect.apply(view.matchMedia, view, ['(scripting: none)']).matches
  lib.wait = (ms) =>
    lib.callbacks
      ? new Promise((done) => Reflect.apply(later, view, [done, ms]))
      : view.scheduler.postTask(() => {}, { delay: 2 * ms + 1000, signal: view.AbortSignal.timeout(ms) }).catch(() => {})
  // The next frame, or 50 ms in a tab in the background, which has none.
  lib.frame = () =>
    lib.callbacks
      ? new Promise((done) => {
          const timer = Reflect.apply(later, view, [done, 50])
          Reflect.apply(raf, view, [
            () => {
              Reflect.apply(cancel, view, [timer])
              done()
            },
          ])
        })
      : lib.wait(20)
  // Resolves once a frame has passed without a mutation, after ms at the latest; at once where one has. Says whether
  // anything changed meanwhile.
  lib.settle = async (ms) => {
    const end = clock() + ms
    const start = mutations()
    for (let seen = start; seen !== calm && clock() < end; ) {
      await lib.frame()
      const now = mutations()
      if (now === seen) break // also without a frame: a tab in the background has none
      seen = now
    }
    lib.fresh()
    return mutations() !== start
  }
  // Presses. The first event after arming tells what was hit, the first click or last release what took the rest. A
  // double click has two rounds of them.
  let armed = null
  // A page that knew the token could say what a press hit.
  lib.arm = (el) => {
    lib.listen(view)
    armed = { token: 1 + Math.floor(Math.random() * 2 ** 50), el: new WeakRef(el), rounds: [] }
    return armed.token
  }
  // A dialog keeps the page from being asked: what a press hits is logged as it does, which is told before the dialog.
  const tell = (word, by) => console.debug(`duet press ${armed.token} ${word}` + (by ? ' ' + lib.describe(by) : ''))
  const DOWN = ['pointerdown', 'mousedown', 'touchstart']
  const CLICK = ['click', 'auxclick', 'contextmenu']
  const note = (event) => {
    if (armed === null) return
    const path = Array.from(Reflect.apply(pathOf, event, []))
    if (event.type === 'click' && path.some((n) => n instanceof Element && lib.attr(n, 'download') !== null)) armed.save = event
    const target = path[0]
    if (!event.isTrusted || target === undefined || target === view) return
    const rounds = armed.rounds
    let r = rounds[rounds.length - 1]
    if (r === undefined || (r.click !== null && r.last !== event)) {
      if (r !== undefined && (rounds.length === 2 || !DOWN.includes(event.type))) return
      rounds.push((r = { first: event, type: event.type, up: null, click: null, got: false }))
    }
    const again = r.last === event // a closed root that it goes through tells more of it
    r.last = event
    if (r.first === event) {
      r.target = target
      r.path = path
      r.near = path.slice(0, 5).flatMap((n) => (n !== view && lib.isElement(n) ? lib.kids(n).slice(0, 300) : [])).concat(Array.from(stackAt.call(lib.document, event.clientX ?? 0, event.clientY ?? 0)))
    }
    const el = armed.el.deref() ?? null
    if (CLICK.includes(event.type)) {
      r.click = target
      r.got = over(el, path)
    } else {
      r.up = target
      if (!DOWN.includes(event.type)) r.at = event
    }
    if (again) return
    const inside = began(el, r)
    if (r.first === event) tell(inside ? (r === rounds[0] ? 'in' : 'again') : 'out', inside ? null : element(target))
    else if (r.click !== null && inside && instead(el, r) !== null) tell('off', instead(el, r))
  }
  const element = (n) => (lib.isElement(n) ? n : lib.parentElement(n))
  const reaches = (el, target) => lib.contains(el, target) || lib.labels(el).some((l) => lib.contains(l, target))
  const over = (el, path) => el !== null && (path.includes(el) || (element(path[0]) !== null && reaches(el, element(path[0]))))
  const began = (el, r) => DOWN.includes(r.type) && over(el, r.path)
  // instead is what took the rest of a press on el: it got the click, or el is gone without one and it was new.
  const instead = (el, r) => {
    const other = (n) => (n === null || r.path.includes(n) || reaches(el, n) || lib.contains(n, el) ? null : n)
    const click = r.click === null ? null : element(r.click)
    if (click !== null && (other(click) !== null || reaches(el, click))) return other(click)
    if (lib.attached(el)) return null
    const up = r.up === null ? null : other(element(r.up))
    const old = new Set(r.near.filter((n) => !r.path.includes(n)))
    for (let n = up; n !== null; n = lib.parentElement(n)) if (old.has(n)) return null
    return up
  }
  // fled: it was released where the element, which still shows, no longer is.
  const fled = (el, r) => {
    if (r.got || r.at === undefined || !lib.attached(el) || !lib.visible(el)) return false
    const b = lib.rect(el)
    const { clientX: x, clientY: y } = r.at
    return x < b.x || y < b.y || x > b.x + b.w || y > b.y + b.h
  }
  const told = (el, r) => {
    let target = element(r.target)
    const out = { seen: true, type: r.type }
    if (target === null) return out
    out.inside = el !== null && began(el, r)
    if (out.inside) {
      out.unclicked = !r.got
      const other = instead(el, r) ?? (fled(el, r) ? element(r.up) : null)
      if (other !== null) {
        target = other
        out.swapped = true
        out.clicked = r.click !== null && element(r.click) === other
        out.fled = fled(el, r)
        out.by = lib.describe(other)
      }
    } else {
      out.around = el !== null && lib.contains(target, el)
      out.by = lib.describe(target)
    }
    out.node = lib.number(target)
    return out
  }
  lib.hit = (token) => {
    if (armed === null || armed.token !== token || armed.rounds.length === 0) return { seen: false }
    const [first, second] = armed.rounds
    const el = armed.el.deref() ?? null
    const out = told(el, first)
    out.saves = armed.save?.defaultPrevented === false
    if (second !== undefined) out.second = told(el, second)
    return out
  }
  // describe names an element for a message: role and name of the nearest that has both, or its tag. What the
  // page chose is quoted, or a word.
  lib.describe = (el) => {
    for (let e = el; e !== null; e = lib.parentElement(e)) {
      const role = lib.role(e)
      if (role === 'generic' || role === 'none') continue
      if (role === 'document') break
      const name = lib.withinSecret(e) && !lib.secret(e) ? '' : lib.name(e).slice(0, 80)
      return name === '' ? role : `${role} ${JSON.stringify(name)}`
    }
    const id = lib.attr(el, 'id')
    return lib.word(lib.tag(el)) + (id && /^[\w-]{1,40}$/.test(id) ? '#' + id : '')
  }
  let boxes = new WeakMap()
  lib.box = (el) => boxes.get(el) ?? null
  // at is since when it was found there.
  lib.record = (el) => {
    const b = lib.rect(el)
    const was = boxes.get(el)
    b.at = was !== undefined && was.x === b.x && was.y === b.y && was.w === b.w && was.h === b.h ? was.at : lib.cache.now ??= clock()
    boxes.set(el, b)
    return b
  }
  // document.open takes listeners away: each arming puts them on again; twice is once.
  const shown = (event) => {
    if (event.persisted) {
      boxes = new WeakMap()
      lib.renew()
      lib.touch()
    }
  }
  // toggled numbers what opens and closes in the order in which it does, 0 where that was not seen.
  const toggles = new WeakMap()
  let toggling = 0
  lib.toggled = (el) => toggles.get(el) ?? 0
  const toggle = (event) => {
    if (event.isTrusted) toggles.set(Reflect.apply(pathOf, event, [])[0], ++toggling)
  }
  // take begins to note what a person's input goes into, or ends it; took says whether some of it is secret by now. That of
  // a closed root is seen as its host's and may be.
  let taken = null
  lib.take = (on) => {
    taken = on ? new Set() : null
  }
  const entered = (event) => {
    lib.touch()
    if (taken !== null && event.isTrusted && taken.size < 20) taken.add(Reflect.apply(pathOf, event, [])[0])
  }
  const native = new Set(['input', 'textarea', 'select'])
  lib.took = () => {
    for (const el of taken ?? []) {
      if (!lib.isElement(el)) continue
      if (lib.secret(el) || (!native.has(lib.tag(el)) && lib.editKind(el) === '' && lib.shadow(el) === null)) return true
    }
    return false
  }
  // refused is what a submission by a press or a key found not valid: scripts ask for validity at other times too.
  let pressed = -Infinity
  let invalid = new Set()
  const submits = (event) => {
    if (event.isTrusted && (event.type === 'click' || event.key === 'Enter')) pressed = clock()
  }
  const fails = (event) => {
    if (event.isTrusted && clock() - pressed < 300 && invalid.size < 100) invalid.add(Reflect.apply(pathOf, event, [])[0])
  }
  // objection is what the browser says of a field, with the format that the page asks for, which not every browser's has.
  const objection = (el) => {
    const said = lib.fold(lib.prop(el, 'validationMessage'))
    const format = lib.prop(el, 'validity')?.patternMismatch ? lib.fold(lib.attr(el, 'title') ?? '') : ''
    return said.includes(format) ? said : said.replace(/\.$/, '') + ': ' + format + '.'
  }
  lib.refused = () => {
    if (invalid.size === 0) return null
    const list = [...invalid].filter((el) => lib.isElement(el) && lib.attached(el) && lib.prop(el, 'validationMessage'))
    invalid = new Set()
    const told = list.slice(0, 3).map((el) => ({ line: lib.line(el), text: lib.secret(el) && lib.prop(el, 'value') !== '' ? '' : objection(el).slice(0, 200) }))
    return list.length === 0 ? null : { told, more: list.length - told.length }
  }
  lib.listen = (at) => {
    on(at, 'toggle', toggle)
    on(at, 'invalid', fails)
    for (const type of ['click', 'keydown']) on(at, type, submits)
    for (const type of ['pointerdown', 'mousedown', 'touchstart', 'pointerup', 'mouseup', 'click', 'auxclick', 'contextmenu']) on(at, type, note)
    on(at, 'input', entered)
    for (const type of ['change', 'toggle', 'focusin', 'focusout']) on(at, type, lib.touch)
    on(at, 'pageshow', shown)
  }
  lib.watch = () => {
    observer.observe(lib.document, options)
    typing.observe(lib.document, types)
    lib.listen(view)
  }
}
