// lib_edit(lib): part of the page library: what takes text, and how it is put there.
//
//   lib.editKind(el)    'text' by keys, 'set' (date, colour, range …), 'rich' (contenteditable), '' takes no text
//   lib.editable(el)    the first rendered thing inside el that takes text, or null
//   lib.probe(el, text) what an input of el's type makes of the text; null where it throws it away
//   lib.current(el)     the text that el holds now
//   lib.into(el)        puts the focus on el, scrolled into view; false where it does not stay
//   lib.fire(el, type)  the event that a user's edit causes
//   lib.turn()          promise: what the page scheduled at once has run
(lib) => {
  const view = lib.window
  const TEXT = new Set(['text', 'search', 'tel', 'url', 'email', 'password', 'number'])
  const SET = new Set(['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range'])
  const NUMBER = /^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$/

  lib.editKind = (el) => {
    switch (lib.tag(el)) {
      case 'textarea': return 'text'
      case 'input': {
        const type = lib.prop(el, 'type')
        return TEXT.has(type) ? 'text' : SET.has(type) ? 'set' : ''
      }
    }
    return lib.prop(el, 'isContentEditable') === true ? 'rich' : ''
  }
  lib.editable = (el) => {
    for (const root of lib.roots()) {
      for (const e of lib.all(root, 'input,textarea,[contenteditable]')) {
        if (e !== el && lib.contains(el, e) && lib.editKind(e) !== '' && lib.rendered(e)) return e
      }
    }
    return null
  }
  lib.probe = (el, text) => {
    const type = lib.tag(el) === 'input' ? lib.prop(el, 'type') : ''
    if (text === '' && type !== 'color' && type !== 'range') return ''
    if ((type === 'number' || type === 'range') && !NUMBER.test(text)) return null
    if (type !== 'number' && !SET.has(type)) return text
    const twin = lib.call(lib.document, 'createElement', 'input')
    for (const name of ['min', 'max', 'step', 'alpha', 'colorspace']) {
      if (lib.has(el, name) && (type === 'range' || type === 'color')) lib.call(twin, 'setAttribute', name, lib.attr(el, name))
    }
    lib.set(twin, 'type', type)
    if (type === 'color') {
      const named = CSS.supports('color', text) && !/^#0{3,8}$|^black$/i.test(text.trim())
      lib.set(twin, 'value', text.trim())
      const got = lib.prop(twin, 'value')
      return !CSS.supports('color', text.trim()) || (named && /^#0{6}$/.test(got)) ? null : got
    }
    lib.set(twin, 'value', text.trim())
    const got = lib.prop(twin, 'value')
    return got === '' ? null : got
  }
  lib.current = (el) => (lib.editKind(el) === 'rich' ? lib.prop(el, 'innerText') ?? '' : lib.prop(el, 'value') ?? '')
  lib.into = (el) => {
    const r = lib.rect(el)
    if (r.x < 0 || r.y < 0 || r.x + r.w > view.innerWidth || r.y + r.h > view.innerHeight) {
      lib.call(el, 'scrollIntoView', { block: 'center', inline: 'center', behavior: 'instant' })
    }
    const has = () => {
      const now = lib.active()
      return now === el || (now !== null && lib.editKind(el) === 'rich' && lib.contains(now, el))
    }
    for (let i = 0; i < 2 && !has(); i++) lib.call(el, 'focus', { preventScroll: true })
    return has()
  }
  const dispatch = EventTarget.prototype.dispatchEvent
  lib.fire = (el, type, init) => {
    const event = type === 'change' ? new Event('change', { bubbles: true }) : new InputEvent(type, { bubbles: true, composed: true, ...init })
    return dispatch.call(el, event)
  }
  lib.turn = () => lib.wait(0)
}
