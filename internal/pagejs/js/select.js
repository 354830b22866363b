// select(lib, SelectArgs) -> Selected: chooses options of a select element and reads them back; acts.
async (lib, args) => {
  if (args.pause) await lib.pause(args.pause)
  const found = lib.target(args)
  if (found.gone) return { gone: found.gone, line: found.line ?? '' }
  const el = (lib.tag(found.el) === 'label' ? lib.control(found.el) : null) ?? found.el
  const modal = lib.modal(el)
  const m = {
    line: lib.line(el), tag: lib.tag(el), hidden: lib.why(el, true), disabled: lib.disabledBy(el), inert: lib.inert(el),
    modal: modal === null ? '' : lib.line(modal), secret: lib.secret(el) || undefined,
  }
  if (m.tag !== 'select' || m.hidden !== '' || m.disabled !== '' || m.inert) return m
  m.multiple = lib.prop(el, 'multiple')
  const options = Array.from(lib.prop(el, 'options'))
  const label = (o) => lib.fold(lib.attr(o, 'label') || lib.prop(o, 'text'))
  const value = (o) => lib.prop(o, 'value')
  const show = (o) => ({ value: value(o), label: label(o), disabled: lib.matches(o, ':disabled') })
  const wanted = []
  const want = (name, ...tests) => {
    for (const test of tests) {
      const o = options.find(test)
      if (o !== undefined) return void wanted.push(o)
    }
    if (name !== '' || !m.multiple) m.missing ??= name // of a list that takes several, '' chooses none
  }
  for (const v of args.any ?? []) want(v, (o) => value(o) === v, (o) => lib.alike(v, label(o)))
  for (const v of args.values ?? []) want(v, (o) => value(o) === v)
  for (const v of args.labels ?? []) want(v, (o) => lib.alike(v, label(o)))
  for (const i of args.indexes ?? []) want('index ' + i, (o, at) => at === i)
  if (m.missing !== undefined) return { ...m, options: options.slice(0, 30).map(show) }
  if (wanted.length !== 1 && !m.multiple) return m
  const barred = wanted.find((o) => lib.matches(o, ':disabled'))
  if (barred !== undefined) return { ...m, barred: label(barred) }
  const chosen = () => options.filter((o) => lib.prop(o, 'selected'))
  const same = (a, b) => a.length === b.length && a.every((o) => b.includes(o))
  const unique = options.filter((o) => wanted.includes(o))
  const hide = () => {
    m.secret = m.secret || lib.secret(el) || undefined
  }
  lib.into(el)
  lib.fresh()
  hide()
  const path = []
  for (let n = lib.parentElement(el); n !== null; n = lib.parentElement(n)) path.push(n)
  m.changed = !same(chosen(), unique)
  if (m.changed) {
    for (const o of options) if (!unique.includes(o) && m.multiple) lib.set(o, 'selected', false)
    for (const o of unique) lib.set(o, 'selected', true)
    lib.fire(el, 'input')
    lib.fire(el, 'change')
  }
  await lib.turn()
  m.done = true
  lib.fresh()
  hide()
  let list = el
  if (!lib.attached(el)) {
    // The page took it away; where it drew it anew, that one is read: it stands in what is left around the first, reads
    // the same, and no other does.
    const around = path.find((n) => lib.attached(n)) ?? lib.documentElement()
    const alike = lib.roots().flatMap((root) => Array.from(lib.all(root, 'select'))).filter((e) => lib.contains(around, e) && lib.line(e) === m.line)
    if (alike.length !== 1) return { ...m, vanished: true, now: [] }
    list = alike[0]
  }
  const now = Array.from(lib.prop(list, 'options')).filter((o) => lib.prop(o, 'selected'))
  m.now = now.map(show)
  m.held = now.map(value).join('\u0000') === unique.map(value).join('\u0000')
  return m
}
