// audit_run(lib, AuditRunArgs) -> AuditPart: runs axe-core's rules on one document, without the judgments that need all of them; reads.
//
// What they need is kept in the realm for the top document, and handed out for the others: of each rule the elements
// that did not pass, and all where the rule compares elements with each other.
async (lib, { at, node, doc, stamp, frame, rules, without, ms }) => {
  const axe = lib.axe
  if (axe === undefined || doc !== lib.doc) return { gone: 'document-changed' }
  const head = node ? lib.target({ node, doc, stamp }) : {}
  if (head.gone) return { gone: head.gone, line: head.line ?? '' }
  if (lib.documentElement() === null) return { empty: true }
  const all = axe.getRules()
  const known = all.map((r) => r.ruleId)
  const usual = all.filter((r) => !r.tags.includes('experimental') && !r.tags.includes('deprecated'))
  const unknown = []
  const named = (words) =>
    words.flatMap((w) => {
      if (known.includes(w)) return [w]
      const tagged = (/^(experimental|deprecated)$/.test(w) ? all : usual).filter((r) => r.tags.includes(w)).map((r) => r.ruleId)
      if (tagged.length === 0) unknown.push(w)
      return tagged
    })
  const only = named(rules ?? [])
  const off = new Set(named(without ?? []))
  if (unknown.length > 0) return { unknown, known: [...known, ...new Set(usual.flatMap((r) => r.tags))] }
  const run = (only.length > 0 ? only : usual.map((r) => r.ruleId)).filter((id) => !off.has(id))
  const options = { runOnly: { type: 'rule', values: run }, preload: false, iframes: true, selectors: false, reporter: 'raw' }
  if (run.length === 0) return { none: true }
  axe.utils.nodeSerializer.update({
    toSpec: (d) => ({
      at,
      get n() {
        return lib.number(d.element)
      },
      get ancestry() {
        return d.ancestry
      },
      selector: [''],
      xpath: [''],
      nodeIndexes: d.nodeIndexes,
    }),
  })
  let context = lib.document
  if (head.el) context = { include: [head.el], exclude: [] }
  if (frame) context = { include: [lib.document], exclude: [], initiator: false, page: frame.page, focusable: frame.focusable, size: { width: frame.width, height: frame.height } }
  const control = lib.axeControl
  axe._running = false
  axe.teardown()
  control.end = lib.now() + ms
  const late = new Promise((done) => {
    control.late = () => done(null)
  })
  const partial = await Promise.race([axe.runPartial(context, options), late])
  control.late = null
  if (partial === null) {
    axe._running = false
    axe.teardown()
    return { late: true }
  }
  const frames = partial.frames.map((f) => f.n)
  if (!frame) {
    lib.axePart = { partial, options }
    return { frames }
  }
  const compares = new Set(['accesskeys', 'bypass', 'frame-title-unique', 'heading-order', 'identical-links-same-purpose', 'landmark-unique', 'duplicate-id', 'duplicate-id-active', 'duplicate-id-aria', 'frame-tested', 'landmark-banner-is-top-level', 'landmark-no-duplicate-banner', 'landmark-no-duplicate-contentinfo', 'landmark-no-duplicate-main', 'landmark-one-main', 'page-has-heading-one'])
  const placed = new Set(['heading-order', 'region', 'frame-tested'])
  const passed = (r) => (r.any.length === 0 || r.any.some((c) => c.result === true)) && r.all.every((c) => c.result === true) && r.none.every((c) => c.result === false)
  const plain = (spec, ancestry) => ({ at, n: spec.n, ancestry: ancestry ? spec.ancestry : [''], selector: [''], xpath: [''], nodeIndexes: spec.nodeIndexes })
  const results = partial.results.map((rule) => {
    let kept = false
    const nodes = rule.nodes.filter((r) => {
      if (compares.has(rule.id) || !passed(r) || (rule.id === 'region' && r.any.some((c) => c.data?.isIframe))) return true
      if (kept) return false
      return (kept = true)
    })
    const checks = (list) => list.map((c) => ({ ...c, relatedNodes: c.relatedNodes.slice(0, 1).map((s) => plain(s, false)) }))
    return { ...rule, nodes: nodes.map((r) => ({ any: checks(r.any), all: checks(r.all), none: checks(r.none), node: plain(r.node, placed.has(rule.id)) })) }
  })
  return { frames, part: JSON.stringify({ results, frames: partial.frames.map((f) => plain(f, true)) }) }
}
