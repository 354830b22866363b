// paper(lib, {back}) -> Papered: blanks the filled fields with secrets while the page is printed, or ends that.
//
// Only how they look is changed, and what they looked like comes back; the page's layout stays, but for rich text.
(lib, { back }) => {
  const put = (el, attribute) => (attribute === null ? lib.call(el, 'removeAttribute', 'style') : lib.call(el, 'setAttribute', 'style', attribute))
  for (const { el, before, ours } of lib.papered ?? []) {
    const style = lib.prop(el, 'style')
    const untouched = lib.attr(el, 'style') === ours
    style.removeProperty('visibility')
    style.removeProperty('content-visibility')
    lib.window.getComputedStyle(el).visibility // before its transitions are back
    if (untouched) put(el, before)
    else style.removeProperty('transition')
  }
  lib.papered = undefined
  if (back) return { doc: lib.doc }
  lib.papered = []
  for (const root of lib.roots()) {
    for (const el of lib.all(root, lib.fields)) {
      if (!lib.secret(el) || !lib.filled(el) || lib.rectCount(el) === 0) continue
      const before = lib.attr(el, 'style')
      const style = lib.prop(el, 'style')
      style.setProperty('transition', 'none', 'important')
      style.setProperty('visibility', 'hidden', 'important')
      if (lib.tag(el) !== 'select' && lib.firstChild(el) !== null) style.setProperty('content-visibility', 'hidden', 'important')
      lib.papered.push({ el, before, ours: lib.attr(el, 'style') })
    }
  }
  return { doc: lib.doc, blanked: lib.papered.length }
}
