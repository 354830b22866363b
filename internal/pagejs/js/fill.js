// fill(lib, FillArgs, text) -> Filled: replaces the whole text of a field as one edit and reads it back; acts.
async (lib, args, text = '') => {
  const NUMBER = /^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/
  // What a page does to a text to show it: it groups, and it changes what parts are separated by. Letters keep their
  // case, numbers their sign and their decimal mark; anything else is another value.
  const between = /[\s\u00a0\u202f()/-]/u
  const digit = (c) => c !== undefined && c >= '0' && c <= '9'
  // parts: what is left without separators, and where a mark stood between two digits.
  const parts = (s) => {
    const all = Array.from(s.trim())
    const kept = []
    const marks = []
    all.forEach((c, i) => {
      const mark = (c === '.' || c === ',') && digit(all[i - 1]) && digit(all[i + 1])
      if (mark) marks.push({ at: kept.length, c, thousands: /^\d{3}(?!\d)/.test(all.slice(i + 1, i + 5).join('')) })
      else if (!between.test(c) || (c === '-' && (i === 0 || i === all.length - 1))) kept.push(c)
    })
    return { kept: kept.join(''), marks }
  }
  const regrouped = (now, want) => {
    const a = parts(now)
    const b = parts(want)
    if (/^\(.*\)$/.test(now.trim()) !== /^\(.*\)$/.test(want.trim())) return false // a loss, in accounts
    if (a.kept !== b.kept || !/[\p{L}\p{N}]/u.test(b.kept)) return false
    const separated = new Set()
    let n = 0
    for (const c of now.trim()) {
      if (c === '.' || c === ',' || between.test(c)) separated.add(n)
      else n++
    }
    if (!b.marks.every((m) => separated.has(m.at))) return false
    const added = a.marks.filter((m) => !b.marks.some((o) => o.at === m.at))
    return added.length !== 1 || added[0].thousands
  }
  // amounts that a text can be read as: commas group and a point is the decimal mark, or the other way round.
  const GROUPED = /^([-+]?)(\d+|\d{1,3}(?:[,'’\s\u00a0\u202f]\d{2,3})*[,'’\s\u00a0\u202f]\d{3})(\.\d+)?$/u
  const amounts = (s) =>
    [s, s.replace(/[.,]/g, (c) => (c === '.' ? ',' : '.'))].flatMap((t) => {
      const m = GROUPED.exec(t)
      return m === null ? [] : [Number(m[1] + m[2].replace(/\D/g, '') + (m[3] ?? ''))]
    })
  // reformatted: an amount in its currency, a telephone number with its country, a text in groups.
  const reformatted = (now, want) => {
    const padded = /^\D*0\d/
    if (NUMBER.test(want) && !padded.test(now) && !padded.test(want)) {
      const m = /^([-+]?)(\p{Sc}?\p{L}{0,3}\p{Sc}?)\s?([-+]?[\d.,'’\s]*\d)\s?(\p{L}{0,3}[\p{Sc}%]?)$/u.exec(now.trim())
      if (m !== null && amounts((m[1] + m[3]).replace(/^([-+])\s+/, '$1')).includes(Number(want))) return true
    }
    if (NUMBER.test(want) && !/^\s*\d+\s*$/.test(want)) return false
    if (regrouped(now, want)) return true
    const digits = (s) => s.replace(/\D/g, '')
    return now.startsWith('+') && digits(want).length >= 6 && /^[\d\s()-]+$/.test(want) && !want.startsWith('-') && digits(now).endsWith(digits(want)) && digits(now).length - digits(want).length <= 3
  }
  const match = (el, text) => {
    const kind = lib.editKind(el)
    const now = lib.current(el).replace(/\r\n?/g, '\n')
    const want = text.replace(/\r\n?/g, '\n')
    if (now === want) return 'equal'
    // A slider moves what it cannot be to where it can: that is another value.
    if (kind === 'set' && lib.prop(el, 'type') === 'range') return Number(now) === Number(want) ? 'alike' : 'differs'
    if (kind === 'set') return now === lib.probe(el, want) ? 'alike' : 'differs'
    if (lib.secret(el) && !lib.entered.has(el)) {
      // A card's digits may stand in groups; nothing else of a secret may change.
      const bare = (x) => x.replace(/[\s\u00a0/-]/g, '')
      return /^\d{3,}$/.test(bare(want)) && bare(now) === bare(want) && now !== '' ? 'alike' : 'differs'
    }
    if (kind === 'rich' && lib.fold(now.replace(/\u00a0/g, ' ')) === lib.fold(want)) return 'equal'
    if (lib.tag(el) === 'input' && lib.prop(el, 'type') === 'number' && now !== '' && Number(now) === Number(want)) return 'alike'
    return now !== '' && reformatted(now, want) ? 'alike' : 'differs'
  }
  const fill = async () => {
    if (args.pause) await lib.pause(args.pause)
    const found = lib.target(args)
    if (found.gone) return { gone: found.gone, line: found.line ?? '' }
    const label = lib.tag(found.el) === 'label' ? lib.control(found.el) : null
    const el = label ?? found.el
    lib.take(false)
    const kind = lib.editKind(el)
    const modal = lib.modal(el)
    if (args.secret && kind !== '') lib.enter(el)
    const m = {
      line: lib.line(el), tag: lib.tag(el), type: lib.tag(el) === 'input' ? lib.prop(el, 'type') : '', kind,
      hidden: lib.why(el, true), disabled: lib.disabledBy(el), readonly: lib.readonly(el), inert: lib.inert(el),
      modal: modal === null ? '' : lib.line(modal), secret: lib.secret(el), version: lib.version(),
    }
    if (kind === '') {
      const first = lib.editable(el)
      if (first !== null) m.first = lib.row(first, true, false)
      return m
    }
    if (m.hidden !== '' || m.disabled !== '' || m.readonly || m.inert) return m
    const say = (value) => (m.secret ? '' : Array.from(value).slice(0, 2000).join(''))
    const taken = lib.probe(el, text)
    m.value = say(lib.current(el))
    if (taken === null) return { ...m, rejected: true }
    if (!lib.into(el)) {
      if (!lib.attached(el)) return { gone: 'detached', line: m.line, focused: true }
      const now = lib.active()
      return { ...m, lost: now === null ? 'nothing' : lib.line(now) }
    }
    // The focus handler may have replaced the field.
    lib.fresh()
    if (!lib.attached(el)) return { gone: 'detached', line: m.line, focused: true }
    const hide = () => {
      m.secret = m.secret || lib.secret(el)
      if (m.secret) m.value = ''
    }
    hide() // it may have become a password field by the focus
    let inputs = 0
    const count = () => inputs++
    el.addEventListener('input', count, true)
    el.addEventListener('beforeinput', count, true)
    const before = lib.current(el)
    const path = []
    for (let n = lib.parentElement(el); n !== null; n = lib.parentElement(n)) path.push(n)
    if (kind === 'set') {
      if (before !== taken) {
        lib.set(el, 'value', taken)
        lib.fire(el, 'input')
        lib.fire(el, 'change')
      }
    } else {
      if (kind === 'text') lib.call(el, 'select')
      else lib.window.getSelection().selectAllChildren(el)
      const run = (command, value) => {
        try {
          return lib.call(lib.document, 'execCommand', command, false, value)
        } catch {
          return false
        }
      }
      if (text !== '') run('insertText', text)
      else if (before !== '') run('delete')
      if (inputs === 0 && kind === 'text' && lib.current(el) === before && before !== text) {
        m.synthetic = true
        lib.set(el, 'value', text)
        lib.fire(el, 'input', { inputType: 'insertReplacementText', data: text })
      }
    }
    await lib.turn()
    el.removeEventListener('input', count, true)
    el.removeEventListener('beforeinput', count, true)
    lib.fresh()
    hide() // or by the text
    m.done = true
    m.inputs = inputs
    let now = el
    if (!lib.attached(el)) {
      // The page took the field away; where it drew it anew, that one is read: it stands in what is left around the first,
      // reads the same, and no other does.
      const around = path.find((n) => lib.attached(n)) ?? lib.documentElement()
      const alike = lib.roots().flatMap((root) => Array.from(lib.all(root, 'input,textarea,[contenteditable]')))
        .filter((e) => lib.contains(around, e) && lib.editKind(e) === kind && lib.line(e) === m.line)
      if (alike.length !== 1) return { ...m, vanished: true, match: inputs > 0 ? 'unknown' : 'differs', value: '' }
      now = alike[0]
      if (args.secret) lib.enter(now)
      m.secret = m.secret || lib.secret(now)
      m.redrawn = true
    }
    m.match = match(now, text)
    m.value = say(lib.current(now))
    m.max = lib.prop(now, 'maxLength') ?? -1
    if (args.keep && lib.active() !== now) lib.into(now)
    const least = lib.prop(now, 'minLength') ?? -1
    if (kind === 'text' && m.match === 'equal' && text !== '' && text.length < least && lib.active() === now) m.short = !lib.prop(now, 'validity').tooShort
    if (m.match !== 'differs') {
      const others = (lib.fills ?? []).slice(-24).map((f) => (f.field?.deref() === now ? { field: null } : f))
      lib.fills = [...others, { field: new WeakRef(now), text }]
      lib.later = { ...lib.later, fill: drifted }
    }
    return m
  }
  // What of the last fills does not hold any more; the page may have put it back later.
  const drifted = () => {
    const drift = lib.fills.flatMap(({ field, text }, i) => {
      const el = field?.deref()
      if (el === undefined || !lib.attached(el) || match(el, text) !== 'differs') return []
      const secret = lib.secret(el)
      const value = secret ? '' : Array.from(lib.current(el)).slice(0, 2000).join('')
      return [{ back: lib.fills.length - 1 - i, line: lib.line(el), secret, value, max: lib.prop(el, 'maxLength') ?? -1 }]
    })
    return drift.length > 0 ? { drift } : {}
  }
  if (!args.turn) return fill()
  // What was sent ahead waits for the turn before. A field that took longer than nobody needs to answer a dialog ends it.
  const before = lib.filling
  let took = 0
  const turn = async () => {
    if (args.after && !(before?.turn === args.after && (await before.well))) return { held: true }
    for (let n = 0; n < 20; n++) await null // the answer of the one before leaves first: a dialog would keep it back
    const start = lib.now()
    lib.fresh()
    const m = await fill()
    took = lib.now() - start
    return m
  }
  const ended = turn()
  const well = ended.then((m) => m.done === true && !m.vanished && !m.short && m.match !== 'differs' && took < 6, () => false)
  lib.filling = { turn: args.turn, well }
  return ended
}
