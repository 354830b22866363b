// focus(lib, FocusArgs) -> Focused: puts the focus on an element, the caret at the end of its text.
async (lib, args) => {
  // kept: what has the focus that was put on el, and what the first key went to, where that is another element.
  const kept = (el) => {
    if (lib.keyed === undefined) {
      lib.keyed = { own: null, by: '' }
      const heard = (event) => {
        const own = lib.keyed.own?.deref()
        if (!event.isTrusted || own === undefined) return
        lib.keyed.own = null
        const to = event.composedPath()[0]
        if (lib.attached(own) && lib.isElement(to) && !mine(to, own)) lib.keyed.by = to === lib.body() ? 'the page: nothing has the focus' : lib.line(to)
      }
      lib.window.addEventListener('keydown', heard, { capture: true, passive: true })
    }
    const target = new WeakRef(el)
    lib.keyed.own = target
    lib.keyed.by = ''
    return () => {
      const own = target.deref()
      const now = lib.active()
      const out = lib.keyed.by === '' ? {} : { keyed: lib.keyed.by }
      if (own === undefined || !lib.attached(own) || mine(now, own)) return out
      return { ...out, strayed: now === null || now === lib.body() ? 'nothing' : lib.line(now) }
    }
  }
  const mine = (e, own) => e !== null && (e === own || lib.contains(own, e) || (lib.editKind(own) === 'rich' && lib.contains(e, own)))
  if (args.pause) await lib.pause(args.pause)
  const { el, gone, line } = lib.target(args)
  if (gone) return { gone, line: line ?? '' }
  const modal = lib.modal(el)
  const m = { line: lib.line(el), hidden: lib.why(el, true), disabled: lib.disabledBy(el), inert: lib.inert(el), modal: modal === null ? '' : lib.line(modal) }
  if (m.hidden !== '' || m.disabled !== '' || m.inert) return m
  m.ok = lib.into(el)
  if (m.ok && lib.attached(el)) {
    const kind = lib.editKind(el)
    const type = lib.tag(el) === 'input' ? lib.prop(el, 'type') : ''
    if (kind === 'text' && type !== 'number' && type !== 'email') {
      const end = lib.prop(el, 'value').length
      lib.call(el, 'setSelectionRange', end, end)
    }
    if (kind === 'rich') {
      const selection = lib.window.getSelection()
      selection.selectAllChildren(el)
      selection.collapseToEnd()
    }
  }
  const now = lib.active()
  const some = now !== null && now !== lib.body()
  // A host whose closed root or delegated focus took it counts as having it.
  m.ok = m.ok || (some && lib.contains(el, now))
  m.active = some ? lib.line(now) : ''
  if (m.ok) lib.later = { ...lib.later, focus: kept(el) }
  return m
}
