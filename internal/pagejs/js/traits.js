// traits(lib, {node, doc, stamp}) -> Traits: what an element can be told apart by, with the shadow hosts and landmarks around it; reads.
(lib, args) => {
  const { el, gone, line } = lib.target(args)
  if (gone) return { gone, line: line ?? '' }
  const of = (e) => {
    const given = (name) => lib.attr(e, name) ?? ''
    const role = lib.role(e)
    const t = {
      node: lib.number(e), tag: lib.tag(e), role: role === 'generic' || role === 'none' || role === '' ? '' : role, name: lib.name(e),
      labels: lib.labels(e).map((l) => lib.fold(lib.text(l))).filter((s) => s !== ''),
      text: lib.withinSecret(e) ? '' : lib.fold(lib.text(e)), id: given('id'), named: given('name'), placeholder: given('placeholder'), alt: given('alt'),
      title: given('title'), aria: given('aria-label'), type: lib.tag(e) === 'input' ? given('type') : '', test: [],
    }
    for (const a of ['data-testid', 'data-test-id', 'data-test', 'data-cy', 'data-qa']) if (given(a) !== '') t.test.push([a, given(a)])
    if (Array.from(t.text).length > 200) t.text = ''
    return t
  }
  const hosts = []
  for (let root = lib.root(el), n = 0; root !== lib.document && root?.host && n < 8; root = lib.root(root.host), n++) {
    hosts.unshift({ ...of(root.host), closed: root.mode === 'closed' })
  }
  const AROUND = new Set(['dialog', 'alertdialog', 'form', 'region', 'navigation', 'main', 'search', 'row', 'listitem', 'article', 'group', 'tabpanel', 'banner', 'contentinfo', 'complementary', 'table'])
  const around = []
  for (let p = lib.parent(el); p !== null && around.length < 4; p = lib.parent(p)) {
    if (lib.isElement(p) && (AROUND.has(lib.role(p)) || lib.has(p, 'data-testid') || lib.has(p, 'id'))) around.push(of(p))
  }
  return { line: lib.line(el), self: of(el), hosts, around }
}
