// read(lib, ReadArgs) -> ReadAnswer: text, attribute, value, state and box of an element; reads.
(lib, args) => {
  const { el, text, gone, line } = lib.target(args)
  if (gone) return { gone, line: line ?? '' }
  const m = { line: lib.line(el), secret: lib.withinSecret(el) }
  const tag = lib.tag(el)
  const held = new Set(['value', 'aria-valuetext', 'aria-valuenow'])
  const choice = new Set(['selected', 'aria-selected', 'aria-checked'])
  const cut = (s) => {
    const all = Array.from(s)
    m.total = all.length
    return all.length > args.limit ? all.slice(0, args.limit).join('') : s
  }
  switch (args.what) {
    case 'text':
      m.text = cut(m.secret ? '' : text ? lib.data(text).trim() : tag === 'textarea' || tag === 'input' ? lib.value(el) ?? '' : lib.plainText(el).trim())
      break
    case 'attr': {
      const v = lib.attr(el, args.name)
      if (choice.has(args.name.toLowerCase()) && lib.chosenSecretly(el)) {
        m.secret = true
        break
      }
      m.present = v !== null
      m.filled = lib.filled(el)
      m.text = cut(v === null || (m.secret && held.has(args.name.toLowerCase())) ? '' : v)
      break
    }
    case 'value': {
      const field = tag === 'input' || tag === 'textarea' || tag === 'select' || tag === 'option' || tag === 'output' || tag === 'progress' || tag === 'meter' || tag === 'button' || tag === 'data'
      const rich = !field && lib.editKind(el) === 'rich'
      m.present = field || rich || lib.has(el, 'aria-valuenow')
      m.filled = lib.filled(el)
      m.text = m.secret ? '' : cut(field ? String(lib.prop(el, 'value') ?? '') : rich ? lib.plainText(el) : lib.attr(el, 'aria-valuetext') ?? lib.attr(el, 'aria-valuenow') ?? '')
      break
    }
    case 'state': {
      const active = lib.active()
      const kind = lib.editKind(el)
      m.visible = lib.visible(el) || tag === 'area'
      m.enabled = lib.disabledBy(el) === ''
      m.editable = kind !== '' && m.enabled && !lib.readonly(el)
      m.checked = lib.checked(el)
      m.secret ||= m.checked === '' && lib.chosenSecretly(el)
      m.focused = active === el || (active !== null && tag !== 'body' && tag !== 'html' && lib.contains(el, active))
      m.states = lib.states(el)
      m.role = lib.role(el)
      m.name = lib.name(el)
      break
    }
  }
  m.box = lib.rect(el)
  return m
}
