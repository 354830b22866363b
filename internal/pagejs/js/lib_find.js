// lib_find(lib): part of the page library: selectors, by the functions that name the map's lines.
//
//   lib.find(step, scopes) -> elements in order, or a string that says why the step cannot be matched
//   lib.row(el, visible, where) -> row of an answer   lib.alike(wanted, shown) same text as the map shows it
//   lib.plain(s) -> a text as a person reads it: no invisible characters, every kind of space one space
(lib) => {
  const CSS_OF = {
    button: 'button,input,summary', link: 'a,area,link', checkbox: 'input', radio: 'input', textbox: 'input,textarea,[contenteditable]',
    searchbox: 'input', spinbutton: 'input', slider: 'input', combobox: 'select,input', listbox: 'select,datalist', option: 'option',
    heading: 'h1,h2,h3,h4,h5,h6', img: 'img,svg,image', list: 'ul,ol,menu', listitem: 'li', table: 'table', row: 'tr', cell: 'td',
    columnheader: 'th', rowheader: 'th', navigation: 'nav', main: 'main', form: 'form', article: 'article', dialog: 'dialog',
    iframe: 'iframe,frame', paragraph: 'p', progressbar: 'progress', status: 'output',
  }
  // They have no name of their content, but their line in the map says it.
  const SAYING = new Set(['listitem', 'status', 'alert', 'log', 'timer', 'marquee', 'term', 'definition'])
  const SAME = { image: 'img', presentation: 'none', frame: 'iframe' }
  // What a person does not see of a text, as the map drops it: see snapshot.Clean.
  const unseen =
    /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]/gu
  const blanks = /[\s\u0085]+/g
  lib.plain = (s) => lib.fold(s.toWellFormed().replace(unseen, '').replace(blanks, ' '))
  const plain = lib.plain

  lib.alike = (wanted, shown, part) => {
    const [w, s] = [plain(wanted), plain(shown)]
    if (part) return w !== '' && s.includes(w)
    if (w === s) return true
    const cut = w.replace(/(…|\.\.\.)$/, '')
    return cut !== w ? cut.trim() !== '' && s.length >= w.length && s.startsWith(cut.trim()) : w.length >= 79 && s.startsWith(w)
  }

  const every = (scopes, css) => {
    const found = []
    for (const root of lib.roots()) {
      for (const el of lib.all(root, css)) {
        if (scopes.some((s) => s === null || (s !== el && lib.contains(s, el)))) found.push(el)
      }
    }
    return found
  }
  // A selector that asks what is chosen does not find what tells it of a secret field, and where that leaves nothing it
  // says so, whatever is chosen there.
  const untold = (v, find) => {
    const all = v.replace(/:(checked|default)\b/g, ':nth-child(n)').replace(/\[\s*(@?)(selected|aria-selected|aria-checked)\b[^\]]*\]/g, (m, at) => (at ? '' : ':nth-child(n)'))
    const found = find(v)
    if (all === v && !/selected|checked/.test(v)) return found
    const secretly = (el) => lib.isElement(el) && (lib.chosenSecretly(el) || (v.includes(':has') && lib.all(el, 'select').some(lib.secret)))
    const kept = found.filter((el) => !secretly(el))
    return kept.length === 0 && find(all).some(secretly) ? 'which option of a secret field is chosen is not told' : kept
  }
  const quoted = (v) => '"' + v.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ') + '"'

  const SILENT = new Set(['script', 'style', 'noscript', 'template', 'head', 'title', 'meta', 'link'])
  const whole = (el) => (lib.tag(el) === 'input' ? lib.prop(el, 'value') : lib.text(el))
  const textual = (el) => plain(lib.prop(el, 'textContent') ?? '')
  // From each text node that holds the first word, up to the innermost element whose text it is.
  const byText = (wanted, part, scopes) => {
    const word = plain(wanted).split(' ')[0].replace(/…$/, '')
    const full = plain(wanted)
    const bare = full.replace(/ /g, '').replace(/…$/, '')
    const found = new Set()
    const judged = new Set() // elements whose text was looked at; those above them were too
    const consider = (text) => {
      const own = lib.data(text)
      if (!own.includes(word) && !plain(own).includes(word)) return
      let el = lib.nodeParent(text)
      if (el === null || !lib.isElement(el) || SILENT.has(lib.tag(el))) return
      if (lib.alike(full, own, part)) return void found.add(el)
      for (let i = 0; i < 8 && el !== null && lib.isElement(el) && !judged.has(el); i++, el = lib.nodeParent(el)) {
        judged.add(el)
        const t = textual(el)
        if (t.length > full.length * 2 + 400) return
        if (!t.replace(/ /g, '').includes(bare)) continue
        if (lib.alike(full, t, part) || lib.alike(full, lib.text(el), part)) return void found.add(el)
      }
    }
    for (const root of lib.roots()) {
      const walker = lib.walker(root)
      for (let n = walker.nextNode(); n !== null; n = walker.nextNode()) consider(n)
      for (const el of lib.all(root, 'input')) {
        if (['submit', 'button', 'reset'].includes(lib.prop(el, 'type')) && lib.alike(full, whole(el), part)) found.add(el)
      }
    }
    // Innermost only: an element that holds another match goes.
    const all = Array.from(found)
    const outer = new Set()
    for (const el of all) for (let p = lib.parent(el); p !== null; p = lib.parent(p)) if (found.has(p)) outer.add(p)
    return all.filter((el) => !outer.has(el))
  }
  const showText = 4
  const makeWalker = Document.prototype.createTreeWalker
  lib.walker = (root) => makeWalker.call(lib.document, root, showText)

  const byXPath = (expression, scopes) => {
    const evaluate = Document.prototype.evaluate
    const found = new Set()
    const run = (from, x) => {
      const r = evaluate.call(lib.document, x, from, null, 7, null)
      for (let i = 0; i < r.snapshotLength; i++) {
        const n = r.snapshotItem(i)
        const el = lib.isElement(n) ? n : n.ownerElement ?? lib.nodeParent(n)
        if (el !== null && lib.isElement(el)) found.add(el)
      }
    }
    for (const s of scopes) {
      run(s ?? lib.document, s === null ? expression : expression.replace(/^\s*\//, './'))
      if (s !== null || !/^\s*\/\/[\w*][\w-]*(?!\w|-|::|\()/.test(expression)) continue
      for (const root of lib.roots()) {
        if (root === lib.document) continue
        for (const kid of lib.childNodes(root)) if (lib.isElement(kid)) run(kid, expression.replace(/^\s*\/\//, 'descendant-or-self::'))
      }
    }
    return Array.from(found)
  }

  const LABELLED = 'input,select,textarea,button,meter,output,progress,[contenteditable],[role],[aria-label],[aria-labelledby]'
  const byLabel = (wanted, scopes) =>
    every(scopes, LABELLED).filter((el) => {
      if (lib.tag(el) === 'input' && lib.prop(el, 'type') === 'hidden') return false
      if (lib.labels(el).some((l) => lib.alike(wanted, lib.text(l)))) return true
      const named = lib.has(el, 'aria-label') || lib.has(el, 'aria-labelledby') || lib.labels(el).length > 0
      return named && lib.alike(wanted, lib.name(el))
    })

  lib.find = (step, scopes) => {
    const v = step.value
    const attribute = (name, css) => every(scopes, css).filter((el) => lib.alike(v, lib.attr(el, name) ?? ''))
    try {
      switch (step.kind) {
        case 'css': return untold(v, (css) => every(scopes, css))
        case 'xpath': return untold(v, (x) => byXPath(x, scopes))
        case 'id': return every(scopes, `[id=${quoted(v)}]`)
        case 'name': return every(scopes, `[name=${quoted(v)}]`)
        case 'testid': return every(scopes, `[data-testid=${quoted(v)}]`)
        case 'class': return every(scopes, `[class~=${quoted(v)}]`)
        case 'tag': return every(scopes, '*').filter((el) => lib.tag(el) === v.toLowerCase())
        case 'placeholder': return attribute('placeholder', '[placeholder]').concat(attribute('aria-placeholder', '[aria-placeholder]'))
        case 'alt': return attribute('alt', '[alt]')
        case 'title': return attribute('title', '[title]')
        case 'label': return byLabel(v, scopes)
        case 'text': return byText(v, false, scopes)
        case 'text*': return byText(v, true, scopes)
        case 'role': return byRole(step, scopes)
      }
    } catch (e) {
      return String(e.message ?? e).toWellFormed()
    }
    return 'unknown kind ' + step.kind
  }
  const roleOf = (el) => {
    const role = lib.role(el)
    const tag = lib.tag(el)
    return tag === 'iframe' || tag === 'frame' ? 'iframe' : SAME[role] ?? role
  }
  const byRole = ({ value, name, nameOp }, scopes) => {
    const role = SAME[value] ?? value
    const css = role in CSS_OF ? CSS_OF[role] + ',[role]' : '*'
    return every(scopes, css).filter((el) => {
      if (roleOf(el) !== role || lib.hidden(el)) return false
      if (name === undefined || name === null) return true
      // The map tells the cells of a row apart, its name does not.
      const bare = (s) => (role === 'row' ? s.replaceAll(' | ', ' ') : s)
      const is = lib.name(el)
      const saying = is === '' && SAYING.has(role) && !lib.withinSecret(el)
      return lib.alike(bare(name), bare(saying ? lib.text(el) : is), nameOp === '*=')
    })
  }

  const short = (s, n) => {
    const all = Array.from(s)
    return all.length > n ? all.slice(0, n - 1).join('') + '…' : s
  }
  // The row, item or heading that tells one of several apart.
  const where = (el) => {
    const box = lib.closest(el, 'tr,li,[role="row"],[role="listitem"],dd,article')
    if (box !== null && box !== el) {
      const text = lib.fold(lib.text(box))
      if (text !== '' && text.length < 400) return short(text, 60)
    }
    let best = null
    for (const root of lib.roots()) {
      for (const h of lib.all(root, 'h1,h2,h3,h4,h5,h6,legend,caption,[role="heading"]')) {
        // A legend or a caption says nothing of what comes after its box.
        const box = /^(legend|caption)$/.test(lib.tag(h)) ? lib.parentElement(h) : null
        if (lib.root(h) === lib.root(el) && lib.follows(h, el) && (box === null || compare.call(box, el) & 16)) best = h
      }
    }
    return best === null ? '' : short(lib.fold(lib.text(best)), 60)
  }
  const compare = Node.prototype.compareDocumentPosition
  lib.follows = (a, b) => (compare.call(a, b) & 4) !== 0
  lib.row = (el, visible, several) => ({
    node: lib.number(el), stamp: lib.stamp(el) ?? '', tag: lib.tag(el), role: lib.role(el), name: short(lib.name(el), 80),
    text: lib.withinSecret(el) ? '' : short(lib.fold(lib.text(el)), 80), hint: lib.hint(el) ?? '', line: lib.line(el), visible, where: several ? where(el) : '',
  })
}
