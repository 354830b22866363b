// lib_states(lib): hidden and unseen, values and secrets, state flags, hints, addresses, what can be clicked.
(lib) => {
  const words = (s) => new Set(s.trim().split(/\s+/))
  const never = words('script style template head meta link title base noframes noembed param source track')

  // A node of a closed details (all but its first summary) is not shown; neither is a light child that no slot takes.
  lib.foldedAway = (el) => {
    const p = lib.nodeParent(el)
    if (p === null || !lib.isElement(p)) return false
    if (lib.shadow(p) !== null) return lib.slotOf(el) === null
    return lib.tag(p) === 'details' && lib.isHTML(p) && !lib.has(p, 'open') && lib.firstSummary(p) !== el
  }
  const goneItself = (el) => {
    const tag = lib.tag(el)
    if (never.has(tag) && lib.isHTML(el)) return true
    if (lib.isSVG(el) && (tag === 'defs' || tag === 'title' || tag === 'desc' || tag === 'metadata' || tag === 'style' || tag === 'script')) return true
    if (!lib.bare(el) && (lib.attr(el, 'aria-hidden') === 'true' || lib.has(el, 'inert'))) return true
    if (lib.foldedAway(el)) return true
    if (tag === 'area' || tag === 'option' || tag === 'optgroup') return lib.has(el, 'hidden')
    // A browser that runs scripts gives noscript no box, though its style may say inline.
    if (tag === 'noscript' && lib.rectCount(el) === 0) return true
    const style = lib.style(el)
    if (style.display === 'none') return true
    const p = lib.parentElement(el)
    return p !== null && lib.style(p).contentVisibility === 'hidden'
  }
  // stands is gone's opposite for an element whose parent is known to stand: whether the element does, and whether
  // anything of its own style can hide it.
  lib.stands = (el, tag) => {
    if (!never.has(tag) && lib.owner(el) === undefined) {
      if (!lib.shown(el)) lib.outside++
      else if ((lib.bare(el) || (lib.attr(el, 'aria-hidden') !== 'true' && !lib.has(el, 'inert'))) && !lib.isSVG(el)) {
        const f = lib.facts(el)
        f.gone = false
        f.shown = true
        return 'shown'
      }
    }
    return lib.gone(el) ? '' : 'hard'
  }
  // gone: out of the accessibility tree with all that is below it.
  lib.gone = (el) => {
    const f = lib.facts(el)
    if (f.gone !== undefined) return f.gone
    let out = goneItself(el)
    if (!out) {
      const p = lib.parentElement(el)
      out = p !== null ? lib.gone(p) : lib.isShadow(lib.root(el)) || !lib.connected(el) ? lib.parent(el) === null : false
    }
    f.gone = out
    return out
  }
  // invisible: by its own visibility; something visible may stand inside.
  lib.invisible = (el) => {
    const tag = lib.tag(el)
    if (tag === 'area') return false
    return lib.style(el).visibility !== 'visible'
  }
  lib.hidden = (el) => lib.gone(el) || lib.invisible(el)
  lib.inert = (el) => {
    if (lib.closest(el, '[inert]') !== null) return true
    const modal = lib.topModal()
    return modal !== null && !lib.contains(modal, el)
  }
  const openIn = (css, state) => lib.rootsMet().flatMap((root) => Array.from(lib.all(root, css))).filter((el) => lib.matches(el, state))
  // Of what stands in the top layer, the one that was opened last: a point of each tells which a press reaches, and an
  // open modal dialog keeps every press from those below it; of what stands side by side the last toggle event tells.
  const topmost = (list) => {
    if (list.length < 2) return list[0] ?? null
    const reached = new Set()
    for (const el of list) {
      const r = lib.rect(el)
      const hit = lib.deepest(r.x + r.w / 2, r.y + r.h / 2)
      if (hit === null) continue
      const around = list.filter((e) => lib.contains(e, hit))
      reached.add(around.find((e) => !around.some((o) => o !== e && lib.contains(e, o))))
    }
    const some = list.filter((el) => reached.has(el))
    return (some.length > 0 ? some : list).reduce((a, b) => (lib.toggled(b) < lib.toggled(a) ? a : b))
  }
  // The topmost open modal dialog.
  lib.topModal = () => (lib.cache.modal ??= [topmost(openIn('dialog[open]', ':modal'))])[0]
  // The popover that was opened last, of those that stand above the page.
  lib.topPopover = () => topmost(openIn('[popover]', ':popover-open').filter((el) => !lib.gone(el)))
  // holder: what shows an element that has no box of its own.
  const holder = (el) => {
    const tag = lib.tag(el)
    return tag === 'area' ? lib.imageOf(el) : tag === 'option' || tag === 'optgroup' ? lib.closest(el, 'select, datalist, [role=listbox]') : el
  }
  // rendered: it has a box, be it of no size, and style does not hide it. What takes keys needs no more.
  lib.rendered = (el) => {
    const h = holder(el)
    if (h !== el) return h !== null && lib.rendered(h)
    if (lib.style(el).visibility !== 'visible') return false
    if (lib.style(el).display === 'contents') return lib.areas(el, 1).length > 0
    if (lib.rectCount(el) === 0) return false
    for (let e = el; e !== null; e = lib.parentElement(e)) if (lib.foldedAway(e) || (e !== el && lib.style(e).contentVisibility === 'hidden')) return false
    return true
  }
  // visible: a person sees some of it and can press there. Whoever asks that, asks here.
  lib.visible = (el) => {
    const h = holder(el)
    if (h !== el) return h !== null && lib.visible(h)
    return lib.rendered(el) && lib.areas(el, 1).length > 0
  }
  // areas: at most so many boxes in which it shows: its own, or where those have no size, of what shows in it.
  lib.areas = (el, most, out = lib.rects(el).filter(sized)) => {
    if (out.length > 0) return out
    const { overflowX, display } = lib.style(el)
    return overflowX === 'visible' || display === 'inline' || display === 'contents' ? inner(el, most, out) : out
  }
  const sized = (r) => r.w > 0 && r.h > 0
  // apart: as rendered, of an element of which the areas are asked next: one without a box shows where they are.
  const apart = (el) => (lib.style(el).display === 'contents' ? lib.style(el).visibility === 'visible' : lib.rendered(el))
  const inner = (el, most, out) => {
    for (const k of lib.kids(el)) {
      if (out.length >= most) break
      if (lib.isText(k)) {
        if (lib.fold(lib.data(k)) !== '') out.push(...lib.textRects(k).filter(sized))
      } else if (lib.isElement(k) && apart(k)) out.push(...lib.areas(k, most - out.length))
    }
    return out
  }
  const page = () => {
    let p = lib.cache.extra.get('page')
    if (p === undefined) {
      const root = lib.scrolling() || lib.documentElement()
      p = { x: lib.window.scrollX, y: lib.window.scrollY, w: lib.prop(root, 'scrollWidth'), h: lib.prop(root, 'scrollHeight'), right: lib.viewport().w }
      if (p.w > p.right) p.right = p.w
      lib.cache.extra.set('page', p)
    }
    return p
  }
  // veils: it hides from a person all that is in it, without hiding it from assistive technology.
  lib.veils = (el, shown, moved) => {
    if (shown && !lib.mayVeil(el)) return false
    const style = lib.style(el)
    if (!shown && style.opacity === '0') return true
    const position = style.position
    if (position === 'absolute' || position === 'fixed') {
      const clip = style.clip
      if (clip !== 'auto' && clip !== '' && clip !== undefined && emptyClip(clip)) return true
      if (moved && away(lib.rect(el), el)) return true
    }
    const path = style.clipPath
    if (path !== 'none' && path !== '' && path !== undefined && /^inset\((5\d|[6-9]\d|100)(\.\d+)?%|^circle\(0|^polygon\(0(px)? 0(px)?, 0(px)? 0(px)?, 0/.test(path)) return true
    if (style.overflowX !== 'visible' && style.display !== 'inline') {
      const r = lib.rect(el)
      if ((r.w <= 1 || r.h <= 1) && lib.tag(el) !== 'body' && lib.tag(el) !== 'html') return true
    }
    return false
  }
  const emptyClip = (clip) => {
    const n = (clip.match(/-?[\d.]+/g) || []).map(Number)
    return n.length === 4 && (n[2] - n[0] <= 1 || n[1] - n[3] <= 1)
  }
  // Beyond the page's edges, where no scrolling leads: neither that of the page nor that of a box inside it.
  const away = (r, el) => {
    const p = page()
    const out = r.x + r.w + p.x <= 0 || r.y + r.h + p.y <= 0 || (p.w > 0 && r.x + p.x >= p.right)
    if (!out) return false
    for (let e = lib.parentElement(el); e !== null && lib.tag(e) !== 'body'; e = lib.parentElement(e)) {
      if (lib.prop(e, 'scrollTop') !== 0 || lib.prop(e, 'scrollLeft') !== 0) return false
      if (lib.style(e).overflowX === 'auto' || lib.style(e).overflowX === 'scroll') return false
    }
    return true
  }
  lib.awayBox = away
  lib.unseen = (el) => {
    const known = lib.cache.unseen.get(el)
    if (known !== undefined) return known
    let out = false
    if (lib.tag(el) !== 'area' && lib.tag(el) !== 'option' && lib.tag(el) !== 'optgroup') {
      for (let e = el; e !== null && !out; e = lib.parentElement(e)) out = lib.veils(e)
      if (!out && lib.style(el).display !== 'contents') {
        const r = lib.rect(el)
        out = away(r, el) || (r.w === 0 || r.h === 0) && !lib.overflows(el)
      }
    }
    lib.cache.unseen.set(el, out)
    return out
  }
  // A box without size may still show what stands in it.
  lib.overflows = (el) => inner(el, 1, []).length > 0

  // Secrets. What once was a password field or a hidden one stays secret, whatever its type becomes.
  const secrets = new WeakSet()
  lib.concealed = (el) => {
    secrets.add(el)
    lib.cache.extra.delete(el)
  }
  // What a secret was entered into is a secret field from then on; entered: those that are none by what they are.
  lib.entered = new WeakSet()
  lib.enter = (el) => {
    if (lib.secret(el)) return
    lib.entered.add(el)
    lib.concealed(el)
  }
  const secretName = /pass(?!port|eng|age|ing|ive|ion|es\b)|pwd|secret|token|api[ _-]?key|access[ _-]?key|private[ _-]?key|credential|otp\b|one[ _-]?time|totp|2fa|mfa|cvv|cvc\d?\b|\bcsc\b|card[ _-]?(no\b|num)|cc[ _-]?(num|csc|exp|cvc)|security[ _-]?(code|answer)|\bpin\b|pin[ _-]?code|auth[ _-]?code|verification[ _-]?code|(?:recovery|backup|seed)[ _-]?(?:phrase|codes?\b)|mnemonic|\bssn\b|social[ _-]?security|\biban\b|\b[cx]srf|passwort|kennwort|contraseña|mot de passe|senha/i
  const camel = (s) => s.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_.-]+/g, ' ')
  const tokens = words('current-password new-password one-time-code cc-number cc-csc cc-exp cc-exp-month cc-exp-year cc-name cc-given-name cc-additional-name cc-family-name cc-type')
  const reads = (s) => s !== null && s !== '' && (secretName.test(s) || secretName.test(camel(s)))
  lib.secretText = reads
  const plain = words('checkbox radio submit reset button image')
  lib.secret = (el) => {
    if (secrets.has(el)) return true
    let known = lib.cache.extra.get(el)
    if (known !== undefined) return known
    known = judge(el)
    lib.cache.extra.set(el, known)
    if (known && lib.tag(el) === 'input' && (lib.inputType(el) === 'password' || lib.inputType(el) === 'hidden')) secrets.add(el)
    return known
  }
  const judge = (el) => {
    const tag = lib.tag(el)
    if (tag === 'input') {
      const type = lib.inputType(el)
      if (type === 'password' || type === 'hidden' || type === 'file') return true
      if (plain.has(type)) return false
    } else if (tag !== 'textarea' && tag !== 'select' && !lib.editingHost(el)) {
      const role = lib.role(el)
      if (role !== 'textbox' && role !== 'combobox' && role !== 'searchbox' && role !== 'spinbutton') return false
    }
    if ((lib.style(el).webkitTextSecurity || 'none') !== 'none') {
      secrets.add(el)
      return true
    }
    for (const t of lib.ids((lib.attr(el, 'autocomplete') ?? '').toLowerCase())) if (tokens.has(t)) return true
    if (reads(lib.attr(el, 'id')) || reads(lib.attr(el, 'name')) || reads(lib.attr(el, 'placeholder')) || reads(lib.attr(el, 'aria-label'))) return true
    if (lib.labels(el).some((l) => reads(lib.fold(lib.content(l))))) return true
    lib.cache.extra.set(el, true) // its own value must not get into its name while the name is judged
    const name = lib.name(el)
    lib.cache.extra.delete(el)
    lib.facts(el).name = undefined
    return reads(name)
  }

  const valued = words('textbox searchbox combobox spinbutton slider progressbar meter scrollbar')
  const own = (el) => {
    const tag = lib.tag(el)
    if (tag === 'input') {
      const type = lib.inputType(el)
      if (plain.has(type) || type === 'hidden' || type === 'file') return null
      return lib.attr(el, 'aria-valuetext') ?? lib.prop(el, 'value')
    }
    if (tag === 'textarea') return lib.prop(el, 'value')
    if (tag === 'select') {
      const chosen = lib.all(el, 'option').filter((o) => lib.prop(o, 'selected'))
      return chosen.map((o) => lib.fold(lib.attr(o, 'label') || lib.content(o))).join(', ')
    }
    if (tag === 'meter' || tag === 'progress') {
      if (tag === 'progress' && !lib.has(el, 'value')) return null
      return lib.attr(el, 'aria-valuetext') ?? String(lib.prop(el, 'value'))
    }
    const role = lib.role(el)
    if (role === 'separator' && !lib.focusable(el)) return null
    if (!valued.has(role) && role !== 'separator') return null
    const range = lib.attr(el, 'aria-valuetext') ?? lib.attr(el, 'aria-valuenow')
    if (range !== null) return range
    if (lib.editingHost(el) || role === 'textbox' || role === 'searchbox') return lib.text(el)
    if (role === 'combobox') {
      const text = lib.text(el)
      return text === lib.name(el) ? null : text
    }
    return null
  }
  lib.value = (el) => {
    if (lib.secret(el)) return null
    const v = own(el)
    return v === null || v === undefined ? null : v
  }
  lib.filled = (el) => {
    const tag = lib.tag(el)
    if (tag === 'input' && lib.inputType(el) === 'file') {
      const files = lib.prop(el, 'files')
      return files !== null && files.length > 0
    }
    const v = tag === 'input' || tag === 'textarea' || tag === 'select' ? lib.prop(el, 'value') : lib.fold(lib.content(el))
    return !!v
  }

  const disableable = words('button input select textarea option optgroup fieldset')
  lib.nativelyDisabled = (el) => lib.isHTML(el) && (disableable.has(lib.tag(el)) || lib.tag(el).includes('-')) && lib.matches(el, ':disabled')
  lib.disabled = (el) => lib.nativelyDisabled(el) || (lib.cache.disabling ??= lib.rootsMet().some((r) => lib.all(r, '[aria-disabled=true]').length > 0)) && lib.closest(el, '[aria-disabled=true]') !== null
  lib.readonly = (el) => {
    const tag = lib.tag(el)
    if (tag === 'input' || tag === 'textarea') if (lib.prop(el, 'readOnly') === true) return true
    return lib.attr(el, 'aria-readonly') === 'true'
  }
  const ariaChecked = words('checkbox radio switch menuitemcheckbox menuitemradio option treeitem')
  const widgets = words('button link textbox searchbox checkbox radio switch combobox listbox slider spinbutton menuitem menuitemcheckbox menuitemradio option tab treeitem gridcell row columnheader rowheader group radiogroup grid treegrid tree menu menubar tablist toolbar scrollbar separator')
  // chosenSecretly: it is a select element whose choice is secret, or stands in one.
  lib.chosenSecretly = (el) => {
    const select = lib.closest(el, 'select')
    return select !== null && lib.secret(select)
  }
  const currents = words('page step location date time')
  const sorts = words('ascending descending other')
  lib.states = (el) => {
    const role = lib.role(el)
    const tag = lib.isHTML(el) ? lib.tag(el) : ''
    const out = []
    if (widgets.has(role) && lib.disabled(el)) out.push('disabled')
    if (el === lib.activeNow() || tag === 'input' || tag === 'option' || tag === 'select' || tag === 'textarea' || tag === 'dialog') lib.outside++
    if (tag !== 'input' && tag !== 'option' && tag !== 'summary' && lib.bare(el)) {
      if (el === lib.activeNow()) out.push('focused')
      return out
    }
    if (tag === 'input' && (lib.inputType(el) === 'checkbox' || lib.inputType(el) === 'radio')) {
      if (lib.prop(el, 'indeterminate')) out.push('checked=mixed')
      else if (lib.prop(el, 'checked')) out.push('checked')
    } else if (ariaChecked.has(role)) {
      const v = lib.attr(el, 'aria-checked')
      if (v === 'mixed') out.push('checked=mixed')
      else if (v === 'true') out.push('checked')
    }
    const expanded = tag === 'summary' && role === 'button' ? String(lib.has(lib.nodeParent(el), 'open')) : lib.attr(el, 'aria-expanded')
    if (expanded === 'true' || expanded === 'false') out.push('expanded=' + expanded)
    if (role === 'button') {
      const v = lib.attr(el, 'aria-pressed')
      if (v === 'true' || v === 'mixed' || v === 'false') out.push('pressed=' + v)
    }
    if (tag === 'option' ? lib.prop(el, 'selected') && !lib.chosenSecretly(el) : lib.attr(el, 'aria-selected') === 'true') out.push('selected')
    const current = lib.attr(el, 'aria-current')
    // What is none of the standard's values counts as true.
    if (current !== null && current !== '' && current !== 'false') out.push(currents.has(current) ? 'current=' + current : 'current')
    const invalid = lib.attr(el, 'aria-invalid')
    const field = tag === 'input' || tag === 'textarea' || tag === 'select'
    // What the browser's own validation stopped a submission for says so too.
    if ((invalid !== null && invalid !== '' && invalid !== 'false') || (field && lib.matches(el, ':user-invalid'))) out.push('invalid')
    if (field ? lib.prop(el, 'required') === true || lib.attr(el, 'aria-required') === 'true' : lib.attr(el, 'aria-required') === 'true') out.push('required')
    if (lib.readonly(el)) out.push('readonly')
    if (lib.attr(el, 'aria-busy') === 'true') out.push('busy')
    const sort = lib.attr(el, 'aria-sort')
    if (sorts.has(sort)) out.push('sort=' + sort)
    if ((role === 'listbox' || tag === 'select') && (lib.prop(el, 'multiple') === true || lib.attr(el, 'aria-multiselectable') === 'true')) out.push('multiple')
    if (role === 'dialog' || role === 'alertdialog') if (lib.attr(el, 'aria-modal') === 'true' || (tag === 'dialog' && lib.matches(el, ':modal'))) out.push('modal')
    // A table that holds some of its rows only says how many there are.
    const rows = role === 'table' || role === 'grid' || role === 'treegrid' ? Number.parseInt(lib.attr(el, 'aria-rowcount') ?? '', 10) : 0
    if (rows > 0) out.push('rows=' + rows)
    if (el === lib.activeNow()) out.push('focused')
    return out
  }
  lib.activeNow = () => {
    if (lib.cache.active === undefined) {
      const el = lib.active()
      lib.cache.active = el === lib.body() || el === lib.documentElement() ? null : el
    }
    return lib.cache.active
  }

  const simple = /^[A-Za-z][\w-]*$/
  const durable = (s) => s.length <= 40 && simple.test(s) && !/\d{4,}|[0-9a-f]{8,}/i.test(s)
  const testIds = ['data-testid', 'data-test', 'data-cy', 'data-qa']
  const alone = (root, css) => lib.all(root, css).length === 1
  // A locator that outlives this reading, where there is one that finds this element only.
  lib.hint = (el) => {
    const root = lib.root(el)
    const id = lib.attr(el, 'id')
    if (id !== null && durable(id) && alone(root, '#' + id)) return '#' + id
    for (const a of testIds) {
      const v = lib.attr(el, a)
      if (v !== null && /^[\w.:-]{1,40}$/.test(v)) {
        const css = `[${a}="${v}"]`
        if (alone(root, css)) return css
      }
    }
    const name = lib.attr(el, 'name')
    if (name !== null && /^[\w.:[\]-]{1,40}$/.test(name) && lib.tag(el) !== 'form') {
      const css = `${lib.tag(el)}[name="${name}"]`
      if (alone(root, css)) return css
    }
    return ''
  }
  lib.href = (el) => {
    if (lib.isSVG(el)) {
      const raw = lib.attr(el, 'href') ?? lib.attrNS(el, 'http://www.w3.org/1999/xlink', 'href')
      if (raw === null) return ''
      try {
        return new URL(raw, lib.prop(lib.document, 'baseURI')).href
      } catch {
        return raw
      }
    }
    return lib.has(el, 'href') ? lib.prop(el, 'href') || '' : ''
  }
  // It shows that it can be clicked: by attribute, by taking focus, or by a pointer that it did not inherit.
  lib.clickable = (el) => {
    if (!lib.bare(el)) {
      if (lib.has(el, 'onclick')) return true
      const tab = lib.attr(el, 'tabindex')
      if (tab !== null && Number.parseInt(tab, 10) >= 0) return true
    }
    if (!lib.mayPoint(el) || lib.style(el).cursor !== 'pointer') return false
    const p = lib.parentElement(el)
    return p === null || lib.style(p).cursor !== 'pointer'
  }
}
