// audit_end(lib, AuditEndArgs) -> AuditReport: what axe-core makes of the parts of all documents, bounded; reads.
async (lib, { doc, parts, impact, limit, nodes }) => {
  const held = lib.axePart
  if (held === undefined || doc !== lib.doc) return { gone: 'document-changed' }
  lib.axePart = undefined
  const axe = lib.axe
  const control = lib.axeControl
  control.late = null
  const levels = ['minor', 'moderate', 'serious', 'critical']
  const least = levels.indexOf(impact)
  const cut = (s, n) => (s.length > n ? Array.from(s).slice(0, n).join('') + '…' : s)
  // What must not be and what must, before what is one of several ways; two of them are enough to see what is meant.
  const why = (r) => {
    const say = (list) => list.map((c) => c.message).filter((m) => typeof m === 'string' && m !== '')
    const out = [...say(r.none), ...say(r.all), ...say(r.any)].map((m) => cut(lib.fold(m), 200))
    return [...new Set(out)].slice(0, 2)
  }
  const place = (r) => ({ at: r.node.at ?? 0, n: r.node.n ?? 0, why: why(r) })
  const report = (results, _, done) => {
    const failed = []
    const review = []
    const answer = { doc: lib.doc, axe: axe.version, passes: 0, rules: 0, below: 0, errors: [] }
    for (const r of results) {
      if (r.error) {
        answer.errors.push(r.id)
        continue
      }
      if (r.result !== 'inapplicable') answer.rules++
      if (r.result === 'passed') answer.passes++
      if (r.violations.length > 0) {
        if (levels.indexOf(r.impact) < least) answer.below++
        else failed.push(r)
      }
      if (r.incomplete.length > 0) review.push({ id: r.id, nodes: r.incomplete.length })
    }
    failed.sort((a, b) => levels.indexOf(b.impact) - levels.indexOf(a.impact))
    answer.total = failed.length
    answer.nodes = failed.reduce((n, r) => n + r.violations.length, 0)
    answer.impacts = levels.map((l) => failed.filter((r) => r.impact === l).length)
    answer.violations = failed.slice(0, limit).map((r) => ({
      id: r.id, impact: r.impact, tags: r.tags.filter((t) => /^(wcag\d|best-practice|experimental)/.test(t)), help: r.help, url: r.helpUrl.split('?')[0],
      total: r.violations.length, nodes: r.violations.slice(0, nodes).map(place),
    }))
    answer.review = review
    done(answer)
  }
  const whole = [held.partial, ...parts.map((p) => (p === '' ? null : JSON.parse(p)))]
  return axe.finishRun(whole, { ...held.options, reporter: report })
}
