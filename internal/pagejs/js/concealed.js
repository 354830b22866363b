// concealed(lib, {focused}) -> Concealed: what the fields hold that the map would hide, or the one alone that has the focus, as the text before and after its caret; reads.
//
// What people enter comes first, what pages keep in hidden fields after it. Where there is more of it than is told, or more
// fields than are judged, the answer says so: then nothing can be vouched for.
(lib, { focused }) => {
  const held = (el) => {
    const tag = lib.tag(el)
    const s = tag === 'input' || tag === 'textarea' || tag === 'select' ? lib.prop(el, 'value') : lib.fold(lib.content(el))
    return typeof s === 'string' ? s : ''
  }
  if (focused) {
    const el = lib.active()
    lib.take(true)
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
  // What a field says of its value besides.
  const others = (el) => {
    if (lib.tag(el) === 'select') return lib.all(el, 'option').filter((o) => lib.prop(o, 'selected')).flatMap((o) => [lib.prop(o, 'value'), lib.fold(lib.content(o))])
    return [lib.attr(el, 'aria-valuetext') ?? '', lib.attr(el, 'aria-valuenow') ?? '']
  }
  const typed = new Set()
  const kept = new Set()
  let more = false
  let judged = 0
  for (const root of lib.roots()) {
    for (const el of lib.all(root, lib.fields)) {
      const type = lib.tag(el) === 'input' ? lib.prop(el, 'type') : ''
      if (type === 'file') continue
      if (type !== 'hidden' && type !== 'password' && judged++ >= 5000) more = true
      else if (type === 'hidden' || lib.secret(el)) {
        for (const s of [held(el), ...others(el)]) {
          // What a page keeps in a hidden field is often a mere word, which would garble what is shown; a long one is known by
          // its beginning.
          if (type !== 'hidden' && s.length >= 4) typed.add(s.slice(0, 100000))
          else if (s.length >= 8) kept.add(s.slice(0, 1000))
        }
      }
    }
  }
  more ||= typed.size > 200 || kept.size > 2000
  return { values: [...typed].slice(0, 200), kept: [...kept].slice(0, 2000), more }
}
