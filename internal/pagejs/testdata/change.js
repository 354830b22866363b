// change(lib, {what}) -> what: changes the page as a script of the page would.
(lib, { what }) => {
  const body = lib.body()
  const who = lib.byId(lib.document, 'who')
  switch (what) {
    case 'value':
      who.value = 'Grace'
      break
    case 'checked':
      lib.byId(lib.document, 'all').indeterminate = false
      break
    case 'text':
      lib.all(lib.document, 'h1 em')[0].firstChild.data = 'sheet'
      break
    case 'add': {
      const b = lib.document.createElement('button')
      b.textContent = 'New'
      body.append(b)
      break
    }
    case 'shadow': {
      const host = lib.document.createElement('div')
      const b = lib.document.createElement('button')
      b.textContent = 'Inside'
      host.attachShadow({ mode: 'open' }).append(b)
      body.append(host)
      break
    }
    case 'move':
      body.prepend(lib.byId(lib.document, 'order'))
      break
  }
  return what
}
