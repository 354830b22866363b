// drag(lib, DragArgs) -> Dragged: watches a drag of the page's own kind, and ends one that the browser leaves without a drop.
(lib, args) => {
  const view = lib.window
  const dispatch = EventTarget.prototype.dispatchEvent
  if (args.watch) {
    const seen = { started: false, dropped: false, ended: false, refused: false, data: [], source: null, effect: 'all' }
    lib.drag = seen
    const on = (type, f) => EventTarget.prototype.addEventListener.call(view, type, f)
    on('dragstart', (e) => {
      if (lib.drag !== seen) return
      seen.started = true
      seen.refused = e.defaultPrevented
      seen.source = e.composedPath()[0]
      for (const type of e.dataTransfer?.types ?? []) if (type !== 'Files') seen.data.push([type, e.dataTransfer.getData(type)])
    })
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
