// files(lib, Target) -> FileInput: the file input that the element is, labels, or holds; reads.
(lib, args) => {
  const { el, gone, line } = lib.target(args)
  if (gone) return { gone, line: line ?? '' }
  const isFile = (e) => e !== null && lib.tag(e) === 'input' && lib.prop(e, 'type') === 'file'
  const own = isFile(el) ? el : lib.control(el)
  const found = (e) => ({ node: lib.number(e), multiple: lib.prop(e, 'multiple'), directory: lib.has(e, 'webkitdirectory'), held: lib.prop(e, 'files').length, disabled: lib.disabledBy(e) })
  const press = ['button', 'link', 'menuitem'].includes(lib.role(el)) || lib.clickable(el)
  const m = { line: lib.line(el), press }
  if (isFile(own)) return { ...m, ...found(own) }
  const all = []
  for (const root of lib.roots()) all.push(...lib.all(root, 'input[type="file"]'))
  const inside = all.filter((e) => lib.contains(el, e))
  if (inside.length === 1) return { ...m, ...found(inside[0]) }
  if (all.length > 0) m.first = lib.row(inside[0] ?? all[0], false, false)
  return m
}
