// focus(lib, FocusArgs) -> Focused: puts the focus on an element, the caret at the end of its text.
async (lib, args) => {
  if (args.pause) await lib.pause(args.pause)
  const { el, gone, line } = lib.target(args)
  if (gone) return { gone, line: line ?? '' }
  const modal = lib.modal(el)
  const m = { line: lib.line(el), hidden: lib.why(el), disabled: lib.disabledBy(el), inert: lib.inert(el), modal: modal === null ? '' : lib.line(modal) }
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
  return m
}
