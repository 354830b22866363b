// fill(lib, FillArgs, text) -> Filled: replaces the whole text of a field as one edit and reads it back; acts.
async (lib, args, text = '') => {
  if (args.pause) await lib.pause(args.pause)
  const found = lib.target(args)
  if (found.gone) return { gone: found.gone, line: found.line ?? '' }
  const label = lib.tag(found.el) === 'label' ? lib.control(found.el) : null
  const el = label ?? found.el
  const kind = lib.editKind(el)
  const modal = lib.modal(el)
  const m = {
    line: lib.line(el), tag: lib.tag(el), type: lib.tag(el) === 'input' ? lib.prop(el, 'type') : '', kind,
    hidden: lib.why(el), disabled: lib.disabledBy(el), readonly: lib.readonly(el), inert: lib.inert(el),
    modal: modal === null ? '' : lib.line(modal), secret: lib.secret(el), version: lib.version(),
  }
  if (kind === '') {
    const first = lib.editable(el)
    if (first !== null) m.first = lib.row(first, true, false)
    return m
  }
  if (m.hidden !== '' || m.disabled !== '' || m.readonly || m.inert) return m
  const say = (value) => (m.secret ? '' : Array.from(value).slice(0, 2000).join(''))
  const taken = lib.probe(el, text)
  m.value = say(lib.current(el))
  if (taken === null) return { ...m, rejected: true }
  if (!lib.into(el)) {
    if (!lib.attached(el)) return { gone: 'detached', line: m.line, focused: true }
    const now = lib.active()
    return { ...m, lost: now === null ? 'nothing' : lib.line(now) }
  }
  // The focus handler may have replaced the field.
  lib.fresh()
  if (!lib.attached(el)) return { gone: 'detached', line: m.line, focused: true }
  let inputs = 0
  const count = () => inputs++
  el.addEventListener('input', count, true)
  el.addEventListener('beforeinput', count, true)
  const before = lib.current(el)
  if (kind === 'set') {
    if (before !== taken) {
      lib.set(el, 'value', taken)
      lib.fire(el, 'input')
      lib.fire(el, 'change')
    }
  } else {
    if (kind === 'text') lib.call(el, 'select')
    else lib.window.getSelection().selectAllChildren(el)
    const run = (command, value) => {
      try {
        return lib.call(lib.document, 'execCommand', command, false, value)
      } catch {
        return false
      }
    }
    if (text !== '') run('insertText', text)
    else if (before !== '') run('delete')
    if (inputs === 0 && kind === 'text' && lib.current(el) === before && before !== text) {
      lib.set(el, 'value', text)
      lib.fire(el, 'input', { inputType: 'insertReplacementText', data: text })
    }
  }
  await lib.turn()
  el.removeEventListener('input', count, true)
  el.removeEventListener('beforeinput', count, true)
  lib.fresh()
  m.done = true
  m.inputs = inputs
  if (!lib.attached(el)) return { ...m, vanished: true, match: inputs > 0 ? 'unknown' : 'differs', value: '' }
  m.match = lib.alikeValue(el, text)
  m.value = say(lib.current(el))
  m.max = lib.prop(el, 'maxLength') ?? -1
  if (args.keep && lib.active() !== el) lib.into(el)
  return m
}
