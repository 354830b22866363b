// near(lib, {step}) -> NearMisses: up to three elements that resemble what a step asked for and did not find; reads.
(lib, { step }) => {
  const low = (s) => lib.fold(s).toLowerCase()
  const pairs = (s) => {
    const set = new Set()
    for (let i = 0; i < s.length - 1; i++) set.add(s.slice(i, i + 2))
    return set
  }
  // slips counts letters that are wrong, missing, too many or swapped with their neighbour.
  const slips = (a, b) => {
    let [older, old, now] = [[], [], Array.from({ length: b.length + 1 }, (_, i) => i)]
    for (let i = 1; i <= a.length; i++) {
      ;[older, old, now] = [old, now, [i]]
      for (let j = 1; j <= b.length; j++) {
        now[j] = Math.min(old[j] + 1, now[j - 1] + 1, old[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1))
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) now[j] = Math.min(now[j], older[j - 2] + 1)
      }
    }
    return now[b.length]
  }
  const like = (a, b) => {
    if (a === '' || b === '') return 0
    if (a.length <= 40 && b.length <= 40 && a !== b) {
      const n = slips(a, b)
      if (n <= Math.ceil(Math.max(a.length, b.length) / 4)) return 0.95 - (0.5 * n) / Math.max(a.length, b.length)
    }
    if (a === b) return 1
    const short = Math.min(a.length, b.length) / Math.max(a.length, b.length)
    if ((b.length > 2 && a.includes(b)) || (a.length > 1 && b.includes(a))) return 0.6 + 0.35 * short
    const [p, q] = [pairs(a), pairs(b)]
    let same = 0
    for (const x of p) if (q.has(x)) same++
    return p.size + q.size === 0 ? 0 : (2 * same) / (p.size + q.size)
  }
  const words = step.kind === 'css' ? step.value.match(/[\w-]{2,}/g) ?? [] : [step.kind === 'role' ? step.name ?? '' : step.value]
  const want = words.map(low).filter((w) => w !== '')
  const score = (el) => {
    const said = [lib.name(el), ...['id', 'name', 'data-testid', 'placeholder', 'title', 'alt', 'class', 'type'].map((a) => lib.attr(el, a) ?? '')].map(low)
    if (step.kind !== 'css') said.push(low(lib.text(el)).slice(0, 200))
    let best = 0
    for (const w of want) for (const s of said) best = Math.max(best, like(w, s))
    if (step.kind === 'role') {
      const same = lib.role(el) === step.value
      return want.length === 0 ? (same ? 1 : 0) : same ? 0.15 + 0.85 * best : 0.85 * best
    }
    return best
  }
  const css = 'a[href],button,input:not([type=hidden]),select,textarea,summary,option,label,h1,h2,h3,h4,h5,h6,img,td,th,li,iframe,[id],[role],[tabindex],[contenteditable],[data-testid]'
  const found = []
  let budget = 3000
  for (const root of lib.roots()) {
    for (const el of lib.all(root, css)) {
      if (budget-- <= 0) break
      if (['html', 'body', 'script', 'style'].includes(lib.tag(el)) || !lib.visible(el)) continue
      const s = score(el)
      if (s >= 0.45) found.push({ el, s })
    }
  }
  found.sort((a, b) => b.s - a.s)
  let busy = ''
  for (const root of lib.roots()) {
    const sign = lib.all(root, '[role=progressbar]:not([aria-valuenow]),[aria-busy=true],progress:indeterminate').find((el) => lib.visible(el))
    if (busy === '' && sign !== undefined) busy = lib.describe(sign)
  }
  return { doc: lib.doc, busy, near: found.slice(0, 3).map(({ el, s }) => ({ row: lib.row(el, true, false), score: s })) }
}
