// scrolled(lib, {}) -> bool: waits for a scroll that is about to begin, then until it rests; reads.
async (lib) => {
  const view = lib.window
  let at = 0
  let any = false
  const note = () => {
    at = lib.now()
    any = true
  }
  view.addEventListener('scroll', note, { capture: true, passive: true })
  const start = lib.now()
  at = start
  while (lib.now() - at < (any ? 50 : 120) && lib.now() - start < 1000) await lib.frame()
  view.removeEventListener('scroll', note, { capture: true })
  return any
}
