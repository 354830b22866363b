// concealed(lib, {focused}) -> Concealed: what the fields hold that the map would hide, or the one alone that has the focus, as the text before and after its caret; reads.
(lib, { focused }) => {
  const held = (el) => {
    const tag = lib.tag(el)
    const s = tag === 'input' || tag === 'textarea' || tag === 'select' ? lib.prop(el, 'value') : lib.fold(lib.content(el))
    return typeof s === 'string' ? s : ''
  }
  if (focused) {
    const el = lib.active()
    if (el === null || lib.editKind(el) === '' || !lib.secret(el)) return {}
    const s = held(el).slice(0, 4000)
    let [from, to] = [s.length, s.length]
    try {
      from = lib.prop(el, 'selectionStart') ?? from
      to = lib.prop(el, 'selectionEnd') ?? to
    } catch {
      // a field without a caret that can be asked for
    }
    return { secret: true, before: s.slice(0, from), after: s.slice(to) }
  }
  const values = []
  let budget = 2000
  for (const root of lib.roots()) {
    for (const el of lib.all(root, 'input,textarea,select,[contenteditable]')) {
      if (budget-- <= 0 || values.length >= 50) break
      if (lib.tag(el) === 'input' && lib.prop(el, 'type') === 'file') continue
      if (!lib.secret(el)) continue
      const s = held(el)
      // What a page keeps in a hidden field is often a mere word, which would garble what is shown.
      if (s.length >= (lib.prop(el, 'type') === 'hidden' ? 8 : 4) && s.length <= 4000) values.push(s)
    }
  }
  return { values }
}
