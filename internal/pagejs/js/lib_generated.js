// lib_generated(lib): what style sheets do to whom: text that they put before and after elements, pointers, capitals, veils.
(lib) => {
  lib.blocky = (display) => display !== '' && display !== 'inline' && display !== 'contents' && !display.startsWith('ruby') && display !== 'none'
  const deepest = 400

  // Which elements the style sheets give generated content, a pointer, or what may hide them from a person (veils), so
  // that the others need not be asked. Where that cannot be told (a sheet of another origin, a selector that is no
  // selector by itself, a great many rules) all are asked.
  const generates = /::?(?:before|after)\b/
  const unclear = /&|::|:host|:slotted|:part/
  const sheets = new WeakMap() // those of many rules, as they were found
  const parts = (selector) => {
    const out = []
    let deep = 0
    let from = 0
    for (let i = 0; i <= selector.length; i++) {
      const c = selector[i]
      if (c === '(' || c === '[') deep++
      else if (c === ')' || c === ']') deep--
      else if (c === undefined || (c === ',' && deep === 0)) {
        out.push(selector.slice(from, i))
        from = i + 1
      }
    }
    return out
  }
  const calm = new Set(['', 'auto', 'default', 'text', 'not-allowed', 'move', 'grab', 'help', 'none'])
  const few = 60 // rules that are worth a look for whom they match
  const hides = (s) => {
    const position = s.position
    if (position !== '' && position !== 'static' && position !== 'relative') return true
    const flow = s.overflow
    return (flow !== '' && flow !== 'visible') || s.overflowX !== '' || s.overflowY !== '' || s.clip !== '' || s.clipPath !== ''
  }
  const note = (out, kind, selector, nested) => {
    if (out[kind] === null) return
    if (nested || unclear.test(selector) || out[kind].push(selector) > few) out[kind] = null
  }
  const scan = (rules, nested, out) => {
    if (rules.length > 500) out.points = out.veils = out.caps = null
    for (let i = 0; i < rules.length; i++) {
      const rule = rules[i]
      const selector = rule.selectorText
      const style = selector === undefined || out.points === null && out.veils === null ? undefined : rule.style
      if (style !== undefined && !generates.test(selector)) {
        if (!calm.has(style.cursor)) note(out, 'points', selector, nested)
        if (hides(style)) note(out, 'veils', selector, nested)
        if (style.textTransform !== '') out.caps = null
      }
      if (selector !== undefined && generates.test(selector) && rule.style.content !== '') {
        for (const part of parts(selector)) {
          if (!generates.test(part)) continue
          let base = part.trimStart().replace(/::?(?:before|after)\b.*$/, '')
          if (base === '' || /[\s>+~]$/.test(base)) base += '*'
          if (nested || unclear.test(base)) throw new Error('ask all')
          out.made.push(base)
        }
      }
      if (rule.styleSheet) scan(rule.styleSheet.cssRules, nested, out)
      else if (rule.cssRules !== undefined && rule.cssRules.length > 0) scan(rule.cssRules, nested || selector !== undefined, out)
    }
    return out
  }
  const selectorsOf = (sheet) => {
    const rules = sheet.cssRules
    const known = sheets.get(sheet)
    if (known !== undefined && known.count === rules.length) return known.list
    const list = scan(rules, false, { made: [], points: [], veils: [], caps: [] })
    if (rules.length > 300) sheets.set(sheet, { count: rules.length, list })
    return list
  }
  const kinds = ['made', 'points', 'veils', 'caps']
  lib.generatesIn = (root) => {
    const all = lib.cache?.styled
    if (!all) return
    try {
      for (const kind of ['styleSheets', 'adoptedStyleSheets']) {
        const list = lib.prop(root, kind)
        if (list === undefined || list === null) continue
        for (let i = 0; i < list.length; i++) {
          const found = selectorsOf(list[i])
          all.rules += list[i].cssRules.length
          for (const k of kinds) {
            if (found[k] === null) all[k] = null
            if (all[k] !== null) for (const css of found[k]) for (const el of lib.all(root, css)) all[k].add(el)
          }
        }
      }
      if (all.caps !== null && lib.all(root, '[style*="text-transform"]').length > 0) all.caps = null
    } catch {
      for (const k of kinds) all[k] = null
    }
  }
  const styled = (kind) => {
    if (lib.cache.styled === undefined) {
      lib.cache.styled = { made: new Set(), points: new Set(), veils: new Set(), caps: new Set(), rules: 0 }
      for (const root of lib.rootsMet()) lib.generatesIn(root)
    }
    return lib.cache.styled[kind]
  }
  // rules counts those of the style sheets.
  lib.rules = () => {
    styled('made')
    return lib.cache.styled.rules
  }
  const mayGenerate = (el) => {
    const made = styled('made')
    return made === null || made.has(el) || lib.tag(el) === 'q'
  }
  // Elements that the browser's own style sheet gives neither a pointer nor a veil.
  const neutral = new Set('abbr article aside b blockquote button code dd div dl dt em footer form h1 h2 h3 h4 h5 h6 header i label li main nav ol p s section small span strong sub sup table tbody td tfoot th thead tr u ul'.split(' '))
  const mayBe = (el, kind) => {
    const set = styled(kind)
    if (set === null || set.has(el)) return true
    const f = lib.facts(el)
    return !f.html || !neutral.has(f.tag) || (!lib.bare(el) && lib.has(el, 'style'))
  }
  // pointed: some rule may give the element itself a pointer.
  lib.pointed = (el) => {
    const set = styled('points')
    return set === null || set.has(el)
  }
  lib.veiled = (el) => {
    const set = styled('veils')
    return set === null || set.has(el)
  }
  lib.mayPoint = (el) => mayBe(el, 'points')
  lib.mayVeil = (el) => (lib.facts(el).tag === 'a' && lib.cache.styled?.veils?.has(el) === false && !lib.has(el, 'style') ? false : mayBe(el, 'veils'))
  lib.transform = (el) => (styled('caps') === null ? lib.style(el).textTransform : 'none')
  // Text of generated content: the alternative after the slash where there is one, else its strings and counters.
  // Asking for the style of what is generated is dear in one of the browsers, so it is asked once a reading.
  lib.generated = (el, pseudo) => {
    if (!mayGenerate(el)) return ''
    let both = lib.cache.generated.get(el)
    if (both === undefined) lib.cache.generated.set(el, (both = {}))
    return (both[pseudo] ??= generate(el, pseudo))
  }
  const generate = (el, pseudo) => {
    let style
    try {
      style = lib.style(el, pseudo)
    } catch {
      return ''
    }
    const content = style.content
    if (content === 'none' || content === 'normal' || content === '' || content === undefined) return ''
    if (style.display === 'none' || style.visibility !== 'visible') return ''
    const text = contentText(el, pseudo, content)
    return lib.blocky(style.display) ? ` ${text} ` : text
  }
  const token = /"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|(counters?)\(([^)]*)\)|attr\(([^)]*)\)|url\((?:"(?:[^"\\]|\\.)*"|[^)]*)\)|(open-quote)|(close-quote)|(\/)/g
  const unescape = (s) => s.replace(/\\([0-9a-fA-F]{1,6})\s?|\\(.)/g, (_, hex, c) => (hex ? String.fromCodePoint(Number.parseInt(hex, 16)) : c))
  const contentText = (el, pseudo, content) => {
    let out = ''
    let alt = false
    for (const m of content.matchAll(token)) {
      if (m[8] !== undefined) {
        out = ''
        alt = true
      }
      if (m[1] !== undefined || m[2] !== undefined) out += unescape(m[1] ?? m[2])
      else if (m[3] !== undefined) out += counter(el, pseudo, m[4].split(',')[0].trim())
      else if (m[5] !== undefined) out += lib.attr(el, m[5].trim().split(/[\s,]/)[0]) ?? ''
      else if (m[6] !== undefined) out += '\u201c'
      else if (m[7] !== undefined) out += '\u201d'
    }
    return alt ? ` ${out} ` : out
  }
  // Counters cannot be asked for: one pass counts them, once a reading, only where a name needs one.
  const counter = (el, pseudo, name) => {
    lib.outside++
    let all = lib.cache.extra.get('counters')
    if (all === undefined) lib.cache.extra.set('counters', (all = count()))
    return all.get(el)?.[pseudo]?.[name] ?? '0'
  }
  const pairs = (s) => {
    const out = []
    for (const m of s.matchAll(/([-\w]+)\s+(-?\d+)/g)) out.push([m[1], Number(m[2])])
    return out
  }
  const count = () => {
    const values = new Map()
    const scopes = new Map()
    let left = 50000
    const apply = (style, made) => {
      for (const [n, v] of pairs(style.counterReset)) {
        if (!scopes.has(n)) scopes.set(n, [])
        scopes.get(n).push(v)
        made.push(n)
      }
      const at = (n, f) => {
        let s = scopes.get(n)
        if (s === undefined || s.length === 0) {
          scopes.set(n, (s = [0]))
          made.push(n)
        }
        s[s.length - 1] = f(s[s.length - 1])
      }
      for (const [n, v] of pairs(style.counterIncrement)) at(n, (x) => x + v)
      for (const [n, v] of pairs(style.counterSet)) at(n, () => v)
    }
    const pseudo = (el, which, made) => {
      const style = lib.style(el, which)
      if (style.content === 'none' || style.content === 'normal') return
      apply(style, made)
      if (style.content.includes('counter')) {
        const now = {}
        for (const [n, s] of scopes) if (s.length > 0) now[n] = String(s[s.length - 1])
        values.set(el, { ...values.get(el), [which]: now })
      }
    }
    // What an element makes is in scope for its siblings and their descendants, and ends with its parent.
    const visit = (el, made, depth) => {
      if (left-- < 0 || depth > deepest) return
      const style = lib.style(el)
      if (style.display === 'none') return
      apply(style, made)
      const inner = []
      pseudo(el, '::before', inner)
      for (const k of lib.kids(el)) if (lib.isElement(k)) visit(k, inner, depth + 1)
      pseudo(el, '::after', inner)
      for (const n of inner.reverse()) scopes.get(n)?.pop()
    }
    const root = lib.documentElement()
    if (root !== null) visit(root, [], 0)
    return values
  }
}
