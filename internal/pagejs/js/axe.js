// axe(lib) -> "new" or "kept": puts axe-core into the realm, once for each document; reads.
//
// Its source stands where AXE is, as it was published. What it would take from the realm it is given here: rules follow
// each other at once instead of by timers, which stand still in a tab that is not shown and in a document that may run
// no scripts, and which would let the page change between two rules. What it writes to the console would be the page's
// log. Messages from the page, which would make it answer, do not reach it.
(lib) => {
  if (lib.axe !== undefined) return 'kept'
  const control = { end: Infinity, late: null }
  const later = (f, ms) => {
    if (ms > 0) return 0
    const next = () => {
      if (control.late !== null && lib.now() > control.end) control.late()
      else f()
    }
    Promise.resolve().then(next)
    return 0
  }
  const nothing = () => {}
  const silent = { log: nothing, warn: nothing, error: nothing, info: nothing, debug: nothing }
  const view = lib.window
  ;((window, setTimeout, clearTimeout, console, module, define) => {
AXE
  })(view, later, nothing, silent, undefined, undefined)
  const axe = view.axe
  delete view.axe
  axe.frameMessenger({ open: () => nothing, post: () => false })
  axe.configure({ noHtml: true, allowedOrigins: [] })
  lib.axe = axe
  lib.axeControl = control
  return 'new'
}
