// drag(lib, DragArgs) -> Dragged: watches a drag of the page's own kind, and ends one that the browser leaves without a drop.
(lib, args) => {
  const view = lib.window
  const dispatch = EventTarget.prototype.dispatchEvent
  if (args.watch) {
    const seen = { started: false, dropped: false, ended: false, refused: false, data: [], source: null, effect: 'all' }
    lib.drag = seen
    const on = (type, f, at = view) => EventTarget.prototype.addEventListener.call(at, type, f)
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
    on('drop', () => (seen.dropped = true))
    on('dragend', () => (seen.ended = true))
    return {}
  }
  const seen = lib.drag
  lib.drag = null
  if (!seen) return {}
  const answer = { started: seen.started && !seen.refused, dropped: seen.dropped }
  if (!answer.started || seen.dropped || !args.finish) return answer
  const top = lib.deepest(args.point.x, args.point.y)
  if (top === null || seen.source === null) return answer
  const data = new DataTransfer()
  for (const [type, value] of seen.data) data.setData(type, value)
  const send = (el, type, cancelable) =>
    !dispatch.call(el, new DragEvent(type, { bubbles: true, composed: true, cancelable, dataTransfer: data, clientX: args.point.x, clientY: args.point.y }))
  send(top, 'dragenter', true)
  const willing = send(top, 'dragover', true)
  if (willing) send(top, 'drop', true)
  else send(top, 'dragleave', false)
  if (!seen.ended) send(seen.source, 'dragend', false)
  return { ...answer, dropped: willing, synthetic: true }
}
