// locate(lib, LocateArgs) -> Located: what each tail of a chain of steps matches in one document, shadow roots included; reads.
(lib, { steps, node, doc, stamp, limit, seen, top }) => {
  const head = node ? lib.target({ node, doc, stamp }) : {}
  if (head.gone) return { gone: head.gone, line: head.line ?? '' }
  const start = head.text ?? head.el ?? null
  const frames = []
  for (const root of lib.roots()) for (const f of lib.all(root, 'iframe,frame')) frames.push({ el: f, from: [] })
  const within = (scopes, el) => scopes.some((s) => s === null || (s !== el && lib.contains(s, el)))
  const answer = { doc: lib.doc, tails: [], frames: [] }
  // Tail k: the document is what step k-1 found (k = 0: where the chain starts), so steps k and on are matched in it.
  for (let k = 0; k < (node || top ? 1 : steps.length); k++) {
    let scopes = [start]
    const mark = (step) => {
      for (const f of frames) if (scopes.some((s) => s === null || lib.contains(s, f.el))) (f.from[k] ??= []).push(step)
    }
    mark(k)
    let error = ''
    for (let i = k; i < steps.length && error === ''; i++) {
      const r = lib.find(steps[i], scopes)
      if (typeof r === 'string') error = r
      else scopes = r.filter((el) => within(scopes, el))
      if (error === '' && i + 1 < steps.length) mark(i + 1)
    }
    if (error !== '') return { doc: lib.doc, error }
    const all = scopes.map((el) => ({ el, visible: lib.visible(el) || (lib.tag(el) === 'area' && lib.on !== undefined) }))
    const visible = all.filter((m) => m.visible)
    const several = visible.length > 1
    const rows = (seen && visible.length > 0 ? visible : all).slice(0, limit).map(({ el, visible: v }) => lib.row(el, v, several))
    answer.tails.push({ total: all.length, visible: visible.length, rows })
  }
  for (const f of frames) if (f.from.some((x) => x !== undefined)) answer.frames.push({ node: lib.number(f.el), from: f.from.map((x) => x ?? []) })
  return answer
}
