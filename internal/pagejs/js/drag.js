// drag(lib, DragArgs) -> Dragged: watches a drag of the page's own kind, and ends one that the browser leaves without a drop.
async (lib, args) => {
  const view = lib.window
  const dispatch = EventTarget.prototype.dispatchEvent
  const { x, y } = args.point
  if (args.watch) {
    const seen = { started: false, dropped: false, ended: false, refused: false, data: [], source: null, took: [], ours: false }
    lib.drag = seen
    // What a page dispatches itself is no drag.
    const on = (type, f, at = view, capture = false) => EventTarget.prototype.addEventListener.call(at, type, (e) => (e.isTrusted || seen.ours ? f(e) : undefined), capture)
    const start = (e) => {
      if (lib.drag !== seen) return
      seen.started = true
      seen.refused = e.defaultPrevented
      seen.source ??= e.composedPath()[0]
      seen.data = []
      for (const type of e.dataTransfer?.types ?? []) if (type !== 'Files') seen.data.push([type, e.dataTransfer.getData(type)])
    }
    // The first that hears of it is nearest to the source: outside a closed root its host stands for it.
    for (const root of lib.rootsMet()) if (root.mode === 'closed') on('dragstart', start, root)
    on('dragstart', start)
    const drop = (e) => {
      seen.dropped = true
      seen.took = e.composedPath().filter((n) => n !== view && lib.isElement(n)).slice(0, 40)
    }
    on('drop', drop, view, true)
    seen.over = new Promise((done) => on('dragend', () => done((seen.ended = true)), view, true))
    const pressed = lib.deepest(x, y)
    // What moves along with the pointer is dragged, whatever lies under it; what does not and takes the release is in the way.
    const boxes = new Map()
    const moved = (n) => {
      const r = lib.rect(n)
      const first = boxes.get(n) ?? (boxes.size < 100 && boxes.set(n, { r, moved: false }), boxes.get(n))
      if (first !== undefined && (Math.abs(r.x - first.r.x) > 0.4 || Math.abs(r.y - first.r.y) > 0.4)) first.moved = true
      return first?.moved === true
    }
    const target = (e) => {
      const n = e.composedPath()[0]
      return lib.drag === seen && n !== undefined && n !== view && lib.isElement(n) ? n : null
    }
    const move = (e) => {
      const n = target(e)
      if (n === null) return
      moved(n)
      for (const o of Array.from(lib.call(lib.document, 'elementsFromPoint', e.clientX, e.clientY)).slice(0, 3)) moved(o)
    }
    const up = (e) => {
      const n = target(e)
      if (n === null || seen.release !== undefined || e.buttons !== 0) return
      const path = e.composedPath().filter((p) => p !== view && lib.isElement(p))
      seen.release = pressed === null || path.includes(pressed) || moved(n) ? [] : path.slice(0, 40)
    }
    for (const type of ['pointermove', 'mousemove']) on(type, move, view, true)
    for (const type of ['pointerup', 'mouseup']) on(type, up, view, true)
    lib.later = {
      ...lib.later,
      drag: () => {
        const by = seen.release ?? []
        seen.release &&= []
        return by.length === 0 ? {} : { released: { took: by.map((n) => lib.number(n)), by: lib.describe(by[0]) } }
      },
    }
    let at = pressed
    while (at !== null && at.draggable !== true) at = at.parentElement ?? at.getRootNode().host ?? null
    return { draggable: at !== null }
  }
  const seen = lib.drag
  if (!seen) return {}
  // Before a drag is over the browser takes no press.
  if (args.input && seen.started && !seen.refused && !seen.ended) await Promise.race([seen.over, new Promise((done) => view.setTimeout(done, 500))])
  const data = new DataTransfer()
  for (const [type, value] of args.data ?? seen.data) data.setData(type, value)
  const send = (el, type, cancelable) => {
    seen.ours = true
    const prevented = !dispatch.call(el, new DragEvent(type, { bubbles: true, composed: true, cancelable, dataTransfer: data, clientX: x, clientY: y }))
    seen.ours = false
    return prevented
  }
  const took = () => (seen.took.length === 0 ? {} : { took: seen.took.map((n) => lib.number(n)), by: lib.describe(seen.took[0]) })
  const answer = { started: seen.started && !seen.refused, dropped: seen.dropped, ...took() }
  if (args.away && answer.started) return { ...answer, data: seen.data }
  lib.drag = null
  if (args.end) {
    if (!seen.ended && seen.source !== null) send(seen.source, 'dragend', false)
    return {}
  }
  if (!(answer.started || args.data) || seen.dropped || !args.finish) return answer
  const top = lib.deepest(x, y)
  if (top === null) return answer
  send(top, 'dragenter', true)
  const willing = send(top, 'dragover', true)
  if (willing) send(top, 'drop', true)
  else send(top, 'dragleave', false)
  if (!seen.ended && seen.source !== null) send(seen.source, 'dragend', false)
  return { ...answer, dropped: willing, synthetic: true, ...took() }
}
